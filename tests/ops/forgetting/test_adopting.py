"""Two clones: what one forgets, the other follows by hashes alone, and keeps what is its own."""

from pathlib import Path
from typing import NamedTuple

import pytest

from clawgit.domain.change.actors import AGENT, OPERATOR
from clawgit.ops.conversation.chat import log
from clawgit.ops.facts.remember import NewFact, remember
from clawgit.ops.forgetting.adopting import adopt, look_at_remote, plan_adoption
from clawgit.ops.forgetting.forget import forget, plan
from clawgit.ops.workspace.operator import NotTheOperatorError
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.forgetting.forgotten import FORGOTTEN_REF
from tests.conftest import NOW, Git
from tests.ops.chatting import at_a_terminal, opened, texts
from tests.ops.forgetting.planting import FILES, IDENT, WORDS, found_in
from tests.ops.making import workspace_of

THEIRS = "refs/fetched/forgotten"


class Clones(NamedTuple):
    """The hub is bare; `first` and `second` are clones of it, each a workspace."""

    hub: Git
    first: Git
    second: Git

    def publish(self) -> None:
        self.first("push", "-q", "--force", "origin", "main", FORGOTTEN_REF)

    def fetch(self) -> tuple[str, str]:
        """The remote's record and its branch, as the second clone sees them."""
        self.second("fetch", "-q", "origin", f"+{FORGOTTEN_REF}:{THEIRS}")
        self.second("fetch", "-q", "origin")
        record, tip = self.second("rev-parse", THEIRS, "origin/main").split()
        return record, tip


@pytest.fixture
def clones(git: Git, tmp_path: Path) -> Clones:
    workspace_of(git, FILES, NOW)
    hub, second = Git(tmp_path / "hub.git"), Git(tmp_path / "second")
    git("clone", "-q", "--bare", str(git.root), str(hub.root))
    git("remote", "add", "origin", str(hub.root))
    git("fetch", "-q", "origin")
    git("clone", "-q", str(hub.root), str(second.root))
    (second.root / ".git" / "clawgit").mkdir()
    return Clones(hub, git, second)


def test_the_second_clone_follows_and_keeps_what_is_its_own(clones: Clones) -> None:
    _, first, second = clones
    ours = at_a_terminal(second.root)
    remember(ours, NewFact("Bob likes cake"))
    log(ours, f"They say {WORDS}", ident="x1")
    second("commit", "-q", "--allow-empty", "-m", f"thinking of {WORDS}")
    _forget(first)
    clones.publish()

    record, tip = clones.fetch()
    seen = look_at_remote(ours, record, tip)
    assert [act.rewrote for act in seen.adopt] == [True]
    assert seen.stale == ()
    done = adopt(ours, plan_adoption(ours, record, seen.adopt))

    assert done.proof is not None
    assert done.proof.is_clean
    assert found_in(second.root, second.root) == []
    assert texts(ours) == []
    second("merge", "-q", "--no-edit", "origin/main")
    assert "Bob likes cake" in (second.root / "MEMORY.md").read_text()
    assert "Tea is green" in (second.root / "MEMORY.md").read_text()
    assert found_in(second.root, second.root) == []
    assert opened(second.root).forgotten().holds(WORDS)


def test_what_both_had_gets_the_same_commits(clones: Clones) -> None:
    """So the two histories have a common one to merge by."""
    _forget(clones.first)
    clones.publish()
    record, tip = clones.fetch()
    ours = at_a_terminal(clones.second.root)
    adopt(ours, plan_adoption(ours, record, look_at_remote(ours, record, tip).adopt))
    base = clones.second("merge-base", "main", "origin/main").strip()
    assert base == clones.first("rev-parse", "main~").strip()


def test_a_remote_that_still_has_the_words_is_stale(clones: Clones) -> None:
    """Merged as usual, it would bring them back."""
    _forget(clones.first)
    workspace = at_a_terminal(clones.first.root)
    clones.first("fetch", "-q", "origin")
    tip = clones.first("rev-parse", "origin/main").strip()
    seen = look_at_remote(workspace, "", tip)
    assert len(seen.stale) == 1
    assert seen.adopt == ()
    clones.publish()
    clones.first("fetch", "-q", "origin")
    tip = clones.first("rev-parse", "origin/main").strip()
    assert look_at_remote(workspace, "", tip).stale == ()


def test_after_adopting_there_is_nothing_to_adopt(clones: Clones) -> None:
    _forget(clones.first)
    clones.publish()
    record, tip = clones.fetch()
    ours = at_a_terminal(clones.second.root)
    adopt(ours, plan_adoption(ours, record, look_at_remote(ours, record, tip).adopt))
    seen = look_at_remote(ours, record, tip)
    assert (seen.adopt, seen.stale) == ((), ())


def test_an_agent_does_not_adopt(clones: Clones) -> None:
    _forget(clones.first)
    clones.publish()
    record, tip = clones.fetch()
    agent = opened(clones.second.root)
    acts = look_at_remote(agent, record, tip).adopt
    assert agent.caller.actor == AGENT != OPERATOR
    with pytest.raises(NotTheOperatorError):
        plan_adoption(agent, record, acts)


def test_the_record_names_no_word_and_the_same_words_hash_otherwise(
    clones: Clones, tmp_path: Path
) -> None:
    _forget(clones.first)
    elsewhere = Git(tmp_path / "elsewhere")
    elsewhere.root.mkdir()
    elsewhere("init", "-q")
    _forget(elsewhere, workspace_of(elsewhere, FILES, NOW))
    records = [one("show", f"{FORGOTTEN_REF}:forgotten.json") for one in (clones.first, elsewhere)]
    assert not any("vault" in record.lower() for record in records)
    hashes = [record.split('"hashes"')[1].split("]")[0] for record in records]
    assert hashes[0] != hashes[1]


def _forget(git: Git, workspace: Workspace | None = None) -> None:
    workspace = workspace or at_a_terminal(git.root)
    forget(workspace, plan(workspace, IDENT, history=True))
