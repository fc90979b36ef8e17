"""Typing slips: which word of the memory was meant by one that is not in it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from clawgit.domain.search.terms import is_unspaced
from clawgit.doors import rapidfuzz
from clawgit.language.lazily import lazily

_SHORTEST = 5
"""Letters of the shortest word that is repaired; short words are too often one slip apart."""

_LONGEST_ENDING = 6
"""A stem and its word differ in length by no more than this."""

_SWAPPED_FROM = _SHORTEST
"""In a word of this many letters, two swapped letters count as a slip."""

_ADDED_FROM = 6
"""In a word of this many letters, a missing or extra letter counts as a slip."""

_OTHER_FROM = 8
"""In a word of this many letters, a wrong letter counts as a slip: “house” and “mouse” are both
right.
"""

_TWO_FROM = 6
_TWO_ALIKE = 0.94
"""In stems of this many letters, two slips count if the words are this much alike by Jaro and
Winkler: “bycicle”.
"""

_MOST_SLIPS = 2

_LOOSE_FROM = 4
"""A word of this many letters may have a slip in a name whose other words fit."""

_SPELLED_OUT = lazily("([aou])e")

_STEMMED = lazily("(?:ations?|ions?|ments?|ing|ed|es|e|s)$")
"""What a stemmer cuts off, roughly: slips are counted in what is left."""


def repairs(missing: Iterable[str], vocabulary: Callable[[], Iterable[str]]) -> dict[str, str]:
    """For words that are neither in the index nor known, the word of the index that is one slip
    away, or two in words that are very much alike.

    Many of them are spelled right, and a similar word means something else. So the likelier a slip
    turns one word into another word, the longer both must be. The vocabulary, as stems, is read
    only if there is something to repair.
    """
    misspelled = [word for word in missing if _can_be_repaired(word)]
    if not misspelled:
        return {}
    known = [word for word in vocabulary() if len(word) >= _SHORTEST]
    repaired: dict[str, str] = {}
    for word in misspelled:
        if other := _nearest(word, known):
            repaired[word] = other
    return repaired


def with_umlauts(
    missing: Iterable[str], frequencies: Callable[[Iterable[str]], Mapping[str, int]]
) -> dict[str, str]:
    """For words that were written without a German keyboard, the one of the index: “Muell” for
    “Müll”. Its umlauts have no dots there.
    """
    plain = {word: _SPELLED_OUT.sub(r"\1", word) for word in missing if "e" in word}
    counts = frequencies(plain.values())
    return {word: other for word, other in plain.items() if word != other and counts.get(other)}


def _can_be_repaired(word: str) -> bool:
    return len(word) >= _SHORTEST and word.isalpha() and not is_unspaced(word)


def _nearest(word: str, known: Iterable[str]) -> str:
    """The known word that is a slip or two away from a word or its stem; "" if there is none."""
    stems = {word, _STEMMED.sub("", word), re.sub("y$", "i", word)}
    near: list[tuple[int, str]] = []
    for other in _similar(word, known):
        for stem in stems:
            distance = _distance(stem, other)
            if _is_slip(stem, other, distance):
                near.append((distance, other))
    _, nearest = min(near, default=(0, ""))
    return nearest


def _is_slip(stem: str, other: str, distance: int) -> bool:
    if distance <= 1:
        return len(stem) >= _least(stem, other)
    if distance > _MOST_SLIPS or min(len(stem), len(other)) < _TWO_FROM:
        return False
    return rapidfuzz.distance.JaroWinkler.similarity(stem, other) >= _TWO_ALIKE


def _similar(word: str, known: Iterable[str]) -> Iterator[str]:
    """A cheap choice before distances are measured: people rarely miss the first letter."""
    for other in known:
        if other[0] == word[0] and abs(len(other) - len(word)) <= _LONGEST_ENDING:
            yield other


def _least(word: str, other: str) -> int:
    """How long both words must be for such a difference to count as a slip."""
    if len(word) != len(other):
        return _ADDED_FROM
    return _SWAPPED_FROM if sorted(word) == sorted(other) else _OTHER_FROM


def is_slip(word: str, meant: str, *, loosely: bool = False) -> bool:
    """Whether a word is likely to be another one with a slip or two in it.

    `loosely` takes one slip in a short word too: for a word of a name whose others fit.
    """
    if word[0] != meant[0] or abs(len(word) - len(meant)) > _MOST_SLIPS:
        return False
    distance = _distance(word, meant)
    if loosely and distance == 1 and min(len(word), len(meant)) >= _LOOSE_FROM:
        return True
    return _is_slip(word, meant, distance)


def _distance(word: str, other: str) -> int:
    distance: int = rapidfuzz.distance.OSA.distance(word, other, score_cutoff=_MOST_SLIPS)
    return distance
