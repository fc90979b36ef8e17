"""The growth digest: what changed in a day or a week by kind, and what waits for the operator.

The memory at its end is compared with that at its beginning. An entry that only moved, was given
an id, or was mentioned again is no news.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from clawgit.domain.claims.conflicts import Conflict
from clawgit.domain.corrections.corrections import Correction, statement
from clawgit.domain.corrections.disputed import undisputed
from clawgit.domain.facts.confidence import is_correction
from clawgit.domain.markdown import statuses
from clawgit.domain.markdown.entry import Entry, entries
from clawgit.domain.soul.changelog import IdentityChange

DAY = timedelta(days=1)
WEEK = timedelta(weeks=1)

ADDED = "added"
CORRECTED = "corrected"
REMOVED = "removed"

HEADINGS = {
    ADDED: "New",
    CORRECTED: "Corrected",
    statuses.SUPERSEDED: "Superseded",
    statuses.ARCHIVED: "Archived",
    REMOVED: "Removed",
}
"""The title of each kind in a digest, in the order in which it shows them."""


@dataclass(frozen=True, slots=True)
class LearnedEntry:
    """What became of one entry. `was` is what it said before, "" if it says the same now."""

    kind: str
    entry: str
    text: str
    was: str
    path: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of one address, which is named by its kind alone.

    `outcome` is sent, failed, nothing (nothing was new), kept (it got this one before), or unsent
    in a dry run.
    """

    to: str
    outcome: str
    since: datetime
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class DigestSection:
    """What another part of clawgit adds to a digest, one line for each thing."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """What happened between two moments: `learned` is what became of entries.

    `open_conflicts` are those that wait for the operator now. `delivery` says in words where
    digests go, `sent` where this one went. It makes no commit.
    """

    agent: str
    since: datetime
    until: datetime
    learned: tuple[LearnedEntry, ...]
    soul: tuple[IdentityChange, ...]
    corrections: tuple[Correction, ...]
    open_conflicts: tuple[Conflict, ...]
    sections: tuple[DigestSection, ...] = ()
    delivery: str = ""
    sent: tuple[Delivery, ...] = ()
    changed: tuple[str, ...] = ()
    commit: str | None = None
    id: str | None = None
    dry_run: bool = False

    @property
    def is_quiet(self) -> bool:
        return not (self.learned or self.soul or self.corrections)


Texts = Iterable[tuple[str, str]]
"""Files by path and text."""


def learned(before: Texts, after: Texts) -> tuple[LearnedEntry, ...]:
    """The entries that are not as they were: first what came, then what went."""
    old, new = _standing(before), _standing(after)
    by_id = {entry.key: entry for _, entry in old.values()}
    rows = [
        LearnedEntry(_kind(entry), entry.key, words, _was(by_id.get(entry.key), entry), path)
        for (words, status), (path, entry) in new.items()
        if (words, status) not in old
    ]
    stays = {words for words, _ in new} | {entry.key for _, entry in new.values()}
    rows += [
        LearnedEntry(REMOVED, entry.key, words, "", path)
        for (words, _), (path, entry) in old.items()
        if stays.isdisjoint((words, entry.key))
    ]
    kinds = [*HEADINGS]
    return tuple(sorted(rows, key=lambda row: kinds.index(row.kind)))


def _standing(texts: Texts) -> dict[tuple[str, str], tuple[str, Entry]]:
    """The entries by what they say and their status, whatever file they stand in."""
    return {
        (words, _status(entry)): (path, entry)
        for path, text in texts
        for entry in entries(text)
        if (words := " ".join(undisputed(entry).split()))
    }


def _status(entry: Entry) -> str:
    """Its status. What is disputed stands until it is settled."""
    status = entry.meta.status if entry.meta else statuses.ACTIVE
    return statuses.ACTIVE if status == statuses.DISPUTED else status


def _kind(entry: Entry) -> str:
    if _status(entry) in HEADINGS:
        return _status(entry)
    return CORRECTED if is_correction(entry) else ADDED


def _was(old: Entry | None, entry: Entry) -> str:
    said = statement(old) if old else ""
    return said if said != statement(entry) else ""
