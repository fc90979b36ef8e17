"""The jobs that the runner starts by the clock, one table in the order of the day; and when each is
due, by the operator's local time.

Changes to and from summer time, a machine that was off, and a clock that was wrong are all handled.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import count
from typing import NamedTuple

from clawgit.config.settings import Settings
from clawgit.errors import UsageError
from clawgit.language.days import weekday_names

_WEEKDAYS = weekday_names()

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
    """A job: the time at which it runs or the setting that says when, what it does, and the
    function in `clawgit.ops` that does it, of the workspace as it is now and the time at which the
    job was due. Without a function the agent of that name is run. It exists only
    where the setting `only` is on, if that is given.
    """

    name: str
    when: str
    does: str
    function: str | None = None
    only: str = ""


TASKS: tuple[Task, ...] = (
    Task("soul-keeper", "cron_soul_keeper", "evolves SOUL.md by evidence"),
    Task(
        "memory-compactor",
        "cron_compactor_weekly",
        "sums up old days in chronicles, tidies MEMORY.md",
    ),
    Task("vector-hygiene", "Sunday 03:30", "removes vectors of corrected and stale texts"),
    Task(
        "weekly-review",
        "Friday 18:00",
        "reports what could be promoted",
        "upkeep.digest:review",
    ),
    Task("upkeep", "04:15", "old messages, git's own housekeeping", "runner.performing:upkeep"),
    Task("organizer", "04:30", "turns the notes into facts, each once", only="organizer"),
    Task("decay-engine", "04:30", "archives expired facts", only="organizer"),
    Task(
        "lesson-extractor",
        "04:30",
        "learns from what failed and then worked",
        only="organizer",
    ),
    Task("memory-miner", "cron_memory_miner", "saves what was said and should last"),
    Task("conflict-detector", "cron_conflict_detector", "finds memories that disagree"),
    Task(
        "digest",
        "08:00",
        "sends what was learned",
        "upkeep.digest:scheduled",
        "digest_to",
    ),
)


def tasks_of(settings: Settings) -> tuple[Task, ...]:
    """The jobs that a workspace has, whether or not they are switched off."""
    return tuple(task for task in TASKS if not task.only or getattr(settings, task.only))


def time_of(task: Task, settings: Settings) -> str:
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
        if not self.failures or self.failed is None:
            return None
        return self.failed + PAUSES[min(self.failures, len(PAUSES)) - 1]


class DueJob(NamedTuple):
    """A job, and the time that it should have run at."""

    name: str
    at: datetime


def jobs_of(settings: Settings) -> dict[str, ScheduleRule]:
    """The jobs that run by the clock, with their times."""
    rules = {task.name: rule_of(time_of(task, settings)) for task in tasks_of(settings)}
    # A task whose setting turns it off has no rule.
    return {name: rule for name, rule in rules.items() if rule is not None}


def rule_of(setting: str) -> ScheduleRule | None:
    """What a setting such as `Sunday 03:00` means; None for `off`."""
    if setting == "off":
        return None
    *day, at = setting.split()
    return ScheduleRule(time.fromisoformat(at), _WEEKDAYS.index(day[0]) if day else None)


def next_due(rule: ScheduleRule, now: datetime, zone: tzinfo) -> datetime:
    """The first time after `now`."""
    today = now.astimezone(zone).date()
    times = (_on(rule, today + timedelta(day), zone) for day in count(-1))
    return next(at for at in times if at and at > now)


def last_due(rule: ScheduleRule, now: datetime, zone: tzinfo) -> datetime:
    """The newest time that is not after `now`."""
    today = now.astimezone(zone).date()
    times = (_on(rule, today - timedelta(day), zone) for day in count(-1))
    return next(at for at in times if at and at <= now)


def _on(rule: ScheduleRule, day: date, zone: tzinfo) -> datetime | None:
    """The time on a day.

    When clocks go back, a time that comes twice is the first of the two. When they go forward, a
    time that is skipped is moved on by as much.
    """
    if rule.weekday not in (None, day.weekday()):
        return None
    return datetime.combine(day, rule.at, zone).astimezone(UTC).astimezone(zone)


def due(
    jobs: Mapping[str, ScheduleRule], past: Mapping[str, Past], now: datetime, zone: tzinfo
) -> list[DueJob]:
    """The jobs to run now, in the order in which they should have run.

    If a job missed several times, it runs once, for the last of them. A job without a past is not
    due: it begins with its next time.
    """
    times = ((name, last_due(rule, now, zone)) for name, rule in jobs.items() if name in past)
    missing = (DueJob(name, at) for name, at in times if _is_missing(at, past[name], now))
    return sorted(missing, key=lambda job: job.at)


def _is_missing(at: datetime, past: Past, now: datetime) -> bool:
    if at <= past.done:
        return False
    if past.again is None or past.failed is None or now >= past.again:
        return True
    # The clock was set back since the failure: the pause would last too long.
    return now < past.failed


def mended(past: Past, rule: ScheduleRule, now: datetime, zone: tzinfo) -> Past:
    """The past, corrected if a wrong clock wrote it: a time far ahead becomes the last due one.

    Otherwise the job would not run until that time has come.
    """
    return past if past.done - now <= _CLOCK_MENDED else Past(last_due(rule, now, zone))


def task_named(name: str) -> Task:
    """The job of that name; UsageError if there is none."""
    for task in TASKS:
        if task.name == name:
            return task
    raise UsageError(
        f"There is no job {name!r}.", hint=f"One of {', '.join(task.name for task in TASKS)}."
    )
