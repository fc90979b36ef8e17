"""The ranges of days that a question names by their ends: `from July 14 to July 23`."""

import re
from collections.abc import Sequence
from datetime import date, datetime, tzinfo
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from clawgit.domain.search.periods import Days, is_day, past_day
from clawgit.domain.search.question_days import (
    MONTH_FIRST,
    SaidDays,
    every_day,
    every_worded_day,
)
from clawgit.language.calendar import last_day
from clawgit.language.files import SEARCH, listed
from clawgit.language.lazily import lazily

_SLASHED = lazily(
    r"(?<![\w./:-])([0-9]{1,2})/([0-9]{1,2})(?: ?[-–] ?| \w+ )([0-9]{1,2})/([0-9]{1,2})(?![\w/])"
)
"""Two days in figures, of which one alone might be a fraction."""

_TWO = lazily(r"[0-9]\D+[0-9]")

_MONTHS_OF_YEAR = 12


class _End(NamedTuple):
    """One end of a range, and where a text names it."""

    days: Days
    start: int
    end: int


def range_said(
    text: str, now: datetime, zone: tzinfo | None = None, language: str = ""
) -> tuple[Days, str] | None:
    """The days from one that a question names to another, and the words that name them; None if it
    names no such two. A day without a year is the last one that has come.
    """
    if not _TWO.search(text) or not _joint().search(text):
        return None
    here = now.astimezone(zone) if zone else now
    said = _in_figures(text, here.date(), language) or _between(text, here, language)
    if said is None:
        return None
    days, start, end = said
    opening = _opening().search(text, 0, start)
    return days, text[opening.start() if opening else start : end]


def _between(text: str, here: datetime, language: str) -> SaidDays | None:
    for first, last in pairwise(_in_order(text, here, language)):
        is_one = _joins(text, first.start, first.end, last.start)
        days = _from_to(first.days, last.days, here.date()) if is_one else None
        if days:
            return days, first.start, last.end
    return None


def _in_order(text: str, here: datetime, language: str) -> Sequence[_End]:
    """The days that a text names, from left to right; of those that overlap, the most exact."""
    said = every_worded_day(text, here) if language else every_day(text, here)
    kept: list[_End] = []
    for end in (_End(*each) for each in said):
        if all(end.end <= other.start or other.end <= end.start for other in kept):
            kept.append(end)
    return sorted(kept, key=lambda end: end.start)


def _joins(text: str, start: int, end: int, following: int) -> bool:
    """Whether the words from `end` on make one range of the days around them. “And” does so only
    after “between”.
    """
    joint = _joint().fullmatch(text, end, following)
    if joint is None or not joint["weak"]:
        return joint is not None
    opening = _opening().search(text, 0, start)
    return opening is not None and opening["strong"] is not None


def _from_to(first: Days, last: Days, today: date) -> Days | None:
    """From the beginning of some days to the end of others; None if these come before. A year that
    only one of them has is that of both, or the next one.
    """
    begin, end = first.first, last.last
    if first.yearly and last.yearly and begin > today:
        begin = _in_year(begin, begin.year - 1)
    if last.yearly:
        end = _next_after(begin, end)
    elif first.yearly:
        begin = _last_before(end, begin)
    return Days(begin, end) if begin < end else None


def _next_after(begin: date, day: date) -> date:
    """A day of any year, in the year in which it comes next."""
    same = _in_year(day, begin.year)
    return same if begin <= same else _in_year(day, begin.year + 1)


def _last_before(end: date, day: date) -> date:
    same = _in_year(day, end.year)
    return same if same <= end else _in_year(day, end.year - 1)


def _in_year(day: date, year: int) -> date:
    year = min(max(year, date.min.year), date.max.year)
    return day.replace(year=year, day=min(day.day, last_day(year, day.month)))


def _in_figures(text: str, today: date, language: str) -> SaidDays | None:
    """`from 7/14 to 7/23`, if the words between make it a range. “1/2 to 3/4” may be fractions."""
    for match in _SLASHED.finditer(text):
        figures = [int(figure) for figure in match.groups()]
        if max(figures) > _MONTHS_OF_YEAR and _joins(
            text, match.start(), match.end(2), match.start(3)
        ):
            ranges = (_of_ends(*order, today) for order in _orders(figures, language))
            days = next(filter(None, ranges), None)
            if days:
                return days, *match.span()
    return None


def _orders(figures: list[int], language: str) -> list[tuple[int, int, int, int]]:
    """Month, day, month and day, as they may be meant: in English the month stands first, unless
    that is no day.
    """
    first, second, third, fourth = figures
    orders = [(first, second, third, fourth), (second, first, fourth, third)]
    if not language:
        return orders
    return orders[:1] if language in MONTH_FIRST else orders[1:]


def _of_ends(month: int, day: int, to_month: int, to_day: int, today: date) -> Days | None:
    if not (is_day(month, day) and is_day(to_month, to_day)):
        return None
    first, last = past_day(month, day, today), past_day(to_month, to_day, today)
    return _from_to(first, last, today) if first and last else None


@cache
def _joint() -> re.Pattern[str]:
    """What stands between the two days of a range. “And” is `weak`."""
    return re.compile(
        rf" ?[-–] ?|,? (?:{one_of('range_to')}|(?P<weak>{one_of('range_and')}))"
        rf" (?:(?:{one_of('range_articles')}) )*",
        re.IGNORECASE,
    )


@cache
def _opening() -> re.Pattern[str]:
    """What stands before the two; `strong` if “and” may follow."""
    return re.compile(
        rf"\b(?:{one_of('range_from')}|(?P<strong>{one_of('range_between')}))"
        rf" (?:(?:{one_of('range_articles')}) )*\Z",
        re.IGNORECASE,
    )


def one_of(key: str) -> str:
    """One of the words of a list."""
    return "|".join(sorted(listed(SEARCH, key), key=len, reverse=True))
