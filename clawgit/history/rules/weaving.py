"""One merge of three documents, cut into units: what each unit becomes, and where it stands.

Ours is the frame; theirs removes units from it, rewords some, and adds new ones. What becomes of a
unit that both sides changed is decided by whoever asks for the merge.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from clawgit.core.markdown.comment import split
from clawgit.core.markdown.scan import scan
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


class _Version(NamedTuple):
    """The units of a version by their numbers, and the space between two neighbours."""

    units: dict[int, MergeUnit]
    gaps: dict[tuple[int, int], str]

    @classmethod
    def of(cls, cut: Units, numbers: Sequence[int]) -> "_Version":
        return cls(
            dict(zip(numbers, cut.units, strict=True)),
            dict(zip(pairwise(numbers), cut.gaps, strict=True)),
        )


_Docs = tuple[_Version, _Version, _Version]
"""Ours, theirs and base."""


class _MergedText(NamedTuple):
    """A text of the result, with the number of its unit."""

    core: str
    kind: str
    number: int


class Weaving:
    """One merge. Each unit has a number, which is the same in all versions; those of base count
    from 0.

    The order of the steps matters: what each unit becomes, then which headings must come back,
    since that depends on the texts; then where each unit of theirs is put.
    """

    def __init__(
        self,
        base: Units,
        ours: Units,
        theirs: Units,
        decide: Decide,
        names: Sequence[Name] = (),
    ) -> None:
        mine, kept = align(base.units, ours.units)
        other, kept_there = align(base.units, theirs.units)
        mine = _undoubted(base.units, ours.units, mine, theirs.units)
        other = _undoubted(base.units, theirs.units, other, ours.units)
        self._firm = {mine[place] for place in kept} - {-1}
        self._moved = self._firm - {other[place] for place in kept_there}
        news = _new(ours.units, mine), _new(theirs.units, other)
        twins = [pair for name in (_name, *names) for pair in namesakes(*news, name)]
        size = len(base.units)
        mine = [size + place if i < 0 else i for place, i in enumerate(mine)]
        size += len(mine)
        other = [size + place if i < 0 else i for place, i in enumerate(other)]
        for left, right in twins:
            other[right] = mine[left]
        self._base = _Version.of(base, range(len(base.units)))
        self._ours, self._theirs = _Version.of(ours, mine), _Version.of(theirs, other)
        self._decided = self._all_decided(decide)
        self._each_once()
        self._keep_headings(self._ours, self._ours_wrote)
        self._keep_headings(self._theirs, self._is_hung)
        self._runs, self._hooks = self._hung()

    def text(self) -> str:
        return _spaced([*self._pieces()], (self._ours, self._theirs, self._base))

    def conflicts(self) -> list[MergeConflict]:
        """The conflicts, in the order of ours."""
        found = [number for number, decided in self._decided.items() if decided.conflict]
        return sorted(map(self._conflict, found), key=attrgetter("line"))

    def _conflict(self, number: int) -> MergeConflict:
        versions = [doc.units.get(number) for doc in (self._base, self._ours, self._theirs)]
        unit = versions[1] or versions[2]
        base, ours, theirs = map(_core, versions)
        line = self._ours.units[self._hooks.get(number, number)].line
        heading = unit.path[-1] if unit and unit.path else ""
        return MergeConflict(heading, base, ours, theirs, line)

    # What each unit becomes.

    def _all_decided(self, decide: Decide) -> dict[int, Decided]:
        """The units of base, then what ours added, then what only theirs added."""
        docs = self._base, self._ours, self._theirs
        numbers = dict.fromkeys(number for doc in docs for number in doc.units)
        return {
            number: _fate(decide, *(doc.units.get(number) for doc in docs)) for number in numbers
        }

    def _each_once(self) -> None:
        """Drops the second text of a unit if another entry says the same."""
        twice = [(n, decided) for n, decided in self._decided.items() if decided.cores[1:]]
        if twice:
            texts = (decided.cores[0] for decided in self._decided.values() if decided.cores)
            standing = {*map(_identity, texts)}
            for number, decided in twice:
                if _identity(decided.cores[1]) in standing:
                    self._decided[number] = decided._replace(cores=decided.cores[:1])

    def _keep_headings(self, side: _Version, wrote: Callable[[int], bool]) -> None:
        """Brings back a side's removed headings, if a unit of their section has new text."""
        removed: list[int] = []
        for number, unit in side.units.items():
            if unit.level:
                removed = [one for one in removed if side.units[one].level < unit.level]
                removed += [] if self._decided[number].cores else [number]
            if wrote(number):
                self._decided |= {one: Decided((side.units[one].core,)) for one in removed}
                removed = []

    def _ours_wrote(self, number: int) -> bool:
        is_kept = number in self._firm and number in self._theirs.units
        return bool(self._decided[number].cores) and not is_kept

    def _is_hung(self, number: int) -> bool:
        """Whether a unit stands in the result where theirs has it, not where ours does."""
        if number not in self._theirs.units or not self._decided[number].cores:
            return False
        return number in self._moved or number not in self._ours.units

    # Where each unit stands.

    def _hung(self) -> tuple[dict[int, list[list[int]]], dict[int, int]]:
        """Runs of units of theirs by the unit of ours that they follow; and that unit for each that
        ours does not have.

        A run is cut at its headings, so that units of ours can come between its sections.
        """
        runs: defaultdict[int, list[list[int]]] = defaultdict(list)
        hooks: dict[int, int] = {}
        hook = _START
        for number, unit in self._theirs.units.items():
            if number not in self._ours.units:
                hooks[number] = hook
            if self._is_hung(number):
                if hook not in runs or unit.level:
                    runs[hook].append([])
                runs[hook][-1].append(number)
            elif number in self._firm or (
                number in self._ours.units and number not in self._base.units
            ):
                hook = number
        return runs, hooks

    def _pieces(self) -> Iterator[_MergedText]:
        """The result in order. Where both sides added, ours comes first within its section."""
        waiting: deque[list[int]] = deque()
        for number, unit in self._ours.units.items():
            if self._is_hung(number) or not self._decided[number].cores:
                continue
            is_moved = number in self._base.units and number not in self._firm
            is_only_ours = is_moved or number not in self._theirs.units
            # Text of ours may go before a section that waits, but a heading of ours may not come
            # between a section's text and its heading.
            while waiting and not (
                is_only_ours and _depth(self._theirs.units[waiting[0][0]]) <= _depth(unit)
            ):
                for one in waiting.popleft():
                    yield from self._texts(one, self._theirs.units[one])
            yield from self._texts(number, unit)
            waiting.extend(self._runs.get(number, ()))

    def _texts(self, number: int, unit: MergeUnit) -> Iterator[_MergedText]:
        return (_MergedText(core, unit.kind, number) for core in self._decided[number].cores)


def _spaced(pieces: Iterable[_MergedText], docs: _Docs) -> str:
    """The texts with the blank space between each two neighbours."""
    return "".join(upper.core + _seam(docs, upper, lower) for upper, lower in pairwise(pieces))


def _seam(docs: _Docs, upper: _MergedText, lower: _MergedText) -> str:
    """The space between two neighbours, which never run together."""
    pair = upper.number, lower.number
    gap = _known_seam(*(doc.gaps.get(pair) for doc in docs))
    if gap is None:
        gap = _new_seam(docs, upper, lower)
    settled = "" in (upper.core, lower.core) or gap.count("\n") > 1
    return gap if settled or _stay_apart(docs, upper, lower) else gap + "\n"


def _stay_apart(docs: _Docs, upper: _MergedText, lower: _MergedText) -> bool:
    """Whether two texts need no blank line between: two paragraphs, say, would become one."""
    pair, cores = (upper.number, lower.number), [upper.core, lower.core]
    # If a document has them so, they belong together.
    if any(pair in doc.gaps and [doc.units[n].core for n in pair] == cores for doc in docs):
        return True
    return cores == [block.text.rstrip("\r\n") for block in scan("\n".join(cores))]


def _known_seam(ours: str | None, theirs: str | None, base: str | None) -> str | None:
    """The space where the two are neighbours: as theirs changed it, else as in ours."""
    order = (theirs, ours) if ours == base else (ours, theirs, base)
    return next((gap for gap in order if gap is not None), None)


def _new_seam(docs: _Docs, upper: _MergedText, lower: _MergedText) -> str:
    """The space for two that are neighbours in no document."""
    if upper.kind == "start":
        return "" if lower.kind == "end" else next(iter(docs[0].gaps.values()))
    if lower.kind == "end":
        return next(reversed(docs[0].gaps.values()))
    return "\n" if upper.kind == lower.kind == "item" else "\n\n"


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


def _undoubted(
    base: Sequence[MergeUnit],
    side: Sequence[MergeUnit],
    pairs: Sequence[int],
    others: Sequence[MergeUnit],
) -> list[int]:
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


def _new(units: Sequence[MergeUnit], pairs: Sequence[int]) -> Places:
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
