"""What `status` shows of the jobs and the language model."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from clawgit.agents import AGENTS
from clawgit.ops.runner.schedule import Scheduled, rows_of, runner_lock
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import runs
from clawgit.stores.git.lock import lock_holder
from clawgit.stores.llm import Meter, label, meter
from clawgit.stores.runs import Run, errand_of
from clawgit.stores.state import state_file


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
