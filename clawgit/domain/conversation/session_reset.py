"""When a session is due for a fresh start: at an hour of the operator's day, after a silence, or
whichever is first.
"""

from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import NamedTuple

DAILY = "daily"
IDLE = "idle"


class ResetRule(NamedTuple):
    """`mode` is daily, idle, daily+idle or off."""

    mode: str
    hour: int
    idle_minutes: int
    zone: tzinfo


class DueReset(NamedTuple):
    """When a session falls due, and by which rule; None where it never does."""

    at: datetime | None
    rule: str = ""


def due(last: datetime, rule: ResetRule) -> DueReset:
    """When a session falls due in which nothing is said after `last`."""
    last = last.astimezone(UTC)
    found = {}
    if DAILY in rule.mode:
        found[_next_hour(last, rule.hour, rule.zone)] = DAILY
    if IDLE in rule.mode:
        found[last + timedelta(minutes=rule.idle_minutes)] = IDLE
    first = min(found, default=None)
    return DueReset(first.astimezone(rule.zone), found[first]) if first else DueReset(None)


def _next_hour(last: datetime, hour: int, zone: tzinfo) -> datetime:
    """The first time after a moment at which the clock on the wall shows the hour. One that a
    change to summer time skips falls where the clock goes on; of one that comes twice the first
    counts.
    """
    here = last.astimezone(zone)
    moments = (
        datetime.combine(here.date() + timedelta(days=days), time(hour), zone).astimezone(UTC)
        for days in range(3)
    )
    return next(moment for moment in moments if moment > last)
