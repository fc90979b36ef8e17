"""What the runner did and will do: each job's past from state and git, and its next time; and what
`status` shows of the jobs and the language model.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from clawgit.agents import AGENTS
from clawgit.ops.runner.jobs import (
    Past,
    ScheduleRule,
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
from clawgit.stores.llm import Meter, label, meter
from clawgit.stores.runs import NOTHING, Run, errand_of, series
from clawgit.stores.state import State, state_file

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
        coming = _coming(past, rule, now, zone)
        row = row._replace(next=coming.astimezone(zone), failures=past.failures)
    newest = runs.last(state, series(name)) if state else None
    if newest is None or _is_only_known(newest):
        return row
    return row._replace(
        last=newest.started.astimezone(zone),
        outcome=newest.outcome or "running",
        trouble=newest.trouble,
    )


def _coming(past: Past, rule: ScheduleRule, now: datetime, zone: tzinfo) -> datetime:
    # A time was missed: it is due now, or after the pause that follows a failure.
    if last_due(rule, now, zone) > past.done:
        return past.again or now
    return next_due(rule, now, zone)


def _is_only_known(row: Run) -> bool:
    """Whether a row only says that a new job is known now: nothing ran."""
    return row.outcome == NOTHING and bool(row.by) and not row.told


class JobState(NamedTuple):
    """A job's last run, and its result: done, nothing, failed, cut off, or running.

    All are null before its first run. `next` is its next time by the clock, null if it has none;
    `late`: a time of it has passed, and it did not run.
    """

    job: str
    last: datetime | None = None
    outcome: str = ""
    trouble: str = ""
    next: datetime | None = None
    late: bool = False


class ModelState(NamedTuple):
    """The language model; its name is "" if none is set.

    `trouble`: what went wrong in its last call.
    """

    model: str = ""
    tokens_today: int = 0
    cap: int = 0
    trouble: str = ""


def work_state(workspace: Workspace) -> tuple[tuple[JobState, ...], ModelState]:
    """The last and the next run of each job, and what the model did today. Reads only."""
    settings = workspace.config.settings
    lasts: dict[str, Run] = {}
    today = Meter()
    # To open the state would create it.
    if not state_file(workspace.place).exists():
        rows = rows_of(workspace, None)
    else:
        with state_of(workspace) as state:
            lasts, rows = runs.lasts(state), rows_of(workspace, state)
            today = meter(state, workspace.now.astimezone(workspace.zone))
    model = ModelState()
    if settings.llm_model:
        name = label(settings.llm_model)
        model = ModelState(name, today.tokens, settings.llm_daily_tokens, today.trouble)
    served = lock_holder(runner_lock(workspace.place)) is not None
    return tuple(_jobs(workspace, rows, lasts, served=served)), model


def failures(jobs: Iterable[JobState]) -> Iterator[tuple[str, str]]:
    """What to tell of each job whose last run failed, and what tries it again."""
    for job in jobs:
        if job.outcome == runs.FAILED:
            trouble = job.trouble.partition("\n")[0] or "its log says why"
            yield f"{job.job} failed: {trouble}", _again(job.job)


def _again(job: str) -> str:
    if job in AGENTS:
        return f"clawgit agent run {job}"
    return "clawgit sync" if job == "sync" else "clawgit run --once"


def _jobs(
    workspace: Workspace, rows: tuple[Scheduled, ...], lasts: dict[str, Run], *, served: bool
) -> Iterator[JobState]:
    """Jobs by the clock, then agents that are called on demand, then errands that failed.

    Without a runner to serve them, none has a next time.
    """
    for row in rows:
        own = _job(workspace, row.name, lasts.get(row.name))
        by_clock = JobState(row.name, row.last, row.outcome, row.trouble)
        newest = max((own, by_clock), key=lambda job: (job.last is not None, job.last))
        is_late = row.next is not None and row.next <= workspace.now
        yield newest._replace(
            next=row.next if served else None, late=is_late and newest.outcome != "running"
        )
    by_clock_names = {row.name for row in rows}
    for name in AGENTS:
        if name not in by_clock_names:
            yield _job(workspace, name, lasts.get(name))
    for name, run in lasts.items():
        if (errand := errand_of(name)) and run.outcome == runs.FAILED:
            yield _job(workspace, errand, run)


def _job(workspace: Workspace, name: str, last: Run | None) -> JobState:
    if last is None:
        return JobState(name)
    return JobState(
        name, last.started.astimezone(workspace.zone), last.outcome or "running", last.trouble
    )
