"""Conflicts that a merge left: two texts of one entry, marked where they stand, and two decisions
that contradict each other.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from datetime import UTC, datetime, time

from clawgit.domain.claims.conflicts import A_WINS, B_WINS, FLAGGED, Conflict, ConflictSide
from clawgit.domain.markdown.entry import Entry, entries, id_from, with_meta
from clawgit.domain.markdown.statuses import DISPUTED, SUPERSEDED

BOTH_CHANGED = "both sides of a merge changed it, 100 % sure"
DECIDED_TWICE = f"{FLAGGED}: two machines decided it differently; the operator decides"
_OUTCOME = f"{FLAGGED}: the operator decides"

_Placed = tuple[str, Entry]


def disputed_pairs(files: Mapping[str, str], known: Iterable[Conflict]) -> list[Conflict]:
    """The conflicts of these files that are not known yet, in the order of their ids.

    All of it follows from the entries, so that every machine writes the same section.
    """
    ids = {conflict.id for conflict in known}
    found = {conflict.id: conflict for conflict in _pairs(files)}
    return [found[ident] for ident in sorted(found.keys() - ids)]


def decided_twice(files: Mapping[str, str], known: Iterable[Conflict]) -> list[Conflict]:
    """The conflicts whose sides are both superseded: one machine decided for A, another for B."""
    won = [conflict for conflict in known if conflict.outcome.startswith((A_WINS, B_WINS))]
    keys = {conflict.a.key for conflict in won} | {conflict.b.key for conflict in won}
    beaten = dict(_superseded(files, keys))
    return [conflict for conflict in won if _beat_each_other(conflict, beaten)]


def _superseded(files: Mapping[str, str], keys: Container[str]) -> Iterator[tuple[str, str]]:
    """Those of the entries that another one beat, each with that one."""
    for text in files.values():
        for entry in entries(text):
            if entry.key in keys and entry.meta and entry.meta.status == SUPERSEDED:
                yield entry.key, entry.meta.by


def _beat_each_other(conflict: Conflict, beaten: Mapping[str, str]) -> bool:
    """Whether no third entry beat one of the two."""
    a, b = conflict.a.key, conflict.b.key
    if a not in beaten or b not in beaten:
        return False
    return beaten[a] in ("", b) and beaten[b] in ("", a)


def disputed_again(text: str, reopened: Iterable[Conflict]) -> str:
    """A file in which the two sides of each of these conflicts are disputed, as they once were."""
    rivals = {side.key: rival for pair in reopened for side, rival in _with_rivals(pair)}
    for entry in entries(text):
        if entry.meta and entry.key in rivals:
            meta = entry.meta.having("status", DISPUTED).having("by", rivals[entry.key])
            text = with_meta(text, entry, meta)
    return text


def _with_rivals(conflict: Conflict) -> tuple[tuple[ConflictSide, str], ...]:
    return (conflict.a, ""), (conflict.b, conflict.a.key)


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
