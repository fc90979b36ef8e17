"""Which unit of one version of a document is which unit of another: the ground that the merge
stands on.
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from clawgit.domain.markdown.comment import split
from clawgit.domain.markdown.scan import scan

_Names = tuple[Sequence[Hashable], Sequence[Hashable]]


_NAMELESS = ""

_FEW = 16

_ALIKE = 0.5

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"

_WORD = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")
"""A word; in a script without spaces, a character."""


class Unit(NamedTuple):
    """What is merged as a whole: a block without its line end. `id` is the one in its claw comment,
    if there is one.
    """

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
    """A document as units between two sentinels; `gaps[i]` is the blank space between units i and i
    + 1.
    """

    units: list[Unit]
    gaps: list[str]


def cut(text: str) -> Units:
    """The units of a text. Their cores and gaps, one after the other, give it back."""
    units, gaps = [Unit("start", "", 1)], [""]
    for block in scan(text):
        if block.kind == "blank":
            gaps[-1] += block.text
            continue
        core = block.text.rstrip("\r\n")
        ident = split(core).id if block.kind == "item" and "claw:" in core else ""
        units.append(Unit(block.kind, core, block.line, block.path, block.level, ident))
        gaps.append(block.text[len(core) :])
    return Units([*units, Unit("end", "", units[-1].line)], gaps)


def align(base: Sequence[Unit], side: Sequence[Unit]) -> list[int]:
    """For each unit of `side` the place of the same unit in `base`, -1 for a new one.

    The same is what has the same id or text, wherever it went; else what stands in the same place
    and reads alike.
    """
    found = [-1] * len(side)
    keys: _Names = [unit.key for unit in base], [unit.key for unit in side]
    ids: _Names = [unit.id for unit in base], [unit.id for unit in side]
    for i, j in _anchors(*keys):
        found[j] = i
    for olds, news in (keys, ids):
        for i, j in _left_over(olds, news, found):
            found[j] = i
    for before, after in _gaps(found, len(base)):
        for i, j in _reworded({i: base[i] for i in before}, {j: side[j] for j in after}):
            found[j] = i
    return found


def in_order(pairs: Sequence[int]) -> set[int]:
    """The places in `pairs` whose partners kept their order. Any other place that has a partner was
    moved.
    """
    known = [j for j, i in enumerate(pairs) if i >= 0]
    return {known[n] for n in _rising([pairs[j] for j in known])}


def _anchors(
    base: Sequence[Hashable], side: Sequence[Hashable], rounds: int = 2
) -> Iterator[tuple[int, int]]:
    """Patience: what is the same at both ends, then what is unique on both sides and in order, then
    between those.

    In the last round equal keys are told apart by counting them, so that the work stays n log n for
    any input.
    """
    head = _common(base, side)
    tail = _common(base[head:][::-1], side[head:][::-1])
    yield from ((n, n) for n in range(head))
    yield from ((len(base) - n, len(side) - n) for n in range(1, tail + 1))
    base, side = base[head : len(base) - tail], side[head : len(side) - tail]
    if not base or not side:
        return
    olds, news = (_counted(base), _counted(side)) if rounds == 0 else (_unique(base), _unique(side))
    meeting = [(olds[key], j) for key, j in news.items() if key in olds]
    meeting = [meeting[n] for n in _rising([i for i, _ in meeting])]
    yield from ((head + i, head + j) for i, j in meeting)
    if rounds == 0:
        return
    for (i0, j0), (i1, j1) in pairwise([(-1, -1), *meeting, (len(base), len(side))]):
        for i, j in _anchors(base[i0 + 1 : i1], side[j0 + 1 : j1], rounds - 1):
            yield head + i0 + 1 + i, head + j0 + 1 + j


def _common(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    return next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )


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


def _left_over(
    base: Sequence[Hashable], side: Sequence[Hashable], found: Sequence[int]
) -> list[tuple[int, int]]:
    """What has no partner yet, on both sides, under the same name: it was moved, or has its id to
    be known by.
    """
    taken = set(found)
    left: defaultdict[Hashable, list[int]] = defaultdict(list)
    for i in reversed(range(len(base))):
        if base[i] != _NAMELESS and i not in taken:
            left[base[i]].append(i)
    free = (j for j, name in enumerate(side) if found[j] < 0 and left.get(name))
    return [(left[side[j]].pop(), j) for j in free]


def _gaps(found: Sequence[int], size: int) -> Iterator[tuple[list[int], list[int]]]:
    """The units without a partner, base and side, between each two neighbours that kept their
    order.
    """
    taken = set(found)
    firm = sorted(in_order(found))
    for (i0, j0), (i1, j1) in pairwise(
        [(-1, -1), *((found[j], j) for j in firm), (size, len(found))]
    ):
        olds = [i for i in range(i0 + 1, i1) if i not in taken]
        news = [j for j in range(j0 + 1, j1) if found[j] < 0]
        if olds and news:
            yield olds, news


def _reworded(olds: dict[int, Unit], news: dict[int, Unit]) -> list[tuple[int, int]]:
    """Pairs in one gap: the most alike first; prose and headings also when each is the only one of
    its kind.
    """
    pairs: list[tuple[int, int]] = []
    for _, _, i, j in sorted(_likenesses(olds, news)):
        if i in olds and j in news:
            pairs.append((i, j))
            del olds[i], news[j]
    sorts_old = _unique_sorts(olds)
    sorts_new = _unique_sorts(news)
    return pairs + [(i, sorts_new[sort]) for sort, i in sorts_old.items() if sort in sorts_new]


def _unique_sorts(units: dict[int, Unit]) -> dict[Hashable, int]:
    places = list(units)
    sorts = _unique((unit.kind, unit.level) for unit in units.values())
    return {sort: places[n] for sort, n in sorts.items() if sort != ("item", 0)}


def _likenesses(
    olds: dict[int, Unit], news: dict[int, Unit]
) -> Iterator[tuple[float, int, int, int]]:
    """(-likeness, distance, old, new) of what may be the same. Only words that few units share
    bring two together.
    """
    words = {i: _words(unit) for i, unit in olds.items()}
    users: defaultdict[str, list[int]] = defaultdict(list)
    for i, mine in words.items():
        for word in mine:
            users[word].append(i)
    first_old, first_new = min(olds), min(news)
    for j, unit in news.items():
        theirs = _words(unit)
        for i in {
            i for word in theirs if len(users.get(word, ())) <= _FEW for i in users.get(word, ())
        }:
            likeness = 2 * len(words[i] & theirs) / (len(words[i]) + len(theirs))
            if likeness >= _ALIKE and _may_be_same(olds[i], unit):
                yield -likeness, abs((i - first_old) - (j - first_new)), i, j


def _may_be_same(old: Unit, new: Unit) -> bool:
    return (old.kind, old.level) == (new.kind, new.level) and not (old.id and new.id)


def _words(unit: Unit) -> frozenset[str]:
    visible = unit.visible
    return frozenset(_WORD.findall(visible.lower())) or frozenset([visible])
