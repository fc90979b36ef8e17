"""When a session is due for a reset: at an hour of the day, after a silence, or both."""

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
    """When a session is due, and by which rule; `at` is None if it never is."""

    at: datetime | None
    rule: str = ""


def due(last: datetime, rule: ResetRule) -> DueReset:
    """When a session is due if nothing is said after `last`."""
    # In UTC, since local times around a change of clocks do not compare well.
    last = last.astimezone(UTC)
    rules: dict[datetime, str] = {}
    if DAILY in rule.mode:
        rules[_next_hour(last, rule.hour, rule.zone)] = DAILY
    if IDLE in rule.mode:
        rules[last + timedelta(minutes=rule.idle_minutes)] = IDLE
    if not rules:
        return DueReset(None)
    first = min(rules)
    return DueReset(first.astimezone(rule.zone), rules[first])


def _next_hour(last: datetime, hour: int, zone: tzinfo) -> datetime:
    """The first time after a moment at which local time is the hour.

    An hour that is skipped in spring is the next one; of an hour that comes twice in autumn, the
    first counts.
    """
    here = last.astimezone(zone)
    moments = (
        datetime.combine(here.date() + timedelta(days=days), time(hour), zone).astimezone(UTC)
        for days in range(3)
    )
    return next(moment for moment in moments if moment > last)
