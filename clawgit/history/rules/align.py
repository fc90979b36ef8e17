"""Pairs the units of two versions of a document; the merge builds on this."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import chain
from operator import attrgetter

from clawgit.core import NamedTuple
from clawgit.core.doors import difflib
from clawgit.core.markdown.comment import split
from clawgit.core.markdown.scan import LEVEL, Block, scan
from clawgit.language.lazily import lazily

_MANY = 10_000
"""More pairs than these are not compared with each other: it would take too long."""

_ALIKE = 0.5
"""Two units that share at least this part of their words count as one unit, reworded."""

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"

_WORD = lazily(rf"[{_CJK}]|[^\W{_CJK}]+")
"""A word; in a script without spaces, a character."""


SECTION = "section"
"""The kind of a unit that is a heading with all that stands under it."""


class MergeUnit(NamedTuple):
    """What is merged as a whole: a block without its line end, and the space above it. `id` is from
    its claw comment.
    """

    kind: str
    core: str
    line: int
    path: tuple[str, ...] = ()
    level: int = 0
    id: str = ""
    gap: str = ""

    @property
    def key(self) -> Hashable:
        return self.kind, self.core

    @property
    def visible(self) -> str:
        return split(self.core).visible if self.kind == "item" else self.core


Units = Sequence[MergeUnit]

MaybeUnit = MergeUnit | None
"""A unit in one version; None: it is not there."""

Name = Callable[[MergeUnit], Hashable]
"""What a unit is known by; None if it has no such name."""

Places = dict[int, MergeUnit]
"""Units by their places."""


def cut(text: str, name: Callable[[Block], str] = lambda _: "") -> list[MergeUnit]:
    """The units of a text between two sentinels. Their gaps and cores, joined, are the text again.

    A heading of the second level that has a `name`, which is its id, is one unit with all below it.
    """
    units, gap = [MergeUnit("start", "", 1)], ""
    for block in scan(text):
        core = "" if block.kind == "blank" else block.text.rstrip("\r\n")
        ident = name(block) if block.level == LEVEL else ""
        if not core:
            gap += block.text
            continue
        if units[-1].kind == SECTION and not 0 < block.level <= LEVEL:
            units[-1] = units[-1]._replace(core=units[-1].core + gap + core)
        elif ident:
            units.append(MergeUnit(SECTION, core, block.line, block.path, 0, ident, gap))
        else:
            ident = split(core).id if block.kind == "item" and "claw:" in core else ""
            units.append(
                MergeUnit(block.kind, core, block.line, block.path, block.level, ident, gap)
            )
        gap = block.text[len(core) :]
    return [*units, MergeUnit("end", "", units[-1].line, gap=gap)]


class Alignment(NamedTuple):
    """For each unit of a side the place of the same unit in base, -1 for a new one; and the places
    in the side of those that kept their order. The others were moved, or are new.
    """

    partners: list[int]
    firm: list[int]


def align(base: Units, side: Units, other: Units = ()) -> Alignment:
    """Units are the same if they have the same id or text, wherever they stand; else if they stand
    in the same place and read alike.

    That is a guess, and not made for a text that the `other` side has too: if it was paired
    otherwise there, the text would be written twice.
    """
    most = Counter(map(in_section, base))
    was, now = ([*_counted(units, most)] for units in (base, side))
    blocks = difflib.SequenceMatcher(None, was, now).get_matching_blocks()
    firm = [(i + n, j + n) for i, j, size in blocks for n in range(size)]
    olds, news = dict(enumerate(base)), dict(enumerate(side))
    for i, j in firm:
        del olds[i], news[j]
    # What is left was moved, or has its id and other words, or was reworded.
    names = (in_section, attrgetter("key"), _id)
    sure = [*firm, *chain.from_iterable(namesakes(olds, news, name) for name in names)]
    partners = [-1] * len(side)
    for i, j in sure:
        partners[j] = i
    # What stands under a title that was renamed has kept its place too.
    kept = _kept(partners, [j for _, j in firm])
    known = {unit.key for unit in other}
    for i, j in _reworded(olds, news, [(partners[j], j) for j in kept]):
        if side[j].key not in known:
            partners[j] = i
    return Alignment(partners, _kept(partners, kept))


def _kept(partners: Sequence[int], kept: list[int]) -> list[int]:
    """The places that kept their order, with those of other words that fit in between."""
    for j in (j for j, i in enumerate(partners) if i >= 0):
        place = bisect_left(kept, j)
        if kept[place] != j and partners[kept[place - 1]] < partners[j] < partners[kept[place]]:
            kept.insert(place, j)
    return kept


def namesakes(olds: Places, news: Places, name: Name) -> list[tuple[int, int]]:
    """Pairs of places whose units have the same name, the first with the first. They are taken out
    of both.
    """
    waiting: defaultdict[Hashable, list[int]] = defaultdict(list)
    for i in reversed(olds):
        waiting[name(olds[i])].append(i)
    pairs = []
    for j, called in [(j, name(unit)) for j, unit in news.items()]:
        if called is not None and waiting[called]:
            pairs.append((waiting[called].pop(), j))
    for i, j in pairs:
        del olds[i], news[j]
    return pairs


def _counted(units: Units, most: Counter[Hashable]) -> Iterator[Hashable]:
    """Of equal units under a heading each with its number: of two, both sides drop the same one.
    What a side has more often than base may be any of the last.
    """
    seen: Counter[Hashable] = Counter()
    for unit in units:
        key = in_section(unit)
        seen[key] = min(seen[key] + 1, most[key])
        yield key, seen[key]


def in_section(unit: MergeUnit) -> Hashable:
    """By the heading right above: a title that was renamed moves nothing."""
    return unit.key, unit.path[-1:]


def _id(unit: MergeUnit) -> Hashable:
    return unit.id or None


def _reworded(
    olds: Places, news: Places, firm: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Pairs of units that stand between the same two neighbours and read alike, the most alike
    first. Prose and headings are also paired if each is the only one of its kind there.
    """
    was, now = _by_gap(olds, [i for i, _ in firm]), _by_gap(news, [j for _, j in firm])
    for gap, left in was.items():
        right = now.get(gap, {})
        for _, i, j in sorted(_likenesses(left, right)):
            if i in left and j in right:
                del left[i], right[j]
                yield i, j
        yield from namesakes(_lone(left), _lone(right), _sort)


def _by_gap(units: Places, firm: Sequence[int]) -> dict[int, Places]:
    """The units by the number of firm places before them."""
    gaps: defaultdict[int, Places] = defaultdict(dict)
    for place, unit in units.items():
        gaps[bisect_left(firm, place)][place] = unit
    return gaps


def _lone(units: Places) -> Places:
    """Those that are the only one of their kind."""
    counts = Counter(map(_sort, units.values()))
    return {place: unit for place, unit in units.items() if counts[_sort(unit)] == 1}


def _sort(unit: MergeUnit) -> Hashable:
    return None if unit.kind == "item" else (unit.kind, unit.level)


def _likenesses(olds: Places, news: Places) -> Iterator[tuple[float, int, int]]:
    """(-likeness, old, new) of units that may be the same."""
    if len(olds) * len(news) > _MANY:
        return
    words = {i: _words(unit) for i, unit in olds.items()}
    for j, unit in news.items():
        own = _words(unit)
        for i, known in words.items():
            likeness = 2 * len(known & own) / (len(known) + len(own))
            if likeness >= _ALIKE and _may_be_same(olds[i], unit):
                yield -likeness, i, j


def _may_be_same(old: MergeUnit, new: MergeUnit) -> bool:
    return (old.kind, old.level) == (new.kind, new.level) and not (old.id and new.id)


def _words(unit: MergeUnit) -> frozenset[str]:
    visible = unit.visible
    return frozenset(_WORD.findall(visible.lower())) or frozenset([visible])
