"""What became of entries between two moments, gathered from commits so that each is shown once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from clawgit.domain.change.history import Commit
from clawgit.domain.corrections.corrections import read_old_value, statement
from clawgit.domain.facts.confidence import CORRECTION
from clawgit.domain.markdown import statuses
from clawgit.domain.markdown.entry import Entry, entries
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.domain.markdown.tag_table import CORRECTION_TAG
from clawgit.domain.workspace.tiers import CORE, tier

ADDED = "added"
CORRECTED = "corrected"
REMOVED = "removed"
REWORDED = "reworded"
MOVED = "moved"
MERGED = "merged"

HEADINGS = {
    ADDED: "New",
    CORRECTED: "Corrected",
    statuses.SUPERSEDED: "Superseded",
    statuses.ARCHIVED: "Archived",
    REMOVED: "Removed",
    REWORDED: "Reworded",
    MOVED: "Moved",
    MERGED: "Mentioned again",
}
"""The title of each kind in a digest, in the order in which it shows them."""

KINDS = tuple(HEADINGS)


class FileChange(NamedTuple):
    """A file before and after a commit, "" if there was or is none."""

    path: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class LearnedEntry:
    """What became of one entry. `was` is what it said before, "" if it says the same now.

    `mentions` is how often it came up in all, `lasting` is false for entries of daily notes.
    """

    kind: str
    entry: str
    text: str
    was: str
    tags: tuple[str, ...]
    path: str
    mentions: int
    lasting: bool
    commit: str
    time: datetime
    actor: str
    why: str
    evidence: tuple[str, ...]


class _Standing(NamedTuple):
    """An entry in its file."""

    path: str
    entry: Entry

    @property
    def words(self) -> str:
        return " ".join(self.entry.text.split())

    @property
    def status(self) -> str:
        return self.entry.meta.status if self.entry.meta else ACTIVE

    @property
    def mentions(self) -> int:
        return self.entry.meta.n if self.entry.meta else 1

    @property
    def is_correction(self) -> bool:
        by_operator = self.entry.meta is not None and self.entry.meta.src == CORRECTION
        return by_operator or CORRECTION_TAG in self.entry.tags


@dataclass
class _Fate:
    """An entry as it stood before its first change, and after its last; None if it was not there.

    `corrected` is what it said before it was corrected, "" if it was not.
    """

    since: _Standing | None
    now: _Standing | None
    first: Commit
    last: Commit
    corrected: str = ""


class Ledger:
    """Takes commits, oldest first, and sums up what became of each entry."""

    def __init__(self) -> None:
        self._fates: dict[str, _Fate] = {}

    def take(self, commit: Commit, changes: Sequence[FileChange], *, compacts: bool) -> None:
        before = _standing([(change.path, change.before) for change in changes])
        after = _standing([(change.path, change.after) for change in changes])
        self._rename(before, after)
        for key, now in after.items():
            old = before.get(key)
            if old is None or _differs(old, now):
                self._take(commit, key, old, now)
        # What a summary took the place of is not gone.
        for key in () if compacts else sorted(before.keys() - after.keys()):
            self._take(commit, key, before[key], None)

    def _rename(self, before: dict[str, _Standing], after: Mapping[str, _Standing]) -> None:
        """An entry that was given its id has another key now, and the same words."""
        unnamed = {old.words: key for key, old in before.items() if key not in after}
        for key in after.keys() - before.keys():
            former = unnamed.pop(after[key].words, "")
            if former:
                before[key] = before.pop(former)
            if former in self._fates:
                self._fates[key] = self._fates.pop(former)

    def told(self) -> tuple[LearnedEntry, ...]:
        """The entries that are not as they were."""
        learned = filter(None, map(_learned, self._fates.values()))
        return tuple(sorted(learned, key=_order))

    def _take(self, commit: Commit, key: str, old: _Standing | None, now: _Standing | None) -> None:
        fate = self._fates.setdefault(key, _Fate(old, now, commit, commit))
        fate.now, fate.last = now, commit
        if old and now and now.is_correction and old.words != now.words:
            fate.corrected = statement(old.entry)


def _standing(texts: Iterable[tuple[str, str]]) -> dict[str, _Standing]:
    return {
        entry.key: _Standing(path, entry)
        for path, text in texts
        for entry in _entries(text)
        if entry.text.strip()
    }


@lru_cache(maxsize=32)  # the text after one commit is the text before the next
def _entries(text: str) -> tuple[Entry, ...]:
    return tuple(entries(text))


def _differs(old: _Standing, now: _Standing) -> bool:
    return (old.path, old.entry.raw) != (now.path, now.entry.raw)


def _learned(fate: _Fate) -> LearnedEntry | None:
    """None for an entry that is as it was, or that came and went."""
    shown = fate.now or fate.since
    kind = _kind(fate)
    if shown is None or not kind:
        return None
    commit = fate.first if kind == ADDED else fate.last
    return LearnedEntry(
        kind=kind,
        entry=shown.entry.key,
        text=shown.words,
        was=_was(fate),
        tags=shown.entry.tags,
        path=shown.path,
        mentions=shown.mentions,
        lasting=tier(shown.path) == CORE,
        commit=commit.name,
        time=commit.time,
        actor=commit.actor,
        why=commit.message.reason or commit.message.headline,
        evidence=commit.message.evidence,
    )


def _kind(fate: _Fate) -> str:
    """What became of an entry, "" if nothing did."""
    since, now = fate.since, fate.now
    if now is None:
        return REMOVED if since else ""
    former = since.status if since else ""
    if now.status in HEADINGS and now.status != former:
        return now.status
    if since is None:
        return _arrival(now, fate.corrected)
    return _change(since, now, CORRECTED if fate.corrected else REWORDED)


def _arrival(now: _Standing, corrected: str) -> str:
    return CORRECTED if corrected or now.is_correction else ADDED


def _change(since: _Standing, now: _Standing, reworded: str) -> str:
    """What changed between the two; `reworded` if it is the words."""
    if since.words != now.words:
        return reworded
    if since.path != now.path:
        return MOVED
    return MERGED if now.mentions > since.mentions else ""


def _was(fate: _Fate) -> str:
    """What an entry said before, "" if it says the same now."""
    if fate.now is None:
        return ""
    if fate.corrected or fate.since is None:
        old = fate.corrected or read_old_value(fate.now.entry.raw) or ""
        return old if old != statement(fate.now.entry) else ""
    return fate.since.words if fate.since.words != fate.now.words else ""


def _order(learned: LearnedEntry) -> tuple[int, bool, datetime]:
    return KINDS.index(learned.kind), not learned.lasting, learned.time
