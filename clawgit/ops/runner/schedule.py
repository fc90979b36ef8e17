"""What the runner did and will do: each job's past from state and git, and its next time."""

from contextlib import suppress
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from clawgit.ops.runner.jobs import (
    Past,
    last_due,
    mended,
    next_due,
    rule_of,
    tasks_of,
    time_of,
)
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import runs
from clawgit.stores.git.lock import lock_holder
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.runs import NOTHING, Run, series
from clawgit.stores.state import State

_LOOKED_BACK = 50
"""How many runs of a job are searched for its last success."""


class Scheduled(NamedTuple):
    """A job by the clock.

    `next` is null if it is off, or no runner has looked yet; after a failure it is the next try.
    `outcome` is done, failed, cut off or running, and empty before its first time.
    """

    name: str
    does: str
    when: str
    next: datetime | None
    last: datetime | None
    outcome: str
    trouble: str
    failures: int


class Schedule(NamedTuple):
    """`runner` is the process that serves this workspace, null if there is none."""

    jobs: tuple[Scheduled, ...]
    runner: str | None


def schedule(workspace: Workspace) -> Schedule:
    """The schedule. Reads only."""
    with state_of(workspace) as state:
        return Schedule(rows_of(workspace, state), lock_holder(runner_lock(workspace.place)))


def rows_of(workspace: Workspace, state: State | None) -> tuple[Scheduled, ...]:
    """A row for each job; without a state nothing has run yet."""
    settings = workspace.config.settings
    tasks = tasks_of(settings)
    return tuple(
        _shown(workspace, state, task.name, task.does, time_of(task, settings)) for task in tasks
    )


def runner_lock(place: RepoPlace) -> Path:
    """The lock that the runner of a workspace holds for as long as it lives."""
    return place.private / "runner.lock"


def job_name(job: str, at: datetime) -> str:
    """How a commit names the scheduled time that it was made for."""
    return f"{job}@{at.isoformat(timespec='seconds')}"


def past_of(state: State, job: str) -> Past | None:
    """When a job last succeeded and how often it failed since; None if it was never looked at."""
    rows = [row for row in runs.recent(state, _LOOKED_BACK, series(job)) if row.outcome]
    if not rows:
        return None
    failed = [*takewhile(lambda row: not row.counts, rows)]
    done_at = datetime.fromtimestamp(0, UTC)
    if len(failed) < len(rows):
        newest = rows[len(failed)]
        done_at = newest.started
        with suppress(ValueError):  # that of a run by hand names no time
            done_at = datetime.fromisoformat(newest.by.partition("@")[2])
    return Past(done_at, len(failed), failed[0].ended if failed else None)


def begin_to_know(state: State, job: str, now: datetime) -> None:
    """Records a job that the state does not know: it waits for its next time."""
    run = runs.new_run()
    runs.begin(state, series(job), run, now, by=job_name(job, now))
    runs.finish(state, run, now, NOTHING)


def is_in_history(workspace: Workspace, name: str) -> bool:
    """Whether a commit says that it was made for this time of a job."""
    asked = ("-1", "--format=%H", f"--grep=^Clawgit-Job: {name}$")
    return bool(workspace.cgit.text("log", *asked, ok=(0, 128)))


def _shown(workspace: Workspace, state: State | None, name: str, does: str, when: str) -> Scheduled:
    zone, now = workspace.local_zone, workspace.now
    rule, past = rule_of(when), past_of(state, name) if state else None
    row = Scheduled(name, does, when, None, None, "", "", past.failures if past else 0)
    if rule is not None and past is not None:
        past = mended(past, rule, now, zone)
        # A time was missed: it is due now, or after the pause that follows a failure.
        is_missed = last_due(rule, now, zone) > past.done
        coming = (past.again or now) if is_missed else next_due(rule, now, zone)
        row = row._replace(next=coming.astimezone(zone), failures=past.failures)
    newest = runs.last(state, series(name)) if state else None
    if newest is None or _is_only_known(newest):
        return row
    return row._replace(
        last=newest.started.astimezone(zone),
        outcome=newest.outcome or "running",
        trouble=newest.trouble,
    )


def _is_only_known(row: Run) -> bool:
    """Whether a row only says that a new job is known now: nothing ran."""
    return row.outcome == NOTHING and bool(row.by) and not row.told
