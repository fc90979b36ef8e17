"""The jobs that the runner starts by the clock, the agents and others, in one table: when each is
due, by the operator's local time, its past from state and git, and its next time; and what `status`
shows of them and of the language model.

Changes to and from summer time, a machine that was off, and a clock that was wrong are all handled.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, time, timedelta, tzinfo
from itertools import count, takewhile
from pathlib import Path

from clawgit.agents import AGENTS, Agent
from clawgit.agents.llm import Meter, label, meter
from clawgit.core import NamedTuple
from clawgit.core.config.kinds import WEEKDAYS
from clawgit.core.config.settings import Settings
from clawgit.core.errors import Finding
from clawgit.git.lock import lock_holder
from clawgit.git.place import RepoPlace
from clawgit.workspace.stores import runs
from clawgit.workspace.stores.runs import NOTHING, Run, errand_of, series
from clawgit.workspace.stores.state import State, state_file
from clawgit.workspace.workspace import Workspace

PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180))
"""The pause after each failure of a job; the last one repeats until the job succeeds."""

_CLOCK_MENDED = timedelta(hours=36)
"""If a job was done further in the future than this, the clock was wrong then and is right now."""


class Performed(NamedTuple):
    """What a job did, in words, and the change ids of its commits."""

    job: str
    summary: str
    commits: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Task(NamedTuple):
    """A job: the time at which it runs or the setting that says when, and what it does. It is one
    of `performing.ACTS`; an agent is a job as it is. It exists only where the setting `only` is on,
    if that is given.
    """

    name: str
    when: str
    does: str
    only: str = ""


TASKS: tuple[Task | Agent, ...] = (
    *(agent for agent in AGENTS.values() if agent.when),
    Task("weekly-review", "Friday 18:00", "Reports what could be promoted."),
    Task("upkeep", "04:15", "Old messages, git's own housekeeping."),
    Task("digest", "08:00", "Sends what was learned.", "digest_to"),
)  # fmt: skip


def tasks_of(settings: Settings) -> tuple[Task | Agent, ...]:
    """The jobs that a workspace has, whether or not they are switched off."""
    return tuple(task for task in TASKS if not task.only or getattr(settings, task.only))


def time_of(task: Task | Agent, settings: Settings) -> str:
    """When a job runs, as a setting would say it."""
    at: str = getattr(settings, task.when, task.when)
    return at


class ScheduleRule(NamedTuple):
    """A time of the day, of one weekday (0 is Monday) or of each."""

    at: time
    weekday: int | None = None


class Past(NamedTuple):
    """How a job went: when it was last done (or first seen), and its failures since then."""

    done: datetime
    failures: int = 0
    failed: datetime | None = None

    @property
    def again(self) -> datetime | None:
        """When a job that failed is tried again; None if it did not fail."""
        if self.failed is None:
            return None
        return self.failed + PAUSES[min(self.failures, len(PAUSES)) - 1]


def jobs_of(settings: Settings) -> dict[str, ScheduleRule]:
    """The jobs that run by the clock, with their times."""
    # A task whose setting turns it off has no rule.
    return {
        task.name: rule for task in tasks_of(settings) if (rule := rule_of(time_of(task, settings)))
    }


def rule_of(setting: str) -> ScheduleRule | None:
    """What a setting such as `Sunday 03:00` means; None for `off`."""
    if setting == "off":
        return None
    *day, at = setting.split()
    return ScheduleRule(time.fromisoformat(at), WEEKDAYS.index(day[0]) if day else None)


def next_due(rule: ScheduleRule, now: datetime, zone: tzinfo) -> datetime:
    """The first time after `now`."""
    return next(at for at in _times(rule, now, zone, 1) if at > now)


def last_due(rule: ScheduleRule, now: datetime, zone: tzinfo) -> datetime:
    """The newest time that is not after `now`."""
    return next(at for at in _times(rule, now, zone, -1) if at <= now)


def _times(rule: ScheduleRule, now: datetime, zone: tzinfo, step: int) -> Iterator[datetime]:
    """The times around now and from there on, forwards or back.

    When clocks go back, a time that comes twice is the first of the two. When they go forward, a
    time that is skipped is moved on by as much.
    """
    today = now.astimezone(zone).date()
    for number in count(-1):
        day = today + timedelta(step * number)
        if rule.weekday in (None, day.weekday()):
            yield datetime.combine(day, rule.at, zone).astimezone(UTC).astimezone(zone)


def due(
    jobs: Mapping[str, ScheduleRule], past: Mapping[str, Past], now: datetime, zone: tzinfo
) -> list[tuple[str, datetime]]:
    """The jobs to run now, with the time that each should have run at, in that order.

    If a job missed several times, it runs once, for the last of them. A job without a past is not
    due: it begins with its next time.
    """
    times = ((name, last_due(rule, now, zone)) for name, rule in jobs.items() if name in past)
    missing = [(name, at) for name, at in times if _is_missing(at, past[name], now)]
    return sorted(missing, key=lambda job: job[1])


def _is_missing(at: datetime, past: Past, now: datetime) -> bool:
    # If the clock was set back since the failure, the pause would last too long.
    pauses = past.failed and past.again and past.failed <= now < past.again
    return at > past.done and not pauses


def mended(past: Past, rule: ScheduleRule, now: datetime, zone: tzinfo) -> Past:
    """The past, corrected if a wrong clock wrote it: a time far ahead becomes the last due one.

    Otherwise the job would not run until that time has come.
    """
    return past if past.done - now <= _CLOCK_MENDED else Past(last_due(rule, now, zone))


# What the runner did and will do

_LOOKED_BACK = 50
"""How many runs of a job are searched for its last success."""


class JobState(NamedTuple):
    """A job by the clock, an agent that runs on demand, or an errand that failed.

    `next` is null if it is off, or no runner has looked yet; after a failure it is the next try.
    `outcome` is done, nothing, failed, cut off or running, and empty before its first time. `late`:
    a time of it has passed, and it did not run.
    """

    name: str
    does: str = ""
    when: str = ""
    next: datetime | None = None
    last: datetime | None = None
    outcome: str = ""
    trouble: str = ""
    failures: int = 0
    late: bool = False


class Schedule(NamedTuple):
    """`runner` is the process that serves this workspace, null if there is none."""

    jobs: tuple[JobState, ...]
    runner: str | None


def schedule(workspace: Workspace) -> Schedule:
    """The schedule, what comes next first. Reads only."""
    now, zone = workspace.now, workspace.local_zone

    def coming(row: JobState) -> datetime:
        """When it runs, known to a runner or not; never if it is off."""
        rule = rule_of(row.when)
        return row.next or (next_due(rule, now, zone) if rule else datetime.max.replace(tzinfo=UTC))

    rows = sorted((row for row in work_state(workspace)[0] if row.when), key=coming)
    return Schedule(tuple(rows), lock_holder(runner_lock(workspace.place)))


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


def is_in_history(workspace: Workspace, name: str, *revisions: str) -> bool:
    """Whether a commit says that it was made for this time of a job: one of HEAD, or of these."""
    asked = ("-1", "--format=%H", f"--grep=^Clawgit-Job: {name}$", *revisions)
    return bool(workspace.cgit.text("log", *asked, ok=(0, 128)))


def _is_only_known(run: Run) -> bool:
    """Whether a row only says that a new job is known now: nothing ran."""
    return run.outcome == NOTHING and bool(run.by) and not run.told


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
    settings = workspace.settings
    pasts: dict[str, Past | None] = {}
    lasts: dict[str, Run] = {}
    today = Meter()
    # To open the state would create it.
    if state_file(workspace.place).exists():
        with workspace.state() as state:
            pasts = {task.name: past_of(state, task.name) for task in tasks_of(settings)}
            lasts, today = runs.lasts(state), meter(state, workspace.local_now)
    model = ModelState()
    if settings.llm_model:
        name = label(settings.llm_model)
        model = ModelState(name, today.tokens, settings.llm_daily_tokens, today.trouble)
    return tuple(_all(workspace, pasts, lasts)), model


def _all(
    workspace: Workspace, pasts: Mapping[str, Past | None], lasts: Mapping[str, Run]
) -> Iterator[JobState]:
    """Jobs by the clock, then agents that are called on demand, then errands that failed."""
    zone, settings = workspace.local_zone, workspace.settings
    tasks = {task.name: task for task in tasks_of(settings)}
    for name in dict.fromkeys((*tasks, *AGENTS)):
        row = JobState(name)
        if task := tasks.get(name):
            row = JobState(name, task.does, time_of(task, settings))
            if past := pasts.get(name):
                row = _with_next(row._replace(failures=past.failures), past, workspace)
        yield _after(row, zone, lasts.get(name), lasts.get(series(name)))
    for name, run in lasts.items():
        if (errand := errand_of(name)) and run.outcome == runs.FAILED:
            yield _after(JobState(errand), zone, run)


def _after(row: JobState, zone: tzinfo, *found: Run | None) -> JobState:
    """A job with the newest of these runs, by hand or by the clock."""
    ran = [run for run in found if run and not _is_only_known(run)]
    if not ran:
        return row
    run = max(ran, key=lambda run: run.started)
    started, outcome = run.started.astimezone(zone), run.outcome or "running"
    late = row.late and outcome != "running"
    return row._replace(last=started, outcome=outcome, trouble=run.trouble, late=late)


def _with_next(row: JobState, past: Past, workspace: Workspace) -> JobState:
    rule, now, zone = rule_of(row.when), workspace.now, workspace.local_zone
    if rule is None:
        return row
    past = mended(past, rule, now, zone)
    coming = next_due(rule, now, zone)
    # A time was missed: it is due now, or after the pause that follows a failure.
    if last_due(rule, now, zone) > past.done:
        coming = past.again or now
    return row._replace(next=coming.astimezone(zone), late=coming <= now)


def failures(jobs: Iterable[JobState]) -> Iterator[Finding]:
    """What to tell of each job whose last run failed, and what tries it again."""
    for job in jobs:
        if job.outcome == runs.FAILED:
            trouble = job.trouble.partition("\n")[0] or "its log says why"
            again = "clawgit sync" if job.name == "sync" else "clawgit run --once"
            if job.name in AGENTS:
                again = f"clawgit agent run {job.name}"
            yield Finding(f"{job.name} failed: {trouble}", again)
