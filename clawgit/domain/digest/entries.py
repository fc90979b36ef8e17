"""What became of entries between two moments, gathered from commits so that each is shown once."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from clawgit.domain.change.history import Commit
from clawgit.domain.corrections.corrections import read_old_value
from clawgit.domain.corrections.statement import statement
from clawgit.domain.facts.confidence import CORRECTION
from clawgit.domain.markdown import statuses
from clawgit.domain.markdown.entry import Entry, entries
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.domain.markdown.tag_table import CORRECTION_TAG
from clawgit.domain.merging.align import MergeUnit, align, cut
from clawgit.domain.workspace.tiers import CORE, tier

ADDED = "added"
CORRECTED = "corrected"
SUPERSEDED = "superseded"
ARCHIVED = "archived"
REMOVED = "removed"
REWORDED = "reworded"
MOVED = "moved"
MERGED = "merged"


class EntryKind(NamedTuple):
    """What can become of an entry. `heading` is the title of such entries in a digest.

    `counts`: of several changes of one entry, the first kind in the table that counts is shown.
    `even_if_new`: it is shown even for an entry that is new, instead of ADDED.
    """

    name: str
    heading: str
    counts: bool = False
    even_if_new: bool = False


ROWS = (
    EntryKind(ADDED, "New"),
    EntryKind(CORRECTED, "Corrected", counts=True, even_if_new=True),
    EntryKind(SUPERSEDED, "Superseded", counts=True, even_if_new=True),
    EntryKind(ARCHIVED, "Archived", counts=True, even_if_new=True),
    EntryKind(REMOVED, "Removed"),
    EntryKind(REWORDED, "Reworded", counts=True),
    EntryKind(MOVED, "Moved", counts=True),
    EntryKind(MERGED, "Mentioned again", counts=True),
)
"""In the order in which a digest shows them."""

HEADINGS = {kind.name: kind.heading for kind in ROWS}
KINDS = tuple(HEADINGS)
_COUNTING = tuple(kind.name for kind in ROWS if kind.counts)
_EVEN_IF_NEW = tuple(kind.name for kind in ROWS if kind.even_if_new)

_BY_STATUS = {
    statuses.CORRECTED: CORRECTED,
    statuses.SUPERSEDED: SUPERSEDED,
    statuses.ARCHIVED: ARCHIVED,
}
_OPENERS = ("```", "~~~", "<!--\n", "<pre", "<div")
"""What opens a block in which a line with a bullet may be no item."""
_STARTS = re.compile(r"^(?=(?:[-+*]|#{1,6}|[0-9]{1,9}[.)])[ \t])", re.MULTILINE)


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


class _EntryEdit(NamedTuple):
    """What a commit did to one entry, as it `was` and as it is `now`: None before it was added, and
    after it was removed. `origin` is the file in which it was before.
    """

    path: str
    origin: str
    was: Entry | None
    now: Entry | None

    @property
    def gone(self) -> str:
        """The key of an entry that was removed, "" for any other."""
        return self.was.key if self.was and not self.now else ""

    @property
    def came(self) -> str:
        """The key of an entry that was added, "" for any other."""
        return self.now.key if self.now and not self.was else ""


@dataclass
class _Fate:
    """An entry from its first change on. `since` is how it stood before, None if it is new."""

    since: Entry | None
    from_path: str
    now: Entry | None
    path: str
    kinds: dict[str, Commit]
    first: Commit
    last: Commit
    corrected: str = ""
    """What it said before it was corrected, "" if it was not."""


class Ledger:
    """Takes commits, oldest first, and sums up what became of each entry.

    `compacted` counts by commit the entries that left the files because a summary replaced them.
    """

    def __init__(self) -> None:
        self._fates: list[_Fate] = []
        self._by_key: dict[str, _Fate] = {}
        self.compacted: dict[str, int] = {}

    def take(self, commit: Commit, changes: Iterable[FileChange], *, compacts: bool) -> None:
        edits = [edit for change in changes for edit in _edits_of(change)]
        for edit in _with_moves(edits):
            if edit.now is None and compacts:
                self.compacted[commit.sha] = self.compacted.get(commit.sha, 0) + 1
            else:
                self._take(commit, edit)

    def told(self) -> tuple[tuple[LearnedEntry, ...], int]:
        """The entries that are not as they were, and how many came and went."""
        passing = sum(fate.since is None and fate.now is None for fate in self._fates)
        learned = filter(None, map(_learned, self._fates))
        return tuple(sorted(learned, key=_order)), passing

    def _take(self, commit: Commit, edit: _EntryEdit) -> None:
        known = edit.was or edit.now
        assert known is not None  # noqa: S101 - an edit has one side at least
        fate = self._fate_of(known, edit, commit)
        kind = _kind(edit, fate)
        if kind:
            fate.kinds.setdefault(kind, commit)
        if kind == CORRECTED and edit.was:
            fate.corrected = statement(edit.was)
        fate.now, fate.last = edit.now, commit
        if edit.now:
            fate.path = edit.path
        # This edit may have given the entry another key, by which the next one asks for it.
        self._by_key[(edit.now or known).key] = fate

    def _fate_of(self, known: Entry, edit: _EntryEdit, commit: Commit) -> _Fate:
        fate = self._by_key.get(known.key)
        is_taken = fate is not None and fate.now is not None and edit.was is None
        if fate is not None and not is_taken:
            return fate
        # New, or another entry with an id that is taken: each has its own fate.
        fate = _Fate(edit.was, edit.origin, edit.now, edit.origin, {}, commit, commit)
        self._fates.append(fate)
        return fate


def _edits_of(change: FileChange) -> Iterator[_EntryEdit]:
    """The entries of a file that a commit changed. Those that read alike in one place are one."""
    before, after = _changed_part(change.before, change.after)
    old, new = cut(before).units, cut(after).units
    pairs = align(old, new)
    for at, partner in enumerate(pairs):
        was = _entry(old[partner]) if partner >= 0 else None
        now = _entry(new[at])
        if _differs(was, now):
            yield _EntryEdit(change.path, change.path, was, now)
    paired = {*pairs}
    for at, unit in enumerate(old):
        gone = None if at in paired else _entry(unit)
        if gone:
            yield _EntryEdit(change.path, change.path, gone, None)


def _differs(was: Entry | None, now: Entry | None) -> bool:
    if was is None or now is None:
        return was is not now
    return was.raw != now.raw


def _changed_part(before: str, after: str) -> tuple[str, str]:
    """Both texts without the items that both have, so that little of a long file has to be read."""
    old, new = _pieces(before), _pieces(after)
    if old is None or new is None:
        return before, after
    # Aligning is the slow part, so only what differs is aligned.
    same = Counter(old) & Counter(new)
    return "".join(_without(old, same)), "".join(_without(new, same))


@lru_cache(maxsize=32)
def _pieces(text: str) -> tuple[str, ...] | None:
    """A text cut where an item or a heading begins; None if such a line may be something else.

    Cached, because the text after one commit is the text before the next.
    """
    if any(sign in text for sign in _OPENERS):
        return None
    return tuple(_STARTS.split(text))


def _without(pieces: Iterable[str], same: Counter[str]) -> Iterator[str]:
    left = Counter(same)
    for piece in pieces:
        if left[piece] > 0:
            left[piece] -= 1
        else:
            yield piece


def _with_moves(edits: Sequence[_EntryEdit]) -> Iterator[_EntryEdit]:
    """The edits of one commit: an entry removed from one file and added to another was moved."""
    gone = {edit.gone: edit for edit in edits if edit.gone}
    came = {edit.came for edit in edits}
    for edit in edits:
        if edit.gone and edit.gone in came:
            # The edit that added it gets both sides.
            continue
        yield _moved(gone.get(edit.came), edit) if edit.came else edit


def _moved(left: _EntryEdit | None, came: _EntryEdit) -> _EntryEdit:
    return came._replace(was=left.was, origin=left.path) if left else came


def _kind(edit: _EntryEdit, fate: _Fate) -> str:
    """What one change did to an entry, "" if nothing that counts."""
    was, now = edit.was, edit.now
    if now is None:
        return ""
    if was is None:
        # An entry that was there before and comes back elsewhere was moved.
        return MOVED if fate.since and edit.path != fate.from_path else ""
    if changed := _changed(was, now):
        return changed
    if edit.path != fate.path:
        return MOVED
    return MERGED if _mentions(now) > _mentions(was) else ""


def _changed(was: Entry, now: Entry) -> str:
    status = _status(now)
    if status != _status(was) and status in _BY_STATUS:
        return _BY_STATUS[status]
    if _was_corrected(was, now):
        return CORRECTED
    return REWORDED if _words(now) != _words(was) else ""


def _was_corrected(was: Entry, now: Entry) -> bool:
    if CORRECTION_TAG in now.tags and CORRECTION_TAG not in was.tags:
        return True
    if read_old_value(now.raw) not in (None, read_old_value(was.raw)):
        return True
    # One that was a correction before is corrected again only if it also came up again; without
    # that, somebody has reworded it.
    if not _is_correction(now) or _mentions(now) <= _mentions(was):
        return False
    return _words(now) != _words(was)


def _learned(fate: _Fate) -> LearnedEntry | None:
    """None for an entry that is as it was, or that came and went."""
    shown = fate.now or fate.since
    kind = _shown_kind(fate)
    if shown is None or not kind:
        return None
    commit = fate.kinds.get(kind, fate.first if kind == ADDED else fate.last)
    return LearnedEntry(
        kind=kind,
        entry=shown.key,
        text=_words(shown),
        was=_was(fate, kind),
        tags=shown.tags,
        path=fate.path,
        mentions=_mentions(shown),
        lasting=tier(fate.path) == CORE,
        commit=commit.name,
        time=commit.time,
        actor=commit.actor,
        why=commit.message.reason or commit.message.headline,
        evidence=commit.message.evidence,
    )


def _shown_kind(fate: _Fate) -> str:
    """The kind under which a digest shows an entry, "" if it does not."""
    since, now = fate.since, fate.now
    if now is None:
        return REMOVED if since else ""
    if since is None:
        return _first_of(_EVEN_IF_NEW, fate.kinds) or ADDED
    if _stands_as(since) == _stands_as(now) and fate.path == fate.from_path:
        return ""
    return _first_of(_COUNTING, fate.kinds) or REWORDED


def _first_of(order: Iterable[str], kinds: Container[str]) -> str:
    return next((kind for kind in order if kind in kinds), "")


def _was(fate: _Fate, kind: str) -> str:
    """What an entry said before, "" if it says the same now."""
    since, now = fate.since, fate.now
    if kind == CORRECTED:
        old = _before_correction(fate)
        if old:
            return old
    if since is None or now is None:
        return ""
    before = _words(since)
    return before if before != _words(now) else ""


def _before_correction(fate: _Fate) -> str:
    """The value that a correction replaced, "" if the entry still holds it."""
    shown = fate.now or fate.since
    if shown is None:
        return ""
    old = fate.corrected or read_old_value(shown.raw) or ""
    return old if old != statement(shown) else ""


def _order(learned: LearnedEntry) -> tuple[int, bool, datetime]:
    return KINDS.index(learned.kind), not learned.lasting, learned.time


def _entry(unit: MergeUnit) -> Entry | None:
    if unit.kind != "item":
        return None
    read = entries(f"{unit.core}\n")
    return read[0] if read and read[0].text.strip() else None


def _stands_as(entry: Entry) -> tuple[str, str, int]:
    return _words(entry), _status(entry), _mentions(entry)


def _words(entry: Entry) -> str:
    return " ".join(entry.text.split())


def _status(entry: Entry) -> str:
    return entry.meta.status if entry.meta else ACTIVE


def _is_correction(entry: Entry) -> bool:
    return entry.meta is not None and entry.meta.src == CORRECTION


def _mentions(entry: Entry) -> int:
    return entry.meta.n if entry.meta else 1
