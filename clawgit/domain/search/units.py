"""Figures with their units and signs, written apart or together: `814 GB` and `814GB`, `25%`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain

from clawgit.domain.search.terms import joined, words
from clawgit.language.files import SHARED, listed, table
from clawgit.language.lazily import lazily

_APART = lazily("(?<![^\\W_])([0-9]+)[ \u00a0\u202f]([^\\W\\d_]{1,5})(?![^\\W_])")
"""A figure and a short word after it. Whether that is a unit, the memory shows."""

_MINUS = "-"

_CUE = lazily("[^\\w\\s] ?[0-9]|[0-9] ?[^\\w\\s]")
"""Every figure with a sign matches this."""

_NO_CENTS = lazily(r"\.0+\Z")


def apart(text: str) -> Iterator[tuple[str, Sequence[str]]]:
    """The figures of a text, each with the words of the unit that stands apart from it."""
    found = ((figure, words(unit)) for figure, unit in _APART.findall(text))
    return ((figure, unit) for figure, unit in found if unit)


def is_unit(word: str, vocabulary: Iterable[str]) -> bool:
    """Whether a word is written together with a figure, as the GB of `16GB`."""
    together = re.compile(f"[0-9]+{re.escape(word)}")
    return any(map(together.fullmatch, vocabulary))


@lru_cache(maxsize=64)
def signed(text: str) -> frozenset[tuple[str, str]]:
    """The figures of a text that have a sign, each with it, whatever stands between: `$14` and
    `14 $`, `25%` and `25 %`, `-22` and `−22`.
    """
    return frozenset(_signed(joined(text))) if _CUE.search(text) else frozenset()


def _signed(text: str) -> Iterator[tuple[str, str]]:
    for match in _pattern().finditer(text):
        figure = _NO_CENTS.sub("", match["figure"].replace(",", "."))
        if sign := match["before"] or match["behind"]:
            yield sign, figure
        if match["minus"]:
            yield _MINUS, figure


@cache
def _pattern() -> re.Pattern[str]:
    money = chain.from_iterable(table(SHARED, "money").values())
    signs = (*(sign for sign in money if not sign.isalpha()), *listed(SHARED, "percent"))
    sign = "|".join(map(re.escape, signs))
    return re.compile(
        r"(?P<minus>(?<![\w.,:/)\u2212\u2013-])[\u2212\u2013-])?"
        rf"(?:(?P<before>{sign})[ \u00a0\u202f]?)?"
        rf"(?<![\w.,:/])(?P<figure>[0-9]+(?:[.,][0-9]+)*)(?:[ \u00a0\u202f]?(?P<behind>{sign}))?"
    )
