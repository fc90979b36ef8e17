"""Judges conflicts again that older rules flagged, and archives those that are not conflicts."""

from collections.abc import Mapping

from clawgit.domain.claims.conflict_pair import disagreement, in_words
from clawgit.domain.claims.conflicts import (
    ARCHIVE,
    CLOSED,
    PATH,
    Conflict,
    conflicts,
    decided,
)
from clawgit.domain.claims.records import stating
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.domain.markdown.entry import content_key, entries, holds_entries
from clawgit.domain.markdown.sections import Shelf, filed
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.values import NamedTuple

DROPPED = f"{CLOSED}: judged again, and no contradiction"


class Rejudged(NamedTuple):
    """The files that change, with their new text; which conflicts are dropped, and which stay."""

    files: Mapping[str, str]
    dropped: tuple[Conflict, ...] = ()
    kept: tuple[Conflict, ...] = ()


def former(log: str) -> tuple[Conflict, ...]:
    """The undecided conflicts whose rule does not say how sure it is: older rules found them."""
    undecided = (conflict for conflict in conflicts(log) if conflict.open or conflict.waits)
    return tuple(
        conflict
        for conflict in undecided
        if not conflict.surety and not conflict.rule.startswith("model (")
    )


def rejudged(files: Mapping[str, str]) -> Rejudged:
    """Judges the conflicts of older rules again. Those that are not conflicts go to the archive.

    Decided ones stay as they are. Does nothing the second time.
    """
    log = files.get(PATH) or ""
    judged_again = former(log)
    if not judged_again:
        return Rejudged({})
    standing = {content_key(place.entry.text): place for place in _standing(files)}
    rules = {conflict.id: _rule(conflict, standing) for conflict in judged_again}
    kept = {ident: rule for ident, rule in rules.items() if rule}
    gone = rules.keys() - kept.keys()
    log = decided(log, dict.fromkeys(gone, DROPPED), kept)
    books = filed(log, Shelf(ARCHIVE, "Conflicts"), files, lambda section: section.id in gone)
    return Rejudged(
        {PATH: books.log, **books.books},
        tuple(conflict for conflict in judged_again if conflict.id in gone),
        tuple(conflict for conflict in judged_again if conflict.id in kept),
    )


def _standing(files: Mapping[str, str]) -> list[EntryPlace]:
    paths = sorted(path for path in files if holds_entries(path))
    places = [EntryPlace(path, entry) for path in paths for entry in entries(files.get(path) or "")]
    return stating([place for place in places if place.status == ACTIVE])


def _rule(conflict: Conflict, standing: Mapping[str, EntryPlace]) -> str:
    """The rule as it is written now, "" if the sides do not contradict each other or
    one is gone.
    """
    a, b = standing.get(conflict.a.said), standing.get(conflict.b.said)
    clash = disagreement(a, b) if a and b else None
    return in_words(clash.dispute, clash.surety) if clash else ""
