"""Two clones that forget the same words get the same history, and each keeps what is its own."""

from pathlib import Path
from typing import NamedTuple

import pytest

from clawgit.git.forgotten import FORGOTTEN_REF
from clawgit.history.forgetting.forget import forget, plan
from clawgit.memory.remember import NewFact, remember
from clawgit.talk.chat import log
from clawgit.workspace.workspace import Workspace
from tests.chatting import at_a_terminal, opened, texts
from tests.conftest import NOW, Git
from tests.history.forgetting.planting import FILES, IDENT, WORDS, found_in
from tests.making import workspace_of


class Clones(NamedTuple):
    """The hub is bare; `first` and `second` are clones of it, each a workspace."""

    hub: Git
    first: Git
    second: Git

    def publish(self) -> None:
        self.first("push", "-q", "--force", "origin", "main", FORGOTTEN_REF)
        self.second("fetch", "-q", "origin")


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


def test_the_second_clone_keeps_what_is_its_own(clones: Clones) -> None:
    _, first, second = clones
    ours = at_a_terminal(second.root)
    remember(ours, NewFact("Bob likes cake"))
    log(ours, f"They say {WORDS}", ident="x1")
    second("commit", "-q", "--allow-empty", "-m", f"thinking of {WORDS}")
    _forget(first)
    clones.publish()

    done = forget(ours, plan(ours, WORDS, history=True))

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
    _forget(clones.second)
    base = clones.second("merge-base", "main", "origin/main").strip()
    assert base == clones.first("rev-parse", "main~").strip()


def test_the_record_names_no_word_and_hashes_otherwise(clones: Clones, tmp_path: Path) -> None:
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
