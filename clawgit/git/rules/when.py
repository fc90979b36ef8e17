"""Times as people write them: `2026-02-01`, `yesterday 14:00`, `3 days ago`, `last monday`."""

from datetime import datetime, time, timedelta, tzinfo

from clawgit.core.errors import UsageError
from clawgit.language.lazily import lazily

EXAMPLES = "2026-02-14, 2026-02-14T09:00, yesterday, last monday or 3 days ago"
"""Times that `parse_when` reads, for the messages that refuse another one."""

_AGO = lazily(r"(\d{1,6}|an?) (second|minute|hour|day|week|month|year)s? ago")
_WEEK = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
_DAY = lazily(rf"(?:last )?(today|yesterday|{'|'.join(_WEEK)})(?:day)?(?:,? (\d{{1,2}}:\d{{2}}))?")
_TO_THE_MINUTE = lazily(r":|ago|now")
"""Found in a text that names a moment, not a whole day."""

_UNITS = {"second": 1, "minute": 60, "hour": 3600}
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}


def parse_when(text: str, now: datetime, zone: tzinfo | None) -> datetime | None:
    """The moment that a text names; None if it names none.

    A day without a time is its beginning, and a weekday is the last one before today. `zone` is the
    operator's; None is the zone of `now`.
    """
    here = now.astimezone(zone) if zone else now
    words = " ".join(text.lower().split())
    try:
        if words == "now":
            return here
        if words[:1].isdecimal() and "-" in words:
            when = datetime.fromisoformat(words.upper())
            return when if when.tzinfo else when.replace(tzinfo=here.tzinfo)
        if match := _AGO.fullmatch(words):
            count = 1 if match[1].startswith("a") else int(match[1])
            return _ago(count, match[2], here)
        if match := _DAY.fullmatch(words):
            day = here - timedelta(days=_days_back(match[1], here))
            return _at(day, match[2] or "0:00")
    except (ValueError, OverflowError):
        return None
    return None


def time_named(text: str, now: datetime, zone: tzinfo | None, *, end: bool = False) -> datetime:
    """The same, or the end of what a text names; UsageError if it names none."""
    when = (parse_end if end else parse_when)(text, now, zone)
    if when is None:
        raise UsageError(f"{text!r} is neither a day nor a time.", hint=f"For instance {EXAMPLES}.")
    return when


def parse_end(text: str, now: datetime, zone: tzinfo | None) -> datetime | None:
    """The end of what a text names: for a day without a time, the end of that day."""
    when = parse_when(text, now, zone)
    if when is None or _TO_THE_MINUTE.search(text.lower()):
        return when
    try:
        return when + timedelta(days=1)
    except OverflowError:
        return when


def _ago(count: int, unit: str, here: datetime) -> datetime:
    """Days and more keep the time of day; hours and less are exact, even if clocks were changed. A
    month is 30 days, a year 365.
    """
    if unit in _UNITS:
        return datetime.fromtimestamp(here.timestamp() - count * _UNITS[unit], here.tzinfo)
    return here - timedelta(days=count * _DAYS[unit])


def _days_back(name: str, here: datetime) -> int:
    if name in ("today", "yesterday"):
        return int(name == "yesterday")
    return (here.weekday() - _WEEK.index(name)) % 7 or 7


def _at(day: datetime, clock: str) -> datetime:
    hour, _, minute = clock.partition(":")
    return datetime.combine(day.date(), time(int(hour), int(minute)), day.tzinfo)
