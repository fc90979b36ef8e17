"""The growth digest: the log of a day or a week by kind, and what waits for the operator.

An entry is told once, by what it was before its first change and what it is after its last. An
entry that only moved, was given an id, or was mentioned again is no news.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from clawgit.domain.change.history import Commit
from clawgit.domain.claims.conflicts import Conflict
from clawgit.domain.corrections.corrections import Correction, read_old_value, statement
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

COMPACTS = "compact"
"""The verb of commits that put summaries in the place of entries, which are not gone then."""


class DigestCommit(NamedTuple):
    """A commit, and its files of entries before and after it: path and text."""

    commit: Commit
    before: tuple[tuple[str, str], ...]
    after: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class LearnedEntry:
    """What became of one entry. `was` is what it said before, "" if it says the same now."""

    kind: str
    entry: str
    text: str
    was: str
    path: str
    commit: str
    time: datetime
    actor: str


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


class _Standing(NamedTuple):
    path: str
    entry: Entry

    @property
    def words(self) -> str:
        return " ".join(self.entry.text.split())

    @property
    def status(self) -> str:
        return self.entry.meta.status if self.entry.meta else statuses.ACTIVE


class _Fate(NamedTuple):
    """An entry before its first change and after its last; None where it was not there."""

    since: _Standing | None
    now: _Standing | None
    last: Commit


def learned(steps: Iterable[DigestCommit]) -> tuple[LearnedEntry, ...]:
    """The entries that are not as they were, of commits in the order of time."""
    fates = _fates(steps)
    # The same words in another file, or under the id that they were given, are no news.
    came = {fate.now.words for fate in fates.values() if fate.now and not fate.since}
    left = {fate.since.words for fate in fates.values() if fate.since and not fate.now}
    moved = came & left
    rows = filter(None, (_row(key, fate, moved) for key, fate in fates.items()))
    kinds = [*HEADINGS]
    return tuple(sorted(rows, key=lambda row: (kinds.index(row.kind), row.time)))


def _fates(steps: Iterable[DigestCommit]) -> dict[str, _Fate]:
    fates: dict[str, _Fate] = {}
    for commit, *sides in steps:
        before, after = map(_standing, sides)
        gone = () if commit.message.verb == COMPACTS else before.keys() - after.keys()
        for key in (*after, *sorted(gone)):
            old, now = before.get(key), after.get(key)
            if old != now:
                first = fates[key].since if key in fates else old
                fates[key] = _Fate(first, now, commit)
    return fates


def _standing(texts: Iterable[tuple[str, str]]) -> dict[str, _Standing]:
    return {
        entry.key: _Standing(path, entry)
        for path, text in texts
        for entry in entries(text)
        if entry.text.strip()
    }


def _row(key: str, fate: _Fate, moved: set[str]) -> LearnedEntry | None:
    """None for an entry that is as it was, or that came and went."""
    since, now, commit = fate
    shown = now or since
    if shown is None or shown.words in moved:
        return None
    kind, was = (_kind(since, now), _was(since, now)) if now else (REMOVED, "")
    if not kind:
        return None
    return LearnedEntry(
        kind, key, shown.words, was, shown.path, commit.name, commit.time, commit.actor
    )


def _kind(since: _Standing | None, now: _Standing) -> str:
    """What became of an entry that is there, "" if nothing did."""
    old = (since.words, since.status) if since else ("", "")
    if old == (now.words, now.status):
        return ""
    if now.status in HEADINGS:
        return now.status
    if old[0] == now.words:
        return ""
    return CORRECTED if is_correction(now.entry) else ADDED


def _was(since: _Standing | None, now: _Standing) -> str:
    if not is_correction(now.entry):
        return since.words if since and since.words != now.words else ""
    old = statement(since.entry) if since else read_old_value(now.entry.raw) or ""
    return old if old != statement(now.entry) else ""
