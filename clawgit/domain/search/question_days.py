"""The days that a question names: `on 8 May 2023`, `last March`, `3 weeks ago`, `2025年5月8日`."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta, tzinfo
from functools import cache
from itertools import chain, product
from math import exp

from clawgit.domain.change.when import parse_when
from clawgit.domain.search.terms import in_order, words
from clawgit.language.calendar import last_day, month_forms, weekday_forms
from clawgit.language.days import whens
from clawgit.language.lazily import lazily
from clawgit.language.reading import When
from clawgit.values import NamedTuple

_EARLY_DAYS = 2
"""A note this many days too early counts a third (1/e); notes are seldom early."""

_LATE_DAYS = 7
"""The same for a note that is late, which is usual."""

_SLACK = {"week": 3, "month": 10, "year": 60}
"""Days before and after that “3 weeks ago” may mean, by its unit: nobody counts them exactly."""

_FEW = 8
"""So many days and more are not looked for one by one."""

_ISO = "%Y %m %d"

_FEWEST = 3
"""A word of fewer letters in a date is grammar: “am 3. März”, “el 3 de marzo”."""

_SHIFTS = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1}

_MONTHS = tuple(forms[0][:3] for forms in month_forms())

_MONTH = f"({'|'.join(sorted(chain(*month_forms()), key=len, reverse=True))})"

_WEEKDAY = "|".join(forms[0] for forms in weekday_forms())

_NTH = r"([0-9]{1,2})(?:st|nd|rd|th|\.)?"

_YEAR = "((?:19|20)[0-9]{2})"

_NEAR = "(?:on|since|by|before|after)"

_SPOKEN = {
    ("day", -1): ("昨天", "어제", "昨日"),
    ("day", -2): ("前天", "그제"),
    ("day", 0): ("今天", "오늘", "今日"),
    ("week", -1): ("上周", "上个星期", "지난주", "先週"),
    ("week", 0): ("本周", "이번 주", "今週"),
    ("month", -1): ("上个月", "지난달", "先月"),
    ("month", 0): ("这个月", "이번 달", "今月"),
    ("year", -1): ("去年", "작년", "昨年"),
    ("year", 0): ("今年", "올해"),
}

_MEANT = {word: meant for meant, words in _SPOKEN.items() for word in words}

_CUE = lazily(f"[0-9]|[^\x00-\x7f]|day|week|month|year|ago|{'|'.join(_MONTHS)}", re.IGNORECASE)
"""Every question that names days matches this, and few others do."""


class Days(NamedTuple):
    """From `first` to `last`, both included. `yearly`: the month of `first`, in any year."""

    first: date
    last: date
    yearly: bool = False

    def closeness(self, day: date) -> float:
        """1 for a day inside, less the further it is away.

        Later days lose less: events are often written down a few days later.
        """
        if self.yearly:
            years = (
                year
                for year in (day.year - 1, day.year, day.year + 1)
                if date.min.year <= year <= date.max.year
            )
            return max(_month(year, self.first.month).closeness(day) for year in years)
        if day < self.first:
            return exp((day - self.first).days / _EARLY_DAYS)
        return exp(min(0, (self.last - day).days) / _LATE_DAYS)


def days_in(text: str, now: datetime, zone: tzinfo | None = None) -> tuple[Days, str] | None:
    """The days that a question names, and the words that name them; None if it names none.

    A month without a year means that month of any year, unless it says last, this or next.
    """
    if not _CUE.search(text):
        return None
    here = now.astimezone(zone) if zone else now
    for pattern, read in _READERS:
        for match in _compiled(pattern).finditer(text):
            try:
                days = read(match, here)
            except (ValueError, OverflowError):
                # Not a real date, such as 31 February: another pattern or place may have one.
                continue
            if days:
                return days, match[0]
    return None


def days_said(text: str, now: datetime, zone: tzinfo | None = None) -> tuple[Days, str] | None:
    """The same in the words of other languages: `am 3. März`, `la semana pasada`."""
    here = now.astimezone(zone) if zone else now
    named = ((_meant(when, here.date()), when.text) for when in whens(text, here))
    return next(((days, words) for days, words in named if days), None)


def _meant(when: When, today: date) -> Days | None:
    """The days of a date, or of a month; None for a time, or where no day is certain."""
    year, month, day = when.parts
    if when.kind == "month":
        return _month(year or today.year, month)._replace(yearly=not year)
    if when.kind not in ("date", "weekday", "relative"):
        return None
    if when.day:
        return Days(when.day, when.day)
    if when.last in _SLACK:
        return _around(today, when.last, -1)
    return _past_day(month, day, today) if day else None


def spelled(days: Days, named: str) -> Iterator[str]:
    """The ways to write these days in a text, as words with a space between them: `2031 03 14` for
    “14 March 2031”. In the question, they are `named` so.
    """
    first, last = days.first, days.last
    if first == last:
        yield from _spelled_day(first, named)
    elif (last - first).days < _FEW:
        for after in range((last - first).days + 1):
            yield f"{first + timedelta(days=after):{_ISO}}"
    elif days == _month(first.year, first.month)._replace(yearly=days.yearly):
        yield from _spelled_month(days)


def _spelled_day(day: date, named: str) -> Iterator[str]:
    yield f"{day:{_ISO}}"
    yield f"{day.year} {day.month} {day.day}"
    said = f" {day.year}" if str(day.year) in named else ""
    for month, nth in product(month_forms()[day.month - 1], (str(day.day), _nth(day.day))):
        yield f"{month} {nth}{said}"
    telling = [word for word in in_order(named) if _is_of_day(word)]
    if any(map(str.isdecimal, telling)):
        yield " ".join(telling)


def _spelled_month(days: Days) -> Iterator[str]:
    months = month_forms()[days.first.month - 1]
    if days.yearly:
        # “may” and “mar” alone are mostly no months.
        yield from (month for month in months if len(month) > _FEWEST)
        return
    yield f"{days.first:%Y %m}"
    yield from (f"{month} {days.first.year}" for month in months)


def says_day(text: str, ways: Iterable[str]) -> bool:
    """Whether a text writes a day in one of these ways: its words follow each other, in any order,
    with grammar between them at most. “07:10” is no 10 July.
    """
    said = [word for word in words(text) if _is_of_day(word)]
    return any(_in_a_row(said, sorted(way.split())) for way in ways)


def _is_of_day(word: str) -> bool:
    """Whether it is more than grammar between the words of a date."""
    return word.isdecimal() or (len(word) >= _FEWEST and word != "the")


def _in_a_row(said: Sequence[str], way: Sequence[str]) -> bool:
    return any(sorted(said[at : at + len(way)]) == way for at in range(len(said)))


def _nth(day: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}th" if day in range(11, 14) else f"{day}{ending}"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when first needed: all of them take 4 ms, and most questions name no days."""
    return re.compile(pattern, re.IGNORECASE)


def _day(year: int, month: int, day: int) -> Days:
    exact = date(year, month, day)
    return Days(exact, exact)


def _month(year: int, month: int) -> Days:
    return Days(date(year, month, 1), date(year, month, last_day(year, month)))


def _year(year: int) -> Days:
    return Days(date(year, 1, 1), date(year, 12, 31))


def _past_day(month: int, day: int, today: date) -> Days:
    """A day without a year is the last one that has come."""
    this_year = date(today.year, month, day)
    return _day(today.year if this_year <= today else today.year - 1, month, day)


def _named(word: str) -> int:
    return _MONTHS.index(word[:3].lower()) + 1


def _bare_month(match: re.Match[str], here: datetime) -> Days:
    relation, month = match[1].lower(), _named(match[2])
    if relation == "last":
        has_come = month < here.month
        return _month(here.year if has_come else here.year - 1, month)
    if relation == "next":
        is_ahead = month > here.month
        return _month(here.year if is_ahead else here.year + 1, month)
    return _month(here.year, month)._replace(yearly=relation != "this")


def _span(match: re.Match[str], here: datetime) -> Days:
    return _around(here.date(), match[2].lower(), _SHIFTS[match[1].lower()])


def _around(today: date, unit: str, shift: int) -> Days:
    """A day, week, weekend, month or year of the calendar, `shift` after this one.

    Weeks begin on Monday.
    """
    if unit == "day":
        return Days(today + timedelta(days=shift), today + timedelta(days=shift))
    if unit == "year":
        return _year(today.year + shift)
    if unit == "month":
        months = today.year * 12 + today.month - 1 + shift
        return _month(months // 12, months % 12 + 1)
    monday = today + timedelta(days=7 * shift - today.weekday())
    return Days(monday + timedelta(days=5 if unit == "weekend" else 0), monday + timedelta(days=6))


def _relative(match: re.Match[str], here: datetime) -> Days | None:
    """What `--at` understands too, with some days around it for weeks and more."""
    words = match[0]
    when = parse_when(words, here, None)
    if when is None:
        return None
    slack = timedelta(
        days=next((days for unit, days in _SLACK.items() if unit in words.lower()), 0)
    )
    return Days(when.date() - slack, when.date() + slack)


def _cjk_date(match: re.Match[str], here: datetime) -> Days:
    year, month, day = (int(part) if part else 0 for part in match.groups())
    if day:
        return _day(year, month, day) if year else _past_day(month, day, here.date())
    return _month(year, month) if year else _month(here.year, month)._replace(yearly=True)


_READERS: tuple[tuple[str, Callable[[re.Match[str], datetime], Days | None]], ...] = (
    (
        r"\b([0-9]{4})-([0-9]{2})-([0-9]{2})\b",
        lambda at, _: _day(int(at[1]), int(at[2]), int(at[3])),
    ),
    (
        rf"\b{_YEAR}/([0-9]{{1,2}})/([0-9]{{1,2}})\b",
        lambda at, _: _day(int(at[1]), int(at[2]), int(at[3])),
    ),
    (
        rf"\b([0-9]{{1,2}})\. ?([0-9]{{1,2}})\. ?{_YEAR}\b",
        lambda at, _: _day(int(at[3]), int(at[2]), int(at[1])),
    ),
    (
        rf"\b{_NTH} (?:of )?{_MONTH},? {_YEAR}\b",
        lambda at, _: _day(int(at[3]), _named(at[2]), int(at[1])),
    ),
    (rf"\b{_MONTH} {_NTH},? {_YEAR}\b", lambda at, _: _day(int(at[3]), _named(at[1]), int(at[2]))),
    (rf"\b{_MONTH},? (?:of )?{_YEAR}\b", lambda at, _: _month(int(at[2]), _named(at[1]))),
    (
        rf"\b{_NEAR} (?:the )?{_NTH} (?:of )?{_MONTH}\b",
        lambda at, here: _past_day(_named(at[2]), int(at[1]), here.date()),
    ),
    (
        rf"\b{_NEAR} {_MONTH} (?:the )?{_NTH}\b",
        lambda at, here: _past_day(_named(at[1]), int(at[2]), here.date()),
    ),
    # “7 may” and “may 5” may be no dates.
    (
        rf"\b{_NTH} (?:of )?(?!may\b){_MONTH}\b",
        lambda at, here: _past_day(_named(at[2]), int(at[1]), here.date()),
    ),
    (
        rf"\b(?!may\b){_MONTH} (?:the )?{_NTH}\b",
        lambda at, here: _past_day(_named(at[1]), int(at[2]), here.date()),
    ),
    (rf"\b(in|during|of|since|by|until|last|this|next|early|late|mid) {_MONTH}\b", _bare_month),
    (r"\b(last|past|previous|this|next) (week|weekend|month|year)\b", _span),
    (r"\b(?:[0-9]{1,3}|an?) (?:day|week|month|year)s? ago\b", _relative),
    (rf"\b(?:today|yesterday|last (?:{_WEEKDAY}))\b", _relative),
    (rf"\b(?:in|during|of|since) {_YEAR}\b", lambda at, _: _year(int(at[1]))),
    ("(?:([0-9]{4})[年년] ?)?([0-9]{1,2})[月월](?: ?([0-9]{1,2})[日号일])?", _cjk_date),
    ("|".join(_MEANT), lambda at, here: _around(here.date(), *_MEANT[at[0]])),
)
"""The most exact first, since the first one that matches counts."""
