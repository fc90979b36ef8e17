"""When jobs are due, by the operator's local time.

Changes to and from summer time, a machine that was off, and a clock that was wrong are all handled.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import count
from typing import NamedTuple

from clawgit.language.days import weekday_names

_WEEKDAYS = weekday_names()
_OFF = "off"

PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180))
"""The pause after each failure of a job; the last one repeats until the job succeeds."""

_CLOCK_MENDED = timedelta(hours=36)
"""If a job was done further in the future than this, the clock was wrong then and is right now."""


class ScheduleRule(NamedTuple):
    """A time of the day, of one weekday (0 is Monday) or of each."""

    at: time
    weekday: int | None = None


class Job(NamedTuple):
    name: str
    rule: ScheduleRule


class Past(NamedTuple):
    """How a job went: when it was last done (or first seen), and its failures since then."""

    done: datetime
    failures: int = 0
    failed: datetime | None = None


class DueJob(NamedTuple):
    """A job, and the time that it should have run at."""

    name: str
    at: datetime


def rule_of(setting: str) -> ScheduleRule | None:
    """What a setting such as `Sunday 03:00` means; None for `off`."""
    if setting == _OFF:
        return None
    *day, at = setting.split()
    return ScheduleRule(time.fromisoformat(at), _WEEKDAYS.index(day[0]) if day else None)


def next_due(rule: ScheduleRule, now: datetime, zone: tzinfo) -> datetime:
    """The first time after `now`."""
    today = now.astimezone(zone).date()
    return next(
        at
        for day in count(-1)
        if (at := _on(rule, today + timedelta(day), zone)) is not None and at > now
    )


def last_due(rule: ScheduleRule, now: datetime, zone: tzinfo) -> datetime:
    """The newest time that is not after `now`."""
    today = now.astimezone(zone).date()
    return next(
        at
        for day in count(-1)
        if (at := _on(rule, today - timedelta(day), zone)) is not None and at <= now
    )


def due(
    jobs: Iterable[Job], past: Mapping[str, Past], now: datetime, zone: tzinfo
) -> tuple[DueJob, ...]:
    """The jobs to run now, in the order in which they should have run.

    If a job missed several times, it runs once, for the last of them. A job without a past is not
    due: it begins with its next time.
    """
    due_jobs: list[DueJob] = []
    for job in jobs:
        known = past.get(job.name)
        if known is None:
            continue
        at = last_due(job.rule, now, zone)
        if _is_missing(at, known, now):
            due_jobs.append(DueJob(job.name, at))
    return tuple(sorted(due_jobs, key=lambda job: job.at))


def again_at(past: Past) -> datetime | None:
    """When a job that failed is tried again; None if it did not fail."""
    if not past.failures or past.failed is None:
        return None
    return past.failed + pause_after(past.failures)


def pause_after(failures: int) -> timedelta:
    """How long to wait after so many failures in a row."""
    return PAUSES[min(failures, len(PAUSES)) - 1]


def mended(past: Past, rule: ScheduleRule, now: datetime, zone: tzinfo) -> Past:
    """The past, corrected if a wrong clock wrote it: a time far ahead becomes the last due one.

    Otherwise the job would not run until that time has come.
    """
    return past if past.done - now <= _CLOCK_MENDED else Past(last_due(rule, now, zone))


def _is_missing(at: datetime, past: Past, now: datetime) -> bool:
    if at <= past.done:
        return False
    again = again_at(past)
    if again is None or now >= again:
        return True
    # The clock was set back since the failure: the pause would last too long.
    return past.failed is not None and now < past.failed


def _on(rule: ScheduleRule, day: date, zone: tzinfo) -> datetime | None:
    return _at(rule.at, day, zone) if rule.weekday in (None, day.weekday()) else None


def _at(at: time, day: date, zone: tzinfo) -> datetime:
    """A local time on a day.

    When clocks go back, a time that comes twice is the first of the two. When they go forward, a
    time that is skipped is moved on by as much.
    """
    return datetime.combine(day, at, zone).astimezone(UTC).astimezone(zone)
