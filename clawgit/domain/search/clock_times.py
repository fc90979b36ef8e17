"""Times of the clock, with hour and minute in figures, however they are written: `6:45`, `06:45`,
`6.45 Uhr`, `6:45 AM`.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, product
from typing import NamedTuple

from clawgit.domain.search.terms import words
from clawgit.language.files import SHARED, codes, listed
from clawgit.language.lazily import lazily

_NOON = 12
_DAY_HOURS = 24

_CUE = lazily(r"[0-9][:.][0-5][0-9](?![0-9])")
"""Every time matches this, and few other texts do."""


class ClockTime(NamedTuple):
    hour: int
    minute: int


def clock_times(text: str) -> Iterator[tuple[ClockTime, tuple[int, int]]]:
    """The times of the clock that a text names, and where they stand. `6.45` is one only with a
    mark behind it, such as “Uhr”: it may be an amount.
    """
    if not _CUE.search(text):
        return
    for match in _clock().finditer(text):
        hour, is_sure = int(match["hour"]), match["sign"] == ":" or match["mark"] is not None
        if is_sure and hour < _DAY_HOURS:
            yield ClockTime(_of_day(hour, match), int(match["minute"])), match.span()


def only_time(text: str) -> ClockTime | None:
    """The time that a text is, if it is nothing else."""
    whole = text.strip()
    return next((time for time, span in clock_times(whole) if span == (0, len(whole))), None)


def same_times(asked: str, text: str) -> Iterator[tuple[int, int]]:
    """Where a text names one of the times that are asked for."""
    times = {time for time, _ in clock_times(asked)}
    return (span for time, span in (clock_times(text) if times else ()) if time in times)


def ways_of_time(time: ClockTime) -> tuple[str, ...]:
    """The ways to write a time, as words of the index with a space between them. Other things may
    be written so, too.
    """
    half = listed(SHARED, "am" if time.hour < _NOON else "pm")
    marked = product(_padded(time.hour % _NOON or _NOON), (" ", ""), half)
    texts = chain(
        (f"{hour}:{time.minute:02}" for hour in _padded(time.hour)),
        (f"{hour}:{time.minute:02}{space}{mark}" for hour, space, mark in marked),
    )
    return tuple(dict.fromkeys(" ".join(words(text)) for text in texts))


def _padded(hour: int) -> tuple[str, str]:
    return str(hour), f"{hour:02}"


def _of_day(hour: int, match: re.Match[str]) -> int:
    """The hour of a day of 24: “6:45 PM” is 18:45. “18:45 PM” is so, too."""
    if hour > _NOON or not (match["am"] or match["pm"]):
        return hour
    return hour % _NOON + (_NOON if match["pm"] else 0)


@cache
def _clock() -> re.Pattern[str]:
    hours = chain.from_iterable(listed(code, "hour_marks") for code in codes())
    return re.compile(
        r"(?<![\w:.,/$€£])(?P<hour>[0-9]{1,2})(?P<sign>[:.])(?P<minute>[0-5][0-9])"
        rf"(?P<mark>[ \u00a0\u202f]?(?:(?P<am>{_one_of(listed(SHARED, 'am'))})"
        rf"|(?P<pm>{_one_of(listed(SHARED, 'pm'))})|{_one_of(hours)})\.?(?!\w))?"
        r"(?![\w:/]|[.,][0-9])",
        re.IGNORECASE,
    )


def _one_of(marks: Iterator[str] | tuple[str, ...]) -> str:
    return "|".join(map(re.escape, sorted(marks, key=len, reverse=True)))
