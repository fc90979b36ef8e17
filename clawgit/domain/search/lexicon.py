"""What is known of a word apart from the memory: how common it is, and what means nearly the same.

A common word says little, whichever of the items have it; a near word finds what is said in other
words.
"""

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from math import log
from typing import NamedTuple

from clawgit.domain.search.tongue import Home

_RARE = 10_000
"""A word of this rank, or of none, has its full weight."""

_LEAST_TELLING = 0.3

EMPTY = -1
"""The rank of a word that is little but grammar, in languages that have no list of stop words."""

_EMPTY_TELLING = 0.1


class Known(NamedTuple):
    """A word of the list: its place by how common it is, from 0, and its nearest words as the index
    has them, with their cosines.
    """

    rank: int
    near: tuple[tuple[str, float], ...] = ()


WordLookup = Callable[[str], Known | None]
"""Looks a word up; None for one that is not in the list: a name, a slip, another language."""


def telling(known: Known | None) -> float:
    """The share of its weight that a word has by how common it is in the language."""
    if known is None:
        return 1.0
    if known.rank == EMPTY:
        return _EMPTY_TELLING
    return min(1.0, max(_LEAST_TELLING, log(2 + known.rank) / log(_RARE)))


def is_grammar(known: Known | None) -> bool:
    return known is not None and known.rank == EMPTY


def no_lexicon(_word: str) -> Known | None:
    return None


class Words(NamedTuple):
    """The list of the language in which a text is. `han`: that of its Han characters, if any."""

    known: WordLookup = no_lexicon
    language: str = ""
    han: str = ""

    def is_word(self, word: str) -> bool:
        """Whether a word is in the list and says something."""
        known = self.known(word)
        return known is not None and not is_grammar(known)


Lexicons = Callable[[str, Home], Words]
"""Chooses the list for a text that is about a memory."""


def no_lexicons(_text: str, _home: Home) -> Words:
    return Words()


def near_words(
    known: Mapping[str, Known | None], without: AbstractSet[str]
) -> dict[str, tuple[tuple[str, float], ...]]:
    """For each word, its near ones but for those that are looked up anyway."""
    return {
        word: tuple(
            (other, cosine) for other, cosine in one.near if not without >= {*other.split(" ")}
        )
        for word, one in known.items()
        if one
    }
