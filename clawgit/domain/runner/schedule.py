"""When jobs are due: by the clock on the operator's wall, through summer time, nights asleep and
clocks set back.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import count
from typing import NamedTuple

from clawgit.language.calendar import weekday_names

_WEEKDAYS = weekday_names()
_OFF = "off"

PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180))
"""After each failure of a job the next pause; the last one is kept until the job succeeds."""

_CLOCK_MENDED = timedelta(hours=36)
"""A job that was done further ahead than this was done by a clock that went wrong, and has been set
right since."""

SWEEP_AT = time(3)
_SWEEP_MOMENT = timedelta(minutes=2)
_SWEEP_SILENCE = timedelta(minutes=1)
_SWEEP_LONGEST = timedelta(minutes=30)


class ScheduleRule(NamedTuple):
    """A time of the day, of one weekday (0 is Monday) or of each."""

    at: time
    weekday: int | None = None


class Job(NamedTuple):
    name: str
    rule: ScheduleRule


class Past(NamedTuple):
    """What became of a job: for which time it was last done (or since when it is known), and how
    often it failed since, at last when.
    """

    done: datetime
    failures: int = 0
    failed: datetime | None = None


class DueJob(NamedTuple):
    """A job, and the time that it should have run at."""

    name: str
    at: datetime


def rule_of(told: str) -> ScheduleRule | None:
    """What a setting such as `Sunday 03:00` means; None for `off`."""
    if told == _OFF:
        return None
    *day, at = told.split()
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
    """What is to run now, in the order in which it should have run. Of several times that were
    missed, the last counts.

    A job that has no past is none of these: it begins with its next time.
    """
    found = [
        DueJob(job.name, at)
        for job in jobs
        if (known := past.get(job.name))
        and _is_missing(at := last_due(job.rule, now, zone), known, now)
    ]
    return tuple(sorted(found, key=lambda one: one.at))


def again_at(past: Past) -> datetime | None:
    """When a job that failed is tried again, None where it did not fail."""
    if not past.failures or past.failed is None:
        return None
    return past.failed + PAUSES[min(past.failures, len(PAUSES)) - 1]


def mended(past: Past, rule: ScheduleRule, now: datetime, zone: tzinfo) -> Past:
    """The past as the clock of today can mean it: one that lies far ahead ends with the last time
    before now.
    """
    return past if past.done - now <= _CLOCK_MENDED else Past(last_due(rule, now, zone))


def sweeping(now: datetime, zone: tzinfo, last_written: datetime | None) -> bool:
    """Whether OpenClaw's nightly sweep may be at work: from its start until memory has been quiet
    for a minute.
    """
    here = now.astimezone(zone)
    since = now - _at(SWEEP_AT, here.date(), zone)
    if not timedelta(0) <= since < _SWEEP_LONGEST:
        return False
    quiet = last_written is None or now - last_written >= _SWEEP_SILENCE
    return since < _SWEEP_MOMENT or not quiet


def _is_missing(at: datetime, past: Past, now: datetime) -> bool:
    again = again_at(past)
    return at > past.done and (again is None or now >= again or now < (past.failed or now))


def _on(rule: ScheduleRule, day: date, zone: tzinfo) -> datetime | None:
    return _at(rule.at, day, zone) if rule.weekday in (None, day.weekday()) else None


def _at(at: time, day: date, zone: tzinfo) -> datetime:
    """A time that the clock shows twice is the first of the two; one that it leaves out is as much
    later.
    """
    return datetime.combine(day, at, zone).astimezone(UTC).astimezone(zone)
