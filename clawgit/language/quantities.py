"""Numbers, with their units: in digits and in words."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

from clawgit.language.lexicon import Lexicon, lexicons_for
from clawgit.language.spans import apart
from clawgit.language.tokens import Token, is_cjk, is_hangul, tokens

Kind = Literal["number", "money", "percent", "measure", "version", "ordinal"]

_NUMBER = re.compile(
    r"(?<![\w.,:/])[-+]?\d{1,15}(?:([.,' \u00a0’])\d{3}(?!\d)){0,5}(?:[.,]\d{1,9})?(?![\d])"
)
_VERSION = re.compile(
    r"(?<![\w.])(?:v\d+(?:\.\d+){0,4}|\d+(?:\.\d+){2,4})(?:-[a-z]+[.\d]*)?(?![\w])", re.IGNORECASE
)
_GROUPED = re.compile(r"\d{1,3}[.,]\d{3}")
_SIGNS_BEFORE = re.compile(r"(R\$|[$€£¥]|\b[A-Z]{3})\s?\Z")
_UNIT = re.compile(r"\s?(%|°[CF]?|[$€£¥]|[^\W\d_]{1,24})")
_THOUSAND = 3
_TWENTY = 20
_TEN = 10
_SCALE = 100
_MANY = 1000
_MOST = 10**15
"""The cap of the value of a row of figures in words: a longer row is not a number."""


class Quantity(NamedTuple):
    start: int
    end: int
    text: str
    value: Decimal
    unit: str
    kind: Kind


def quantities(text: str) -> tuple[Quantity, ...]:
    """Every number of a text, from left to right; none overlaps another."""
    languages = lexicons_for(text)
    return tuple(apart([*_versions(text), *_digits(text, languages), *_spelled(text, languages)]))


def _versions(text: str) -> Iterator[Quantity]:
    for at in _VERSION.finditer(text):
        yield Quantity(at.start(), at.end(), at[0], Decimal(0), "", "version")


def _digits(text: str, languages: tuple[Lexicon, ...]) -> Iterator[Quantity]:
    for match in _NUMBER.finditer(text):
        figures = match[0]
        value = _value(figures, languages[0].decimal)
        quantity = _measured(text, *match.span(), value, languages)
        # No money has three decimals.
        if quantity.kind == "money" and _GROUPED.fullmatch(figures):
            quantity = quantity._replace(value=Decimal(re.sub("[.,]", "", figures)))
        yield quantity


def _value(written: str, decimal: str) -> Decimal:
    """`1.500` is a thousand and a half in German and one and a half in English."""
    signs = re.sub(r"[\s'’\u00a0]", "", written)
    last = max(signs.rfind("."), signs.rfind(","))
    if last < 0:
        return Decimal(signs)
    mark = signs[last]
    other = "." if mark == "," else ","
    grouped = len(signs) - last - 1 == _THOUSAND and other not in signs
    is_group_mark = grouped and mark != decimal and not signs.lstrip("+-").startswith("0")
    if is_group_mark or signs.count(mark) > 1:
        return Decimal(signs.replace(".", "").replace(",", ""))
    whole = signs[:last].replace(".", "").replace(",", "")
    return Decimal(f"{whole}.{signs[last + 1 :]}")


def _measured(
    text: str, start: int, end: int, value: Decimal, languages: tuple[Lexicon, ...]
) -> Quantity:
    """The quantity with the unit after it, or the currency sign before it."""
    before = _SIGNS_BEFORE.search(text, max(0, start - 4), start)
    if before and (unit := _of(languages, "money", before[1])):
        return Quantity(before.start(), end, text[before.start() : end], value, unit, "money")
    behind = _UNIT.match(text, end)
    if not behind:
        return Quantity(start, end, text[start:end], value, "", "number")
    # In `300元左右`, the unit is the beginning of what stands after the number.
    for length in _lengths(behind[1]):
        word, stop = behind[1][:length], behind.start(1) + length
        if kind_unit := _kind(word, languages, text[end : behind.start(1)] == ""):
            kind, unit = kind_unit
            return Quantity(start, stop, text[start:stop], value, unit, kind)
    return Quantity(start, end, text[start:end], value, "", "number")


def _lengths(word: str) -> Sequence[int]:
    """The whole word; where nothing parts words, any beginning of it, the longest first."""
    if is_cjk(word) or is_hangul(word):
        return range(min(len(word), 6), 0, -1)
    return (len(word),)


def _kind(word: str, languages: tuple[Lexicon, ...], touches: bool) -> tuple[Kind, str] | None:
    """What a word after a number makes of it, and the unit. `touches`: no blank is between."""
    folded = word.casefold()
    if _is_percent(folded, languages):
        return "percent", "%"
    if unit := _of(languages, "money", word):
        return "money", unit
    if not touches and _is_name(word):
        return None
    if unit := _of(languages, "units", word):
        return "measure", unit
    return ("ordinal", "") if touches and _is_ordinal(folded, languages) else None


def _is_percent(folded: str, languages: tuple[Lexicon, ...]) -> bool:
    return folded == "%" or any(folded in language.words("percent") for language in languages)


def _is_name(word: str) -> bool:
    """Whether a letter after a blank is a name: `5 B`, but not the units in `5 m` and `5 g`."""
    return len(word) == 1 and word.isalpha() and word.isascii() and word.casefold() not in "mgl"


def _is_ordinal(folded: str, languages: tuple[Lexicon, ...]) -> bool:
    return any(folded in language.table("ordinals").get("suffix", ()) for language in languages)


def _of(languages: tuple[Lexicon, ...], table: Literal["money", "units"], word: str) -> str:
    folded = word.casefold()
    for language in languages:
        listed = language.money if table == "money" else language.units
        if folded in listed:
            return listed[folded]
    return ""


def _spelled(text: str, languages: tuple[Lexicon, ...]) -> Iterator[Quantity]:
    """`twenty-five`, `zwei`, `三百`: words side by side make one number."""
    among = tokens(text)
    for language in languages:
        index = 0
        while index < len(among):
            after = _run(text, among, index, language)
            words = among[index:after]
            if words:
                value = _sum(words, language)
                measured = _measured(text, words[0].start, words[-1].end, value, languages)
                if measured.kind != "number" or not _is_weak(words, language):
                    yield measured
            index = max(after, index + 1)


def _run(text: str, among: Sequence[Token], index: int, language: Lexicon) -> int:
    """Where a row of number words ends."""
    after = index
    while after < len(among) and among[after].folded in language.numbers:
        if after > index and text[among[after - 1].end : among[after].start] not in ("", " ", "-"):
            break
        after += 1
        if _is_joint(among, after, language):
            after += 1
    return after


def _is_joint(among: Sequence[Token], index: int, language: Lexicon) -> bool:
    """Whether a word such as `and` joins two number words: `hundred and five`."""
    if index + 1 >= len(among):
        return False
    if among[index].folded not in language.words("number_joints"):
        return False
    if among[index + 1].folded not in language.numbers:
        return False
    return language.numbers[among[index - 1].folded] >= _TWENTY


def _is_weak(words: Sequence[Token], language: Lexicon) -> bool:
    return len(words) == 1 and words[0].folded in language.words("weak_numbers")


def _sum(words: Sequence[Token], language: Lexicon) -> Decimal:
    total, part, rest = 0, 0, 0
    for word in words:
        value = language.numbers.get(word.folded)
        if value is None:
            continue
        if value >= _MANY:
            total, part, rest = total + max(part + rest, 1) * value, 0, 0
        elif value >= _SCALE or (value == _TEN and is_cjk(word.text)):
            part, rest = part + max(rest, 1) * value, 0
        elif is_cjk(word.text):
            rest = min(rest, _MOST) * _TEN + value
        else:
            rest += value
    return Decimal(total + part + rest)
