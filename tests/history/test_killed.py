"""kill -9 at each step of a sync: nothing lost, nothing half done, and the next sync goes on."""

import signal
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.git.test_crash import steps
from tests.history.machines import Machine, in_a_child, killed_at, machines, meet

STEPS = (
    "asking", "bringing", "locked:2", "edited", "looked", "looked:2", "built", "journaled",
    "index-locked", "prepared", "exchanged", "placed", "placed:2", "ref-moved", "index-published",
    "unlocked", "done", "sending",
)  # fmt: skip

SHORT = "journaled placed ref-moved"
"""The steps of the short form; of each step of a transaction, tests/git has more."""


@pytest.fixture
def pair(ws: Git, tmp_path: Path) -> list[Machine]:
    (ws.root / ".git/clawgit").mkdir()
    _, clones = machines(ws, tmp_path, 2)
    return clones


def lines(machine: Machine) -> list[str]:
    texts = machine.text(), machine.text("memory/2026-02-14.md")
    return sorted(line for text in texts for line in text.splitlines() if line.startswith("- "))


def assert_all_agree(clones: list[Machine], expected: list[str]) -> None:
    meet(clones)
    assert {clone.head() for clone in clones} == {clones[0].head()}
    assert [lines(clone) for clone in clones] == [expected] * len(clones)
    assert [clone.left_over() for clone in clones] == [""] * len(clones)
    for clone in clones:
        assert clone("fsck", "--strict", "--no-dangling") == ""


@pytest.mark.parametrize("step", steps(f"bringing {SHORT} exchanged sending", *STEPS))
def test_killed_in_a_merge(pair: list[Machine], step: str) -> None:
    one, two = pair
    for machine, name in ((one, "tea"), (two, "coffee")):
        machine.append(f"- Likes {name}.\n")
        machine.append(f"- {name} at nine.\n", "memory/2026-02-14.md")
    one.sync()
    assert killed_at(two, step) == -signal.SIGKILL
    assert_all_agree(
        pair,
        [
            "- Billing uses PostgreSQL. #decision", "- Likes coffee.", "- Likes tea.",
            "- coffee at nine.", "- tea at nine.",
        ],
    )  # fmt: skip


FORWARDS = (step for step in STEPS if step not in ("looked:2", "locked:2", "sending"))


@pytest.mark.parametrize("step", steps(SHORT, *FORWARDS))
def test_killed_in_a_fast_forward(pair: list[Machine], step: str) -> None:
    """The commits of the other machine are taken as they are all the same: no merge is made."""
    one, two = pair
    one.append("- Likes tea.\n")
    one.append("- tea at nine.\n", "memory/2026-02-14.md")
    one.sync()
    assert killed_at(two, step) == -signal.SIGKILL
    assert_all_agree(
        pair, ["- Billing uses PostgreSQL. #decision", "- Likes tea.", "- tea at nine."]
    )
    assert two("rev-list", "--merges", "HEAD") == ""


@pytest.mark.parametrize(
    "step",
    steps("journaled ref-moved", "journaled", "prepared", "placed", "placed:2", "ref-moved"),
)
def test_somebody_commits_between_kill_and_recovery(pair: list[Machine], step: str) -> None:
    one, two = pair
    one.append("- Likes tea.\n")
    one.append("- tea at nine.\n", "memory/2026-02-14.md")
    one.sync()
    assert killed_at(two, step) == -signal.SIGKILL
    (two.root / ".git/index.lock").unlink(missing_ok=True)
    two.append("- By hand.\n")
    two("commit", "-qam", "by hand")
    assert_all_agree(
        pair,
        ["- Billing uses PostgreSQL. #decision", "- By hand.", "- Likes tea.", "- tea at nine."],
    )


@pytest.mark.parametrize("step", steps("placed", "journaled", "placed", "ref-moved"))
def test_gc_between_kill_and_recovery(pair: list[Machine], step: str) -> None:
    one, two = pair
    one.append("- Likes tea.\n")
    one.append("- tea at nine.\n", "memory/2026-02-14.md")
    one.sync()
    assert killed_at(two, step) == -signal.SIGKILL
    two("reflog", "expire", "--expire=now", "--all")
    two("gc", "--prune=now", "--quiet")
    assert_all_agree(
        pair, ["- Billing uses PostgreSQL. #decision", "- Likes tea.", "- tea at nine."]
    )


@pytest.mark.parametrize(
    "room", [400, *(pytest.param(room, marks=pytest.mark.slow) for room in (0, 100, 1000, 3000))]
)
def test_a_full_disk_is_a_clear_error_and_the_next_sync_goes_on(
    pair: list[Machine], room: int
) -> None:
    """The limit hits, from small to large: objects, packs, references, texts, the index."""
    one, two = pair
    for machine, name in ((one, "tea"), (two, "coffee")):
        machine.append(f"- Likes {name}.\n")
        machine.append(f"- {name} at nine.\n", "memory/2026-02-14.md")
        machine.append("- A long fact that fills the notebook.\n" * 200, f"memory/{name}.md")
    one.sync()
    code, said = in_a_child(two, f"full:{room}")
    assert code == 1
    assert "The disk is full" in said
    meet(pair)
    assert {clone.tree() for clone in pair} == {one.tree()}
    assert {"- Likes coffee.", "- Likes tea.", "- coffee at nine.", "- tea at nine."} < {
        *lines(two)
    }
    assert [clone.left_over() for clone in pair] == [""] * len(pair)
