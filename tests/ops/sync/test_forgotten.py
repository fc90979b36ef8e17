"""`sync` where one of two machines has forgotten something for good."""

from pathlib import Path

import pytest

from clawgit.domain.change.actors import AGENT
from clawgit.errors import ClawgitError
from clawgit.ops.facts.remember import NewFact, remember
from clawgit.ops.forgetting.adopting import AdoptPlan
from clawgit.ops.forgetting.forget import forget, plan
from clawgit.ops.forgetting.forgotten import ForgottenError
from clawgit.ops.sync.sync import sync
from clawgit.stores.git.forgotten import FORGOTTEN_REF
from tests.conftest import Git
from tests.ops.forgetting.planting import ENTRY, IDENT, WORDS, found_in
from tests.ops.sync.machines import Hub, Machine, machines

Pair = tuple[Hub, Machine, Machine]


@pytest.fixture
def pair(ws: Git, tmp_path: Path) -> Pair:
    hub, (one, two) = machines(ws, tmp_path, 2)
    one.append(f"{ENTRY}\n")
    one.sync()
    two.sync()
    two.append("- Bob likes cake.\n", "memory/2026-02-15.md")
    return hub, one, two


def forgot(machine: Machine, *, history: bool) -> None:
    workspace = machine.workspace()
    forget(workspace, plan(workspace, IDENT, history=history))
    workspace.close()


def publish(machine: Machine) -> None:
    machine("push", "-q", "--force", "origin", "main", FORGOTTEN_REF)


def test_a_remote_that_has_the_words_does_not_bring_them_back(pair: Pair) -> None:
    _, one, _ = pair
    forgot(one, history=True)
    before = one.head()
    done = one.sync()
    assert (done.state, one.head()) == ("diverged", before)
    assert done.next.startswith("git push --force origin main:main refs/clawgit/forgotten")
    assert found_in(one.root, one.root) == []


def test_the_other_machine_adopts_when_its_operator_agrees(pair: Pair) -> None:
    hub, one, two = pair
    forgot(one, history=True)
    publish(one)
    assert one.sync().state == "in_sync"

    assert two.sync(dry_run=True).state == "diverged"
    before = two.sync()
    assert (before.state, "--adopt-forgotten" in before.next) == ("diverged", True)
    assert two.sync(agree=lambda _: False).state == "diverged"
    asked: list[AdoptPlan] = []

    def agree(plan: AdoptPlan) -> bool:
        asked.append(plan)
        return True

    done = two.sync(agree=agree)

    assert (done.state, len(asked)) == ("merged", 1)
    assert "nothing of it is left" in done.notes[0]
    assert found_in(two.root, two.root) == []
    assert "Bob likes cake" in two.text("memory/2026-02-15.md")
    one.sync()
    assert one.tree() == two.tree()
    assert two.sync().state == "in_sync"
    assert found_in(hub.root) != []  # its old objects are the hub's to delete
    hub("gc", "-q", "--prune=now")
    assert found_in(hub.root, hub.root) == []


def test_without_history_the_record_travels_and_agents_refuse_the_words(pair: Pair) -> None:
    _, one, two = pair
    forgot(one, history=False)
    assert one.sync().state == "pushed"
    assert two.sync().state == "merged"
    assert "vault" not in two.text()
    with pytest.raises(ForgottenError):
        remember(two.workspace(AGENT), NewFact(WORDS))


def test_a_later_rewrite_of_the_other_kind_is_still_refused(pair: Pair) -> None:
    """A forced push that forgot nothing moves nothing here, record or not."""
    _, one, two = pair
    forgot(one, history=False)
    one.sync()
    two.sync()
    one("commit", "-q", "--amend", "-m", "amended")
    publish(one)
    assert (two.sync().state, "--adopt" in two.sync().next) == ("diverged", False)


def test_an_agent_does_not_adopt_by_sync(pair: Pair) -> None:
    _, one, two = pair
    forgot(one, history=True)
    publish(one)
    before = two.head()
    with pytest.raises(ClawgitError, match="Only the operator"):
        sync(two.workspace(AGENT), agree=lambda _: True)
    assert two("merge-base", "--is-ancestor", before, "HEAD") == ""
