"""What the runner has done and will do: the past of each job, from its state and from git, and its
next time.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from itertools import takewhile
from pathlib import Path

from clawgit.domain.runner.schedule import Past, again_at, last_due, mended, next_due, rule_of
from clawgit.ops.runner.jobs import tasks_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import runs
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.lock import lock_holder
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.runs import NOTHING, Run
from clawgit.stores.state import State, repository_state

_SERIES = "scheduled/"
"""The runs of a job by the clock are a series of their own beside those of the agent."""

_ERRANDS = "errand/"
_LOOKED_BACK = 50


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A job by the clock. `next` is null where it is off, or no runner has looked yet; `outcome` is
    done, failed, cut off or running, and empty before its first time. After a failure `next` is the
    next try.
    """

    name: str
    does: str
    when: str
    next: datetime | None
    last: datetime | None
    outcome: str
    trouble: str
    failures: int


@dataclass(frozen=True, slots=True)
class Schedule:
    """`runner` says which process serves this workspace, null where none does."""

    jobs: tuple[Scheduled, ...]
    runner: str | None


def schedule(workspace: Workspace) -> Schedule:
    """Reads and changes nothing."""
    caller = workspace.caller
    with repository_state(workspace.place, caller.env, caller.home, workspace.now) as state:
        return Schedule(rows_of(workspace, state), lock_holder(runner_lock(workspace.place)))


def rows_of(workspace: Workspace, state: State | None) -> tuple[Scheduled, ...]:
    """A row for each job; None where there is no state yet, and nothing has run."""
    settings = workspace.config.settings
    tasks = tasks_of(settings)
    return tuple(
        _shown(workspace, state, task.name, task.does, getattr(settings, task.setting))
        for task in tasks
    )


def runner_lock(place: RepoPlace) -> Path:
    """The lock that the runner of a workspace holds for as long as it lives."""
    return place.private / "runner.lock"


def series(job: str) -> str:
    """Under which name the state keeps the scheduled runs of a job."""
    return f"{_SERIES}{job}"


def errand_series(errand: str) -> str:
    """Under which name the state keeps what went wrong with an errand of the runner."""
    return f"{_ERRANDS}{errand}"


def errand_of(name: str) -> str:
    """The errand of such a name, "" where it is none."""
    return name.removeprefix(_ERRANDS) if name.startswith(_ERRANDS) else ""


def job_name(job: str, at: datetime) -> str:
    """How a commit names the scheduled time that it was made for."""
    return f"{job}@{at.isoformat(timespec='seconds')}"


def past_of(state: State, job: str) -> Past | None:
    """What became of a job, None where it was never looked at."""
    rows = [row for row in runs.recent(state, _LOOKED_BACK, series(job)) if row.outcome]
    failed = [*takewhile(lambda row: not row.counts, rows)]
    done = next((row for row in rows if row.counts), None)
    if done is None and not failed:
        return None
    last_failed = failed[0].ended if failed else None
    return Past(
        _time_of(done) if done else datetime.fromtimestamp(0, UTC), len(failed), last_failed
    )


def pasts(state: State, jobs: Iterable[str]) -> dict[str, Past]:
    found = ((job, past_of(state, job)) for job in jobs)
    return {job: past for job, past in found if past is not None}


def begin_to_know(workspace: Workspace, state: State, job: str) -> None:
    """A job that is new begins with its next time, unless the history tells when it was done: the
    state was lost.
    """
    since = _done_by_history(workspace, job) or workspace.now
    run = runs.new_run()
    runs.begin(state, series(job), run, workspace.now, by=job_name(job, since))
    runs.finish(state, run, workspace.now, NOTHING)


def is_in_history(workspace: Workspace, job: str, at: datetime) -> bool:
    """Whether a commit says that it was made for this time of a job."""
    done = _done_by_history(workspace, job)
    return done is not None and done >= at


def _done_by_history(workspace: Workspace, job: str) -> datetime | None:
    git = CGit(workspace.root, workspace.caller.env)
    wanted = ("--grep", f"^Clawgit-Job: {job}@", "--format=%(trailers:key=Clawgit-Job,valueonly)")
    found = git.text("log", "-1", *wanted, ok=(0, 128)).split()
    return _time(found[0].partition("@")[2]) if found else None


def _shown(workspace: Workspace, state: State | None, name: str, does: str, when: str) -> Scheduled:
    zone, now = zone_of(workspace), workspace.now
    rule, past = rule_of(when), past_of(state, name) if state else None
    newest = runs.last(state, series(name)) if state else None
    has_run = newest is not None and not (
        newest.outcome == NOTHING and newest.by and not newest.told
    )
    coming = None
    if rule is not None and past is not None:
        past = mended(past, rule, now, zone)
        missed = last_due(rule, now, zone) > past.done
        coming = (again_at(past) or now) if missed else next_due(rule, now, zone)
    return Scheduled(
        name=name, does=does, when=when, next=coming.astimezone(zone) if coming else None,
        last=newest.started.astimezone(zone) if newest and has_run else None,
        outcome=(newest.outcome or "running") if newest and has_run else "",
        trouble=newest.trouble if newest and has_run else "",
        failures=past.failures if past else 0,
    )  # fmt: skip


def zone_of(workspace: Workspace) -> tzinfo:
    """The operator's zone, else the one that the caller's clock goes by."""
    return workspace.zone or workspace.now.tzinfo or UTC


def _time_of(row: Run) -> datetime:
    return _time(row.by.partition("@")[2]) or row.started


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
