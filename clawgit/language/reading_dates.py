"""Dates with their day: `2026-11-18`, `18.11.2026`, `March 3`, `3. März 2026`, `3 de marzo`,
`3月3日`.
"""

import re
from collections.abc import Iterator
from datetime import date
from functools import cache

from clawgit.language.lazily import lazily
from clawgit.language.lexicon import Lexicon
from clawgit.language.phrases import Match
from clawgit.language.reading import DateReading, When
from clawgit.language.tokens import Token

_ISO = lazily(r"(?<![\d-])((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?![\d-])")
_DOTTED = lazily(r"(?<![\d.])(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)?(?!\d)")
_YEAR = lazily(r"(?<![\w.,:$€/-])(?:19|20)\d\d(?![\w%€$/]|[.,:]\d|-\d|\s?[€$%])")
_DAY_BEFORE = lazily(
    r"(?<![\w:.,$€])(\d{1,2})(?:st|nd|rd|th|\.|º)?\s+(?:of\s+|de\s+)?\Z", re.IGNORECASE
)
_DAY_BEHIND = lazily(r"\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?(?![\w:%]|\.\d)", re.IGNORECASE)
_YEAR_BEHIND = lazily(r",?\s+(?:of\s+|de\s+|del\s+)?((?:19|20)\d\d)(?!\d)", re.IGNORECASE)
_WIDTH = 14
_LEAP_YEAR = 2000


def written(text: str) -> Iterator[When]:
    """Dates in figures; they are the same in every language."""
    for at in _ISO.finditer(text):
        if day := _date(int(at[1]), int(at[2]), int(at[3])):
            yield When(*at.span(), "date", day, None, (day.year, day.month, day.day))
    for at in _DOTTED.finditer(text):
        if day := _date(int(at[3] or _LEAP_YEAR), int(at[2]), int(at[1])):
            yield When(
                *at.span(),
                "date",
                day if at[3] else None,
                None,
                (int(at[3] or 0), day.month, day.day),
            )
    for at in _YEAR.finditer(text):
        yield When(*at.span(), "year", None, None, (int(at[0]), 0, 0))


def months(reading: DateReading) -> Iterator[When]:
    """A month with its day, and with its year if that is said: a year is never made up."""
    for match in reading.language.month_phrases.every(reading.text, reading.among):
        if piece := _month(reading, match):
            yield piece
    pattern = _in_signs(reading.language)
    for match_of_signs in pattern.finditer(reading.text) if pattern else ():
        if piece := _from_signs(match_of_signs, len(reading.language.data["months"])):
            yield piece


def _from_signs(match: re.Match[str], last_month: int) -> When | None:
    """`2026年3月3日`, `3月`."""
    year, month, day = (int(part) if part else 0 for part in match.groups())
    if day:
        if not _date(year or _LEAP_YEAR, month, day):
            return None
        certain = _date(year, month, day) if year else None
        return When(*match.span(), "date", certain, None, (year, month, day))
    if 0 < month <= last_month:
        return When(*match.span(), "month", None, None, (year, month, 0))
    return None


def _month(reading: DateReading, match: Match[int]) -> When | None:
    text = reading.text
    head = text[max(0, match.start - _WIDTH) : match.start]
    before, behind = _DAY_BEFORE.search(head), _DAY_BEHIND.match(text, match.end)
    start, end = match.start, match.end
    number = before or behind
    if before:
        start -= len(head) - before.start()
    elif behind:
        end = behind.end()
    year = _YEAR_BEHIND.match(text, end)
    if not number and not year and _is_other_word(reading, match):
        return None
    end = year.end() if year else end
    named = int(year[1]) if year else 0
    if not number:
        return When(start, end, "month", None, None, (named, match.value, 0))
    day = int(number[1])
    if not _date(_LEAP_YEAR, match.value, day):
        return When(match.start, match.end, "month", None, None, (0, match.value, 0))
    certain = _date(named, match.value, day) if named else None
    return When(start, end, "date", certain, None, (named, match.value, day))


def _is_other_word(reading: DateReading, match: Match[int]) -> bool:
    """Whether the name of a month is more likely another word: `may`."""
    word = reading.among[match.first]
    is_ambiguous = word.folded in reading.language.words("ambiguous")
    return is_ambiguous and not _is_month(reading.text, word)


def _is_month(text: str, word: Token) -> bool:
    """Whether an ambiguous word is a month: `in May` is one, `May I` and `may` are not."""
    before = text[max(0, word.start - _WIDTH) : word.start].rstrip()
    return word.text[:1].isupper() and bool(before) and before[-1] not in ".!?:"


@cache
def _in_signs(language: Lexicon) -> re.Pattern[str] | None:
    """Dates of figures with a character after each: year, month, day."""
    marks = [
        "|".join(map(re.escape, language.rows(f"{name}_marks")))
        for name in ("year", "month", "day")
    ]
    if not all(marks):
        return None
    year, month, day = marks
    return re.compile(
        rf"(?<!\d)(?:(\d{{4}})\s?(?:{year})\s?)?(\d{{1,2}})\s?(?:{month})(?:\s?(\d{{1,2}})\s?(?:{day}))?"
    )


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
