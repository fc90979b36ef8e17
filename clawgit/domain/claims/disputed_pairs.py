"""Conflicts that a merge left: two texts of one entry, marked where they stand."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, time

from clawgit.domain.claims.conflicts import FLAGGED, Conflict, ConflictSide
from clawgit.domain.markdown.entry import Entry, entries, id_from
from clawgit.domain.markdown.statuses import DISPUTED

BOTH_CHANGED = "both sides of a merge changed it, 100 % sure"
_OUTCOME = f"{FLAGGED}: the operator decides"

_Placed = tuple[str, Entry]


def disputed_pairs(files: Mapping[str, str], known: Iterable[Conflict]) -> list[Conflict]:
    """The conflicts of these files that are not known yet, in the order of their ids.

    All of it follows from the entries, so that every machine writes the same section.
    """
    ids = {conflict.id for conflict in known}
    found = {conflict.id: conflict for conflict in _pairs(files)}
    return [found[ident] for ident in sorted(found.keys() - ids)]


def _pairs(files: Mapping[str, str]) -> Iterator[Conflict]:
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
    days = [side.day for side in sides if side.day]
    since = datetime.combine(max(days), time(), UTC) if days else None
    return Conflict(ident, since, *sides, BOTH_CHANGED, _OUTCOME)


def _side(placed: _Placed) -> ConflictSide:
    path, entry = placed
    meta = entry.meta
    text = " ".join(entry.text.split())
    return ConflictSide(
        text, path, entry.key, meta.src if meta else "", meta.last if meta else None
    )
