"""Ranking: how well each item answers a question, by words, closeness, file and meaning.

A score is absolute. It is the share of the question's words that are in an item or close to it,
where rare words count most. A similar meaning makes up for missing words.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from heapq import nlargest
from itertools import chain, islice
from math import prod
from typing import NamedTuple

from clawgit.domain.search.bonds import FARTHEST, is_turn, unpacked
from clawgit.domain.search.postings import COMMON, Postings, RankingLayout, items_of
from clawgit.domain.search.question import SearchQuestion
from clawgit.domain.search.ranking_marks import factors, speaker
from clawgit.domain.search.ranking_weights import WEIGHTS, Weights
from clawgit.domain.search.terms import words

_STEPS = ((200, FARTHEST), (COMMON, 2))
"""How many items away a word still counts, by the number of items it is in."""

_LONGEST = 255
"""An item of more words counts as one of this length."""

_LEAST_BRIEF, _MOST_BRIEF = 0.5, 1.3
"""Limits of what a word counts by the length of its item: a one-word item would win always."""

_LEAST = 1e-9
"""Instead of zero, to divide by."""

_ENDING, _LEAST_STEM = 3, 3
"""A stemmer cuts off at most this many letters, and leaves at least this many."""

_WHOLE = 0.9
"""The share from which a question is all there."""


class GatheredMatches(NamedTuple):
    """For each word, its weight and how close items are to it; their weighted sums.

    `total` is the sum that an item close to all words would reach. `holding` are the items that
    have a word of the question themselves. `exact` are those that have every word that any item
    has, if these are most of the question. `saying` have a word of the question in one of its own
    forms.
    `bonds` are the layout's. If it is `lacking`, so much of the question stands nowhere that
    nothing is likely.
    """

    words: tuple[str, ...]
    near: tuple[Mapping[int, float], ...]
    sums: Mapping[int, float]
    total: float
    holding: AbstractSet[int]
    exact: AbstractSet[int]
    weights: tuple[float, ...] = ()
    saying: AbstractSet[int] = frozenset()
    bonds: Sequence[int] = ()
    is_brief: bool = False
    lacking: bool = False

    def is_turn(self, item: int) -> bool:
        """Whether an item is a turn of a conversation, or a piece of one."""
        return item < len(self.bonds) and is_turn(self.bonds[item])

    def among(self, items: Collection[int]) -> tuple[list[dict[int, float]], dict[int, float]]:
        """How close these items alone are to each word, and their sums, to be raised."""
        near = [{item: close.get(item, 0.0) for item in items} for close in self.near]
        return near, {item: self.sums.get(item, 0.0) for item in items}

    def share(self, item: int) -> float:
        """How much of the question is in an item or close to it, from 0 to 1."""
        if not self.total:
            return 0.0
        return min(1.0, self.sums.get(item, 0.0) / self.total)

    def closeness(self, item: int) -> tuple[tuple[str, float], ...]:
        """How close each word is to an item."""
        close = [near.get(item, 0.0) for near in self.near]
        return tuple(zip(self.words, close, strict=True))

    def has_whole(self, count: int) -> bool:
        """Whether this many items have the question in full: then meaning could add nothing."""
        whole = (1 for item in self.exact if self.sums.get(item, 0.0) >= self.total)
        return sum(islice(whole, count)) == count

    def best(self, count: int) -> list[int]:
        """The items that words alone find, best first."""
        return nlargest(count, self.sums, key=self.sums.__getitem__)


class QueryLikeness(NamedTuple):
    """Cosines of the question and at least the ranked items; `mean` is over all items."""

    cosines: Mapping[int, float]
    mean: float = 0.0

    def meaning(self, item: int, weights: Weights) -> float:
        """How near an item is in meaning: from 0, no nearer than the average item, to 1, the same.

        Measured from the mean, since models differ in the cosine that unrelated texts have.
        """
        above = (self.cosines.get(item, self.mean) - self.mean) / max(1 - self.mean, _LEAST)
        return float(min(max(above, 0.0), 1.0) ** weights.sharpness)


class ScoreParts(NamedTuple):
    """What a score is made of.

    `near` is how close each word of the question is; `factors` come from the item's text.
    """

    words: float
    meaning: float
    cosine: float | None
    near: tuple[tuple[str, float], ...]
    factors: tuple[tuple[str, float], ...]


class Scored(NamedTuple):
    """`base` is the score before any factor, which is compared with the least score.

    An `exact` item is shown even below that. `itself`: the item itself matches, not only its
    neighbours. `sure` is what is left of `base` where it is asked how likely a hit is. `meant`: it
    has all of a question of few words.
    """

    id: int
    score: float
    base: float
    exact: bool
    parts: ScoreParts
    itself: bool = True
    sure: float = 1.0
    meant: bool = False


def gather(
    question: SearchQuestion,
    found: Sequence[Postings],
    layout: RankingLayout,
    weights: Weights = WEIGHTS,
) -> GatheredMatches:
    """Combines where the words of a question were found."""
    near = [_close(postings, layout, weights) for postings in found]
    word_weights = [postings.weight for postings in found]
    return GatheredMatches(
        tuple(postings.word for postings in found),
        tuple(near),
        _summed(word_weights, near),
        sum(word_weights),
        items_of(found),
        _exact(found),
        tuple(word_weights),
        frozenset[int]().union(*(chain(postings.ids, postings.kin) for postings in found)),
        layout.bonds,
        question.is_brief,
    )


def _summed(weights: Sequence[float], near: Sequence[Mapping[int, float]]) -> dict[int, float]:
    """How close each item is to all words, by their weights."""
    sums: dict[int, float] = {}
    for weight_of_word, close in zip(weights, near, strict=True):
        if not sums:
            sums = {item: weight_of_word * closeness for item, closeness in close.items()}
            continue
        for item, closeness in close.items():
            sums[item] = sums.get(item, 0.0) + weight_of_word * closeness
    return sums


def rank(
    question: SearchQuestion,
    gathered: GatheredMatches,
    texts: Mapping[int, str],
    likeness: QueryLikeness | None = None,
    weights: Weights = WEIGHTS,
) -> list[Scored]:
    """The items by their scores, best first; equal ones in the order of their ids."""
    usual = _usual(texts.values())
    scored = [
        _scored(question, gathered, item, text, likeness, weights, usual)
        for item, text in texts.items()
    ]
    scored.sort(key=lambda hit: (-hit.score, hit.id))
    return scored


def _scored(
    question: SearchQuestion,
    gathered: GatheredMatches,
    item: int,
    text: str,
    likeness: QueryLikeness | None,
    weights: Weights,
    usual: int,
) -> Scored:
    share, is_said = gathered.share(item), gathered.is_turn(item)
    meaning, mixed = 0.0, share
    if likeness:
        meaning = likeness.meaning(item, weights)
        # Either alone can make a high score, and what words say is never taken back.
        mixed = 1 - (1 - share) * (1 - meaning)
    base = mixed**weights.level
    itself = item in gathered.holding or not question.words or meaning >= share
    name = speaker(text) if is_said else None
    is_brief = gathered.is_brief and not name
    earned = tuple(
        factors(question, text, weights, 0 if name else usual, itself=itself, is_brief=is_brief)
    )
    cosine = likeness.cosines.get(item) if likeness else None
    return Scored(
        item,
        base * product(earned),
        base,
        item in gathered.exact,
        ScoreParts(share, meaning, cosine, gathered.closeness(item), earned),
        itself,
        0.0 if gathered.lacking else _sure(item, name, gathered, likeness, weights),
        gathered.is_brief and share >= _WHOLE,
    )


def _sure(
    item: int,
    name: str | None,
    gathered: GatheredMatches,
    likeness: QueryLikeness | None,
    weights: Weights,
) -> float:
    """What is left of a score where it is asked how likely a hit is. Near words raise a score, and
    so does meaning. For a turn, those around it say what it is about.
    """
    says_word = item in gathered.saying and likeness is None
    return 1.0 if name or says_word else weights.unsaid


def product(factors: Sequence[tuple[str, float]]) -> float:
    """All factors as one."""
    return prod([factor for _, factor in factors]) if factors else 1.0


def _usual(texts: Iterable[str]) -> int:
    """The length of a text than which half of these are shorter."""
    lengths = sorted(map(len, texts))
    return lengths[len(lengths) // 2] if lengths else 0


def _exact(found: Sequence[Postings]) -> AbstractSet[int]:
    """The items that have every word that any item has, if these words are half of the question."""
    known = [postings for postings in found if postings.ids]
    if not known:
        return frozenset()
    weight_of_all = sum(postings.weight for postings in found)
    if 2 * sum(postings.weight for postings in known) < weight_of_all:
        return frozenset()
    return frozenset(known[0].ids).intersection(*(postings.ids for postings in known[1:]))


def _close(found: Postings, layout: RankingLayout, weights: Weights) -> dict[int, float]:
    """How close items are to a word: those that hold it or a near one, and those that belong to
    one of them.
    """
    near: dict[int, float] = {}
    steps = 0 if found.common else _steps(len(found.ids))
    _spread(near, found.ids, 1.0, _neighbours(weights, steps), layout, weights)
    for cosine, ids in found.near:
        within = _neighbours(weights, _steps(len(ids)))
        _spread(near, ids, weights.near * cosine, within, layout, weights)
    for item in _below_word(found, layout) if steps else ():
        near[item] = max(near.get(item, 0.0), weights.heading)
    return near


def _below_word(found: Postings, layout: RankingLayout) -> Iterator[int]:
    """The items below each heading that has a word, where the item that opens it holds the word: a
    heading speaks for all that stands under it.
    """
    stems = [f" {form[: max(len(form) - _ENDING, _LEAST_STEM)]}" for form in found.forms]
    for item in found.ids:
        titles = layout.opens.get(item, ())
        if any(stem in _words(title) for title in titles for stem in stems):
            yield from range(item + 1, item + 1 + unpacked(layout.bonds[item]).headed)


@lru_cache(maxsize=8192)  # a question meets hundreds of titles, and most are met again
def _words(title: str) -> str:
    """The words of a title, each after a blank."""
    return " ".join(("", *words(title)))


def _spread(
    near: dict[int, float],
    ids: Sequence[int],
    worth: float,
    within: "_Neighbours",
    layout: RankingLayout,
    weights: Weights,
) -> None:
    """Adds the items that hold a word of this worth, and those within reach of them.

    This is the inner loop of a search.
    """
    brevity, bonds = _brevity(layout.average, weights.brevity), layout.bonds
    own = map(brevity.__getitem__, map(layout.lengths.__getitem__, ids))
    if not (near or any(map(within.__getitem__, {*map(bonds.__getitem__, ids)}))):
        # Without a step of Python for each item: a common word may be in most of a memory.
        near |= zip(ids, own if worth == 1 else map(worth.__mul__, own), strict=True)
        return
    known = near.get
    for item, some in zip(ids, own, strict=True):
        here = some * worth
        if known(item, 0.0) < here:
            near[item] = here
        for offset, factor in within[bonds[item]]:
            if known(item + offset, 0.0) < here * factor:
                near[item + offset] = here * factor


class _Neighbours(dict[int, tuple[tuple[int, float], ...]]):
    """The neighbours within reach that belong to an item, by its bond: how far away each is, and
    its closeness.
    """

    def __init__(self, weights: Weights, steps: int) -> None:
        super().__init__()
        self._reach = _reach(weights, steps)

    def __missing__(self, bond: int) -> tuple[tuple[int, float], ...]:
        before, after, *_ = unpacked(bond)
        self[bond] = tuple(step for step in self._reach if -before <= step[0] <= after)
        return self[bond]


_neighbours = lru_cache(maxsize=8)(_Neighbours)


def _steps(frequency: int) -> int:
    """How many items away a word still counts: fewer for a word that is close to most items."""
    return next((steps for most, steps in _STEPS if frequency <= most), 0)


def _reach(weights: Weights, steps: int) -> tuple[tuple[int, float], ...]:
    """The neighbours of an item that holds a word, as offsets, each with its closeness."""
    ahead = (
        (step, weights.ahead * weights.ahead_fade ** (step - 1)) for step in range(1, steps + 1)
    )
    behind = (
        (-step, weights.behind * weights.behind_fade ** (step - 1)) for step in range(1, steps + 1)
    )
    return (*ahead, *behind)


class _Brevity(dict[int, float]):
    """What a word counts in an item, by the item's length."""

    def __missing__(self, length: int) -> float:
        return self[_LONGEST]


@lru_cache(maxsize=8)
def _brevity(average: float, power: float) -> _Brevity:
    least, most = _LEAST_BRIEF, _MOST_BRIEF
    shares = (max(length, 1) / max(average, 1.0) for length in range(_LONGEST + 1))
    return _Brevity(enumerate(min(max(share**-power, least), most) for share in shares))
