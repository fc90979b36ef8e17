"""Where the words of a question were found, and which of them choose what is looked at."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import log
from typing import NamedTuple

COMMON = 600
"""A word in more items than this selects none: their neighbours would cost too much time."""

_NO_WORD = 0.5
"""The weight of an unknown pair of characters, as part of its full weight."""

_PAIR = 2

SYNONYM = 0.75
"""From this cosine on, a near word says the same: “physician” is near to “doctor” by .85, “loan”
to “mortgage” by .66.
"""


class Postings(NamedTuple):
    """The items that have a word of the question, in ascending order.

    A common word is looked up only in items that have a rare one, and does not count for
    neighbours. `near` are the items of each word that means nearly the same, with its cosine;
    """

    word: str
    weight: float
    ids: Sequence[int] = ()
    common: bool = False
    forms: Sequence[str] = ()
    near: Sequence[tuple[float, Sequence[int]]] = ()

    @property
    def kin(self) -> Iterator[int]:
        """The items with another form of the word, or with one that is made of it. Those are
        nearer to it than any word of another sense.
        """
        return chain.from_iterable(items for cosine, items in self.near if cosine > 1)

    @property
    def synonymous(self) -> Iterator[int]:
        """The items with another word for it, not only one that is near in meaning."""
        return chain.from_iterable(items for cosine, items in self.near if cosine >= SYNONYM)

    @property
    def is_nowhere(self) -> bool:
        """Whether no item has the word in any form or another word for it."""
        return not (self.ids or any(True for _ in self.synonymous))


class RankingLayout(NamedTuple):
    """The lengths of the items; their bonds (`domain/search/bonds.py`; 0 for none); the headings
    that an item opens.
    """

    lengths: Sequence[int]
    average: float
    bonds: Sequence[int]
    opens: Mapping[int, Sequence[str]] = {}


def weight(word: str, frequency: int, count: int, share: float = 1.0) -> float:
    """The weight of a word that is in `frequency` of `count` items: the rarer, the more.

    `share` is what is left of it by how common the word is in its language. A word in no item
    weighs most, except a pair of characters of a script without spaces, which may be no word at
    all. No word weighs nothing: an item with two forms of one counts twice, so a frequency may be
    above the count.
    """
    rarity = share * log(1 + (max(count - frequency, 0) + 0.5) / (frequency + 0.5))
    may_be_no_word = not word.isascii() and len(word) <= _PAIR
    if not frequency and may_be_no_word:
        return rarity * _NO_WORD
    return rarity


def share_nowhere(
    found: Iterable[Postings], nowhere: Container[str], total: float, count: int
) -> float:
    """How much of a question stands nowhere in so many items. Its words weigh as much as if one
    item had them: among few items, more would be most of any question.
    """
    lacking = sum(one.weight for one in found if one.word in nowhere)
    once = lacking * weight("", 1, count) / weight("", 0, count)
    return once / (total - lacking + once) if lacking else 0.0


def rare_first(frequencies: Mapping[str, int]) -> tuple[list[str], list[str]]:
    """The words that select candidates, and those too common for it.

    If all words are common, the rarest of them selects. Words that are in no item are in neither.
    """
    known = sorted(
        (word for word, frequency in frequencies.items() if frequency), key=frequencies.__getitem__
    )
    rare = [word for word in known if frequencies[word] <= COMMON] or known[:1]
    return rare, [word for word in known if word not in rare]


def selects(frequency: int) -> bool:
    """Whether a word that means nearly the same as one of the question is looked up."""
    return 0 < frequency <= COMMON


def items_of(found: Sequence[Postings]) -> frozenset[int]:
    """The items that hold a word of the question or a near one."""
    near = (ids for postings in found for _, ids in postings.near)
    return frozenset().union(*(postings.ids for postings in found), *near)
