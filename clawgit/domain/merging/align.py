"""Pairs the units of two versions of a document; the merge builds on this."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from clawgit.domain.markdown.comment import split
from clawgit.domain.markdown.scan import scan
from clawgit.language.lazily import lazily

_MANY = 10_000
"""More pairs than these are not compared with each other: it would take too long."""

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


Name = Callable[[MergeUnit], Hashable]
"""What a unit is known by; None if it has no such name."""

Places = dict[int, MergeUnit]
"""Units by their places."""


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

    Units are the same if they have the same id or text, wherever they stand; else if they stand in
    the same place and read alike.
    """
    olds, news = dict(enumerate(base)), dict(enumerate(side))
    partners = [-1] * len(side)
    # The surest first, since each step only looks at what is still without a partner: what stands
    # under its heading as before, what was moved, what kept its id.
    text = attrgetter("key")
    for name in (_named_by(_in_section, base, side), _named_by(text, base, side)):
        for i, j in namesakes(olds, news, name):
            partners[j] = i
    firm = sorted(in_order(partners, side))
    was, now = _by_gap(olds, [partners[j] for j in firm]), _by_gap(news, firm)
    for gap, left in was.items():
        for i, j in namesakes(left, now.get(gap, {}), text):
            partners[j] = i
            del olds[i], news[j]
    for name in (_in_section, text, _id):
        for i, j in namesakes(olds, news, name):
            partners[j] = i
    for i, j in _reworded(olds, news, partners, sorted(in_order(partners, side))):
        partners[j] = i
    return partners


def namesakes(olds: Places, news: Places, name: Name) -> Iterator[tuple[int, int]]:
    """Pairs of places whose units have the same name, the first with the first. They are taken out
    of both.
    """
    waiting: defaultdict[Hashable, list[int]] = defaultdict(list)
    for i in reversed(olds):
        waiting[name(olds[i])].append(i)
    for j, unit in [*news.items()]:
        called = name(unit)
        if called is not None and waiting.get(called):
            i = waiting[called].pop()
            del olds[i], news[j]
            yield i, j


def in_order(pairs: Sequence[int], units: Sequence[MergeUnit]) -> set[int]:
    """The places in `pairs` whose partners kept their order. The others were moved, or are new.

    `units` are those of the side. An entry that moved past a heading has left its section: it moved
    then, and not the heading, under which others stand or are written.
    """
    known = [j for j, i in enumerate(pairs) if i >= 0]
    kept = _rising(known, pairs)
    headings = _rising([j for j in known if units[j].level], pairs)
    if len(headings) > sum(units[j].level > 0 for j in kept):
        return {*headings, *_around(headings, pairs)}
    return {*kept}


def _around(headings: Sequence[int], pairs: Sequence[int]) -> Iterator[int]:
    """The places that kept their order in the sections of these headings."""
    edges = [(-1, -1), *((pairs[j], j) for j in headings), (max(pairs) + 1, len(pairs))]
    for (above, start), (below, stop) in pairwise(edges):
        yield from _rising([j for j in range(start + 1, stop) if above < pairs[j] < below], pairs)


def _rising(places: Sequence[int], numbers: Sequence[int]) -> list[int]:
    """As many of the places as have rising numbers."""
    tops: list[int] = []
    ends: list[int] = []
    before: dict[int, int] = {}
    for place in places:
        at = bisect_left(tops, numbers[place])
        tops[at : at + 1] = [numbers[place]]
        ends[at : at + 1] = [place]
        before[place] = ends[at - 1] if at else -1
    chosen: list[int] = []
    last = ends[-1] if ends else -1
    while last >= 0:
        chosen.append(last)
        last = before[last]
    return chosen[::-1]


def _in_section(unit: MergeUnit) -> Hashable:
    return unit.key, unit.path


def _id(unit: MergeUnit) -> Hashable:
    return unit.id or None


def _named_by(name: Name, *versions: Iterable[MergeUnit]) -> Name:
    """A name, for the units that share it with no other unit of their version."""
    seen = [Counter(map(name, version)) for version in versions]
    return lambda unit: name(unit) if all(names[name(unit)] == 1 for names in seen) else None


def _reworded(
    olds: Places, news: Places, partners: Sequence[int], firm: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Pairs of units that stand between the same two neighbours and read alike, the most alike
    first. Prose and headings are also paired if each is the only one of its kind there.
    """
    was, now = _by_gap(olds, [partners[j] for j in firm]), _by_gap(news, firm)
    for gap, left in was.items():
        right = now.get(gap, {})
        for _, _, i, j in sorted(_likenesses(left, right)):
            if i in left and j in right:
                del left[i], right[j]
                yield i, j
        yield from namesakes(left, right, _named_by(_sort, left.values(), right.values()))


def _by_gap(units: Places, firm: Sequence[int]) -> dict[int, Places]:
    """The units by the number of firm places before them."""
    gaps: defaultdict[int, Places] = defaultdict(dict)
    for place, unit in units.items():
        gaps[bisect_left(firm, place)][place] = unit
    return gaps


def _sort(unit: MergeUnit) -> Hashable:
    return None if unit.kind == "item" else (unit.kind, unit.level)


def _likenesses(olds: Places, news: Places) -> Iterator[tuple[float, int, int, int]]:
    """(-likeness, distance, old, new) of units that may be the same."""
    if len(olds) * len(news) > _MANY:
        return
    words = {i: _words(unit) for i, unit in olds.items()}
    shift = min(news, default=0) - min(olds)
    for j, unit in news.items():
        own = _words(unit)
        for i, known in words.items():
            likeness = 2 * len(known & own) / (len(known) + len(own))
            if likeness >= _ALIKE and _may_be_same(olds[i], unit):
                yield -likeness, abs(i + shift - j), i, j


def _may_be_same(old: MergeUnit, new: MergeUnit) -> bool:
    return (old.kind, old.level) == (new.kind, new.level) and not (old.id and new.id)


def _words(unit: MergeUnit) -> frozenset[str]:
    visible = unit.visible
    return frozenset(_WORD.findall(visible.lower())) or frozenset([visible])
