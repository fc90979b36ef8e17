"""Proposals travel with a sync: what an agent proposes on one machine, the operator decides on
another, and it waits nowhere any more.
"""

import shutil
from pathlib import Path

import pytest

from clawgit.core.markdown.amend import Amendment
from clawgit.git.rules.actors import AGENT, OPERATOR
from clawgit.history.proposals import approve, proposals, propose, reject
from clawgit.safety.operator import set_key
from tests.history.machines import Hub, Machine, meet
from tests.signing import make_key


@pytest.fixture
def three(two: Machine) -> Machine:
    return Machine(shutil.copytree(two.root, two.root.with_name("three")), two.now)


def proposed(machine: Machine) -> str:
    wish = Amendment(add="- Ask before deleting files.")
    change = propose(machine.workspace(AGENT), wish, "It was asked for.", evidence=("chat:a/1",))
    assert change.id is not None
    return change.id


def waiting(machine: Machine) -> list[str]:
    return [one.id for one in proposals(machine.workspace()).proposals]


def test_a_decision_settles_a_proposal_everywhere_and_a_rejection_says_why(
    hub: Hub, one: Machine, two: Machine, three: Machine
) -> None:
    server, laptop, clones = one, two, [one, two, three]
    good, bad = proposed(server), proposed(server)
    meet(clones, 1)
    assert [{*waiting(clone)} for clone in clones] == [{good, bad}] * 3
    approve(laptop.workspace(OPERATOR), good)
    reject(laptop.workspace(OPERATOR), bad, "Not now.")
    meet([laptop, *clones], 1)
    assert [waiting(clone) for clone in clones] == [[]] * 3
    assert "refs/clawgit/proposals" not in hub("for-each-ref")
    assert "- Ask before deleting files." in server.text("SOUL.md")
    [rejected] = proposals(server.workspace(), rejected=True).proposals
    assert (rejected.id, rejected.rejected) == (bad, "Not now.")


def test_locks_of_ours_that_a_power_cut_left_stop_no_sync(one: Machine, two: Machine) -> None:
    server, laptop = one, two
    ident = proposed(server)
    server.sync()
    ours = laptop.workspace().place.common_dir / "refs/clawgit"
    names = (f"remote/origin/proposals/{ident}", "remote/origin/heads/main", f"proposals/{ident}")
    for name in names:
        lock = ours / f"{name}.lock"
        lock.parent.mkdir(parents=True, exist_ok=True)
        lock.write_bytes(b"")
    laptop.sync()
    assert waiting(laptop) == [ident]
    assert [*ours.rglob("*.lock")] == []


def test_a_forged_rejection_takes_no_proposal_away(hub: Hub, one: Machine, two: Machine) -> None:
    """A commit under that name that does not hold the proposal."""
    ident = proposed(one)
    hub("update-ref", f"refs/clawgit/rejected/{ident}", "main")
    meet([one, two])
    assert waiting(one) == waiting(two) == [ident]


FORGED = """operator: ask before deleting files

Proposed as {} by agent on 2026-02-14 09:00.

Clawgit-Id: kzkzkzkz
Clawgit-Op: operator/approve
"""


def test_with_an_operator_key_only_a_signed_approval_takes_a_proposal_away(
    one: Machine, two: Machine, three: Machine, tmp_path: Path
) -> None:
    server, laptop, stranger = one, two, three
    set_key(laptop.workspace(OPERATOR).caller, make_key(tmp_path, "operator"))
    forged, honest = proposed(server), proposed(server)
    meet([server, laptop], 1)
    approve(laptop.workspace(OPERATOR), honest)
    stranger("commit", "-q", "--allow-empty", "-m", FORGED.format(forged))
    stranger("push", "-q", "origin", "HEAD")
    laptop.sync()
    assert waiting(laptop) == [forged]


def test_a_proposal_with_a_secret_stays_at_home(hub: Hub, one: Machine) -> None:
    server = one
    ident = proposed(server)
    server.save("SOUL.md", "- AKIAIOSFODNN7REALKEY\n")
    leaky = server("hash-object", "-w", "SOUL.md").strip()
    server("checkout", "-q", "SOUL.md")
    server("update-index", "--cacheinfo", f"100644,{leaky},SOUL.md")
    tree = server("write-tree").strip()
    commit = server("commit-tree", tree, "-p", "HEAD", "-m", "leak").strip()
    server("update-ref", f"refs/clawgit/proposals/{ident}", commit)
    server("reset", "-q")
    done = server.sync()
    assert done.state == "in_sync"
    assert "proposals were not sent" in done.notes[0]
    assert "refs/clawgit" not in hub("for-each-ref")
