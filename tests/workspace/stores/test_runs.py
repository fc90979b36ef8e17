"""The rows of runs: what counts for the next one, what was cut off, and how many are remembered."""

from datetime import timedelta

import pytest

from clawgit.workspace.stores import runs
from clawgit.workspace.stores.runs import CUT_OFF, DONE, FAILED, NOTHING
from clawgit.workspace.stores.state import State
from tests.conftest import NOW

LATER = NOW + timedelta(seconds=1.5)


def ran(state: State, run: str, outcome: str = DONE, job: str = "miner", **marks: str) -> None:
    runs.begin(state, job, run, NOW)
    runs.plan(state, run, 1, heard=f"sqlite:{len(run)}", marks=marks)
    runs.finish(state, run, LATER, outcome)


def test_only_what_came_to_its_end_counts(state: State) -> None:
    assert (runs.left(state, "miner"), runs.recent(state, 1, "miner")) == (None, [])
    ran(state, "r1", DONE, a="1")
    ran(state, "r2", NOTHING, a="2")
    ran(state, "r3", FAILED, a="3")
    ran(state, "r4", CUT_OFF, a="4")
    left, [last] = runs.left(state, "miner"), runs.recent(state, 1, "miner")
    assert left is not None
    assert (left.id, left.marks, last.id) == ("r2", {"a": "2"}, "r4")


def test_old_runs_go_but_not_the_last(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "_KEPT", 3)
    ran(state, "good", DONE)
    for number in range(6):
        ran(state, f"bad{number}", FAILED)
    ran(state, "other", job="digest")
    assert [run.id for run in runs.recent(state, 20, "miner")] == [
        *(f"bad{number}" for number in range(5, -1, -1)),
        "good",
    ]
    ran(state, "better", DONE)
    assert [run.id for run in runs.recent(state, 20, "miner")] == ["better", "bad5", "bad4"]
    assert runs.recent(state, 1, "digest")
