"""What a merge left to decide: two texts of one entry, an entry that one side removed and the other
reworded, and a conflict that two machines decided differently. All of it shows in the files alone.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from datetime import UTC, datetime, time
from typing import NamedTuple

from clawgit.domain.claims.conflicts import FLAGGED, NOTHING, Conflict, ConflictSide, side_of
from clawgit.domain.corrections.disputed import is_disputed, quotes_of
from clawgit.domain.markdown.comment import DISPUTED
from clawgit.domain.markdown.entry import Entry, entries, id_from, with_meta

BOTH_CHANGED = "both sides of a merge changed it, 100 % sure"
ONE_REMOVED = "one side of a merge removed it, the other reworded it, 100 % sure"
OF_MERGES = (BOTH_CHANGED, ONE_REMOVED)
"""The rules by which a merge finds a conflict: its sides are marked until it is settled."""

DECIDED_TWICE = f"{FLAGGED}: two machines decided it differently; the operator decides"
_OUTCOME = f"{FLAGGED}: the operator decides"

Texts = Mapping[str, str]
"""The texts of files by path."""


class LeftByMerge(NamedTuple):
    """New conflicts, in the order of their ids, and known ones that are open again.

    Everything in a new one follows from the entries, so that every machine writes the same section.
    """

    found: list[Conflict]
    reopened: list[Conflict]


def left_by_merge(files: Texts, known: Iterable[Conflict]) -> LeftByMerge:
    """What the marks in these files say, beside what CONFLICTS.md knows."""
    known, places = tuple(known), {place.key: place for place in _disputed(files)}
    pairs, lone = _paired(places)
    reopened = [one for one in known if _stands_again(files, one, pairs, lone)]
    alone = map(_removed, map(places.__getitem__, lone - _named(known)))
    return LeftByMerge(_unknown((*pairs, *alone), known), reopened)


def _paired(places: Mapping[str, Entry]) -> tuple[list[Conflict], set[str]]:
    """The pairs of disputed entries, and the keys of those that stand against no other."""
    rivals = {key: place.facts.by for key, place in places.items()}
    pairs = [
        _of_two(places[rival], places[key]) for key, rival in rivals.items() if rival in places
    ]
    return pairs, {key for key, rival in rivals.items() if not rival} - {*rivals.values()}


def _of_two(a: Entry, b: Entry) -> Conflict:
    return _conflict(f"{a.key}\0{b.key}", BOTH_CHANGED, side_of(a), side_of(b))


def _named(known: Iterable[Conflict]) -> set[str]:
    """The entries of the conflicts that merges have left before."""
    of_merges = (one for one in known if one.rule in OF_MERGES)
    return {key for one in of_merges for key in (one.a.key, one.b.key)}


def _disputed(files: Texts) -> Iterator[Entry]:
    """The disputed entries, without those that the operator's own words dispute."""
    for path, text in files.items():
        for entry in entries(text, path) if f"status={DISPUTED}" in text else ():
            if is_disputed(entry) and not quotes_of(entry.raw):
                yield entry


def _stands_again(
    files: Texts, conflict: Conflict, pairs: Iterable[Conflict], lone: Container[str]
) -> bool:
    """Whether the marks of a decided conflict say that two machines decided it differently."""
    if not conflict.decision:
        return False
    if conflict.rule in OF_MERGES and conflict.pair in {pair.pair for pair in pairs}:
        return True
    if conflict.rule in OF_MERGES and (conflict.a.key in lone or conflict.b.key in lone):
        return True
    return _lost_to_each_other(files, conflict)


def _unknown(found: Iterable[Conflict], known: Iterable[Conflict]) -> list[Conflict]:
    pairs, ids = {one.pair for one in known}, {one.id for one in known}
    new = {one.id: one for one in found if one.pair not in pairs}
    return [new[ident] for ident in sorted(new.keys() - ids)]


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


def _lost_to_each_other(files: Texts, conflict: Conflict) -> bool:
    """Whether each side is marked as replaced by the other."""
    sides = conflict.a, conflict.b
    found = [side.entry_in(files.get(side.path, "")) for side in sides]
    by = [entry.meta.by if entry and entry.meta else "" for entry in found]
    return by == [side.key for side in sides[::-1]]


def _removed(place: Entry) -> Conflict:
    side = side_of(place)
    removed = ConflictSide(NOTHING, place.path, side.key)
    return _conflict(f"{side.key}\0\0{side.text}", ONE_REMOVED, side, removed)


def _conflict(seed: str, rule: str, *sides: ConflictSide) -> Conflict:
    days = [side.day for side in sides if side.day]
    since = datetime.combine(max(days), time(), UTC) if days else None
    a, b = sides
    return Conflict(id_from(seed), since, a, b, rule, _OUTCOME)
