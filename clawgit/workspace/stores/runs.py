"""A row in `state.db` for each run of an agent or a job: when it ran, and its result.

A run begins before its first commit and is finished after its last. Its marks for the next run
count only if it was finished, or if all commits that it had planned exist.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from clawgit.core import NamedTuple
from clawgit.core.doors import secrets
from clawgit.workspace.stores.state import State

DONE = "done"
NOTHING = "nothing"
FAILED = "failed"
CUT_OFF = "cut off"

_SCHEDULED = "scheduled/"
"""The runs of a job by the clock are a series of their own beside those of the agent."""

_ERRANDS = "errand/"

_KEPT = 200
"""How many runs of one job are stored."""

_NONE: Mapping[str, Any] = MappingProxyType({})


class Run(NamedTuple):
    """One run. `by` is the job that started it, "" if a person did; `base` is what HEAD was.

    `outcome` is "" while it runs. `heard` is the last message that it has read, `marks` what it
    left, `told` its result as JSON.
    """

    id: str
    job: str
    by: str
    started: datetime
    ended: datetime | None
    outcome: str
    trouble: str
    base: str
    steps: int
    heard: str
    marks: Mapping[str, str]
    told: Mapping[str, Any]

    @property
    def counts(self) -> bool:
        return self.outcome in (DONE, NOTHING)


def new_run() -> str:
    """A new id. Its first letter distinguishes it from a hash, its digits from a change id."""
    return f"r{secrets.randbits(36):09x}"


def series(job: str) -> str:
    """The name under which the state stores the scheduled runs of a job."""
    return f"{_SCHEDULED}{job}"


def is_job(series_name: str) -> bool:
    """Whether a series is that of a job, not of an errand or an agent."""
    return series_name.startswith(_SCHEDULED)


def errand_series(errand: str) -> str:
    """The name under which the state stores the failures of an errand."""
    return f"{_ERRANDS}{errand}"


def errand_of(name: str) -> str:
    """The errand that a name stands for, "" if it stands for none."""
    return name.removeprefix(_ERRANDS) if name.startswith(_ERRANDS) else ""


def begin(state: State, job: str, run: str, now: datetime, *, by: str = "", base: str = "") -> None:
    with state.write() as db:
        db.execute(
            "INSERT INTO job_run (id, job, by, started, base) VALUES (?, ?, ?, ?, ?)",
            (run, job, by, _micros(now), base),
        )


def plan(state: State, run: str, steps: int, *, heard: str, marks: Mapping[str, str]) -> None:
    """Records, before the first commit, how many there will be, and what counts once they are
    made.
    """
    with state.write() as db:
        row = (steps, heard, _json(marks), run)
        db.execute("UPDATE job_run SET steps = ?, heard = ?, marks = ? WHERE id = ?", row)


def finish(
    state: State,
    run: str,
    now: datetime,
    outcome: str = DONE,
    *,
    trouble: str = "",
    report: Mapping[str, Any] = _NONE,
    heard: str | None = None,
    marks: Mapping[str, str] | None = None,
) -> None:
    """Ends a run. If `heard` or `marks` are None, they stay as planned."""
    with state.write() as db:
        left = None if marks is None else _json(marks)
        db.execute(_FINISH, (_micros(now), outcome, trouble, _json(report), heard, left, run))
        # The oldest go, but never the one whose marks count.
        db.execute(_FORGET, (run, _KEPT, DONE, NOTHING))


def note(state: State, job: str, now: datetime, outcome: str, *, by: str = "", **more: Any) -> str:
    """Records a run that is over already; `more` is for `finish`."""
    run = new_run()
    begin(state, job, run, now, by=by)
    finish(state, run, now, outcome, **more)
    return run


def left(state: State, job: str) -> Run | None:
    """The newest run whose marks count."""
    where = "WHERE job = ? AND outcome IN (?, ?) ORDER BY seq DESC LIMIT 1"
    return next(iter(_runs(state, where, job, DONE, NOTHING)), None)


def lasts(state: State) -> dict[str, Run]:
    """The newest run of each job."""
    newest = "WHERE seq IN (SELECT max(seq) FROM job_run GROUP BY job) ORDER BY job"
    return {run.job: run for run in _runs(state, newest)}


def recent(state: State, limit: int = 20, job: str = "") -> list[Run]:
    """The newest first; of one job, or of all."""
    return _runs(state, "WHERE ? IN ('', job) ORDER BY seq DESC LIMIT ?", job, limit)


def unfinished(state: State, job: str) -> list[Run]:
    """Runs that began and never ended.

    The caller holds the lock of the job, so they were cut off.
    """
    return _runs(state, "WHERE job = ? AND outcome = '' ORDER BY seq", job)


def named(state: State, prefix: str) -> list[Run]:
    """The runs whose id begins with `prefix`, newest first."""
    where = "WHERE substr(id, 1, ?) = ? ORDER BY seq DESC"
    return _runs(state, where, len(prefix), prefix)


def _runs(state: State, where: str, *values: object) -> list[Run]:
    runs = []
    for row in state.query(f"{_SELECT} {where}", *values):
        known = dict(zip(Run._fields, row, strict=True))
        known["started"] = _moment(known["started"])
        known["ended"] = None if known["ended"] is None else _moment(known["ended"])
        known["marks"], known["told"] = json.loads(known["marks"]), json.loads(known["told"])
        runs.append(Run(**known))
    return runs


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(dict(value), ensure_ascii=True)


def _micros(moment: datetime) -> int:
    return round(moment.timestamp() * 1_000_000)


def _moment(micros: int) -> datetime:
    return datetime.fromtimestamp(micros / 1_000_000, UTC)


_SELECT = f"SELECT {', '.join(Run._fields)} FROM job_run"  # noqa: S608 - our own names
_FINISH = """
    UPDATE job_run SET ended = ?, outcome = ?, trouble = ?, told = ?, heard = coalesce(?, heard),
    marks = coalesce(?, marks) WHERE id = ?
"""
_FORGET = """
    WITH its AS (SELECT * FROM job_run WHERE job = (SELECT job FROM job_run WHERE id = ?1))
    DELETE FROM job_run WHERE seq IN (SELECT seq FROM its ORDER BY seq DESC LIMIT -1 OFFSET ?2)
    AND seq < (SELECT max(seq) FROM its WHERE outcome IN (?3, ?4))
"""
