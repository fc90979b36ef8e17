"""Files in which nothing is decided silently: what both sides changed stays a conflict, marked.

The soul is merged section by section: what two sides changed in two sections stands side by side.
"""

from collections import Counter
from functools import partial

from clawgit.domain.markdown.scan import Block, lines_of
from clawgit.domain.merging.align import MergeUnit, Units
from clawgit.domain.merging.cutting import SECTION, cut_into_sections
from clawgit.domain.merging.merge import Merged, usual, woven
from clawgit.domain.merging.weaving import Decided, MergeConflict

OURS, THEIRS = "ours", "theirs"
"""What the sides are called beside git's marks."""

_FIRST, _MIDDLE, _LAST = "<" * 7, "=" * 7, ">" * 7

_LOWEST = 6
"""The level of the lowest heading: each heading ends the section above it."""


def merged_lines(base: str, first: str, second: str, *, swapped: bool) -> Merged:
    """Any such file but the soul. `swapped`: ours stands in the place of theirs."""
    return woven(base, first, second, partial(_unit, swapped))


def merged_soul(base: str, first: str, second: str, *, swapped: bool) -> Merged:
    """The soul: section by section, and the units of a section one by one."""
    merged = woven(base, first, second, partial(_section, swapped), cut=cut_by_headings)
    if merged.conflicts or not _rewrote_sections(base, first, second):
        return merged
    sides = (second, first) if swapped else (first, second)
    return Merged(f"{_beside(*sides)}\n", (MergeConflict("", base, *sides, 1),))


def _rewrote_sections(base: str, first: str, second: str) -> bool:
    """Whether both took the same section out, and each wrote something of its own."""
    was, here, there = (
        {unit.id for unit in cut_by_headings(text).units} for text in (base, first, second)
    )
    return bool(was - here - there) and _replaced_differently(base, first, second)


def cut_by_headings(text: str) -> Units:
    """The sections of a text, each known by the headings above it."""
    return cut_into_sections(text, _name, _LOWEST)


def _name(block: Block) -> str:
    return "\0".join(block.path) + "\0" if block.level else ""


def _unit(
    swapped: bool,
    old: MergeUnit | None,
    mine: MergeUnit | None,
    other: MergeUnit | None,
) -> Decided:
    decided = usual(old, mine, other, keep_both=False)
    return _marked(swapped, mine, other) if decided.conflict else decided


def _section(
    swapped: bool,
    old: MergeUnit | None,
    mine: MergeUnit | None,
    other: MergeUnit | None,
) -> Decided:
    if mine is None or other is None:
        return _marked(swapped, mine, other)
    if SECTION not in (mine.kind, other.kind):
        return _unit(swapped, old, mine, other)
    base = old.core if old else ""
    inner = merged_lines(base, mine.core, other.core, swapped=swapped)
    if inner.conflicts:
        return Decided((inner.text,), conflict=True)
    if _replaced_differently(base, mine.core, other.core):
        return _marked(swapped, mine, other)
    return Decided((inner.text,))


def _replaced_differently(base: str, mine: str, other: str) -> bool:
    """Whether both took the same line out, and each wrote something of its own."""
    was, here, there = (Counter(map(str.strip, lines_of(text))) for text in (base, mine, other))
    both_took = (was - here) & (was - there)
    return bool(both_took and here - was - there and there - was - here)


def _marked(swapped: bool, mine: MergeUnit | None, other: MergeUnit | None) -> Decided:
    ours, theirs = (other, mine) if swapped else (mine, other)
    return Decided((_beside(*(f"{unit.core}\n" if unit else "" for unit in (ours, theirs))),), True)


def _beside(ours: str, theirs: str) -> str:
    """Both sides whole, between git's marks."""
    return f"{_FIRST} {OURS}\n{ours}{_MIDDLE}\n{theirs}{_LAST} {THEIRS}"
