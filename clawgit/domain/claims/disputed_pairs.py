"""Conflicts that a merge left: two texts of one entry, an entry that one side removed and the other
reworded, and two decisions that contradict each other.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, time
from typing import NamedTuple

from clawgit.domain.claims.conflicts import FLAGGED, NOTHING, Conflict, ConflictSide, conflicts
from clawgit.domain.claims.former_words import restored, words_before
from clawgit.domain.claims.settling import with_raws
from clawgit.domain.markdown.entry import Entry, content_key, entries, id_from, with_meta
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


_Placed = tuple[str, Entry]


def unknown(found: Iterable[Conflict], known: Iterable[Conflict]) -> list[Conflict]:
    """The conflicts that are not known yet, in the order of their ids.

    All of it follows from the entries, so that every machine writes the same section.
    """
    new = {conflict.id: conflict for conflict in found}
    return [new[ident] for ident in sorted(new.keys() - {conflict.id for conflict in known})]


def kept_though_removed(sides: Sides) -> list[Conflict]:
    """The entries that one side of a merge removed and the other reworded, against the removal."""
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


def decided_twice(was: str, here: str, there: str, now: str) -> list[Conflict]:
    """The conflicts of CONFLICTS.md that the two sides of a merge decided, each otherwise."""
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
    rivals = {side.key: (side, rival) for one in reopened for side, rival in _with_rivals(one)}
    text = with_raws(text, dict(_restored(text, {key: side for key, (side, _) in rivals.items()})))
    for entry in entries(text):
        if entry.meta and entry.key in rivals:
            meta = entry.meta.having("status", DISPUTED).having("by", rivals[entry.key][1])
            text = with_meta(text, entry, meta)
    return text


def _restored(text: str, sides: Mapping[str, ConflictSide]) -> Iterator[tuple[int, str]]:
    """The entries in which a decision exchanged words, by their lines, as they were before."""
    for entry in entries(text):
        side = sides.get(entry.key)
        if side and content_key(words_before(entry)) == side.said and (raw := restored(entry)):
            yield entry.line, raw


def _with_rivals(conflict: Conflict) -> tuple[tuple[ConflictSide, str], ...]:
    if conflict.is_removal:
        return ((conflict.a, ""),)
    return (conflict.a, ""), (conflict.b, conflict.a.key)


def disputed_pairs(files: Texts) -> Iterator[Conflict]:
    """The pairs of texts in these files that a merge left of one entry."""
    placed = [(path, entry) for path, text in files.items() for entry in _disputed(text)]
    by_id = {entry.key: (path, entry) for path, entry in placed}
    for path, entry in placed:
        rival = by_id.get(entry.meta.by) if entry.meta else None
        if rival:
            yield _conflict(rival, (path, entry))


def _disputed(text: str) -> list[Entry]:
    if f"status={DISPUTED}" not in text:
        return []
    return [entry for entry in entries(text) if entry.meta and entry.meta.status == DISPUTED]


def _conflict(a: _Placed, b: _Placed) -> Conflict:
    sides = _side(a), _side(b)
    ident = id_from("\0".join(side.key for side in sides))
    return Conflict(ident, _since(*sides), *sides, BOTH_CHANGED, _OUTCOME)


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
