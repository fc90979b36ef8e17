"""Ranking: how well each item answers a question, by words, closeness, file, day and meaning.

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
from clawgit.domain.search.looked_up import looked_up
from clawgit.domain.search.names import NO_NAMES, NamedItems
from clawgit.domain.search.periods import Days
from clawgit.domain.search.postings import COMMON, Postings, RankingLayout, items_of
from clawgit.domain.search.question import Scripts, SearchQuestion, is_read
from clawgit.domain.search.ranking_marks import factors, says_all, speaker
from clawgit.domain.search.ranking_weights import WEIGHTS, Weights
from clawgit.domain.search.titles import below_word, is_lone, said_titles

_STEPS = ((200, FARTHEST), (COMMON, 2))
"""How many items away a word still counts, by the number of items it is in."""

_LONGEST = 255
"""An item of more words counts as one of this length."""

_LEAST_BRIEF, _MOST_BRIEF = 0.5, 1.3
"""Limits of what a word counts by the length of its item: a one-word item would win always."""

_LEAST = 1e-9
"""Instead of zero, to divide by."""

_OTHER_FILE = 0.98
"""How close to its day a file is that is no note of memory: what was noted that day comes first."""

_FAR = 0.02
"""Days that are less close than this are ignored."""

_WHOLE = 0.9
"""The share from which a question is all there."""

_DAYS = "(days)"
"""The days of a question count as one more word, shown under this name."""


class GatheredMatches(NamedTuple):
    """For each word, its weight and how close items are to it; their weighted sums.

    `total` is the sum that an item close to all words would reach. `holding` are the items that
    have a word of the question themselves, or say its days. `exact` are those that have every word
    that any item has, if these are most of the question. `titled` stand under a heading that the
    question says, `lone` under one of their own. `saying` have a word of the question in one of its
    own forms.
    `bonds` are the layout's. `looked_up` are those that say all that a question looks up, by
    themselves, a heading or the name of their file, or are of the days that it asks about; None
    for any other question. If there are none of these, nothing is likely.
    """

    words: tuple[str, ...]
    near: tuple[Mapping[int, float], ...]
    sums: Mapping[int, float]
    total: float
    holding: AbstractSet[int]
    exact: AbstractSet[int]
    titled: AbstractSet[int] = frozenset()
    weights: tuple[float, ...] = ()
    lone: AbstractSet[int] = frozenset()
    saying: AbstractSet[int] = frozenset()
    bonds: Sequence[int] = ()
    looked_up: AbstractSet[int] | None = None
    is_brief: bool = False

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
        saying = chain(self.exact, self.titled - self.exact)
        whole = (1 for item in saying if self.sums.get(item, 0.0) >= self.total)
        return sum(islice(whole, count)) == count

    def is_topic(self, item: int, share: float) -> bool:
        """Whether a question is about the section of an item that with its heading holds it all."""
        return item in self.titled and share >= _WHOLE

    def is_said_elsewhere(self, item: int) -> bool:
        """Whether others say what is looked up, and this one is only near it, or beside it."""
        return self.looked_up is not None and item not in self.looked_up

    def is_said_otherwise(self, item: int) -> bool:
        """Whether an item says what is looked up in another form, or by what stands above it, and
        others say it as it is asked.
        """
        is_said = bool(self.looked_up) and not self.is_said_elsewhere(item)
        return is_said and bool(self.exact) and item not in self.exact

    def best(self, count: int) -> list[int]:
        """The items that words alone find, best first, and then those of titles."""
        by_words = nlargest(count, self.sums, key=self.sums.__getitem__)
        by_titles = nlargest(count, self.titled, key=self.sums.__getitem__)
        return [*dict.fromkeys((*by_words, *by_titles))]


class QueryLikeness(NamedTuple):
    """Cosines of the question and at least the ranked items; `mean` is over all items.

    `scripts`: a cosine says nothing about text in a script that the model does not know.
    `reads`: the model reads a text as a whole, so that what it says is not only about words.
    """

    cosines: Mapping[int, float]
    mean: float = 0.0
    scripts: Scripts = "all"
    reads: bool = False

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
    begins with a name that the question says, or has all of a question of few words.
    """

    id: int
    score: float
    base: float
    exact: bool
    parts: ScoreParts
    itself: bool = True
    sure: float = 1.0
    meant: bool = False

    @property
    def is_of_days(self) -> bool:
        """Whether it is of the days that the question names, if it names any."""
        return any(word == _DAYS and close >= _OTHER_FILE for word, close in self.parts.near)


def gather(
    question: SearchQuestion,
    found: Sequence[Postings],
    layout: RankingLayout,
    weights: Weights = WEIGHTS,
    quoting: Collection[int] = (),
) -> GatheredMatches:
    """Combines where the words of a question were found with the days that it names."""
    near = [_close(postings, layout, weights) for postings in found]
    # A line that says the day is found itself, not because of a line near it.
    holding = items_of(found).union(layout.naming)
    said = looked_up(question, found, layout, quoting)
    words = [postings.word for postings in found]
    word_weights = [postings.weight for postings in found]
    total = sum(word_weights)
    if question.days:
        words.append(_DAYS)
        word_weights.append(weights.days)
        total += weights.days
        near.append(_on_days(question.days, layout))
        if not found:
            said = frozenset(at for at, close in near[0].items() if close >= _OTHER_FILE)
    titled, exact = _titled(found, near, layout), _exact(found)
    return GatheredMatches(
        tuple(words),
        tuple(near),
        _summed(word_weights, near),
        total,
        holding,
        exact if said is None else exact & said,
        titled,
        tuple(word_weights),
        frozenset(item for item in titled if is_lone(item, layout)),
        frozenset[int]().union(*(chain(postings.ids, postings.kin) for postings in found)),
        layout.bonds,
        said,
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
    names: NamedItems = NO_NAMES,
) -> list[Scored]:
    """The items by their scores, best first; equal ones in the order of their ids."""
    usual = _usual(texts.values())
    scored = [
        _scored(question, gathered, item, text, likeness, weights, names, usual)
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
    names: NamedItems,
    usual: int,
) -> Scored:
    share, is_said = gathered.share(item), gathered.is_turn(item)
    meaning, mixed = 0.0, share
    if likeness and is_read(text, likeness.scripts):
        meaning = likeness.meaning(item, weights)
        mixed = _mixed(share, meaning, weights, in_full=is_said or likeness.reads)
    base = _named_base(mixed**weights.level, item, names, weights)
    itself = item in gathered.holding or not question.words or meaning >= share
    name = speaker(text) if is_said else None
    is_elsewhere = gathered.is_said_elsewhere(item)
    earned = (
        *factors(question, text, name, weights, usual, itself=itself, is_brief=gathered.is_brief),
        *_by_others(question, gathered, item, text, weights),
    )
    cosine = likeness.cosines.get(item) if likeness else None
    return Scored(
        item,
        base * product(earned),
        base,
        item in gathered.exact or item in names.meant or item in (gathered.looked_up or ()),
        ScoreParts(share, meaning, cosine, gathered.closeness(item), earned),
        itself,
        0.0 if is_elsewhere else _sure(item, name, gathered, likeness, weights),
        _is_meant(gathered, names, item),
    )


def _is_meant(gathered: GatheredMatches, names: NamedItems, item: int) -> bool:
    return item in names.meant or (gathered.is_brief and gathered.share(item) >= _WHOLE)


def found_beside(found: Scored, item: int) -> Scored:
    """An item that was not found itself, but stands below one that was. It has that one's score, by
    which it is placed; how well it fits by itself (`base`) is 0.
    """
    parts = ScoreParts(0.0, 0.0, None, tuple((word, 0.0) for word, _ in found.parts.near), ())
    return found._replace(id=item, base=0.0, exact=False, parts=parts, meant=False)


def _by_others(
    question: SearchQuestion, gathered: GatheredMatches, item: int, text: str, weights: Weights
) -> Iterator[tuple[str, float]]:
    """The factors that an item gets by what other items hold, with their names."""
    share = gathered.share(item)
    if gathered.is_topic(item, share) and not (item in gathered.lone and says_all(question, text)):
        yield "heading", weights.titled
    if gathered.looked_up and gathered.is_said_elsewhere(item):
        yield "elsewhere", weights.near
    if gathered.is_said_otherwise(item):
        yield "form", weights.form


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


def _named_base(base: float, item: int, names: NamedItems, weights: Weights) -> float:
    """What a score is by the names that a question says."""
    if item in names.others:
        return base * weights.other_name
    return max(base, weights.least_named) if item in names.meant else base


def _mixed(share: float, meaning: float, weights: Weights, *, in_full: bool) -> float:
    """Words and meaning in one number: either alone can make a high score, and what words say is
    never taken back.
    """
    return 1 - (1 - share) * (1 - (meaning if in_full else weights.meant * meaning))


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
    headed = below_word(found, layout) if steps else ()
    for item in chain(headed, found.named):
        near[item] = max(near.get(item, 0.0), weights.heading)
    return near


def _titled(
    found: Sequence[Postings], near: Sequence[dict[int, float]], layout: RankingLayout
) -> frozenset[int]:
    """The items below a heading of which the question says every word: these count in full."""
    titled: set[int] = set()
    for below, places in said_titles(found, layout):
        titled.update(below)
        for at in places:
            near[at].update((item, max(near[at].get(item, 0.0), 1.0)) for item in below)
    return frozenset(titled)


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


def _on_days(days: Days, layout: RankingLayout) -> dict[int, float]:
    """How close items are to the days that a question names: those of dated files, and those that
    name the days themselves.
    """
    near: dict[int, float] = {}
    for day, first, end, is_note in layout.days:
        closeness = days.closeness(day) * (1 if is_note else _OTHER_FILE)
        if closeness >= _FAR:
            near.update(dict.fromkeys(range(first, end), closeness))
    return near | dict.fromkeys(layout.dated, 1.0)


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
