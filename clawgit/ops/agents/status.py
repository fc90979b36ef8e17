"""Of the jobs and the language model, what `status` shows."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from clawgit.agents import AGENTS
from clawgit.ops.runner.schedule import Scheduled, errand_of, rows_of, runner_lock
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import runs
from clawgit.stores.git.lock import lock_holder
from clawgit.stores.llm.calls import Meter, meter
from clawgit.stores.llm.contract import label
from clawgit.stores.runs import Run
from clawgit.stores.state import repository_state, state_file


@dataclass(frozen=True, slots=True)
class JobState:
    """When a job ran last, and what came of it: done, nothing, failed, cut off, or running; null
    where it never did.

    `next` is when it comes by the clock, null where nothing starts it so.
    """

    job: str
    last: datetime | None = None
    outcome: str = ""
    trouble: str = ""
    next: datetime | None = None


@dataclass(frozen=True, slots=True)
class ModelState:
    """The language model; its name is "" where none is set, and rules do. `trouble` is that of its
    last call.
    """

    model: str = ""
    tokens_today: int = 0
    cap: int = 0
    trouble: str = ""


def work_state(workspace: Workspace) -> tuple[tuple[JobState, ...], ModelState]:
    """What each job did last and when it comes next, and what the model did today. Reads and
    changes nothing.
    """
    settings, zone = workspace.config.settings, workspace.zone
    lasts, today = dict[str, Run](), Meter()
    if not state_file(workspace.place).exists():
        rows = rows_of(workspace, None)
    else:
        caller = workspace.caller
        with repository_state(workspace.place, caller.env, caller.home, workspace.now) as state:
            lasts = runs.lasts(state)
            rows = rows_of(workspace, state)
            today = meter(state, workspace.now.astimezone(zone)) if settings.llm_model else today
    named = ModelState(
        label(settings.llm_model), today.tokens, settings.llm_daily_tokens, today.trouble
    )
    served = lock_holder(runner_lock(workspace.place)) is not None
    return tuple(
        _jobs(workspace, rows, lasts, served=served)
    ), named if settings.llm_model else ModelState()


def _jobs(
    workspace: Workspace, rows: tuple[Scheduled, ...], lasts: dict[str, Run], *, served: bool
) -> Iterator[JobState]:
    """Those by the clock, then the agents that are called when they are needed, then errands that
    went wrong. Where no runner is there to serve them, none has a next time.
    """
    for row in rows:
        own = _job(workspace, row.name, lasts.get(row.name))
        by_clock = JobState(row.name, row.last, row.outcome, row.trouble)
        newest = max((own, by_clock), key=lambda one: (one.last is not None, one.last))
        yield JobState(
            row.name, newest.last, newest.outcome, newest.trouble, row.next if served else None
        )
    yield from (
        _job(workspace, name, lasts.get(name))
        for name in AGENTS
        if name not in {row.name for row in rows}
    )
    for name, run in lasts.items():
        if (errand := errand_of(name)) and run.outcome == runs.FAILED:
            yield _job(workspace, errand, run)


def _job(workspace: Workspace, name: str, last: Run | None) -> JobState:
    if last is None:
        return JobState(name)
    return JobState(
        name, last.started.astimezone(workspace.zone), last.outcome or "running", last.trouble
    )
