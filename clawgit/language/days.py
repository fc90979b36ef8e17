"""Days as people say them, and the date in brackets after a relative day.

A language lists the words; `_Reading` answers about one text in one language. A day is certain only
where the text leaves no other: “coming Friday” is one, “on Friday” is none, and weeks are not
counted in days.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any, Literal

from clawgit.core import NamedTuple
from clawgit.language.lazily import lazily
from clawgit.language.lexicon import Lexicon, Match, has_any, lexicons_for
from clawgit.language.tokens import Token, tokens

_WEEK, _SUNDAY, _LAST = 7, 6, 12
_COUNTED_DAYS = 6
"""`in 6 days` was counted, `in 14 days` means about two weeks."""
_WHICH = ("unsure_next", "last", "next", "this")
_WITHIN = 2
_DIRECTIONS = (("ago", "ago_before", -1), ("", "hence", 1), ("hence_behind", "within", _WITHIN))
_LONG = ("day", "week", "month", "year")
_MOST_DIGITS = 3
_NEAR = 4
"""At most this many tokens are in a phrase that stands before a day."""


class When(NamedTuple):
    """A day in a text. `day` is set only if it is one day for certain; `parts` are the year, month
    and day of a date as far as they are named; `last` is the unit of the last one that has passed.
    """

    start: int
    end: int
    kind: Literal["date", "weekday", "relative", "recurring", "month"]
    day: date | None = None
    parts: tuple[int, int, int] = (0, 0, 0)
    last: str = ""


class _Reading(NamedTuple):
    text: str
    among: Sequence[Token]
    language: Lexicon
    today: date

    def at(self, name: str, index: int) -> int:
        """Where a phrase of this class ends that begins at a token, 0 if none does."""
        if index >= len(self.among):
            return 0
        match = self.language.phrases(name).at(self.text, self.among, index)
        return match.end if match else 0

    def before(self, name: str, index: int) -> int | None:
        """Where a phrase of this class begins that ends right before a token, None if none does."""
        rows = self.language.phrases(name)
        for begin in range(max(0, index - _NEAR), index):
            match = rows.at(self.text, self.among, begin)
            if match and match.after == index:
                return match.start
        return None


def whens(text: str, said_at: datetime) -> tuple[When, ...]:
    """Every day of a text, from left to right. `said_at` is the speaker's local time."""
    among = tokens(text)
    found = [*_written(text)]
    for language in lexicons_for(text):
        reading = _Reading(text, among, language, said_at.date())
        found += [*_relative(reading), *_months(reading)]
    return tuple(_apart(found))


def bracket(text: str, said_at: datetime) -> str:
    """The brackets after a kept line: the date of its relative day, or when it was said.

    It is the day of saying if the relative day is uncertain, or if there are several days: a reader
    could not tell to which one the date belongs.
    """
    named = whens(text, said_at)
    relative = [when for when in named if when.kind in ("relative", "weekday")]
    if not relative:
        return ""
    days = {when.day for when in relative}
    # With a full date beside it, a date in brackets could belong to either.
    is_one = len(days) == 1 and all(when.kind != "date" for when in named)
    if is_one and relative[0].day is not None:
        return f"({relative[0].day:%Y-%m-%d})"
    return f"(said {said_at:%Y-%m-%d})"


def _relative(reading: _Reading) -> Iterator[When]:
    language, text, among = reading.language, reading.text, reading.among
    for day in language.day_phrases.every(text, among):
        yield When(day.start, day.end, "relative", reading.today + timedelta(days=day.value))
    for vague in language.phrases("vague").every(text, among):
        yield When(vague.start, vague.end, "relative")
    for weekday in language.weekday_phrases.every(text, among):
        if not _is_other_word(reading, weekday):
            yield _weekday(reading, weekday)
    for length in language.span_phrases.every(text, among):
        if length.value in _LONG:
            yield from _near(reading, length) or _counted(reading, length)


def _is_other_word(reading: _Reading, match: Match[int]) -> bool:
    """Whether `sun`, `may` or `di` is more likely another word: it is a day or a month with a
    capital and a figure beside it, or behind another word of its sentence: `in May`.
    """
    token = reading.among[match.first]
    if token.folded not in reading.language.words("ambiguous"):
        return False
    before = reading.text[: token.start].rstrip()
    is_month = token.folded in reading.language.months and before[-1:] not in ("", *".!?:")
    beside = reading.among[max(0, match.first - 1) : match.after + 1]
    is_dated = any(near.text[0].isdecimal() for near in beside)
    return not (token.text[:1].isupper() and (is_month or is_dated))


def _weekday(reading: _Reading, match: Match[int]) -> When:
    start, end, name = _meant(reading, match)
    word = reading.text[match.start : match.end].casefold()
    is_plural = word not in reading.language.weekdays
    is_plural = is_plural or reading.before("weekday_articles", match.first) is not None
    recurring = reading.language.phrases("recurring").every(reading.text, reading.among)
    if is_plural or (start == match.start and next(recurring, None)):
        return When(match.start, match.end, "recurring")
    today = reading.today.weekday()
    ahead, is_later = (match.value - today) % _WEEK, match.value > today
    # On a Wednesday, “last Tuesday” may be yesterday, and “this Monday” past. Where weeks begin
    # with a Sunday, “last Sunday” may be that of the week before.
    is_sure = {"next": ahead, "this": is_later, "last": is_later and match.value < _SUNDAY}
    if not is_sure.get(name):
        return When(start, end, "weekday")
    days = ahead - _WEEK if name == "last" else ahead
    return When(start, end, "weekday", reading.today + timedelta(days=days))


def _meant(reading: _Reading, match: Match[Any]) -> tuple[int, int, str]:
    """Where the naming of a weekday or a length begins and ends, and the class of what says which
    one it is; "" if nothing does.
    """
    for name in _WHICH:
        begin = reading.before(name, match.first)
        if begin is not None:
            return begin, match.end, name
    # The word itself may have it: “segunda” alone means “second”, too.
    for index in (match.after, match.after - 1):
        if end := reading.at("last_behind", index):
            return match.start, end, "last"
    return match.start, match.end, ""


def _near(reading: _Reading, match: Match[str]) -> list[When]:
    """`last week`, `dieses Jahr`: relative, and not one day."""
    start, end, name = _meant(reading, match)
    last = match.value if name == "last" else ""
    return [When(start, end, "relative", last=last)] if name else []


def _counted(reading: _Reading, match: Match[str]) -> Iterator[When]:
    """`in 3 days`, `vor zwei Tagen`, `三天前`: a few days are counted, weeks and more are not."""
    number = match.first - 1
    count = _count(reading, number)
    start, end, sign = _direction(reading, match, number)
    if count is None or not sign:
        return
    is_few = match.value == "day" and count <= _COUNTED_DAYS
    # “The rent was due in 3 days.”
    is_exact = is_few and (sign < 0 or (sign == 1 and not has_any(reading.text, "past")))
    day = reading.today + timedelta(days=sign * count) if is_exact else None
    yield When(start, end, "relative", day)


def _direction(reading: _Reading, match: Match[str], number: int) -> tuple[int, int, int]:
    """Where a length of time with its number begins and ends, and whether it is ahead (1), past
    (-1), perhaps only how long it took (_WITHIN), or neither (0).
    """
    for behind, before, sign in _DIRECTIONS:
        end, begin = reading.at(behind, match.after), reading.before(before, number)
        if end or begin is not None:
            start = reading.among[number].start if begin is None else begin
            return start, end or match.end, sign
    return match.start, match.end, 0


def _count(reading: _Reading, index: int) -> int | None:
    if index < 0:
        return None
    token, words = reading.among[index], reading.language.words
    if token.text.isdecimal():
        return int(token.text) if len(token.text) <= _MOST_DIGITS else None
    is_one = token.folded in words("articles") | words("weak_numbers")
    return reading.language.numbers.get(token.folded, 1 if is_one else None)


_ISO = lazily(r"(?<![\d-])((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?![\d-])")
_DOTTED = lazily(r"(?<![\d.])(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)?(?!\d)")
_DAY_BEFORE = lazily(
    r"(?<![\w:.,$€])(\d{1,2})(?:st|nd|rd|th|er|\.|º)?\s+(?:of\s+|de\s+)?\Z", re.IGNORECASE
)
_DAY_BEHIND = lazily(r"\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?(?![\w:%]|\.\d)", re.IGNORECASE)
_YEAR_BEHIND = lazily(r",?\s+(?:of\s+|de\s+|del\s+)?((?:19|20)\d\d)(?!\d)", re.IGNORECASE)
_WIDTH = 14
_LEAP_YEAR = 2000


def _written(text: str) -> Iterator[When]:
    """Dates in figures; they are the same in every language."""
    for at in _ISO.finditer(text):
        yield from _dated(*at.span(), int(at[1]), int(at[2]), int(at[3]))
    for at in _DOTTED.finditer(text):
        yield from _dated(*at.span(), int(at[3] or 0), int(at[2]), int(at[1]))


def _dated(start: int, end: int, year: int, month: int, day: int) -> Iterator[When]:
    """A date, if there is such a one: a year is never made up, and without one it is no certain
    day.
    """
    try:
        certain = date(year or _LEAP_YEAR, month, day)
    except ValueError:
        return
    yield When(start, end, "date", certain if year else None, (year, month, day))


def _months(reading: _Reading) -> Iterator[When]:
    """A month with its day and its year, if they are said."""
    for match in reading.language.month_phrases.every(reading.text, reading.among):
        yield from _month(reading, match)
    for signs in _in_signs(reading.language).finditer(reading.text):
        year, month, day = (int(part) if part else 0 for part in signs.groups())
        if day:
            yield from _dated(*signs.span(), year, month, day)
        elif 0 < month <= len(reading.language.data["months"]):
            yield When(*signs.span(), "month", None, (year, month, 0))


def _month(reading: _Reading, match: Match[int]) -> Iterator[When]:
    text, start, end = reading.text, match.start, match.end
    head = text[max(0, start - _WIDTH) : start]
    before, behind = _DAY_BEFORE.search(head), _DAY_BEHIND.match(text, end)
    if before:
        start -= len(head) - before.start()
    elif behind:
        end = behind.end()
    number, year = before or behind, _YEAR_BEHIND.match(text, end)
    if not number and not year and _is_other_word(reading, match):
        return
    end, named = (year.end(), int(year[1])) if year else (end, 0)
    if number:
        yield from _dated(start, end, named, match.value, int(number[1]))
    else:
        yield When(start, end, "month", None, (named, match.value, 0))


@cache
def _in_signs(language: Lexicon) -> re.Pattern[str]:
    """Dates of figures with a character after each, `2026年3月3日`: year, month, day; of a language
    that has no such characters, nothing.
    """
    marks = [
        "|".join(map(re.escape, language.rows(f"{name}_marks")))
        for name in ("year", "month", "day")
    ]
    if not all(marks):
        return re.compile("(?!)")
    year, month, day = marks
    return re.compile(
        rf"(?<!\d)(?:(\d{{4}})\s?(?:{year})\s?)?(\d{{1,2}})\s?(?:{month})(?:\s?(\d{{1,2}})\s?(?:{day}))?"
    )


def _apart(pieces: Iterable[When]) -> list[When]:
    """The pieces from left to right, without those that overlap one before; of two that begin
    alike, the longer stays, and of two in one place that whose kind comes first.
    """
    kept: list[When] = []
    for piece in sorted(pieces, key=lambda piece: (piece.start, -piece.end, piece.kind)):
        if not kept or piece.start >= kept[-1].end:
            kept.append(piece)
    return kept


def last_day(year: int, month: int) -> int:
    """The last day of a month."""
    return 31 if month == _LAST else (date(year, month + 1, 1) - timedelta(days=1)).day
