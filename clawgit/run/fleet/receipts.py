"""What a run leaves for the next one, wherever that runs: how far it has heard, its marks, what was
sent. They travel with the fence of the push, and stand in the database once the job is finished.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from clawgit.workspace.stores import runs
from clawgit.workspace.stores.runs import Run
from clawgit.workspace.stores.state import State

Receipts = dict[str, dict[str, Any]]
"""Series → the newest run of it that counts, and the generation that made it."""


_TEXTS = ("id", "by", "started", "ended", "outcome", "base", "heard")
_MOST = 2**63


def checked(receipts: Receipts) -> Receipts:
    """The receipts; ValueError, or another error of such reading, for what no worker has written.

    Whoever may push may write them: what the state or the database does not take stays out of both.
    """
    for series, row in receipts.items():
        run = row["run"]
        marks = (*run["marks"], *run["marks"].values())
        words = "".join((series, *(run[name] for name in _TEXTS), *marks)).encode()
        times = (datetime.fromisoformat(run[name]).tzinfo for name in ("started", "ended"))
        numbers = (row["gen"], run["steps"])
        if (
            {*row} != {"gen", "run"}
            or {*run} != {*_TEXTS, "steps", "marks"}
            or b"\0" in words
            or not all(times)
            or not all(isinstance(number, int) and 0 <= number < _MOST for number in numbers)
        ):
            raise ValueError("no receipts")
    return receipts


def newest_of(*several: Receipts) -> Receipts:
    """For each series the receipt of the newest generation."""
    known: Receipts = {}
    for receipts in several:
        for series, row in receipts.items():
            if series not in known or row["gen"] > known[series]["gen"]:
                known[series] = row
    return known


def take_in(state: State, receipts: Receipts) -> None:
    """Has the next run of each series begin where the last one ended."""
    for series, row in receipts.items():
        run, here = row["run"], runs.left(state, series)
        if here is not None and here.id == run["id"]:
            continue
        started, ended = map(datetime.fromisoformat, (run["started"], run["ended"]))
        runs.begin(state, series, run["id"], started, by=run["by"], base=run["base"])
        runs.plan(state, run["id"], run["steps"], heard=run["heard"], marks=run["marks"])
        runs.finish(state, run["id"], ended, run["outcome"])


def left_by(state: State, known: Receipts, gen: int) -> Receipts:
    """The receipts of the runs that were finished since."""
    made = (runs.left(state, series) for series in runs.lasts(state))
    return {run.job: {"gen": gen, "run": _row(run)} for run in _new(made, known)}


def _new(made: Iterable[Run | None], known: Receipts) -> Iterable[Run]:
    for run in made:
        if run is not None and known.get(run.job, {}).get("run", {}).get("id") != run.id:
            yield run


def _row(run: Run) -> dict[str, Any]:
    """A run as JSON, without what it told: the files say it."""
    ended = run.ended or run.started
    return {
        "id": run.id, "by": run.by, "started": run.started.isoformat(),
        "ended": ended.isoformat(), "outcome": run.outcome, "base": run.base,
        "steps": run.steps, "heard": run.heard, "marks": dict(run.marks),
    }  # fmt: skip
