"""One merge of three documents, cut into units: what each unit becomes, and where it stands.

Ours is the frame; theirs removes units from it, rewords some, and adds new ones. What becomes of a
unit that both sides changed is decided by whoever asks for the merge.
"""

from collections import deque
from collections.abc import Callable, Container, Hashable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from clawgit.domain.markdown.comment import split
from clawgit.domain.merging.align import MergeUnit, Units, align, in_order
from clawgit.domain.merging.seam import MergedText, seam

_TEXT = 7
"""The depth of text: one more than the deepest heading has."""


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


_BOTH = 2

Decide = Callable[[MergeUnit | None, MergeUnit | None, MergeUnit | None], Decided]
"""The decision about a unit, by what it is in base, in ours and in theirs; None: not there."""


Naming = Callable[[MergeUnit, Hashable], Hashable]
"""What a new unit is known by, with the name of the heading above it."""


class _Fact(NamedTuple):
    """One unit in up to three documents, by its place in each (-1: not there), and its result."""

    base: int
    ours: int
    theirs: int
    cores: tuple[str, ...]
    """Its texts in the result: none, one, or two if both sides are kept."""
    conflict: bool = False


class Weaving:
    """One merge. The order of the steps matters: what each unit becomes (`_facts`), then which
    headings must come back, since that depends on the texts; then where each unit of theirs is put.
    """

    def __init__(
        self,
        base: Units,
        ours: Units,
        theirs: Units,
        decide: Decide,
        namings: Sequence[Naming] = (),
    ) -> None:
        self._docs = ours, theirs, base
        self._ours, self._theirs, self._base = (doc.units for doc in self._docs)
        self._decide = decide
        self._namings = namings
        mine = align(self._base, self._ours)
        other = align(self._base, self._theirs)
        here = _guesses(self._base, self._ours, mine)
        there = _guesses(self._base, self._theirs, other)
        self._from_ours = _doubted(self._base, self._ours, mine, there)
        self._from_theirs = _doubted(self._base, self._theirs, other, here)
        self._firm_ours = in_order(self._from_ours, self._ours)
        self._firm_theirs = in_order(self._from_theirs, self._theirs)
        self._facts = _each_once(self._all_facts())
        self._by_ours = {fact.ours: fact for fact in self._facts if fact.ours >= 0}
        self._by_theirs = {fact.theirs: fact for fact in self._facts if fact.theirs >= 0}
        self._keep_headings()
        self._runs, self._hooks = self._hung()

    def text(self) -> str:
        pieces = list(self._pieces())
        seams = [seam(self._docs, upper, lower) for upper, lower in pairwise(pieces)]
        return "".join(piece.core + gap for piece, gap in zip(pieces, [*seams, ""], strict=True))

    def conflicts(self) -> Iterator[MergeConflict]:
        """The conflicts, in the order of ours."""
        conflicts = [(self._place(fact), fact) for fact in self._facts if fact.conflict]
        for place, fact in sorted(conflicts):
            unit = self._ours[fact.ours] if fact.ours >= 0 else self._theirs[fact.theirs]
            yield MergeConflict(
                unit.path[-1] if unit.path else "",
                _core(self._base, fact.base),
                _core(self._ours, fact.ours),
                _core(self._theirs, fact.theirs),
                self._ours[place].line,
            )

    def _place(self, fact: _Fact) -> int:
        return fact.ours if fact.ours >= 0 else self._hooks[fact.theirs]

    # What each unit becomes.

    def _all_facts(self) -> list[_Fact]:
        """The units of base, then what ours added, then what only theirs added."""
        to_ours = _inverted(self._from_ours)
        to_theirs = _inverted(self._from_theirs)
        facts = [
            self._fact(i, to_ours.get(i, -1), to_theirs.get(i, -1)) for i in range(len(self._base))
        ]
        ours = _added(self._ours, self._from_ours)
        theirs = _added(self._theirs, self._from_theirs)
        twins = _twins(ours, theirs)
        for naming in self._namings:
            left = {*ours} - {*twins}, {*theirs} - {*twins.values()}
            twins |= self._more_twins(*left, naming)
        facts += [self._fact(-1, place, twins.get(place, -1)) for place in ours]
        theirs_alone = sorted({*theirs} - {*twins.values()})
        return facts + [self._fact(-1, -1, place) for place in theirs_alone]

    def _more_twins(
        self, ours: Container[int], theirs: Container[int], naming: Naming
    ) -> dict[int, int]:
        """The twins among the other new units, by another naming."""
        mine = _added(self._ours, self._from_ours, naming)
        other = _added(self._theirs, self._from_theirs, naming)
        return _twins(
            {place: name for place, name in mine.items() if place in ours},
            {place: name for place, name in other.items() if place in theirs},
        )

    def _fact(self, base: int, ours: int, theirs: int) -> _Fact:
        old = _core(self._base, base)
        mine = _core(self._ours, ours)
        other = _core(self._theirs, theirs)
        if mine == old:
            return self._settled(base, ours, theirs, other)
        if other in (mine, old):
            return self._settled(base, ours, theirs, mine)
        units = (self._base, base), (self._ours, ours), (self._theirs, theirs)
        decided = self._decide(*(doc[at] if at >= 0 else None for doc, at in units))
        return _Fact(base, ours, theirs, *decided)

    def _settled(self, base: int, ours: int, theirs: int, core: str | None) -> _Fact:
        return _Fact(base, ours, theirs, () if core is None else (core,))

    def _keep_headings(self) -> None:
        """Brings back each removed heading under which the other side wrote something."""
        _keep_headings(self._ours, self._by_ours, self._ours_wrote)
        _keep_headings(self._theirs, self._by_theirs, self._is_hung)

    def _ours_wrote(self, place: int) -> bool:
        fact = self._by_ours[place]
        moved = place not in self._firm_ours
        return bool(fact.cores) and (moved or fact.theirs < 0)

    def _is_hung(self, place: int) -> bool:
        """Whether a unit stands in the result where theirs has it, not where ours does."""
        fact = self._by_theirs[place]
        if not fact.cores:
            return False
        moved = fact.base >= 0 and place not in self._firm_theirs and fact.ours in self._firm_ours
        return fact.ours < 0 or moved

    # Where each unit stands.

    def _hung(self) -> tuple[dict[int, list[list[int]]], list[int]]:
        """Runs of units of theirs by the unit of ours that they follow; and that unit for each.

        A run is cut at its headings, so that units of ours can come between its sections.
        """
        runs: dict[int, list[list[int]]] = {}
        hooks: list[int] = []
        hook = 0
        for place, unit in enumerate(self._theirs):
            if self._is_hung(place):
                run = runs.setdefault(hook, [])
                if not run or unit.kind == "heading":
                    run.append([])
                run[-1].append(place)
            else:
                hook = self._new_hook(place, hook)
            hooks.append(hook)
        return runs, hooks

    def _new_hook(self, place: int, hook: int) -> int:
        fact = self._by_theirs[place]
        firm = fact.ours in self._firm_ours or fact.base < 0
        return fact.ours if fact.ours >= 0 and firm else hook

    def _pieces(self) -> Iterator[MergedText]:
        """The result in order. Where both sides added, ours comes first within its section."""
        waiting: deque[list[int]] = deque()
        for place, unit in enumerate(self._ours):
            fact = self._by_ours[place]
            if not fact.cores or (fact.theirs >= 0 and self._is_hung(fact.theirs)):
                continue
            is_only_ours = fact.theirs < 0 or (fact.base >= 0 and place not in self._firm_ours)
            while waiting:
                # Text of ours may go before a section that waits, but a heading of ours may not
                # come between a section's text and its heading.
                goes_first = _rank(self._theirs[waiting[0][0]]) <= _rank(unit)
                if is_only_ours and goes_first:
                    break
                yield from self._from_run(waiting.popleft())
            yield from self._texts(fact, unit)
            waiting.extend(self._runs.get(place, ()))

    def _from_run(self, run: list[int]) -> Iterator[MergedText]:
        for place in run:
            yield from self._texts(self._by_theirs[place], self._theirs[place])

    def _texts(self, fact: _Fact, unit: MergeUnit) -> Iterator[MergedText]:
        if len(fact.cores) == 1:
            yield MergedText(fact.cores[0], unit.kind, (fact.ours, fact.theirs, fact.base))
            return
        yield MergedText(fact.cores[0], unit.kind, (fact.ours, -1, fact.base))
        yield MergedText(fact.cores[1], unit.kind, (-1, fact.theirs, -1))


def _keep_headings(
    units: Sequence[MergeUnit], facts: dict[int, _Fact], has_new_text: Callable[[int], bool]
) -> None:
    """Brings back one side's removed headings, if a unit of their section has new text."""
    for place, unit in enumerate(units):
        fact = facts[place]
        if unit.kind != "heading" or fact.cores:
            continue
        if any(has_new_text(below) for below in _section(units, place)):
            facts[place] = fact._replace(cores=(unit.core,))


def _each_once(facts: list[_Fact]) -> list[_Fact]:
    """The facts without the second text of a unit if another entry says the same."""
    if all(len(fact.cores) < _BOTH for fact in facts):
        return facts
    standing = {_identity(fact.cores[0]) for fact in facts if fact.cores}
    return [
        fact._replace(cores=fact.cores[:1])
        if len(fact.cores) == _BOTH and _identity(fact.cores[1]) in standing
        else fact
        for fact in facts
    ]


def _identity(core: str) -> Hashable:
    """An entry's id and words. Any other text counts by the place where it stands."""
    parts = split(core)
    return (parts.id, parts.visible) if parts.id else object()


def _inverted(partners: Sequence[int]) -> dict[int, int]:
    """Place in base → place in the side, without the side's new units."""
    return {i: j for j, i in enumerate(partners) if i >= 0}


def _core(units: Sequence[MergeUnit], place: int) -> str | None:
    return units[place].core if place >= 0 else None


def _twins(ours: dict[int, Hashable], theirs: dict[int, Hashable]) -> dict[int, int]:
    """What both sides added: place in ours → place in theirs. Equal units are paired in order."""
    waiting: dict[Hashable, deque[int]] = {}
    for place, name in theirs.items():
        waiting.setdefault(name, deque()).append(place)
    queues = ((place, waiting.get(name)) for place, name in ours.items())
    return {place: queue.popleft() for place, queue in queues if queue}


def _guesses(
    base: Sequence[MergeUnit], side: Sequence[MergeUnit], pairs: Sequence[int]
) -> dict[Hashable, set[int]]:
    """The texts that base does not have, with the units of base they were paired with, or -1."""
    guesses: dict[Hashable, set[int]] = {}
    for unit, i in zip(side, pairs, strict=True):
        if i < 0 or _is_guess(base[i], unit):
            guesses.setdefault(unit.key, set()).add(i)
    return guesses


def _is_guess(old: MergeUnit, new: MergeUnit) -> bool:
    """Whether two units were paired only because they read alike."""
    return new.key != old.key and not (new.id and old.id)


def _doubted(
    base: Sequence[MergeUnit],
    side: Sequence[MergeUnit],
    pairs: Sequence[int],
    others: dict[Hashable, set[int]],
) -> list[int]:
    """`pairs` without the guesses that the other side contradicts.

    If the other side has the same text, but as a new unit or paired with another unit of base, one
    of the two guesses is wrong. To follow both would write the text twice.
    """
    return [
        -1 if i >= 0 and _is_guess(base[i], unit) and i not in others.get(unit.key, {i}) else i
        for unit, i in zip(side, pairs, strict=True)
    ]


def _added(
    units: Sequence[MergeUnit], pairs: Sequence[int], name_of: Naming | None = None
) -> dict[int, Hashable]:
    """The names of a side's new units: an id, else the text and the heading above it."""
    added: dict[int, Hashable] = {}
    # The headings above the unit, each with its level and its name. Text has no level.
    above: list[tuple[int, Hashable]] = [(0, None)]
    for place, (unit, partner) in enumerate(zip(units, pairs, strict=True)):
        if unit.level:
            _leave_sections(above, unit.level)
        _, heading = above[-1]
        # A heading of base goes by its place there, so that both sides call it the same.
        name: Hashable = partner
        if partner < 0:
            name = (name_of or _name)(unit, heading)
            added[place] = name
        if unit.level:
            above.append((unit.level, name))
    return added


def _leave_sections(above: list[tuple[int, Hashable]], level: int) -> None:
    """Drops the headings whose sections end where a heading of this level begins."""
    while above[-1][0] >= level:
        above.pop()


def _text(unit: MergeUnit, _: Hashable) -> Hashable:
    return unit.key


def _words(unit: MergeUnit, heading: Hashable) -> Hashable:
    return " ".join(unit.visible.split()), unit.kind, heading


def _words_of_entry(unit: MergeUnit, _: Hashable) -> Hashable:
    """An entry with an id is one fact, whatever heading it stands under."""
    return _words(unit, None) if unit.id else object()


def _name(unit: MergeUnit, heading: Hashable) -> Hashable:
    if unit.id:
        return unit.id
    if unit.kind == "front":
        # A document has one front matter: both sides' are the same unit, whatever their text.
        return True
    return unit.key, heading


def _section(units: Sequence[MergeUnit], place: int) -> Iterator[int]:
    for below in range(place + 1, len(units)):
        if 0 < units[below].level <= units[place].level:
            return
        yield below


def _rank(unit: MergeUnit) -> int:
    """How deep a unit stands: text is deeper than any heading, and front matter deeper still."""
    return {"heading": unit.level, "front": _TEXT + 1}.get(unit.kind, _TEXT)


ANYWHERE: tuple[Naming, ...] = (_text,)
"""New units with the same text are one, whatever heading they stand under."""

IN_WORDS: tuple[Naming, ...] = (_words, _words_of_entry)
"""New entries that say the same are one: two machines that note the same fact give it two ids."""
