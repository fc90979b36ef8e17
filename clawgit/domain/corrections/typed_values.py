"""Values that can be compared with others of their type: times, dates, amounts, addresses."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from clawgit.domain.corrections.wording import (
    RUN,
    filler_pieces,
    fold,
    is_filler,
    spaced_words,
    stem,
    table,
)

# Each begins where its digits begin: tried at every digit, a long number would take the square.
_DIGITS = "(?<![0-9０-９一二三四五六七八九十])[0-9０-９一二三四五六七八九十]+"
_NUMBER = r"(?<!\d)(?<!\d[.,])\d+(?:[.,]\d+)*"
_NOTHING_TO_COMPARE = re.compile(r"[\s,.]|\bof\b|\bde\b|(?<=\d)(?:st|nd|rd|th)\b")
_CLOCK = re.compile(r"(\d{1,2})(?:[:h](\d\d))?(a|p)?")
_DAY = re.compile(r"(\d*)([a-z]{3})[a-z]*(\d*)")
_PLURAL_DAY = re.compile(r"(?:day|tag|mittwoch)s$", re.IGNORECASE)
_TAG = re.compile(r"(?<!\S)#[\w-]+")
_YEAR = re.compile(r"\d{4}")


class TypedValue(NamedTuple):
    """A value in a text. `key` is the same for two ways to write one value."""

    start: int
    end: int
    type: str
    key: str
    text: str


@lru_cache(maxsize=1 << 14)
def typed_values(text: str) -> tuple[TypedValue, ...]:
    """The values of a text; of two that overlap, the type that comes first in the table."""
    found: list[TypedValue] = []
    taken = bytearray(len(text))
    for name, pattern in _types():
        for at in pattern.finditer(text):
            start, end = at.span()
            unit = _unit(at) if name == "measure" else ""
            if any(taken[start:end]) or is_filler(unit):
                continue
            taken[start:end] = b"\1" * (end - start)
            type_ = f"measure {stem(unit)}" if unit else name
            found.append(TypedValue(start, end, type_, _key(name, at[0]), at[0]))
    return tuple(sorted(found))


def _unit(measure: re.Match[str]) -> str:
    return measure["unit"] or measure["cjk_unit"] or ""


def are_alike(old: TypedValue, new: TypedValue) -> bool:
    """Whether two values are of one type and written alike.

    “Mondays” is a rule where “Monday” may be one day, and a date with a year is more exact.
    """
    if old.type != new.type:
        return False
    if old.type == "date" and bool(_YEAR.search(old.text)) != bool(_YEAR.search(new.text)):
        return False
    return bool(_PLURAL_DAY.search(old.text)) == bool(_PLURAL_DAY.search(new.text))


def without(text: str, values: Iterable[TypedValue]) -> str:
    """The text with blanks in place of these values."""
    signs = list(text)
    for value in values:
        signs[value.start : value.end] = " " * (value.end - value.start)
    return "".join(signs)


@lru_cache(maxsize=1 << 14)
def words(text: str, *, fillers: bool = False) -> frozenset[str]:
    """What a text is about: stems of words, pairs of characters, and the keys of values."""
    text = _TAG.sub(" ", text)
    values = typed_values(text)
    rest = without(text, values)
    pieces = rest if fillers else filler_pieces().sub(" ", rest)
    pairs = {run[at : at + 2] for run in RUN.findall(pieces) for at in range(max(1, len(run) - 1))}
    keys = {f"={value.key}" for value in values}
    return frozenset(pairs | keys | spaced_words(rest, fillers=fillers))


def is_value(word: str) -> bool:
    """Whether a word of `words` is the key of a value."""
    return word.startswith("=")


@cache
def _types() -> tuple[tuple[str, re.Pattern[str]], ...]:
    month = table("words")["month"]
    return tuple(
        (row["name"], re.compile(_filled(row["pattern"], month), re.IGNORECASE))
        for row in table("types")
    )


def _filled(pattern: str, month: str) -> str:
    return pattern.replace("DIGITS", _DIGITS).replace("NUMBER", _NUMBER).replace("MONTH", month)


def _key(name: str, text: str) -> str:
    flat = _NOTHING_TO_COMPARE.sub("", fold(unicodedata.normalize("NFKC", text)))
    if name.startswith("weekday"):
        return flat.rstrip("s")
    if name == "date" and (day := _DAY.fullmatch(flat)):
        return f"{day[2]}{day[1]}{day[3]}"
    if name == "time" and (clock := _CLOCK.match(flat)):
        return f"{_hour(int(clock[1]), clock[3])}:{clock[2] or '00'}"
    return flat


def _hour(hour: int, half: str | None) -> int:
    """The hour of the day; `half` is that of a clock of twelve hours: `a` or `p`."""
    if half is None:
        return hour
    return hour % 12 + (12 if half == "p" else 0)
