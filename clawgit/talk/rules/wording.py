"""How corrections are worded, by the tables of `language/data/_corrections.toml`."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain
from typing import Any

from clawgit.core import NamedTuple
from clawgit.language import clauses
from clawgit.language.files import CORRECTIONS, parsed
from clawgit.language.lazily import lazily
from clawgit.language.lexicon import has_any, lexicons_for
from clawgit.language.tokens import pairs

UNSPACED = r"\u3040-\u30ff\u3400-\u9fff々가-힣"
"""Scripts whose words are compared by pairs of characters."""
RUN = lazily(rf"[{UNSPACED}]+")
TOKEN = lazily(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+(?:['’.:\-+][^\W_{UNSPACED}]+)*[+#]*")
PROTECTED = lazily(
    r"“[^”]*”|„[^“”]*[“”]|«[^»]*»|»[^«]*«|「[^」]*」|『[^』]*』|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)"
    r"|```.*?```|`[^`]*`|\[[^\]]*\]\([^)]*\)|<!--.*?-->",
    re.DOTALL,
)
"""Quotations, code, links and comments: what stands in them is nobody's statement here."""
_NOTHING = "(?!)"
_ENDING = lazily(r"(?<=\w{3})(?:ing|es|en|er|em|e|s|n)$")
_OPENING = lazily(r"[,;:!…。！，、—–]+\s*|\.+(?:\s+|$)|\s+-+\s+")
_POSSESSIVE = lazily(r"'s$|'$")
_NO_FEWER = 3


@cache
def table(name: str) -> Any:
    return parsed(CORRECTIONS)[name]


@cache
def pattern(name: str, kind: str = "") -> re.Pattern[str]:
    """The rows of a class in all languages: whole words, or pieces where nothing parts words."""
    listed = table(name)[kind] if kind else table(name)
    rows: list[str] = [*chain(*listed.values())]
    whole = _either(row for row in rows if not RUN.search(row))
    pieces = _either(filter(RUN.search, rows))
    return re.compile(rf"\b(?:{whole})\b|{pieces}", re.IGNORECASE)


def _either(rows: Iterable[str]) -> str:
    return "|".join(rows) or _NOTHING


def doubt(sentence: str) -> str:
    """Why a sentence is no plain statement, "" if it is one."""
    kinds = table("doubts")
    return next((kind for kind in kinds if pattern("doubts", kind).search(sentence)), "")


def is_negated(text: str) -> bool:
    return bool(pattern("negations").search(text))


def is_sure(text: str) -> bool:
    """Whether a text is neither hedged nor what others say. May is a month, too."""
    return not has_any(without(text, typed_values(text)), "hedges", "reports")


def limits(text: str) -> set[str]:
    """Words that say more than another value would: also, only, before, at least."""
    return {at[0].casefold() for at in pattern("limits").finditer(text)}


def sentences(text: str) -> list[str]:
    return [each.text for each in clauses.sentences(text)]


def fold(word: str) -> str:
    """A word in small letters without accents."""
    if RUN.match(word):
        return word
    parts = unicodedata.normalize("NFKD", word.casefold().replace("’", "'"))
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    word = _POSSESSIVE.sub("", fold(word))
    return _ENDING.sub("", word) if len(word) > _NO_FEWER else word


def is_filler(word: str) -> bool:
    return fold(word) in _folded("fillers", "openers")


def fillers_of(text: str) -> frozenset[str]:
    """The fillers of the languages that a text shows: “hat” is one in German alone."""
    return _shown("fillers", text) | _shown("openers", text)


def _shown(name: str, text: str) -> frozenset[str]:
    rows = table(name)
    return frozenset(
        fold(word) for each in lexicons_for(text) for word in rows.get(each.code, "").split()
    )


def without_fillers(text: str) -> str:
    """The text with blanks in place of the fillers of languages that do not part words."""
    return _filler_pieces().sub(lambda at: " " * len(at[0]), text)


@cache
def _filler_pieces() -> re.Pattern[str]:
    pieces = filter(RUN.match, _listed("fillers", "openers"))
    return re.compile("|".join(sorted(pieces, key=len, reverse=True)))


def is_plain(text: str) -> bool:
    """Whether a text has no filler that may turn round what it says: not, wrong, no longer."""
    pieces = (at[0] for at in _filler_pieces().finditer(text))
    spoken = map(fold, TOKEN.findall(text))
    return _shown("openers", text).isdisjoint(spoken) and _folded("openers").isdisjoint(pieces)


def unopened(text: str) -> str:
    """A message without what only opens it: “No, I told you:”, “不对，”."""
    while (mark := _OPENING.search(text)) and not _telling(text[: mark.start()]):
        text = text[mark.end() :]
    return text


def _telling(text: str) -> bool:
    """Whether a text has a word that is no filler."""
    words = TOKEN.findall(without_fillers(text))
    return not fillers_of(text).issuperset(map(fold, words))


def is_article(word: str) -> bool:
    return fold(word) in _folded("articles")


@cache
def _folded(*names: str) -> frozenset[str]:
    return frozenset(map(fold, _listed(*names)))


def _listed(*names: str) -> Iterator[str]:
    for name in names:
        for words in table(name).values():
            yield from words.split()


# Each begins where its digits begin: tried at every digit, a long number would take the square.
_DIGITS = "(?<![0-9０-９一二三四五六七八九十])[0-9０-９一二三四五六七八九十]+"
_NUMBER = r"(?<!\d)(?<!\d[.,])\d+(?:[.,]\d+)*"
_NOTHING_TO_COMPARE = re.compile(r"[\s,.]|\bof\b|\bde\b|(?<=\d)(?:st|nd|rd|th)\b")
_CLOCK = re.compile(r"(\d{1,2})(?:[:h](\d\d))?(a|p)?")
_HALVES = {"a": 0, "p": 12}
_DAY = re.compile(r"(\d*)([a-z]{3})[a-z]*(\d*)")
_PLURAL_DAY = re.compile(r"(?:day|tag|mittwoch)s$", re.IGNORECASE)
_TAG = re.compile(r"(?<!\S)#[\w-]+")
_YEAR = re.compile(r"\d{4}")
_HALF = re.compile(r"[ap]\.?m|上午|下午|早上|晚上|午前|午後|朝|夜|오전|오후", re.IGNORECASE)


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
            # Only a measure has named groups, and of these its unit alone.
            unit = "".join(at.groupdict("").values())
            if any(taken[start:end]) or is_filler(unit):
                continue
            taken[start:end] = b"\1" * (end - start)
            type_ = f"measure {stem(unit)}" if unit else name
            found.append(TypedValue(start, end, type_, _key(name, at[0]), at[0]))
    return tuple(sorted(found))


def are_alike(old: TypedValue, new: TypedValue) -> bool:
    """Whether two values are of one type and written alike.

    “Mondays” is a rule where “Monday” may be one day, and a date with a year, or a time with its
    half of the day, is more exact.
    """
    if old.type != new.type:
        return False
    more = _YEAR if old.type == "date" else _HALF
    if old.type in ("date", "time") and bool(more.search(old.text)) != bool(more.search(new.text)):
        return False
    return bool(_PLURAL_DAY.search(old.text)) == bool(_PLURAL_DAY.search(new.text))


def without(text: str, values: Iterable[TypedValue]) -> str:
    """The text with blanks in place of these values."""
    signs = list(text)
    for value in values:
        signs[value.start : value.end] = " " * (value.end - value.start)
    return "".join(signs)


@lru_cache(maxsize=1 << 14)
def words(text: str) -> frozenset[str]:
    """What a text is about: stems of words, pairs of characters, and the keys of values."""
    text = _TAG.sub(" ", text)
    values = typed_values(text)
    rest = without_fillers(without(text, values))
    unspaced = {*chain.from_iterable(map(pairs, RUN.findall(rest)))}
    spaced = {word for word in TOKEN.findall(rest) if not RUN.match(word) and not is_filler(word)}
    return frozenset(unspaced | {f"={value.key}" for value in values} | {*map(stem, spaced)})


def is_value(word: str) -> bool:
    """Whether a word of `words` is the key of a value."""
    return word.startswith("=")


@cache
def _types() -> tuple[tuple[str, re.Pattern[str]], ...]:
    types = list[tuple[str, re.Pattern[str]]]()
    for row in table("types"):
        filled = row["pattern"].replace("DIGITS", _DIGITS).replace("NUMBER", _NUMBER)
        filled = filled.replace("MONTH", table("words")["month"])
        types.append((row["name"], re.compile(filled, re.IGNORECASE)))
    return tuple(types)


def _key(name: str, text: str) -> str:
    flat = _NOTHING_TO_COMPARE.sub("", fold(unicodedata.normalize("NFKC", text)))
    if name.startswith("weekday"):
        return flat.rstrip("s")
    if name == "date" and (day := _DAY.fullmatch(flat)):
        return f"{day[2]}{day[1]}{day[3]}"
    if name == "time" and (clock := _CLOCK.match(flat)):
        hour, half = int(clock[1]), clock[3]
        # Of a clock of twelve hours, 12 am is the first of the day, and 12 pm noon.
        if half:
            hour = hour % 12 + _HALVES[half]
        return f"{hour}:{clock[2] or '00'}"
    return flat
