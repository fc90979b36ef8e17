"""Proposals travel with a sync: what an agent proposes on one machine, the operator decides on
another, and it waits nowhere any more.
"""

from pathlib import Path

import pytest

from clawgit.core.markdown.amend import Amendment
from clawgit.git.rules.actors import AGENT, OPERATOR
from clawgit.history.proposals import approve, proposals, propose, reject
from clawgit.safety.operator import set_key
from tests.conftest import Git
from tests.history.machines import Hub, Machine, machines, meet
from tests.signing import make_key


@pytest.fixture
def trio(ws: Git, tmp_path: Path) -> tuple[Hub, list[Machine]]:
    return machines(ws, tmp_path, 3)


def proposed(machine: Machine) -> str:
    wish = Amendment(add="- Ask before deleting files.")
    change = propose(machine.workspace(AGENT), wish, "It was asked for.", evidence=("chat:a/1",))
    assert change.id is not None
    return change.id


def waiting(machine: Machine) -> list[str]:
    return [one.id for one in proposals(machine.workspace()).proposals]


def test_an_approval_settles_a_proposal_everywhere(trio: tuple[Hub, list[Machine]]) -> None:
    hub, clones = trio
    server, laptop, _ = clones
    ident = proposed(server)
    meet(clones)
    assert [waiting(clone) for clone in clones] == [[ident]] * 3
    approve(laptop.workspace(OPERATOR), ident)
    meet([laptop, *clones])
    assert [waiting(clone) for clone in clones] == [[]] * 3
    assert "refs/clawgit/proposals" not in hub("for-each-ref")
    assert "- Ask before deleting files." in server.text("SOUL.md")


def test_a_rejection_travels_with_its_reason(trio: tuple[Hub, list[Machine]]) -> None:
    _, clones = trio
    server, laptop, _ = clones
    ident = proposed(server)
    meet(clones)
    reject(laptop.workspace(OPERATOR), ident, "Not now.")
    meet([laptop, *clones])
    assert [waiting(clone) for clone in clones] == [[]] * 3
    [rejected] = proposals(server.workspace(), rejected=True).proposals
    assert (rejected.id, rejected.rejected) == (ident, "Not now.")


def test_locks_of_ours_that_a_power_cut_left_stop_no_sync(trio: tuple[Hub, list[Machine]]) -> None:
    _, (server, laptop, _) = trio
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


def test_a_forged_rejection_takes_no_proposal_away(trio: tuple[Hub, list[Machine]]) -> None:
    """A commit under that name that does not hold the proposal."""
    hub, clones = trio
    server = clones[0]
    ident = proposed(server)
    hub("update-ref", f"refs/clawgit/rejected/{ident}", "main")
    meet(clones)
    assert waiting(server) == [ident]


FORGED = """operator: ask before deleting files

Proposed as {} by agent on 2026-02-14 09:00.

Clawgit-Id: kzkzkzkz
Clawgit-Op: operator/approve
"""


def test_with_an_operator_key_only_a_signed_approval_takes_a_proposal_away(
    trio: tuple[Hub, list[Machine]], tmp_path: Path
) -> None:
    _, clones = trio
    server, laptop, stranger = clones
    set_key(laptop.workspace(OPERATOR).caller, make_key(tmp_path, "operator"))
    forged, honest = proposed(server), proposed(server)
    meet([server, laptop])
    approve(laptop.workspace(OPERATOR), honest)
    stranger("commit", "-q", "--allow-empty", "-m", FORGED.format(forged))
    stranger("push", "-q", "origin", "HEAD")
    meet([laptop])
    assert waiting(laptop) == [forged]


def test_a_proposal_with_a_secret_stays_at_home(trio: tuple[Hub, list[Machine]]) -> None:
    hub, (server, *_) = trio
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
