"""One merge of three documents, cut into units: what each unit becomes, and where it stands.

Ours is the frame; theirs removes units from it, rewords some, and adds new ones. What becomes of a
unit that both sides changed is decided by whoever asks for the merge.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from clawgit.core.markdown.comment import split
from clawgit.history.rules.align import MergeUnit, Name, Places, Units, align, namesakes

_TEXT = 7
"""The depth of text: one more than the deepest heading has."""

_START = 0


class MergeConflict(NamedTuple):
    """A unit that both sides changed, or one changed and the other removed; None is “not there”.

    `heading` is the title above it. `line` (from 1) is its line in ours, or the line it would
    follow.
    """

    heading: str
    base: str | None
    ours: str | None
    theirs: str | None
    line: int


class Decided(NamedTuple):
    """What becomes of a unit that both sides changed: no text, one, or both in this order."""

    cores: tuple[str, ...]
    conflict: bool = False


Decide = Callable[[MergeUnit | None, MergeUnit | None, MergeUnit | None], Decided]
"""The decision about a unit, by what it is in base, in ours and in theirs; None: not there."""


_Version = dict[int, MergeUnit]
"""The units of a version in their order, by their numbers."""


class _Placed(NamedTuple):
    """A text of the result, with the number and the kind of its unit."""

    number: int
    kind: str
    core: str


class Weaving:
    """One merge. Each unit has a number, which is the same in all versions; those of base count
    from 0.

    The order of the steps matters: what each unit becomes, then which headings must come back,
    since that depends on the texts; then where each unit of theirs is put.
    """

    def __init__(
        self, base: Units, ours: Units, theirs: Units, decide: Decide, names: Sequence[Name] = ()
    ) -> None:
        mine, kept = align(base, ours)
        other, kept_there = align(base, theirs)
        mine = _undoubted(base, ours, mine, theirs)
        other = _undoubted(base, theirs, other, ours)
        self._firm = {mine[place] for place in kept} - {-1}
        self._moved = self._firm - {other[place] for place in kept_there}
        news = _new(ours, mine), _new(theirs, other)
        # Only new units: of a base that both have, the pairs are known, and a guess could undo
        # them.
        twins = [pair for name in (_name, *names) for pair in namesakes(*news, name)]
        mine = _numbered(mine, len(base))
        other = _numbered(other, len(base) + len(mine))
        for left, right in twins:
            other[right] = mine[left]
        self._base = dict(enumerate(base))
        self._ours = dict(zip(mine, ours, strict=True))
        self._theirs = dict(zip(other, theirs, strict=True))
        self._docs = self._base, self._ours, self._theirs
        numbers = dict.fromkeys(number for doc in self._docs for number in doc)
        self._decided = {
            number: _fate(decide, *(doc.get(number) for doc in self._docs)) for number in numbers
        }
        self._each_once()
        self._keep_headings(self._ours, self._ours_wrote)
        self._keep_headings(self._theirs, self._is_hung)
        self._lines: dict[int, int] = {}
        self._order = [*self._ordered()]

    def text(self) -> str:
        """The texts with the blank space between each two neighbours."""
        pieces = [
            _Placed(number, unit.kind, core)
            for number in self._order
            for unit in [self._ours.get(number) or self._theirs[number]]
            for core in self._decided[number].cores
        ]
        gaps = [{pair: doc[pair[1]].gap for pair in pairwise(doc)} for doc in self._docs]
        seams = (self._seam(gaps, *pair) + pair[1].core for pair in pairwise(pieces))
        return "".join(seams)

    def conflicts(self) -> list[MergeConflict]:
        """The conflicts, in the order of ours."""
        found = [number for number, decided in self._decided.items() if decided.conflict]
        return sorted(map(self._conflict, found), key=attrgetter("line"))

    def _conflict(self, number: int) -> MergeConflict:
        versions = [doc.get(number) for doc in self._docs]
        unit = versions[1] or versions[2]
        base, ours, theirs = map(_core, versions)
        line = self._ours[number].line if versions[1] else self._lines[number]
        return MergeConflict(unit.path[-1] if unit and unit.path else "", base, ours, theirs, line)

    # What each unit becomes.

    def _each_once(self) -> None:
        """Drops the second text of a unit if another entry says the same."""
        firsts = (decided.cores[0] for decided in self._decided.values() if decided.cores)
        twice = [(n, decided) for n, decided in self._decided.items() if decided.cores[1:]]
        standing = {*map(_identity, firsts)} if twice else ()
        for number, decided in twice:
            if _identity(decided.cores[1]) in standing:
                self._decided[number] = decided._replace(cores=decided.cores[:1])

    def _keep_headings(self, side: _Version, wrote: Callable[[int], bool]) -> None:
        """Brings back a side's removed headings, if a unit of their section has new text."""
        removed: list[int] = []
        for number, unit in side.items():
            if unit.level:
                removed = [one for one in removed if side[one].level < unit.level]
                removed += [] if self._decided[number].cores else [number]
            if wrote(number):
                self._decided |= {one: Decided((side[one].core,)) for one in removed}
                removed = []

    def _ours_wrote(self, number: int) -> bool:
        is_kept = number in self._firm and number in self._theirs
        return bool(self._decided[number].cores) and not is_kept

    def _is_hung(self, number: int) -> bool:
        """Whether a unit stands in the result where theirs has it, not where ours does."""
        if number not in self._theirs or not self._decided[number].cores:
            return False
        return number in self._moved or number not in self._ours

    # Where each unit stands.

    def _ordered(self) -> Iterator[int]:
        """The units of ours, and each of theirs alone below the one that it follows there. Where
        both sides added, ours comes first within its section.
        """
        stay = [n for n in self._ours if self._decided[n].cores and not self._is_hung(n)]
        below = dict(pairwise(stay))
        hook, line = _START, 1
        for number, unit in self._theirs.items():
            if self._is_hung(number):
                # Text of ours may go before a section of theirs, but a heading of ours may not come
                # between a section's text and its heading.
                while self._goes_first(below[hook], unit):
                    hook = below[hook]
                below[number], below[hook] = below[hook], number
                hook = number
            elif number in self._firm or (number in self._ours and number not in self._base):
                hook, line = number, self._ours[number].line
            self._lines[number] = line
        number = _START
        yield number
        while (number := below.get(number, _START)) != _START:
            yield number

    def _goes_first(self, number: int, unit: MergeUnit) -> bool:
        """Whether a text of ours alone stands above one of theirs that follows the same."""
        is_moved = number in self._base and number not in self._firm
        is_only_ours = number in self._ours and (is_moved or number not in self._theirs)
        return is_only_ours and _depth(unit) <= _depth(self._ours[number])

    def _seam(
        self, gaps: Sequence[dict[tuple[int, int], str]], upper: _Placed, lower: _Placed
    ) -> str:
        """The space between two neighbours: as theirs changed it, else as in ours."""
        pair = upper.number, lower.number
        base, ours, theirs = (doc.get(pair) for doc in gaps)
        known = (theirs, ours) if ours == base else (ours, theirs, base)
        gap = next((gap for gap in known if gap is not None), None)
        return self._new_seam(gaps[1], upper.kind, lower.kind) if gap is None else gap

    @staticmethod
    def _new_seam(ours: dict[tuple[int, int], str], upper: str, lower: str) -> str:
        """The space for two that are neighbours in no version."""
        if upper == "start":
            return "" if lower == "end" else next(iter(ours.values()))
        if lower == "end":
            return next(reversed(ours.values()))
        return "\n" if upper == lower == "item" else "\n\n"


def _numbered(places: Sequence[int], size: int) -> list[int]:
    """The numbers of units: the place in the base, or for a new one a number of its own."""
    return [size + at if place < 0 else place for at, place in enumerate(places)]


def _fate(
    decide: Decide, old: MergeUnit | None, mine: MergeUnit | None, other: MergeUnit | None
) -> Decided:
    was, here, there = map(_core, (old, mine, other))
    if here != was and there not in (here, was):
        return decide(old, mine, other)
    core = there if here == was else here
    return Decided(() if core is None else (core,))


def _core(unit: MergeUnit | None) -> str | None:
    return unit.core if unit else None


def _identity(core: str) -> Hashable:
    """An entry's id and words. Any other text counts by the place where it stands."""
    parts = split(core)
    return (parts.id, parts.visible) if parts.id else object()


def _undoubted(base: Units, side: Units, pairs: Sequence[int], others: Units) -> list[int]:
    """`pairs` without the guesses, made only because two units read alike, at a text that the other
    side has too: if that side paired it otherwise, the text would be written twice.
    """
    there = {unit.key for unit in others}

    def is_doubtful(unit: MergeUnit, i: int) -> bool:
        old = base[i]
        return unit.key in there and unit.key != old.key and not (unit.id and old.id)

    return [
        -1 if i >= 0 and is_doubtful(unit, i) else i for unit, i in zip(side, pairs, strict=True)
    ]


def _new(units: Units, pairs: Sequence[int]) -> Places:
    """A side's new units. The path of a text is the heading above it: one of base by its place
    there, so that both sides call it the same.
    """
    new: Places = {}
    named: dict[tuple[str, ...], tuple[str, ...]] = {(): ()}
    path: tuple[str, ...] = ()
    for place, (unit, partner) in enumerate(zip(units, pairs, strict=True)):
        if unit.level:
            own = (*named.get(unit.path[:-1], ()), *unit.path[-1:])
            path = named[unit.path] = own if partner < 0 else (f"\n{partner}",)
        if partner < 0:
            new[place] = unit._replace(path=path)
    return new


def _name(unit: MergeUnit) -> Hashable:
    # A document has one front matter: both sides' are the same unit, whatever their text.
    return unit.id or unit.kind == "front" or (unit.key, unit.path)


def _words(unit: MergeUnit) -> Hashable:
    return " ".join(unit.visible.split()), unit.kind, unit.path


def _words_of_entry(unit: MergeUnit) -> Hashable:
    """An entry with an id is one fact, whatever heading it stands under."""
    return _words(unit._replace(path=())) if unit.id else None


def _depth(unit: MergeUnit) -> int:
    """How deep a unit stands: text is deeper than any heading, and front matter deeper still."""
    return unit.level or _TEXT + (unit.kind == "front")


ANYWHERE: tuple[Name, ...] = (attrgetter("key"),)
"""New units with the same text are one, whatever heading they stand under."""

IN_WORDS: tuple[Name, ...] = (_words, _words_of_entry)
"""New entries that say the same are one: two machines that note the same fact give it two ids."""
