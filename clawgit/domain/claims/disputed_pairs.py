"""Conflicts that a merge left: two texts of one entry, an entry that one side removed and the other
reworded, and two decisions that contradict each other.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, time
from typing import NamedTuple

from clawgit.domain.claims.conflicts import (
    FLAGGED,
    NOTHING,
    Conflict,
    ConflictSide,
    conflicts,
    side_of,
)
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.domain.markdown.entry import content_key, entries, id_from, with_meta
from clawgit.domain.markdown.statuses import DISPUTED

BOTH_CHANGED = "both sides of a merge changed it, 100 % sure"
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


def unknown(found: Iterable[Conflict], known: Iterable[Conflict]) -> list[Conflict]:
    """The conflicts that are not known yet, in the order of their ids.

    Everything in them follows from the entries, so that every machine writes the same section.
    """
    known = tuple(known)
    pairs = {conflict.pair for conflict in known}
    new = {conflict.id: conflict for conflict in found if conflict.pair not in pairs}
    return [new[ident] for ident in sorted(new.keys() - {conflict.id for conflict in known})]


def kept_though_removed(sides: Sides) -> Iterator[Conflict]:
    """A conflict for each entry that one side of a merge removed and the other reworded."""
    was, here, there = map(_words_by_id, sides[:-1])
    for place in _disputed(sides.now):
        key = place.entry.key
        is_removed = key in was and (key in here) != (key in there)
        if is_removed and was[key] != (here.get(key) or there.get(key)):
            side = side_of(place)
            removed = ConflictSide(NOTHING, place.path, key)
            yield _conflict(f"{key}\0\0{side.text}", (side, removed), ONE_REMOVED)


def _words_by_id(files: Texts) -> dict[str, str]:
    return {
        entry.key: content_key(entry.text)
        for text in files.values()
        for entry in entries(text)
        if entry.meta
    }


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
        rival = ""
        for side in (conflict.a, conflict.b)[: 2 - conflict.is_removal]:
            entry = side.entry_in(text)
            if entry and entry.meta:
                meta = entry.meta.having("status", DISPUTED).having("by", rival)
                text = with_meta(text, entry, meta)
            rival = entry.key if entry else side.key
    return text


def disputed_pairs(files: Texts) -> Iterator[Conflict]:
    """The pairs of texts in these files that a merge left of one entry."""
    places = [*_disputed(files)]
    by_id = {place.entry.key: place for place in places}
    for place in places:
        rival = by_id.get(place.entry.meta.by) if place.entry.meta else None
        if rival:
            yield _of_two(rival, place, BOTH_CHANGED)


def _disputed(files: Texts) -> Iterator[EntryPlace]:
    for path, text in files.items():
        if f"status={DISPUTED}" in text:
            places = (EntryPlace(path, entry) for entry in entries(text))
            yield from (place for place in places if place.status == DISPUTED)


def _of_two(a: EntryPlace, b: EntryPlace, rule: str) -> Conflict:
    return _conflict(f"{a.entry.key}\0{b.entry.key}", (side_of(a), side_of(b)), rule)


def _conflict(seed: str, sides: tuple[ConflictSide, ConflictSide], rule: str) -> Conflict:
    days = [side.day for side in sides if side.day]
    since = datetime.combine(max(days), time(), UTC) if days else None
    return Conflict(id_from(seed), since, *sides, rule, _OUTCOME)
