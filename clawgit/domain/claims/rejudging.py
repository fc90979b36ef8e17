"""Conflicts that were flagged by former rules, judged again: what is none is archived, in one
batch.
"""

from collections.abc import Mapping
from typing import NamedTuple

from clawgit.domain.claims.conflict_pair import disagreement, in_words
from clawgit.domain.claims.conflicts import (
    ARCHIVE,
    CLOSED,
    PATH,
    Conflict,
    Side,
    conflicts,
    decided,
)
from clawgit.domain.claims.records import stating
from clawgit.domain.facts.fact_verdict import Place
from clawgit.domain.markdown.comment import ACTIVE
from clawgit.domain.markdown.entry import content_key, entries, holds_entries
from clawgit.domain.markdown.sections import Shelf, filed

DROPPED = f"{CLOSED}: judged again, and no contradiction"


class Rejudged(NamedTuple):
    """The files that change, as they shall be; which conflicts are none, and which stay."""

    files: Mapping[str, str]
    dropped: tuple[Conflict, ...] = ()
    kept: tuple[Conflict, ...] = ()


def former(log: str) -> tuple[Conflict, ...]:
    """The undecided conflicts whose rule does not tell how sure it is: they are from before that
    was judged.
    """
    found = (conflict for conflict in conflicts(log) if conflict.open or conflict.waits)
    return tuple(
        conflict
        for conflict in found
        if not conflict.surety and not conflict.rule.startswith("model (")
    )


def rejudged(files: Mapping[str, str]) -> Rejudged:
    """CONFLICTS.md with only those of its former conflicts that are judged to be some, and the
    archive with the others. Decided ones stay as they are. Twice is once.
    """
    log = files.get(PATH) or ""
    asked = former(log)
    if not asked:
        return Rejudged({})
    standing = {content_key(place.entry.text): place for place in _standing(files)}
    found = {conflict.id: _rule(conflict, standing) for conflict in asked}
    dropped = tuple(conflict for conflict in asked if not found[conflict.id])
    rules = {ident: rule for ident, rule in found.items() if rule}
    log = decided(log, {conflict.id: DROPPED for conflict in dropped}, rules)
    gone = {conflict.id for conflict in dropped}
    books = filed(log, Shelf(ARCHIVE, "Conflicts"), files, lambda section: section.id in gone)
    changed = {PATH: books.log, **books.books}
    return Rejudged(changed, dropped, tuple(conflict for conflict in asked if conflict.id in rules))


def _standing(files: Mapping[str, str]) -> list[Place]:
    paths = sorted(path for path in files if holds_entries(path))
    places = [Place(path, entry) for path in paths for entry in entries(files.get(path) or "")]
    return stating([place for place in places if place.status == ACTIVE])


def _rule(conflict: Conflict, standing: Mapping[str, Place]) -> str:
    """The rule as it is told now, "" where the two do not contradict each other, or one of them is
    gone.
    """
    one, other = (_place(side, standing) for side in (conflict.a, conflict.b))
    found = disagreement(one, other) if one and other else None
    return in_words(found.dispute, found.surety) if found else ""


def _place(side: Side, standing: Mapping[str, Place]) -> Place | None:
    return standing.get(side.said)
