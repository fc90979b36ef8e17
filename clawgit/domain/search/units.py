"""Figures with their units, written apart or together: `814 GB` and `814GB`."""

import re
from collections.abc import Iterable, Iterator, Sequence

from clawgit.domain.search.terms import words
from clawgit.language.lazily import lazily

_APART = lazily("(?<![^\\W_])([0-9]+)[ \u00a0\u202f]([^\\W\\d_]{1,5})(?![^\\W_])")
"""A figure and a short word after it. Whether that is a unit, the memory shows."""


def apart(text: str) -> Iterator[tuple[str, Sequence[str]]]:
    """The figures of a text, each with the words of the unit that stands apart from it."""
    found = ((figure, words(unit)) for figure, unit in _APART.findall(text))
    return ((figure, unit) for figure, unit in found if unit)


def is_unit(word: str, vocabulary: Iterable[str]) -> bool:
    """Whether a word is written together with a figure, as the GB of `16GB`."""
    together = re.compile(f"[0-9]+{re.escape(word)}")
    return any(map(together.fullmatch, vocabulary))
