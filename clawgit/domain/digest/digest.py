"""The growth digest: what the agent learned and how its soul changed, from commits alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from clawgit.domain.change.authority import IDENTITY, SOULS
from clawgit.domain.change.history import Commit
from clawgit.domain.claims.conflicts import Conflict, conflicts
from clawgit.domain.compaction.log import PATH as COMPACTIONS
from clawgit.domain.corrections.corrections import (
    CORRECTIONS,
    Correction,
    corrections,
    read_old_value,
    statement,
)
from clawgit.domain.facts.confidence import is_correction
from clawgit.domain.markdown import statuses
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.entry import Entry, entries, holds_entries
from clawgit.domain.soul.soul import section_changes
from clawgit.domain.workspace.tiers import CORE, tier

DAY = "day"
WEEK = "week"
LENGTHS: Mapping[str, timedelta] = {DAY: timedelta(days=1), WEEK: timedelta(weeks=1)}

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


class DigestCommit(NamedTuple):
    """A commit with its changes to the files that a digest is about."""

    commit: Commit
    changes: tuple[FileChange, ...]


@dataclass(frozen=True, slots=True)
class LearnedEntry:
    """What became of one entry. `was` is what it said before, "" if it says the same now.

    `mentions` is how often it came up in all, `lasting` is false for entries of daily notes.
    """

    kind: str
    entry: str
    text: str
    was: str
    path: str
    mentions: int
    lasting: bool
    commit: str
    time: datetime
    actor: str


@dataclass(frozen=True, slots=True)
class SoulChange:
    """One change of SOUL.md or IDENTITY.md. `what` has one line for each principle."""

    file: str
    what: tuple[str, ...]
    commit: str
    actor: str
    why: str
    evidence: tuple[str, ...]
    take_back: str


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
    soul: tuple[SoulChange, ...]
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
    def set_right(self) -> tuple[Correction, ...]:
        return tuple(one for one in self.corrections if not one.waits)

    @property
    def asked(self) -> tuple[Correction, ...]:
        return tuple(one for one in self.corrections if one.waits)

    @property
    def is_quiet(self) -> bool:
        return not (self.learned or self.soul or self.corrections)


def digest(
    agent: str,
    steps: Sequence[DigestCommit],
    since: datetime,
    until: datetime,
    flagged: str,
    sections: tuple[DigestSection, ...] = (),
) -> Digest:
    """The digest of commits, oldest first. `flagged` is CONFLICTS.md at the end."""
    # A merge repeats what its parents did, and the first commit has nothing before it.
    grown = [
        step
        for step in steps
        if len(step.commit.parents) == 1 and since <= step.commit.time < until
    ]
    # By id: a redo brings a correction back that an undo took out, and an answer closes a question.
    right = {each.id: each for step in grown for each in _set_right(step)}
    return Digest(
        agent=agent,
        since=since,
        until=until,
        learned=_learned(grown),
        soul=tuple(change for step in grown for change in _soul(step)),
        corrections=tuple(right.values()),
        open_conflicts=tuple(one for one in conflicts(flagged) if one.open),
        sections=sections,
    )


def is_covered(path: str) -> bool:
    """Whether a digest covers the changes of a file."""
    if path in (*SOULS, CORRECTIONS, COMPACTIONS):
        return True
    is_hidden = "/." in path
    return holds_entries(path) and not is_hidden and not path.startswith("memory/archive/")


class _Standing(NamedTuple):
    """An entry in its file."""

    path: str
    entry: Entry

    @property
    def words(self) -> str:
        return " ".join(self.entry.text.split())

    @property
    def meta(self) -> Meta:
        return self.entry.meta or Meta("")


class _Fate(NamedTuple):
    """An entry before its first change and after its last; None where it was not there."""

    since: _Standing | None
    now: _Standing | None
    first: Commit
    last: Commit


def _learned(steps: Sequence[DigestCommit]) -> tuple[LearnedEntry, ...]:
    """The entries that are not as they were, each once, the lasting ones first."""
    fates: dict[str, _Fate] = {}
    for commit, changes in steps:
        before = _standing((change.path, change.before) for change in changes)
        after = _standing((change.path, change.after) for change in changes)
        _rename(fates, before, after)
        # What a summary took the place of is not gone.
        compacts = any(change.path == COMPACTIONS for change in changes)
        gone = () if compacts else sorted(before.keys() - after.keys())
        for key in (*after, *gone):
            old, now = before.get(key), after.get(key)
            if _seen(old) != _seen(now):
                known = fates.get(key, _Fate(old, now, commit, commit))
                fates[key] = known._replace(now=now, last=commit)
    learned = [row for fate in fates.values() if (row := _row(fate))]
    return tuple(
        sorted(learned, key=lambda row: (KINDS.index(row.kind), not row.lasting, row.time))
    )


def _seen(standing: _Standing | None) -> tuple[str, str] | None:
    return (standing.path, standing.entry.raw) if standing else None


def _rename(
    fates: dict[str, _Fate], before: dict[str, _Standing], after: Mapping[str, _Standing]
) -> None:
    """An entry that was given its id has another key now, and the same words."""
    unnamed = {old.words: key for key, old in before.items() if key not in after}
    for key in after.keys() - before.keys():
        former = unnamed.pop(after[key].words, "")
        if former:
            before[key] = before.pop(former)
        if former in fates:
            fates[key] = fates.pop(former)


def _standing(texts: Iterator[tuple[str, str]]) -> dict[str, _Standing]:
    return {
        entry.key: _Standing(path, entry)
        for path, text in texts
        if holds_entries(path)
        for entry in entries(text)
        if entry.text.strip()
    }


def _row(fate: _Fate) -> LearnedEntry | None:
    """None for an entry that is as it was, or that came and went."""
    shown, kind = fate.now or fate.since, _kind(fate.since, fate.now)
    if shown is None or not kind:
        return None
    commit = fate.first if kind == ADDED else fate.last
    return LearnedEntry(
        kind=kind,
        entry=shown.entry.key,
        text=shown.words,
        was=_was(fate.since, fate.now),
        path=shown.path,
        mentions=shown.meta.n,
        lasting=tier(shown.path) == CORE,
        commit=commit.name,
        time=commit.time,
        actor=commit.actor,
    )


def _kind(since: _Standing | None, now: _Standing | None) -> str:
    """What became of an entry, "" if nothing did."""
    if now is None:
        return REMOVED if since else ""
    if now.meta.status in HEADINGS and (since is None or now.meta.status != since.meta.status):
        return now.meta.status
    if since is None:
        return CORRECTED if is_correction(now.entry) else ADDED
    return _change(since, now)


def _change(since: _Standing, now: _Standing) -> str:
    if since.words != now.words:
        return CORRECTED if is_correction(now.entry) else REWORDED
    if since.path != now.path:
        return MOVED
    return MERGED if now.meta.n > since.meta.n else ""


def _was(since: _Standing | None, now: _Standing | None) -> str:
    """What an entry said before, "" if it says the same now."""
    if now is None:
        return ""
    if since and not is_correction(now.entry):
        return since.words if since.words != now.words else ""
    old = statement(since.entry) if since else read_old_value(now.entry.raw) or ""
    return old if old != statement(now.entry) else ""


def _soul(step: DigestCommit) -> Iterator[SoulChange]:
    commit, message = step.commit, step.commit.message
    for change in step.changes:
        lines = tuple(_principles(change)) if change.path in SOULS else ()
        if lines:
            flag = " --identity" if change.path == IDENTITY else ""
            yield SoulChange(
                file=change.path,
                what=lines,
                commit=commit.name,
                actor=commit.actor,
                why=message.reason or message.headline,
                evidence=message.evidence,
                take_back=f"clawgit soul revert {commit.name}{flag}",
            )


def _principles(change: FileChange) -> Iterator[str]:
    for section in section_changes(change.before, change.after):
        yield from (f"added: {text}" for text in section.added)
        yield from (f"reworded: {old} → {new}" for old, new in section.reworded)
        yield from (f"dropped: {text}" for text in section.dropped)
        yield from (f"moved to {section.section}: {text}" for text in section.moved)


def _set_right(step: DigestCommit) -> Iterator[Correction]:
    for change in step.changes:
        if change.path == CORRECTIONS:
            before = {each.id: each.waits for each in corrections(change.before)}
            for each in corrections(change.after):
                # What waits is told once more when it is answered.
                if each.correct and before.get(each.id) not in (False, each.waits):
                    yield each
