"""Changes as they are listed: which are meant, and which still stand: what `undo` takes back, what
`redo` brings back, and what `log` strikes out.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from clawgit.core import NamedTuple
from clawgit.git.rules.actors import CLAWGIT, SNAPSHOT
from clawgit.git.rules.history import (
    DERIVE,
    FOLLOW,
    INIT,
    PRUNE,
    RE_EMBED,
    STEPS,
    UNDO,
    Commit,
    CommitMessage,
)

_DERIVED = frozenset({RE_EMBED, PRUNE, DERIVE, FOLLOW})
"""Operations that follow from other changes or from the date. They are no changes of their own."""

_ADOPTION = f"{CLAWGIT.slug}/{INIT}"


class Selection(NamedTuple):
    """Only changes that fit all that is given. `since` is included, `until` is not."""

    grep: str = ""
    by: str = ""
    run: str = ""
    session: str = ""
    since: datetime | None = None
    until: datetime | None = None
    kind: str = ""

    def takes(self, commit: Commit) -> bool:
        message, when, author = commit.message, commit.time, commit.author.casefold()
        # By the actor, or by git's author: the whole name or one of its words.
        names = ("", commit.actor.casefold(), author, *author.split())
        told = ((self.run, message.run), (self.session, message.session), (self.kind, message.verb))
        return (
            all(wanted in ("", own) for wanted, own in told)
            and (self.since or when) <= when
            and (self.until is None or when < self.until)
            and self.by.casefold() in names
            and self._says(message)
        )

    def _says(self, message: CommitMessage) -> bool:
        if not self.grep:
            return True
        text = "\n".join((message.headline, message.reason, *message.evidence))
        return self.grep.casefold() in text.casefold()


class Fate(NamedTuple):
    """A commit, and the name of the undo or redo that took it back and still stands."""

    commit: Commit
    undone_by: str = ""


class LastUndo(NamedTuple):
    """The newest undo that still stands, and the newest change after it, which rules a redo out."""

    undo: Commit | None
    since: Commit | None


def fates(commits: Iterable[Commit]) -> Iterator[Fate]:
    """What became of each commit. They come newest first: an undo before what it takes back. Of
    several that took a commit back or brought it back, the newest act decides.
    """
    decided: dict[str, tuple[int, str]] = {}
    for number, commit in enumerate(commits):
        newest, undone_by = decided.get(commit.name, (number, ""))
        if commit.message.verb in STEPS:
            act = newest, "" if undone_by else commit.name
            for name in commit.message.evidence:
                decided[name] = min(decided.get(name, act), act)
        yield Fate(commit, undone_by)


def undo_targets(
    chain: Iterable[Commit],
    actor: str | None = None,
    takes: Callable[[Commit], bool] = lambda _: True,
) -> Iterator[tuple[Commit, ...]]:
    """The changes that still stand, newest first, each as its commits.

    Snapshots of several actors that were made at once are one change. `chain` has the commits since
    the adoption. `actor` limits them to its own changes, `takes` to those that it accepts.
    """
    change: list[Commit] = []
    for commit, undone_by in fates(chain):
        if undone_by or not _is_change(commit, actor) or not takes(commit):
            continue
        if change and not _in_one_go(change, commit):
            yield tuple(change)
            change = []
        change.append(commit)
    if change:
        yield tuple(change)


def last_undo(chain: Iterable[Commit], actor: str | None = None) -> LastUndo:
    """What `redo` brings back. With an `actor`, only its own undos and changes count."""
    since = None
    # All undos are read, because one that somebody else took back is gone, whoever asks.
    for commit, undone_by in fates(chain):
        is_undo = commit.message.verb == UNDO and actor in (None, commit.actor)
        if is_undo and not undone_by:
            return LastUndo(commit, since)
        # A change ends the redos as in any editor, also one that was taken back since.
        if since is None and _is_change(commit, actor):
            since = commit
    return LastUndo(None, since)


def since_adoption(history: Iterable[Commit]) -> Iterator[Commit]:
    """The commits of a history that have an `init` before them, on whatever branch; without one, a
    commit of ours. A merge may have brought in a history that has neither. Children come first.
    """
    waiting, since = deque[Commit](), set[str]()
    children = defaultdict[str, list[str]](list)
    adopted = False
    for commit in history:
        waiting.append(commit)
        for parent in commit.parents:
            children[parent].append(commit.sha)
        message = commit.message
        is_init = message.op == _ADOPTION
        found = [commit.sha] if is_init or (not adopted and (message.op or message.ids)) else []
        adopted |= is_init
        while found:
            since.add(sha := found.pop())
            found += children.pop(sha, ())
        # A commit waits until an older one shows that it came after the adoption, and those that
        # follow wait with it. So most of a long history is never read.
        while waiting and waiting[0].sha in since:
            yield waiting.popleft()
    yield from (commit for commit in waiting if commit.sha in since)


def _is_change(commit: Commit, actor: str | None) -> bool:
    """Whether a bare undo may take it back. A merge, which brings what other branches did, may only
    be undone by its id.
    """
    message = commit.message
    if len(commit.parents) != 1 or message.op == _ADOPTION:
        return False
    return message.verb not in STEPS | _DERIVED and actor in (None, commit.actor)


def _in_one_go(change: list[Commit], commit: Commit) -> bool:
    """Whether a snapshot was made at once with those of `change`: directly one after the other, in
    the same second, each of another actor.
    """
    last = change[-1]
    if last.message.verb != SNAPSHOT or commit.message.verb != SNAPSHOT:
        return False
    follows = last.parents[0] == commit.sha and last.time == commit.time
    return follows and commit.actor not in {member.actor for member in change}
