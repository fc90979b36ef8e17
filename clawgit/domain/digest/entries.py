"""What became of entries between two moments: each commit's changes, gathered so that each entry is
told once.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple, Protocol

from clawgit.domain.change.align import Unit, align, cut
from clawgit.domain.change.history import Commit
from clawgit.domain.corrections.corrections import read_old_value
from clawgit.domain.markdown.entry import Entry, entries
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.domain.workspace.tiers import CORE, tier

ADDED, CORRECTED, SUPERSEDED, ARCHIVED, REMOVED, REWORDED, MOVED, MERGED = KINDS = (
    "added", "corrected", "superseded", "archived", "removed", "reworded", "moved", "merged",
)  # fmt: skip
"""In the order in which they are told; of several things that became of an entry, the first of the
rest counts."""

_WEIGHT = (CORRECTED, SUPERSEDED, ARCHIVED, REWORDED, MOVED, MERGED)
_BY_STATUS = {"corrected": CORRECTED, "superseded": SUPERSEDED, "archived": ARCHIVED}


class Change(Protocol):
    """What a commit made of a file."""

    @property
    def path(self) -> str: ...
    @property
    def before(self) -> str: ...
    @property
    def after(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Learned:
    """What became of one entry. `was` is what it said before, where it says something else now;
    `mentions` how often it came up, all in all; `lasting` is false for what one day brought.
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


class _Turn(NamedTuple):
    """An entry that a commit changed: None before it was there, and after it went. `origin` is
    where it stood.
    """

    path: str
    origin: str
    was: Entry | None
    now: Entry | None


@dataclass
class _Fate:
    """An entry from its first change on; `since` is how it stood before that, None where it was not
    there yet.
    """

    since: Entry | None
    from_path: str
    now: Entry | None
    path: str
    kinds: dict[str, Commit]
    first: Commit
    last: Commit


class Ledger:
    """Takes commits, oldest first, and tells what is left of it all. `compacted` counts by commit
    what left the files because it is told elsewhere.
    """

    def __init__(self) -> None:
        self._fates: list[_Fate] = []
        self._by_key: dict[str, _Fate] = {}
        self.compacted: dict[str, int] = {}

    def take(self, commit: Commit, changes: Iterable[Change], *, compacts: bool) -> None:
        found = [turn for change in changes for turn in _turns(change)]
        for turn in _joined(found):
            if turn.now is None and compacts:
                self.compacted[commit.sha] = self.compacted.get(commit.sha, 0) + 1
            else:
                self._take(commit, turn)

    def told(self) -> tuple[tuple[Learned, ...], int]:
        """Each entry that is not as it was, and how many came and went."""
        passing = sum(fate.since is None and fate.now is None for fate in self._fates)
        found = [one for fate in self._fates if (one := _learned(fate))]
        return tuple(sorted(found, key=_order)), passing

    def _take(self, commit: Commit, turn: _Turn) -> None:
        known = turn.was or turn.now
        assert known is not None  # noqa: S101 - a turn has one side at least
        fate = self._by_key.get(known.key)
        if fate is None or (turn.was is None and fate.now is not None):
            fate = _Fate(turn.was, turn.origin, turn.now, turn.origin, {}, commit, commit)
            self._fates.append(fate)
        if (kind := _kind(turn, fate)) and kind not in fate.kinds:
            fate.kinds[kind] = commit
        fate.now, fate.last = turn.now, commit
        fate.path = turn.path if turn.now else fate.path
        self._by_key[(turn.now or known).key] = fate


def _turns(change: Change) -> Iterator[_Turn]:
    """The entries of a file that a commit changed. What reads alike in the same place is one
    entry.
    """
    before, after = _changed_part(change.before, change.after)
    old, new = cut(before).units, cut(after).units
    pairs = align(old, new)
    for j, i in enumerate(pairs):
        now, was = _entry(new[j]), _entry(old[i]) if i >= 0 else None
        if was and now is None:
            yield _Turn(change.path, change.path, was, None)
        elif now and (was is None or was.raw != now.raw):
            yield _Turn(change.path, change.path, was, now)
    taken = {*pairs}
    for i, unit in enumerate(old):
        if i not in taken and (was := _entry(unit)):
            yield _Turn(change.path, change.path, was, None)


def _changed_part(before: str, after: str) -> tuple[str, str]:
    """Both texts without the items that stand in both to the letter: of a long file, little is left
    to be read.
    """
    old, new = _pieces(before), _pieces(after)
    if old is None or new is None:
        return before, after
    same = Counter(old) & Counter(new)
    return "".join(_without(old, same)), "".join(_without(new, same))


@lru_cache(maxsize=32)
def _pieces(text: str) -> tuple[str, ...] | None:
    """Cut where an item or a heading begins; None of a text in which such a line may be something
    else. What one commit leaves, the next one finds.
    """
    return None if any(sign in text for sign in _OPENERS) else tuple(_STARTS.split(text))


def _without(pieces: Iterable[str], same: Counter[str]) -> Iterator[str]:
    left = Counter(same)
    for piece in pieces:
        if left[piece] > 0:
            left[piece] -= 1
        else:
            yield piece


def _joined(found: Sequence[_Turn]) -> Iterator[_Turn]:
    """What left one file and came into another by the same commit was moved."""
    gone = {turn.was.key: turn for turn in found if turn.was and turn.now is None}
    came = {turn.now.key for turn in found if turn.now and turn.was is None}
    for turn in found:
        if turn.now is None and turn.was and turn.was.key in came:
            continue
        if turn.now and turn.was is None and turn.now.key in gone:
            left = gone[turn.now.key]
            yield turn._replace(was=left.was, origin=left.path)
        else:
            yield turn


def _kind(turn: _Turn, fate: _Fate) -> str:
    """What one change made of an entry that was there and is; one that comes back elsewhere was
    moved.
    """
    was, now = turn.was, turn.now
    if was and now:
        return _changed(was, now) or (MOVED if turn.path != fate.path else "") or _more(was, now)
    return MOVED if now and fate.since and turn.path != fate.from_path else ""


def _changed(was: Entry, now: Entry) -> str:
    if (status := _status(now)) != _status(was) and status in _BY_STATUS:
        return _BY_STATUS[status]
    if ("correction" in now.tags and "correction" not in was.tags) or (
        read_old_value(now.raw) not in (None, read_old_value(was.raw))
    ):
        return CORRECTED
    return REWORDED if _words(now) != _words(was) else ""


def _more(was: Entry, now: Entry) -> str:
    return MERGED if _mentions(now) > _mentions(was) else ""


def _learned(fate: _Fate) -> Learned | None:
    """None of what is as it was, or came and went."""
    since, now = fate.since, fate.now
    shown = now or since
    if shown is None:
        return None
    worth = [kind for kind in _WEIGHT if kind in fate.kinds]
    if now is None:
        kind = REMOVED
    elif since is None:
        kind = next((one for one in worth if one in (CORRECTED, SUPERSEDED, ARCHIVED)), ADDED)
    elif _stands_as(since) == _stands_as(now) and fate.path == fate.from_path:
        return None
    else:
        kind = next(iter(worth), REWORDED)
    commit = fate.kinds.get(kind, fate.first if kind == ADDED else fate.last)
    was = read_old_value(shown.raw) if kind == CORRECTED else None
    if was is None and since and now and _words(since) != _words(now):
        was = _words(since)
    return Learned(
        kind, shown.key, _words(shown), was or "", shown.tags, fate.path, _mentions(shown),
            tier(fate.path) == CORE,
        commit.name, commit.time, commit.actor, commit.message.reason or commit.message.told,
            commit.message.evidence,
    )  # fmt: skip


def _order(one: Learned) -> tuple[int, bool, datetime]:
    return KINDS.index(one.kind), not one.lasting, one.time


def _entry(unit: Unit) -> Entry | None:
    found = entries(f"{unit.core}\n") if unit.kind == "item" else ()
    return found[0] if found and found[0].text.strip() else None


def _stands_as(entry: Entry) -> tuple[str, str, int]:
    return _words(entry), _status(entry), _mentions(entry)


def _words(entry: Entry) -> str:
    return " ".join(entry.text.split())


def _status(entry: Entry) -> str:
    return entry.meta.status if entry.meta else ACTIVE


def _mentions(entry: Entry) -> int:
    return entry.meta.n if entry.meta else 1


_OPENERS = ("```", "~~~", "<!--\n", "<pre", "<div")
_STARTS = re.compile(r"^(?=(?:[-+*]|#{1,6}|[0-9]{1,9}[.)])[ \t])", re.MULTILINE)
