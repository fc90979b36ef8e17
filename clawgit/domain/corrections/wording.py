"""How corrections are worded, by the tables of `language/data/_corrections.toml`."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any

from clawgit.doors import tomllib
from clawgit.language.files import CORRECTIONS, file_of

UNSPACED = r"\u3040-\u30ff\u3400-\u9fff々가-힣"
"""Scripts whose words are compared by pairs of characters."""
RUN = re.compile(rf"[{UNSPACED}]+")
TOKEN = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+(?:['’.:\-+][^\W_{UNSPACED}]+)*[+#]*")
PROTECTED = re.compile(
    r"“[^”]*”|„[^“”]*[“”]|«[^»]*»|»[^«]*«|「[^」]*」|『[^』]*』|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)"
    r"|```.*?```|`[^`]*`|\[[^\]]*\]\([^)]*\)|<!--.*?-->",
    re.DOTALL,
)
"""Quotations, code, links and comments: what stands in them is nobody's statement here."""
_SENTENCE = re.compile(
    r"(?<![ .]\w[.])(?<![DMS]r[.])(?<!\s\d[.])(?<!\s\d\d[.])(?<=[.!?])\s+|(?<=[。！？])|\n+"
)
_NOTHING = "(?!)"
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ed|es|en|er|em|e|s|n|d)$")
_POSSESSIVE = re.compile(r"'s$|'$")
_NO_FEWER = 3


@cache
def table(name: str) -> Any:
    return tomllib.loads(file_of(CORRECTIONS))[name]


@cache
def pattern(name: str, kind: str = "") -> re.Pattern[str]:
    """The rows of a class in all languages: whole words, or pieces where nothing parts words."""
    rows = _rows(name, kind)
    whole = _either(row for row in rows if not RUN.search(row))
    pieces = _either(filter(RUN.search, rows))
    return re.compile(rf"\b(?:{whole})\b|{pieces}", re.IGNORECASE)


def _rows(name: str, kind: str) -> list[str]:
    languages: dict[str, Any] = table(name)[kind] if kind else table(name)
    return [row for rows in languages.values() for row in rows]


def _either(rows: Iterable[str]) -> str:
    return "|".join(rows) or _NOTHING


def doubt(sentence: str) -> str:
    """Why a sentence is no plain statement, "" if it is one."""
    kinds = table("doubts")
    return next((kind for kind in kinds if pattern("doubts", kind).search(sentence)), "")


def is_negated(text: str) -> bool:
    return bool(pattern("negations").search(text))


def limits(text: str) -> set[str]:
    """Words that say more than another value would: also, only, before, at least."""
    return {at[0].casefold() for at in pattern("limits").finditer(text)}


def sentences(text: str) -> list[str]:
    parts = _SENTENCE.split(text)
    return [part.strip() for part in parts if part and any(map(str.isalnum, part))]


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
    return fold(word) in _folded("fillers")


def without_fillers(text: str) -> str:
    """The text with blanks in place of the fillers of languages that do not part words."""
    return filler_pieces().sub(lambda at: " " * len(at[0]), text)


@cache
def filler_pieces() -> re.Pattern[str]:
    pieces = filter(RUN.match, _listed("fillers"))
    return re.compile("|".join(sorted(pieces, key=len, reverse=True)))


def spaced_words(text: str, *, fillers: bool = False) -> set[str]:
    """The stems of the words of languages that part them."""
    every = (word for word in TOKEN.findall(text) if not RUN.match(word))
    return {stem(word) for word in every if fillers or not is_filler(word)}


def is_article(word: str) -> bool:
    return fold(word) in _folded("articles")


@cache
def _folded(name: str) -> frozenset[str]:
    return frozenset(map(fold, _listed(name)))


def _listed(name: str) -> Iterator[str]:
    for words in table(name).values():
        yield from words.split()
