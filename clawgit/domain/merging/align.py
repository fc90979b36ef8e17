"""Pairs the units of two versions of a document; the merge builds on this."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from clawgit.domain.change.common_ends import common_ends
from clawgit.domain.markdown.comment import split
from clawgit.domain.markdown.label import label_of
from clawgit.domain.markdown.scan import scan
from clawgit.language.lazily import lazily

_Names = tuple[Sequence[Hashable], Sequence[Hashable]]
_Pairs = Iterator[tuple[int, int]]

_NAMELESS = ""

_FEW = 16
"""A word that more units share is ignored: comparing all of them would take too long."""

_ALIKE = 0.5
"""Two units that share at least this part of their words count as one unit, reworded."""

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"

_WORD = lazily(rf"[{_CJK}]|[^\W{_CJK}]+")
"""A word; in a script without spaces, a character."""


class MergeUnit(NamedTuple):
    """What is merged as a whole: a block without its line end. `id` is from its claw comment."""

    kind: str
    core: str
    line: int
    path: tuple[str, ...] = ()
    level: int = 0
    id: str = ""

    @property
    def key(self) -> Hashable:
        return self.kind, self.core

    @property
    def visible(self) -> str:
        return split(self.core).visible if self.kind == "item" else self.core


class Units(NamedTuple):
    """A document as units between two sentinels; `gaps[i]` is the space after unit i."""

    units: list[MergeUnit]
    gaps: list[str]


def cut(text: str) -> Units:
    """The units of a text. Their cores and gaps, joined, are the text again."""
    units, gaps = [MergeUnit("start", "", 1)], [""]
    for block in scan(text):
        if block.kind == "blank":
            gaps[-1] += block.text
            continue
        core = block.text.rstrip("\r\n")
        ident = split(core).id if block.kind == "item" and "claw:" in core else ""
        units.append(MergeUnit(block.kind, core, block.line, block.path, block.level, ident))
        gaps.append(block.text[len(core) :])
    return Units([*units, MergeUnit("end", "", units[-1].line)], gaps)


def align(base: Sequence[MergeUnit], side: Sequence[MergeUnit]) -> list[int]:
    """For each unit of `side` the place of the same unit in `base`, -1 for a new one.

    Units are the same if they have the same id or text, wherever they stand; or no id, but a label
    that no other item under their heading has; else if they stand in the same place and read alike.
    """
    partners = [-1] * len(side)
    keys: _Names = [unit.key for unit in base], [unit.key for unit in side]
    ids: _Names = [unit.id for unit in base], [unit.id for unit in side]

    def pair_up(pairs: Iterable[tuple[int, int]]) -> None:
        for i, j in pairs:
            partners[j] = i

    # The surest first, since each step only looks at what is still without a partner: what kept
    # its place, what was moved, what kept its id or its label, and at last what was reworded.
    pair_up(_anchors(*keys))
    pair_up(_left_over(*keys, partners))
    pair_up(_left_over(*ids, partners))
    if any(partner < 0 for partner in partners):
        pair_up(_left_over(_labels(base), _labels(side), partners))
    for olds, news in _gaps(partners, len(base), side):
        pair_up(_reworded({i: base[i] for i in olds}, {j: side[j] for j in news}))
    return partners


def in_order(pairs: Sequence[int], units: Sequence[MergeUnit] = ()) -> set[int]:
    """The places in `pairs` whose partners kept their order. The others were moved, or are new.

    `units` are those of the side. An entry that moved past a heading has left its section: it moved
    then, and not the heading, under which others stand or are written.
    """
    known = [j for j, i in enumerate(pairs) if i >= 0]
    numbers = [pairs[j] for j in known]
    kept = _rising(numbers)
    headings = _headings([units[j] for j in known] if units else ())
    if not headings.issubset(kept):
        kept = _heaviest(numbers, headings)
    return {known[n] for n in kept}


def _headings(units: Sequence[MergeUnit]) -> set[int]:
    return {n for n, unit in enumerate(units) if unit.level}


def _anchors(base: Sequence[Hashable], side: Sequence[Hashable], rounds: int = 2) -> _Pairs:
    """Patience diff: what is the same at both ends, then what is unique on both sides and in order.

    Then the same between these. In the last round equal keys are numbered, so that the work stays
    n log n for any input.
    """
    head, tail = common_ends(base, side)
    yield from ((n, n) for n in range(head))
    yield from ((len(base) - n, len(side) - n) for n in range(1, tail + 1))
    base = base[head : len(base) - tail]
    side = side[head : len(side) - tail]
    if base and side:
        for i, j in _inner_anchors(base, side, rounds):
            yield head + i, head + j


def _inner_anchors(base: Sequence[Hashable], side: Sequence[Hashable], rounds: int) -> _Pairs:
    if rounds == 0:
        yield from _in_order(_counted(base), _counted(side))
        return
    anchors = _in_order(_unique(base), _unique(side))
    yield from anchors
    edges = [(-1, -1), *anchors, (len(base), len(side))]
    for (above, left), (below, right) in pairwise(edges):
        inner = _anchors(base[above + 1 : below], side[left + 1 : right], rounds - 1)
        yield from ((above + 1 + i, left + 1 + j) for i, j in inner)


def _in_order(olds: dict[Hashable, int], news: dict[Hashable, int]) -> list[tuple[int, int]]:
    """The places of the keys that both sides have, as many as stand in the same order."""
    shared = [(olds[key], j) for key, j in news.items() if key in olds]
    return [shared[n] for n in _rising([i for i, _ in shared])]


def _unique(keys: Iterable[Hashable]) -> dict[Hashable, int]:
    keys = list(keys)
    times = Counter(keys)
    return {key: n for n, key in enumerate(keys) if times[key] == 1}


def _counted(keys: Iterable[Hashable]) -> dict[Hashable, int]:
    seen: Counter[Hashable] = Counter()
    places: dict[Hashable, int] = {}
    for n, key in enumerate(keys):
        places[key, seen[key]] = n
        seen[key] += 1
    return places


def _rising(numbers: Sequence[int]) -> list[int]:
    """The places of a longest rising subsequence."""
    tops: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for n, number in enumerate(numbers):
        at = bisect_left(tops, number)
        tops[at : at + 1] = [number]
        ends[at : at + 1] = [n]
        before.append(ends[at - 1] if at else -1)
    chain: list[int] = []
    n = ends[-1] if ends else -1
    while n >= 0:
        chain.append(n)
        n = before[n]
    return chain[::-1]


def _heaviest(numbers: Sequence[int], heavy: Container[int]) -> list[int]:
    """The places of a rising subsequence with the most heavy ones, and then with the most others.

    The numbers differ.
    """
    ranks = {number: rank for rank, number in enumerate(sorted(numbers), 1)}
    # A Fenwick tree: each node has the heaviest chain that ends within its ranks, and where.
    tree = [(0, -1)] * (len(numbers) + 1)
    before: list[int] = []
    for n, number in enumerate(numbers):
        weight, last = max(tree[node] for node in _down(ranks[number] - 1))
        before.append(last)
        # One heavy place weighs as much as all others together.
        weight += len(numbers) if n in heavy else 1
        for node in _up(ranks[number], len(tree)):
            tree[node] = max(tree[node], (weight, n))
    chain: list[int] = []
    _, n = max(tree[node] for node in _down(len(numbers)))
    while n >= 0:
        chain.append(n)
        n = before[n]
    return chain[::-1]


def _down(node: int) -> Iterator[int]:
    while node:
        yield node
        node &= node - 1
    yield 0


def _up(node: int, size: int) -> Iterator[int]:
    while node < size:
        yield node
        node += node & -node


def _left_over(
    base: Sequence[Hashable], side: Sequence[Hashable], partners: Sequence[int]
) -> list[tuple[int, int]]:
    """Pairs of units without a partner that have the same name, which is a text or an id."""
    taken = set(partners)
    left: defaultdict[Hashable, list[int]] = defaultdict(list)
    for i in reversed(range(len(base))):
        if base[i] != _NAMELESS and i not in taken:
            left[base[i]].append(i)
    free = (j for j, name in enumerate(side) if partners[j] < 0 and left.get(name))
    return [(left[side[j]].pop(), j) for j in free]


def _labels(units: Sequence[MergeUnit]) -> list[Hashable]:
    """The label of each item without an id, with the headings above it. One that several items have
    is no name, nor is a number: a line of a log begins with a day or an hour.
    """
    labels = [label_of(unit.core) if unit.kind == "item" else "" for unit in units]
    names = [(label, unit.path) for label, unit in zip(labels, units, strict=True)]
    times = Counter(names)
    return [
        name if name[0][:1].isalpha() and times[name] == 1 and not unit.id else _NAMELESS
        for name, unit in zip(names, units, strict=True)
    ]


def _gaps(
    partners: Sequence[int], size: int, side: Sequence[MergeUnit]
) -> Iterator[tuple[list[int], list[int]]]:
    """Units without a partner, of base and side, between two neighbours that kept their order."""
    free_in_base = set(range(size)) - set(partners)
    free_in_side = {j for j, partner in enumerate(partners) if partner < 0}
    firm = [(partners[j], j) for j in sorted(in_order(partners, side))]
    edges = [(-1, -1), *firm, (size, len(partners))]
    for (above, left), (below, right) in pairwise(edges):
        olds = _members(free_in_base, above + 1, below)
        news = _members(free_in_side, left + 1, right)
        if olds and news:
            yield olds, news


def _members(places: set[int], start: int, stop: int) -> list[int]:
    """The places from `start` to before `stop`."""
    return [place for place in range(start, stop) if place in places]


def _reworded(olds: dict[int, MergeUnit], news: dict[int, MergeUnit]) -> list[tuple[int, int]]:
    """Pairs in one gap: the most alike first.

    Prose and headings are also paired if each is the only one of its kind in the gap.
    """
    pairs: list[tuple[int, int]] = []
    for _, _, i, j in sorted(_likenesses(olds, news)):
        if i in olds and j in news:
            pairs.append((i, j))
            del olds[i], news[j]
    sorts_old = _unique_sorts(olds)
    sorts_new = _unique_sorts(news)
    return pairs + [(i, sorts_new[sort]) for sort, i in sorts_old.items() if sort in sorts_new]


def _unique_sorts(units: dict[int, MergeUnit]) -> dict[Hashable, int]:
    places = list(units)
    sorts = _unique((unit.kind, unit.level) for unit in units.values())
    return {sort: places[n] for sort, n in sorts.items() if sort != ("item", 0)}


def _likenesses(
    olds: dict[int, MergeUnit], news: dict[int, MergeUnit]
) -> Iterator[tuple[float, int, int, int]]:
    """(-likeness, distance, old, new) of units that may be the same."""
    words = {i: _words(unit) for i, unit in olds.items()}
    users = _users(words)
    first_old = min(olds)
    first_new = min(news)
    for j, unit in news.items():
        own = _words(unit)
        for i in _sharing_rare_words(own, users):
            likeness = 2 * len(words[i] & own) / (len(words[i]) + len(own))
            if likeness >= _ALIKE and _may_be_same(olds[i], unit):
                distance = abs((i - first_old) - (j - first_new))
                yield -likeness, distance, i, j


def _users(words: Mapping[int, Iterable[str]]) -> dict[str, list[int]]:
    """The places of the units that have each word."""
    users: defaultdict[str, list[int]] = defaultdict(list)
    for place, own in words.items():
        for word in own:
            users[word].append(place)
    return users


def _sharing_rare_words(words: Iterable[str], users: Mapping[str, list[int]]) -> set[int]:
    """The places of the units that share a word, unless more than `_FEW` have that word."""
    sharing: set[int] = set()
    for word in words:
        places = users.get(word, [])
        if len(places) <= _FEW:
            sharing.update(places)
    return sharing


def _may_be_same(old: MergeUnit, new: MergeUnit) -> bool:
    return (old.kind, old.level) == (new.kind, new.level) and not (old.id and new.id)


def _words(unit: MergeUnit) -> frozenset[str]:
    visible = unit.visible
    return frozenset(_WORD.findall(visible.lower())) or frozenset([visible])
