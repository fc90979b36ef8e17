"""Ranking: how well each item answers a question, from the words close to it, its file, its day and
its meaning.

A score is absolute: the share of what the question asks for, rare words counting most, that stands
in an item or close to it. An item that means the same in other words makes up for what is missing
of that.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from functools import lru_cache
from heapq import nlargest
from math import log, prod
from typing import NamedTuple

from clawgit.domain.search.question import SearchQuestion
from clawgit.domain.search.question_days import Days
from clawgit.domain.search.ranking_marks import factors
from clawgit.domain.search.ranking_weights import WEIGHTS, Weights

_COMMON = 600
"""A word that stands in more items selects none: neighbours of that many cost more time than they
are worth."""

_STEPS = ((200, 4), (_COMMON, 2))

_HOPELESS = 0.3

_ROUGH = 4
"""Before the files count, this many times as many items as asked for are kept, and none far below
the best."""

_NO_WORD = 0.5

_PAIR = 2

_LONGEST = 255
"""Words; an item that is longer counts as one of that length."""

_LEAST_BRIEF = 0.5

_MOST_BRIEF = 1.3

_LEAST = 1e-9

_FAR = 0.02

_DAYS = "(days)"


class Postings(NamedTuple):
    """Where a word of the question stands: items in ascending order, none where it stands nowhere.

    A common word is looked up among the items of rare ones only, and says nothing about neighbours.
    """

    word: str
    weight: float
    ids: Sequence[int] = ()
    common: bool = False


class RankingLayout(NamedTuple):
    """How items lie in files: those of one file have all the ids from its first up to, and without,
    its end.

    `firsts` ascend. `days` says by a file's number in them which day it is about, where it is about
    one.
    """

    firsts: Sequence[int]
    ends: Sequence[int]
    lengths: Mapping[int, int] | Sequence[int]
    average: float
    days: Mapping[int, date] = {}

    def file(self, item: int) -> int:
        return bisect_right(self.firsts, item) - 1


class GatheredMatches(NamedTuple):
    """What stands where: for each word, how close items are to it; the weights of these added up;
    what the rest of each file adds; and the sum that all words of the question could reach.

    `holding` are the items that hold a word of the question themselves; `exact` those that hold
    every word which stands anywhere, where these are most of the question.
    """

    words: tuple[str, ...]
    near: tuple[Mapping[int, float], ...]
    sums: Mapping[int, float]
    files: Mapping[int, float]
    total: float
    holding: AbstractSet[int]
    exact: AbstractSet[int]
    layout: RankingLayout

    def share(self, item: int) -> float:
        """How much of what the question asks for stands in an item, or close to it; 0 to 1."""
        if not self.total:
            return 0.0
        return min(
            1.0,
            (self.sums.get(item, 0.0) + self.files.get(self.layout.file(item), 0.0)) / self.total,
        )

    def best(self, count: int) -> list[int]:
        """The items that words alone find, best first."""
        top = max(self.sums.values(), default=0.0)
        rough = [item for item, weight in self.sums.items() if weight > top * _HOPELESS]
        if len(rough) < count:
            rough = [*self.sums]
        elif len(rough) > _ROUGH * count:
            rough = nlargest(_ROUGH * count, rough, key=self.sums.__getitem__)
        return nlargest(count, rough, key=self.share)


class QueryLikeness(NamedTuple):
    """Cosines between the question and, at least, the items that are ranked; and their mean over
    all items.
    """

    cosines: Mapping[int, float]
    mean: float = 0.0

    def meaning(self, item: int, weights: Weights) -> float:
        """From 0, as like as any item, to 1, the same. Models differ in what cosine any two texts
        have.
        """
        above = (self.cosines.get(item, self.mean) - self.mean) / max(1 - self.mean, _LEAST)
        return float(min(max(above, 0.0), 1.0) ** weights.sharpness)


class ScoreParts(NamedTuple):
    """What a score is made of: the share of words, the meaning and its cosine, how close each word
    of the question stands, and the factors that the text of the item earned.
    """

    words: float
    meaning: float
    cosine: float | None
    near: tuple[tuple[str, float], ...]
    factors: tuple[tuple[str, float], ...]


class Scored(NamedTuple):
    """`base` is the score before any factor: the least score is tested on it. What is `exact`
    passes all the same. `itself`: it speaks of what is asked, and does not only stand beside that.
    """

    id: int
    score: float
    base: float
    exact: bool
    parts: ScoreParts
    itself: bool = True


def weight(word: str, frequency: int, count: int) -> float:
    """What a word weighs that stands in so many of all items: the rarer the more, the most where it
    stands in none.

    Two signs of a script without blanks weigh less there, since they may be no word at all.
    """
    rarity = log(1 + max(count - frequency + 0.5, 0.0) / (frequency + 0.5))
    return (
        rarity * _NO_WORD if not frequency and not word.isascii() and len(word) <= _PAIR else rarity
    )


def rare_first(frequencies: Mapping[str, int]) -> tuple[list[str], list[str]]:
    """The words that select candidates, and those too common for it. A question of common words
    selects by the rarest; words that stand nowhere are in neither.
    """
    known = sorted(
        (word for word, frequency in frequencies.items() if frequency), key=frequencies.__getitem__
    )
    rare = [word for word in known if frequencies[word] <= _COMMON] or known[:1]
    return rare, [word for word in known if word not in rare]


def gather(
    question: SearchQuestion,
    found: Sequence[Postings],
    layout: RankingLayout,
    weights: Weights = WEIGHTS,
) -> GatheredMatches:
    """Brings together where the words of a question stand, each looked up before, and the days that
    it names.
    """
    near, files = [], defaultdict[int, float](float)
    for one in found:
        close, held = _close(one, layout, weights)
        near.append(close)
        for file, times in held.items():
            files[file] += weights.file * one.weight * times / (times + 1)
    words, each = [one.word for one in found], [one.weight for one in found]
    total = (1 + weights.file) * sum(each)
    if question.days:
        words, each, total = [*words, _DAYS], [*each, weights.days], total + weights.days
        near.append(_on_days(question.days, layout))
    holding = frozenset(item for one in found for item in one.ids)
    sums: dict[int, float] = {}
    for weight_of_word, close in zip(each, near, strict=True):
        for item, closeness in close.items():
            sums[item] = sums.get(item, 0.0) + weight_of_word * closeness
    return GatheredMatches(
        tuple(words), tuple(near), sums, files, total, holding, _exact(found), layout
    )


def rank(
    question: SearchQuestion,
    gathered: GatheredMatches,
    texts: Mapping[int, str],
    likeness: QueryLikeness | None = None,
    weights: Weights = WEIGHTS,
) -> list[Scored]:
    """These items by their scores, best first; equal ones in the order of their ids."""
    scored = [
        _scored(question, gathered, item, text, likeness, weights) for item, text in texts.items()
    ]
    scored.sort(key=lambda one: (-one.score, one.id))
    return scored


def _scored(
    question: SearchQuestion,
    gathered: GatheredMatches,
    item: int,
    text: str,
    likeness: QueryLikeness | None,
    weights: Weights,
) -> Scored:
    share = gathered.share(item)
    meaning = likeness.meaning(item, weights) if likeness else 0.0
    base = (_mixed(share, meaning, weights) if likeness else share) ** weights.level
    itself = item in gathered.holding or not question.words or meaning >= share
    earned = tuple(factors(question, text, weights, itself=itself))
    near = tuple(
        zip(gathered.words, (close.get(item, 0.0) for close in gathered.near), strict=True)
    )
    parts = ScoreParts(
        share, meaning, likeness.cosines.get(item) if likeness else None, near, earned
    )
    return Scored(
        item,
        base * prod(factor for _, factor in earned),
        base,
        item in gathered.exact,
        parts,
        itself,
    )


def _mixed(share: float, meaning: float, weights: Weights) -> float:
    """Either side alone can make a score, so that the mix is never below its better half; unless
    numbers are set.
    """
    if weights.meaning == "auto" and weights.words == "auto":
        return 1 - (1 - share) * (1 - meaning)
    like, word = (0.5 if one == "auto" else one for one in (weights.meaning, weights.words))
    return (like * meaning + word * share) / max(like + word, _LEAST)


def _exact(found: Sequence[Postings]) -> AbstractSet[int]:
    """Where all words stand together that stand anywhere, if what stands nowhere is less than half
    of the question.
    """
    known = [one for one in found if one.ids]
    if not known or 2 * sum(one.weight for one in known) < sum(one.weight for one in found):
        return frozenset()
    return frozenset(known[0].ids).intersection(*(one.ids for one in known[1:]))


def _close(
    found: Postings, layout: RankingLayout, weights: Weights
) -> tuple[dict[int, float], Counter[int]]:
    """How close items are to a word, by the nearest place in their file where it stands; how often
    files hold it.
    """
    near: dict[int, float] = {}
    held = Counter[int]()
    brief = _brevity(layout.average, weights.brevity)
    reach = () if found.common else _reach(weights, _steps(len(found.ids)))
    lengths = layout.lengths
    file, begin, end = -1, 0, 0
    for item in found.ids:
        if item >= end:
            file = layout.file(item)
            begin, end = layout.firsts[file], layout.ends[file]
        held[file] += 1
        here = brief[min(lengths[item], _LONGEST)]
        if near.get(item, 0.0) < here:
            near[item] = here
        for offset, factor in reach:
            other = item + offset
            if begin <= other < end and near.get(other, 0.0) < here * factor:
                near[other] = here * factor
    return near, held


def _on_days(days: Days, layout: RankingLayout) -> dict[int, float]:
    """How close the items of dated files are to the days that a question names."""
    near: dict[int, float] = {}
    for file, day in layout.days.items():
        closeness = days.closeness(day)
        if closeness >= _FAR:
            near.update(dict.fromkeys(range(layout.firsts[file], layout.ends[file]), closeness))
    return near


def _steps(frequency: int) -> int:
    """How many items away a word still counts: fewer, where it stands in so many that it is close
    to everything.
    """
    return next((steps for most, steps in _STEPS if frequency <= most), 0)


@lru_cache(maxsize=8)
def _reach(weights: Weights, steps: int) -> tuple[tuple[int, float], ...]:
    """The neighbours of an item that holds a word, as offsets, each with its closeness."""
    ahead = (
        (step, weights.ahead * weights.ahead_fade ** (step - 1)) for step in range(1, steps + 1)
    )
    behind = (
        (-step, weights.behind * weights.behind_fade ** (step - 1)) for step in range(1, steps + 1)
    )
    return (*ahead, *behind)


@lru_cache(maxsize=8)
def _brevity(average: float, power: float) -> tuple[float, ...]:
    """What a word counts in an item, by the item's length."""
    return tuple(
        min(max((max(length, 1) / max(average, 1.0)) ** -power, _LEAST_BRIEF), _MOST_BRIEF)
        for length in range(_LONGEST + 1)
    )
