"""What a bare undo takes back, and a redo brings back: decided from the commits alone, newest
first.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from clawgit.domain.change.actors import CLAWGIT, SNAPSHOT
from clawgit.domain.change.authority import SOULS
from clawgit.domain.change.history import (
    DERIVE,
    INIT,
    PRUNE,
    RE_EMBED,
    REDO,
    REMEMBER,
    UNDO,
    Commit,
    Message,
)

_STEPS = frozenset({UNDO, REDO})
_DERIVED = frozenset({RE_EMBED, PRUNE, DERIVE})
"""What follows from other changes or from dates: it goes and comes with them, and is no change of
its own."""

_ADOPTION = f"{CLAWGIT.slug}/{INIT}"


_IN_OTHER_WORDS = frozenset({SNAPSHOT, "commit", ""})
"""Of a snapshot the words tell already what was done; those of a commit by plain git are its
author's."""

_PAST = {
    "allow": "allowed", "gather": "gathered", "give": "gave", "ignore": "ignored", "keep": "kept",
    "move": "moved",
    "note": "added", "organize": "organized", "promote": "promoted", "take": "took",
}  # fmt: skip
"""The first word of a summary of ours, as it is told afterwards."""

_LED = {"restore": "restored", "resolve": "resolved", "approve": "approved:"}
"""Verbs whose summaries begin with what they were done to."""


class LastUndo(NamedTuple):
    """The newest undo that still stands, and the newest change that came after it: such a change
    ends the redos.
    """

    undo: Commit | None
    since: Commit | None


def undo_targets(chain: Iterable[Commit], actor: str | None = None) -> Iterator[tuple[Commit, ...]]:
    """The changes that still stand, newest first, each as the commits that it consists of: the
    snapshots of several actors that were made in one go are one change. `chain` follows first
    parents from HEAD; `actor` narrows it to the changes of one. What came before clawgit, and its
    arrival, are not among them.
    """
    taken: set[str] = set()
    change: list[Commit] = []
    for commit in _since_adoption(chain):
        if commit.name in taken:
            continue
        if commit.message.verb in _STEPS:
            taken.update(commit.message.evidence)
        elif _is_change(commit, actor):
            if change and not _in_one_go(change, commit):
                yield tuple(change)
                change = []
            change.append(commit)
    if change:
        yield tuple(change)


def last_undo(chain: Iterable[Commit], actor: str | None = None) -> LastUndo:
    """What `redo` would bring back. With an `actor`, only its own undos and changes count."""
    taken: set[str] = set()
    since = None
    for commit in _since_adoption(chain):
        stands = commit.name not in taken
        if stands and commit.message.verb in _STEPS:
            # An undo that somebody else took back is gone, whoever asks: so all are looked at.
            taken.update(commit.message.evidence)
        if stands and commit.message.verb == UNDO and actor in (None, commit.actor):
            return LastUndo(commit, since)
        # A change ends the redos as in any editor, also one that was taken back since.
        if since is None and _is_change(commit, actor):
            since = commit
    return LastUndo(None, since)


def in_words(message: Message, *, grew: bool = True) -> str:
    """What a change did, as an answer tells it: in the past tense. `grew`: it brought an entry in;
    a fact that was known already is only counted once more.
    """
    summary = message.told
    if message.verb in _IN_OTHER_WORDS:
        return summary
    if message.verb in _LED:
        return f"{_LED[message.verb]} {summary}"
    if summary.startswith(SOULS):
        return f"changed {summary}"
    first, blank, rest = summary.partition(" ")
    if message.verb == REMEMBER and not grew:
        return f"mentioned again {rest}"
    return f"{_PAST.get(first, first)}{blank}{rest}"


def _since_adoption(chain: Iterable[Commit]) -> Iterator[Commit]:
    """The commits that came after the oldest `init`; where there is none, after the oldest commit
    with our marks.
    """
    waiting: list[Commit] = []
    adopted = False
    for commit in chain:
        waiting.append(commit)
        is_init = commit.message.op == _ADOPTION
        # Until it is known that clawgit was there before them, commits wait; older ones need not be
        # read for that.
        if is_init or (not adopted and (commit.message.op or commit.message.ids)):
            yield from waiting
            waiting = []
        adopted = adopted or is_init


def _is_change(commit: Commit, actor: str | None) -> bool:
    """Whether a bare undo may take it back. A merge goes by its id only: it brings what other
    branches did.
    """
    message = commit.message
    if len(commit.parents) != 1 or message.op == _ADOPTION:
        return False
    return message.verb not in _STEPS | _DERIVED and actor in (None, commit.actor)


def _in_one_go(change: list[Commit], commit: Commit) -> bool:
    """Whether a snapshot was made together with those of `change`, newest first: one after the
    other in the same second, and each of another actor.
    """
    last = change[-1]
    if last.message.verb != SNAPSHOT or commit.message.verb != SNAPSHOT:
        return False
    follows = last.parents[0] == commit.sha and last.time == commit.time
    return follows and commit.actor not in {one.actor for one in change}
