"""One merge of three documents, cut into units: what each unit becomes, and where it stands.

Ours is the frame; theirs removes units from it, rewords some, and adds new ones. What becomes of a
unit that both sides changed is decided by whoever asks for the merge. A unit has the same number in
each version; those of base count from 0.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, pairwise, takewhile
from operator import attrgetter

from clawgit.core import NamedTuple
from clawgit.core.markdown.comment import split
from clawgit.history.rules.align import (
    MaybeUnit,
    MergeUnit,
    Name,
    Places,
    Units,
    align,
    in_section,
    namesakes,
)

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


Decide = Callable[[MaybeUnit, MaybeUnit, MaybeUnit], Decided]
"""The decision about a unit, by what it is in base, in ours and in theirs; None: not there."""

Doc = dict[int, MergeUnit]
"""The units of a version in their order, by their numbers."""

Texts = dict[int, tuple[str, ...]]
"""What each unit becomes, by its number."""


class Docs(NamedTuple):
    """The three versions. `firm` kept their order in ours; `moved` kept it there only."""

    base: Doc
    ours: Doc
    theirs: Doc
    firm: AbstractSet[int]
    moved: AbstractSet[int]

    def versions(self, number: int) -> list[MaybeUnit]:
        return [doc.get(number) for doc in self[:3]]

    def is_hung(self, number: int, texts: Texts) -> bool:
        """Whether a unit stands in the result where theirs has it, not where ours does."""
        is_alone = number in self.moved or number not in self.ours
        return is_alone and number in self.theirs and bool(texts[number])


def weave(
    base: Units, ours: Units, theirs: Units, decide: Decide, names: Sequence[Name] = ()
) -> tuple[str, list[MergeConflict]]:
    """The merged text, and the conflicts in the order of ours.

    The order of the steps matters: what each unit becomes, then which headings must come back,
    since that depends on the texts; then where each unit of theirs is put.
    """
    docs = _numbered(base, ours, theirs, names)
    decided = {number: _fate(decide, *docs.versions(number)) for number in chain(*docs[:3])}
    texts = _each_once({number: one.cores for number, one in decided.items()})

    def is_ours(number: int) -> bool:
        return bool(texts[number]) and not (number in docs.firm and number in docs.theirs)

    _keep_headings(docs.ours, texts, is_ours)
    _keep_headings(docs.theirs, texts, lambda number: docs.is_hung(number, texts))
    conflicts = [_conflict(docs, number) for number, one in decided.items() if one.conflict]
    return _text(docs, _ordered(docs, texts), texts), sorted(conflicts, key=attrgetter("line"))


def _numbered(base: Units, ours: Units, theirs: Units, names: Sequence[Name]) -> Docs:
    mine, kept = align(base, ours, theirs)
    other, kept_there = align(base, theirs, ours)
    firm = {mine[place] for place in kept} - {-1}
    moved = firm - {other[place] for place in kept_there}
    # Only new units: of a base that both have, the pairs are known, and a guess could undo them.
    new, new_there = _new(ours, mine), _new(theirs, other)
    for at, left in enumerate(mine):
        mine[at] = left if left >= 0 else len(base) + at
    for name in (_name, *names):
        for left, right in namesakes(new, new_there, name):
            other[right] = mine[left]
    for at, right in enumerate(other):
        other[at] = right if right >= 0 else len(base) + len(mine) + at
    sides = (dict(zip(mine, ours, strict=True)), dict(zip(other, theirs, strict=True)))
    return Docs(dict(enumerate(base)), *sides, firm, moved)


def _new(units: Units, partners: Sequence[int]) -> Places:
    """A side's new units. The heading above one is called by its place in base, so that both sides
    call it the same though one has renamed it.
    """
    new: Places = {}
    above: tuple[str, ...] = ()
    for at, (unit, partner) in enumerate(zip(units, partners, strict=True)):
        if unit.level:
            above = unit.path[-1:] if partner < 0 else (f"\n{partner}",)
        if partner < 0:
            new[at] = unit._replace(path=above)
    return new


# What each unit becomes.


def _fate(decide: Decide, old: MaybeUnit, mine: MaybeUnit, other: MaybeUnit) -> Decided:
    was, here, there = map(_core, (old, mine, other))
    if here != was and there not in (here, was):
        return decide(old, mine, other)
    core = there if here == was else here
    return Decided(() if core is None else (core,))


def _core(unit: MaybeUnit) -> str | None:
    return unit.core if unit else None


def _conflict(docs: Docs, number: int) -> MergeConflict:
    versions = docs.versions(number)
    path = next(unit.path for unit in versions[1:] if unit)
    above = takewhile(lambda one: one != number, docs.theirs)
    near = number if versions[1] else [one for one in above if one in docs.ours][-1]
    base, ours, theirs = map(_core, versions)
    return MergeConflict("".join(path[-1:]), base, ours, theirs, docs.ours[near].line)


def _each_once(texts: Texts) -> Texts:
    """The texts without the second one of a unit, if another entry says the same."""
    standing = {_identity(cores[0]) for cores in texts.values() if cores}
    return {
        number: cores[:1] if cores[1:] and _identity(cores[1]) in standing else cores
        for number, cores in texts.items()
    }


def _identity(core: str) -> Hashable:
    """An entry's id and words. Any other text counts by the place where it stands."""
    parts = split(core)
    return (parts.id, parts.visible) if parts.id else object()


def _keep_headings(side: Doc, texts: Texts, wrote: Callable[[int], bool]) -> None:
    """Brings back a side's removed headings, if a unit of their section has new text."""
    removed: list[int] = []
    for number, unit in side.items():
        if unit.level:
            removed = [one for one in removed if side[one].level < unit.level]
            removed += [] if texts[number] else [number]
        if wrote(number):
            texts |= {one: (side[one].core,) for one in removed}
            removed = []


# Where each unit stands.


def _ordered(docs: Docs, texts: Texts) -> Iterator[int]:
    """The units of ours, and each of theirs alone below the one that it follows there. Where both
    sides added, ours comes first within its section.
    """
    hung = {number for number in docs.theirs if docs.is_hung(number, texts)}
    stay = [number for number in docs.ours if texts[number] and number not in hung]
    hooks = docs.firm | (docs.ours.keys() - docs.base.keys())
    places = {number: place for place, number in enumerate(stay, 1) if number in hooks}
    added: defaultdict[int, list[int]] = defaultdict(list)
    at = 1
    for number, unit in docs.theirs.items():
        at = places.get(number, at)
        if number in hung:
            # Text of ours may go before a section of theirs, but a heading of ours may not come
            # between a section's text and its heading.
            while _goes_first(docs, stay[at], unit):
                at += 1
            added[at].append(number)
    for place, own in enumerate(stay):
        yield from (*added[place], own)


def _goes_first(docs: Docs, number: int, unit: MergeUnit) -> bool:
    """Whether a text of ours alone stands above one of theirs that follows the same."""
    is_moved = number in docs.base and number not in docs.firm
    is_only_ours = is_moved or number not in docs.theirs
    return is_only_ours and _depth(unit) <= _depth(docs.ours[number])


def _depth(unit: MergeUnit) -> int:
    """How deep a unit stands: text is deeper than any heading, and front matter deeper still."""
    return unit.level or _TEXT + (unit.kind == "front")


def _text(docs: Docs, order: Iterable[int], texts: Texts) -> str:
    """The texts with the blank space between each two neighbours."""
    pieces = [(number, core) for number in order for core in texts[number]]
    gaps = [{pair: doc[pair[1]].gap for pair in pairwise(doc)} for doc in docs[:3]]
    units = docs.theirs | docs.ours
    seams = (
        _seam(gaps, upper, lower, {units[upper].kind, units[lower].kind}) + core
        for (upper, _), (lower, core) in pairwise(pieces)
    )
    return "".join(seams)


def _seam(
    gaps: Sequence[Mapping[tuple[int, int], str]], upper: int, lower: int, kinds: set[str]
) -> str:
    """The space between two neighbours: as theirs changed it, else as in ours."""
    base, ours, theirs = (known.get((upper, lower)) for known in gaps)
    known = (theirs, ours) if ours == base else (ours, theirs, base)
    gap = next((gap for gap in known if gap is not None), None)
    return _new_seam([*gaps[1].values()], kinds) if gap is None else gap


def _new_seam(ours: Sequence[str], kinds: set[str]) -> str:
    """The space for two that are neighbours in no version."""
    if "start" in kinds:
        return "" if "end" in kinds else ours[0]
    if "end" in kinds:
        return ours[-1]
    return "\n" if kinds == {"item"} else "\n\n"


def _name(unit: MergeUnit) -> Hashable:
    # A document has one front matter: both sides' are the same unit, whatever their text.
    return unit.id or unit.kind == "front" or in_section(unit)


def _words(unit: MergeUnit) -> Hashable:
    return " ".join(unit.visible.split()), unit.kind, unit.path[-1:]


def _words_of_entry(unit: MergeUnit) -> Hashable:
    """An entry with an id is one fact, whatever heading it stands under."""
    return _words(unit._replace(path=())) if unit.id else None


IN_WORDS: tuple[Name, ...] = (_words, _words_of_entry)
"""New entries that say the same are one: two machines that note the same fact give it two ids."""

ANYWHERE: tuple[Name, ...] = (attrgetter("key"), *IN_WORDS)
"""New units with the same text are one too, whatever heading they stand under."""
