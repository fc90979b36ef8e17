"""The days that a question names: `on 8 May 2023`, `last March`, `3 weeks ago`, `2025年5月8日`."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta, tzinfo
from functools import cache
from itertools import chain

from clawgit.domain.change.when import parse_when
from clawgit.domain.search.periods import (
    LEAP_YEAR,
    Days,
    about,
    around,
    is_day,
    of_month,
    past_day,
    the_day,
    the_month,
    the_year,
)
from clawgit.domain.search.question_words import STOP
from clawgit.language.calendar import month_forms, number_forms, weekday_forms
from clawgit.language.days import whens
from clawgit.language.lazily import lazily
from clawgit.language.reading import When

_SLACK = {"week": 3, "month": 10, "year": 60}
"""Days before and after that “3 weeks ago” may mean, by its unit: nobody counts them exactly."""

_CENTURY = 2000
_LEAST_YEAR = 1900

_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}

_SHIFTS = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1}

_MAY = 5

_MONTHS = tuple(forms[0][:3] for forms in month_forms())

_MONTH = f"({'|'.join(sorted(chain(*month_forms()), key=len, reverse=True))})"

_WEEKDAY = "|".join(forms[0] for forms in weekday_forms())

_WEEKDAY_OF = rf"\b(?:{_WEEKDAY}),? (?:the )?\Z"

_WEEKDAY_BEFORE = 6
"""Characters between a weekday and its date: “Dienstag, dem 13. Mai”."""

_NTH = r"([0-9]{1,2})(?:st|nd|rd|th|\.)?"

_YEAR = "((?:19|20)[0-9]{2})"

_NEAR = "(?:on|since|by|before|after)"

_COUNTED = {word: int(figures) for figures, word in number_forms()[1:6]} | {
    "couple of": 2,
    "few": 3,
}

_COUNT = f"(?:a )?([0-9]{{1,3}}|{'|'.join(_COUNTED)})"

_COUNTING = lazily(rf"\b(?:a )?({'|'.join(_COUNTED)})\b", re.IGNORECASE)

_TO = "(?: ?[-–] ?| to | and | until )"

MONTH_FIRST = ("ja", "ko", "zh")
"""Where 3/14 is the 14th of March; elsewhere, but for English, 14/3 is."""

_SLASHED = lazily(r"(?<![\w./:-])(?!24/7|[0-9]/[0-9]\b)([0-9]{1,2})/([0-9]{1,2})(?![\w/])")
"""“1/2” is half of something."""

_PLAINLY_DAY = lazily(r".*[0-9]{4}|0[0-9]/[0-9]{2}|[0-9]{2}/0[0-9]|(?:1[3-9]|[23][0-9])/1[0-2]")
"""A day in English, too, where “10/12” of the tests may pass."""

_SLASHED_WITH_YEAR = lazily(
    r"(?<![\w./:-])([0-9]{1,2})[/-]([0-9]{1,2})[/-]((?:19|20)?[0-9]{2})(?![\w/-])"
)

_NEXT_WORD = lazily(r"[ -]([^\W\d_]+)")

_DAY_BEFORE = r"\bd[ií]a \Z"

_DAY_OF_MONTH = lazily(
    r"\b(?i:el|al|del|no|ao|do) d[ií]a ([0-9]{1,2})(?![\w/]|[.,:]\w| d\w{0,2}\b)"
    r"|\b[Aa]m ([0-9]{1,2})\.(?= [a-zäöü]|\s*[?!,;:]|\s*\Z)"
)
"""`no dia 16`, `am 16.`; but “no dia 3 do curso” and “am 3. Advent” count something else."""

_SPOKEN = {
    ("day", -1): ("昨天", "어제", "昨日", "last night"),
    ("day", -2): ("前天", "그제", "一昨日", "day before yesterday"),
    ("day", 0): (
        "今天",
        "오늘",
        "今日",
        "this morning",
        "this evening",
        "tonight",
    ),
    ("week", -1): ("上周", "上个星期", "지난주", "先週"),
    ("week", 0): ("本周", "이번 주", "今週"),
    ("month", -1): ("上个月", "지난달", "先月"),
    ("month", 0): ("这个月", "이번 달", "今月"),
    ("year", -1): ("去年", "작년", "昨年"),
    ("year", 0): ("今年", "올해"),
}

_MEANT = {word: meant for meant, words in _SPOKEN.items() for word in words}

_YEARS_SAID = {
    word: shift for (unit, shift), said in _SPOKEN.items() if unit == "year" for word in said
}

_CUE = lazily(
    rf"[0-9\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|today|yesterday|tonight"
    rf"|\b(?:ago|this|last|past|previous|next|{_WEEKDAY}|{_MONTH})\b"
)
"""Every question that names days has this, in small letters. So does all Chinese, Japanese and
Korean; of others, few have it that name none.
"""


def days_in(text: str, now: datetime, zone: tzinfo | None = None) -> tuple[Days, str] | None:
    """The days that a question names, and the words that name them; None if it names none.

    A day or a month without a year is that of any year, unless it says last, this or next.
    """
    if not _CUE.search(text.lower()):
        return None
    here = now.astimezone(zone) if zone else now
    said = next(every_day(text, here), None)
    if said is None:
        return None
    days, start, end = said
    weekday = _compiled(_WEEKDAY_OF).search(text, 0, start)
    return days, text[weekday.start() if weekday else start : end]


def every_day(text: str, here: datetime, more: Sequence["Reader"] = ()) -> Iterator["SaidDays"]:
    """All days that a text names in English or in figures, the most exact first; they may overlap.
    `more`: other patterns, after the usual ones.
    """
    for pattern, read in (*_READERS, *more):
        for match in _compiled(pattern).finditer(text):
            try:
                days = read(match, here)
            except (ValueError, OverflowError):
                # Not a real date, such as 31 February: another pattern or place may have one.
                continue
            if days:
                yield days, *match.span()


def days_said(
    text: str, now: datetime, zone: tzinfo | None, language: str
) -> tuple[Days, str] | None:
    """The same in the words of another language than English: `am 3. März`, `la semana pasada`; and
    in figures, whose order is that of the language.
    """
    here = now.astimezone(zone) if zone else now
    said = _worded(text, here) if language else None
    said = said or _slashed(text, here.date(), language)
    said = said or (_numbered(text, here.date()) if language else None)
    if said is None:
        return None
    days, start, end = said
    before = _compiled(_DAY_BEFORE).search(text, 0, start)
    return days, text[before.start() if before else start : end]


SaidDays = tuple[Days, int, int]
"""Days, and where a text names them."""


def every_worded_day(text: str, here: datetime) -> Iterator[SaidDays]:
    """All days that a text names in the words of a language other than English, in order."""
    for when in whens(text, here):
        if days := days_meant(when, here.date()):
            yield days, when.start, when.end


def _worded(text: str, here: datetime) -> SaidDays | None:
    weekday: When | None = None
    for when in whens(text, here):
        if days := days_meant(when, here.date()):
            is_beside = weekday and when.start - weekday.end <= _WEEKDAY_BEFORE
            return days, weekday.start if weekday and is_beside else when.start, when.end
        weekday = when if when.kind == "weekday" else None
    return None


def _slashed(text: str, today: date, language: str) -> SaidDays | None:
    for match in (*_SLASHED_WITH_YEAR.finditer(text), *_SLASHED.finditer(text)):
        days = _of_numbers(*map(int, match.groups()), today=today, language=language)
        is_all = match[0] == text.strip(" ?")
        if days and (language or is_all or _PLAINLY_DAY.fullmatch(match[0])):
            return days, *match.span()
    return None


def _of_numbers(
    first: int, second: int, year: int = 0, *, today: date, language: str = ""
) -> Days | None:
    """The day; in English, where both orders are in use, perhaps with the other one."""
    full = year + _CENTURY if 0 < year < _LEAST_YEAR else year
    days = [
        the_day(full, month, day) if full else past_day(month, day, today)
        for month, day in _orders(first, second, language)
        if is_day(month, day, full or LEAP_YEAR)
    ]
    meant = [*filter(None, days)]
    if not meant:
        return None
    return meant[0]._replace(other=meant[1].first if meant[1:] else None)


def _orders(first: int, second: int, language: str) -> list[tuple[int, int]]:
    """Which figures may be the month and the day."""
    if language:
        return [(first, second) if language in MONTH_FIRST else (second, first)]
    return [*dict.fromkeys([(first, second), (second, first)])]


def _numbered(text: str, today: date) -> SaidDays | None:
    match = _DAY_OF_MONTH.search(text)
    days = of_month(int(match[1] or match[2]), today) if match else None
    return (days, *match.span()) if match and days else None


def days_meant(when: When, today: date) -> Days | None:
    """The days of a date, or of a month; None for a time, or where no day is certain."""
    year, month, day = when.parts
    if when.kind == "month":
        return the_month(year or today.year, month)._replace(yearly=not year)
    if when.kind in ("weekday", "relative") and not when.day:
        return _past(when, today)
    if when.day:
        return Days(when.day, when.day)
    return past_day(month, day, today) if day else None


def _past(when: When, today: date) -> Days | None:
    """The last week, or so many weeks ago."""
    if when.last in _SLACK:
        return around(today, when.last, -1)
    if when.last == "weekday":
        # One that is not certain is that of today's own name, a week ago.
        return around(today - timedelta(days=_DAYS["week"]), "day", 0)
    if when.ago[0]:
        count, unit = when.ago
        return about(today - timedelta(days=count * _DAYS[unit]), _SLACK.get(unit, 0))
    return None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when first needed: all of them take 4 ms, and most questions name no days."""
    return re.compile(pattern, re.IGNORECASE)


def _named(word: str) -> int:
    return _MONTHS.index(word[:3].lower()) + 1


def _bare_month(match: re.Match[str], here: datetime) -> Days:
    relation, month = match[1].lower(), _named(match[2])
    if relation == "last":
        has_come = month < here.month
        return the_month(here.year if has_come else here.year - 1, month)
    if relation == "next":
        is_ahead = month > here.month
        return the_month(here.year if is_ahead else here.year + 1, month)
    return the_month(here.year, month)._replace(yearly=relation != "this")


def _span(match: re.Match[str], here: datetime) -> Days:
    return around(here.date(), match[2].lower(), _SHIFTS[match[1].lower()])


def _relative(match: re.Match[str], here: datetime) -> Days | None:
    """What `--at` understands too, with some days around it for weeks and more."""
    words = _COUNTING.sub(lambda said: str(_COUNTED[said[1].lower()]), match[0])
    when = parse_when(words, here, None)
    if when is None:
        return None
    return about(
        when.date(), next((days for unit, days in _SLACK.items() if unit in words.lower()), 0)
    )


def _until_now(match: re.Match[str], here: datetime) -> Days:
    """“The last 3 weeks”."""
    count = int(_COUNTED.get(match[1].lower(), match[1]))
    begin = here - timedelta(days=count * _DAYS[match[2].lower()])
    return Days(begin.date(), here.date())


def _week_of(match: re.Match[str], here: datetime) -> Days | None:
    day = past_day(_named(match[1]), int(match[2]), here.date())
    return around(day.first, "week", 0) if day else None


def _range(month: str, first: str, last: str, here: datetime) -> Days | None:
    """“March 3-5”: of the last one that has come."""
    begin = past_day(_named(month), int(first), here.date())
    end = begin.first.replace(day=int(last)) if begin else here.date()
    return Days(begin.first, end) if begin and begin.first < end else None


def _on_slashed(match: re.Match[str], here: datetime) -> Days | None:
    return _of_numbers(int(match[1]), int(match[2]), today=here.date())


def _on_numbered(match: re.Match[str], here: datetime) -> Days | None:
    """“On the 16th”, but not on the 16th floor, nor the 16th of something."""
    behind = _NEXT_WORD.match(match.string, match.end())
    if behind and (behind[1] == "of" or behind[1].lower() not in STOP):
        return None
    return of_month(int(match[1]), here.date())


def _on_weekday(match: re.Match[str], here: datetime) -> Days | None:
    """“On Thursday”: the last one. On a Thursday, it may be today."""
    last = parse_when(f"last {match[1]}", here, None)
    if last is None:
        return None
    is_today = last.weekday() == here.weekday()
    return Days(last.date(), last.date(), other=here.date() if is_today else None)


def _cjk_date(match: re.Match[str], here: datetime) -> Days | None:
    year, month, day = (int(part) if part else 0 for part in match.groups())
    if day:
        return the_day(year, month, day) if year else past_day(month, day, here.date())
    return the_month(year, month) if year else the_month(here.year, month)._replace(yearly=True)


Reader = tuple[str, Callable[[re.Match[str], datetime], Days | None]]
"""A pattern, and what it says."""

_READERS: tuple[Reader, ...] = (
    (
        r"\b([0-9]{4})-([0-9]{2})-([0-9]{2})\b",
        lambda at, _: the_day(int(at[1]), int(at[2]), int(at[3])),
    ),
    (
        rf"\b{_YEAR}/([0-9]{{1,2}})/([0-9]{{1,2}})\b",
        lambda at, _: the_day(int(at[1]), int(at[2]), int(at[3])),
    ),
    (
        rf"\b([0-9]{{1,2}})\. ?([0-9]{{1,2}})\. ?{_YEAR}\b",
        lambda at, _: the_day(int(at[3]), int(at[2]), int(at[1])),
    ),
    (
        rf"\b{_NTH} (?:of )?{_MONTH},? {_YEAR}\b",
        lambda at, _: the_day(int(at[3]), _named(at[2]), int(at[1])),
    ),
    (
        rf"\b{_MONTH} {_NTH},? {_YEAR}\b",
        lambda at, _: the_day(int(at[3]), _named(at[1]), int(at[2])),
    ),
    (rf"\b{_MONTH},? (?:of )?{_YEAR}\b", lambda at, _: the_month(int(at[2]), _named(at[1]))),
    (
        rf"\b{_MONTH} {_NTH}{_TO}{_NTH}\b",
        lambda at, here: _range(at[1], at[2], at[3], here),
    ),
    (
        rf"\b{_NTH}{_TO}{_NTH} (?:of )?{_MONTH}\b",
        lambda at, here: _range(at[3], at[1], at[2], here),
    ),
    (rf"\bweek of {_MONTH} {_NTH}\b", _week_of),
    (rf"\b{_YEAR}-(0[1-9]|1[0-2])\b(?!-)", lambda at, _: the_month(int(at[1]), int(at[2]))),
    (rf"(?<![\w/])(0?[1-9]|1[0-2])/{_YEAR}\b", lambda at, _: the_month(int(at[2]), int(at[1]))),
    (rf"\b{_NEAR} ([0-9]{{1,2}})/([0-9]{{1,2}})\b(?!/)", _on_slashed),
    (
        rf"\b{_NEAR} (?:the )?{_NTH} (?:of )?{_MONTH}\b",
        lambda at, here: past_day(_named(at[2]), int(at[1]), here.date()),
    ),
    (
        rf"\b{_NEAR} {_MONTH} (?:the )?{_NTH}\b",
        lambda at, here: past_day(_named(at[1]), int(at[2]), here.date()),
    ),
    # “7 may” and “may 5” may be no dates. With a capital, they are.
    (rf"\b{_NTH} (?-i:May)\b", lambda at, here: past_day(_MAY, int(at[1]), here.date())),
    (rf"\b(?-i:May) {_NTH}\b", lambda at, here: past_day(_MAY, int(at[1]), here.date())),
    (
        rf"\b{_NTH} (?:of )?(?!may\b){_MONTH}\b",
        lambda at, here: past_day(_named(at[2]), int(at[1]), here.date()),
    ),
    (
        rf"\b(?!may\b){_MONTH} (?:the )?{_NTH}\b",
        lambda at, here: past_day(_named(at[1]), int(at[2]), here.date()),
    ),
    (rf"\b(in|during|of|since|by|until|last|this|next|early|late|mid) {_MONTH}\b", _bare_month),
    (r"\b(last|past|previous|this|next) (week|weekend|month|year)\b", _span),
    (rf"\b(?:last|past) {_COUNT} (day|week|month)s\b", _until_now),
    (rf"\b(?:{_COUNT}|an?) (?:day|week|month|year)s? ago\b", _relative),
    (
        f"({'|'.join(_YEARS_SAID)})(?:の| )?([0-9]{{1,2}})[月월]",
        lambda at, here: the_month(here.year + _YEARS_SAID[at[1]], int(at[2])),
    ),
    ("|".join(_MEANT), lambda at, here: around(here.date(), *_MEANT[at[0].lower()])),
    (rf"\b(?:today|yesterday|last (?:{_WEEKDAY}))\b", _relative),
    (rf"\b(?:{_NEAR}|{_WEEKDAY}) the ([0-9]{{1,2}})(?:st|nd|rd|th)\b", _on_numbered),
    (rf"\b(?:in|during|of|since) {_YEAR}\b", lambda at, _: the_year(int(at[1]))),
    (rf"\bon ({_WEEKDAY})\b", _on_weekday),
    ("(?:([0-9]{4})[年년] ?)?([0-9]{1,2})[月월](?: ?([0-9]{1,2})[日号일])?", _cjk_date),
)
"""The most exact first, since the first one that matches counts."""
