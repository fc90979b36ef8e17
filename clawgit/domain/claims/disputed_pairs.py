"""Conflicts that a merge left: two texts of one entry, an entry that one side removed and the other
reworded, and two decisions that contradict each other.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, time
from typing import NamedTuple

from clawgit.domain.claims.conflicts import FLAGGED, NOTHING, Conflict, ConflictSide, conflicts
from clawgit.domain.claims.settling import restored, with_raws, words_before
from clawgit.domain.markdown.entry import (
    Entry,
    content_key,
    entries,
    entry_of,
    id_from,
    with_meta,
)
from clawgit.domain.markdown.scan import Block
from clawgit.domain.markdown.statuses import DISPUTED
from clawgit.domain.merging.align import MergeUnit, align, cut
from clawgit.domain.merging.memory import merges_by_entries

BOTH_CHANGED = "both sides of a merge changed it, 100 % sure"
BOTH_REWORDED = "both sides of a merge reworded it, 100 % sure"
ONE_REMOVED = "one side of a merge removed it, the other reworded it, 100 % sure"
OF_MERGES = (BOTH_CHANGED, ONE_REMOVED)
"""The rules by which a merge finds a conflict: its sides are marked until it is settled."""

DECIDED_TWICE = f"{FLAGGED}: two machines decided it differently; the operator decides"
_OUTCOME = f"{FLAGGED}: the operator decides"

Texts = Mapping[str, str]
"""The texts of files by path."""


class Sides(NamedTuple):
    """What a merge joined, and what stands now."""

    base: Texts
    ours: Texts
    theirs: Texts
    now: Texts


_Placed = tuple[str, Entry]


def unknown(found: Iterable[Conflict], known: Iterable[Conflict]) -> list[Conflict]:
    """The conflicts that are not known yet, in the order of their ids.

    Everything in them follows from the entries, so that every machine writes the same section.
    """
    known = tuple(known)
    pairs = {conflict.pair for conflict in known}
    new = {conflict.id: conflict for conflict in found if conflict.pair not in pairs}
    return [new[ident] for ident in sorted(new.keys() - {conflict.id for conflict in known})]


def kept_though_removed(sides: Sides) -> list[Conflict]:
    """A conflict for each entry that one side of a merge removed and the other reworded."""
    was, here, there = map(_words_by_id, (sides.base, sides.ours, sides.theirs))
    return [
        _against_removal(path, entry)
        for path, text in sides.now.items()
        for entry in _disputed(text)
        if _is_reworded(entry.key, was, here, there)
    ]


def _words_by_id(files: Texts) -> dict[str, str]:
    return {
        entry.key: _words(entry) for text in files.values() for entry in entries(text) if entry.meta
    }


def _is_reworded(key: str, was: Texts, here: Texts, there: Texts) -> bool:
    """Whether one of two sides has an entry of base with other words, and the other has it not."""
    if key not in was or (key in here) == (key in there):
        return False
    return was[key] != (here.get(key) or there.get(key))


def reworded_twice(sides: Sides) -> Iterator[Conflict]:
    """A conflict for each entry without an id that both sides of a merge reworded, so that both
    texts are there now.

    The merge marks neither, since only likeness or a label says that the two were one entry; the
    operator may know better.
    """
    shared = sides.base.keys() & sides.ours.keys() & sides.theirs.keys() & sides.now.keys()
    for path in sorted(filter(merges_by_entries, shared)):
        standing = {_words(entry): entry for entry in entries(sides.now[path])}
        for pair in _reworded_units(sides.base[path], sides.ours[path], sides.theirs[path]):
            a, b = (standing.get(words) for words in sorted(pair))
            if a and b:
                yield _conflict((path, a), (path, b), BOTH_REWORDED)


def _reworded_units(base: str, ours: str, theirs: str) -> Iterator[tuple[str, str]]:
    """The two new texts of each item without an id that the sides reworded differently."""
    if base in (ours, theirs):
        return
    old, mine, other = (cut(text).units for text in (base, ours, theirs))
    here, there = _said_of(old, mine), _said_of(old, other)
    for at, unit in enumerate(old):
        said = {_said(unit), here.get(at, ""), there.get(at, "")} - {""}
        if unit.kind == "item" and not unit.id and len(said) == len((base, ours, theirs)):
            yield here[at], there[at]


def _said_of(base: Sequence[MergeUnit], side: Sequence[MergeUnit]) -> dict[int, str]:
    return {i: _said(side[j]) for j, i in enumerate(align(base, side)) if i >= 0}


def _said(unit: MergeUnit) -> str:
    return _words(entry_of(Block("item", 1, unit.core))) if unit.kind == "item" else ""


def decided_twice(was: str, here: str, there: str, now: str) -> list[Conflict]:
    """The conflicts of CONFLICTS.md that the two sides of a merge decided differently."""
    before, ours, theirs = (
        {conflict.id: conflict.decision for conflict in conflicts(text)}
        for text in (was, here, there)
    )

    def is_decided_twice(ident: str) -> bool:
        decisions = {ours.get(ident, ""), theirs.get(ident, "")}
        return len(decisions - {"", before.get(ident, "")}) > 1

    return [one for one in conflicts(now) if one.decision and is_decided_twice(one.id)]


def disputed_again(text: str, reopened: Iterable[Conflict]) -> str:
    """A file in which the two sides of each of these conflicts are disputed, as they once were."""
    for conflict in reopened:
        text = _disputed_sides(text, (conflict.a, conflict.b)[: 2 - conflict.is_removal])
    return text


def _disputed_sides(text: str, sides: Sequence[ConflictSide]) -> str:
    text = with_raws(text, dict(_restored(text, sides)))
    rival = ""
    for side in sides:
        entry = next((entry for entry in entries(text) if is_side(entry, side)), None)
        if entry and entry.meta:
            meta = entry.meta.having("status", DISPUTED).having("by", rival)
            text = with_meta(text, entry, meta)
        rival = entry.key if entry else side.key
    return text


def is_side(entry: Entry, side: ConflictSide) -> bool:
    """Whether an entry is meant. A decision may have given it an id."""
    return side.key == entry.key or side.said == content_key(entry.text)


def _restored(text: str, sides: Iterable[ConflictSide]) -> Iterator[tuple[int, str]]:
    """The entries in which a decision exchanged words, by their lines, as they were before."""
    said = {side.said for side in sides}
    for entry in entries(text):
        if content_key(words_before(entry)) in said and (raw := restored(entry)):
            yield entry.line, raw


def disputed_pairs(files: Texts) -> Iterator[Conflict]:
    """The pairs of texts in these files that a merge left of one entry."""
    placed = [(path, entry) for path, text in files.items() for entry in _disputed(text)]
    by_id = {entry.key: (path, entry) for path, entry in placed}
    for path, entry in placed:
        rival = by_id.get(entry.meta.by) if entry.meta else None
        if rival:
            yield _conflict(rival, (path, entry), BOTH_CHANGED)


def _disputed(text: str) -> list[Entry]:
    if f"status={DISPUTED}" not in text:
        return []
    return [entry for entry in entries(text) if entry.meta and entry.meta.status == DISPUTED]


def _conflict(a: _Placed, b: _Placed, rule: str) -> Conflict:
    sides = _side(a), _side(b)
    ident = id_from("\0".join(side.key for side in sides))
    return Conflict(ident, _since(*sides), *sides, rule, _OUTCOME)


def _against_removal(path: str, entry: Entry) -> Conflict:
    side = _side((path, entry))
    ident = id_from(f"{side.key}\0\0{side.text}")
    removed = ConflictSide(NOTHING, path, side.key)
    return Conflict(ident, _since(side), side, removed, ONE_REMOVED, _OUTCOME)


def _since(*sides: ConflictSide) -> datetime | None:
    days = [side.day for side in sides if side.day]
    return datetime.combine(max(days), time(), UTC) if days else None


def _side(placed: _Placed) -> ConflictSide:
    path, entry = placed
    meta = entry.meta
    return ConflictSide(
        _words(entry), path, entry.key, meta.src if meta else "", meta.last if meta else None
    )


def _words(entry: Entry) -> str:
    return " ".join(entry.text.split())
