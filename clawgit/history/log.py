"""`log`, `show` and `diff`: lists changes, shows one, compares two states."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice, takewhile
from typing import NamedTuple

from clawgit.core.errors import NotFoundError, UsageError
from clawgit.git.batch import Batch
from clawgit.git.history.patches import FileDiff, compare, compare_disk, compare_each
from clawgit.git.history.pathlog import PathLog
from clawgit.git.revisions import First, State, resolve, resolve_state
from clawgit.git.rules.history import Commit
from clawgit.git.rules.undoing import Fate, Selection, ToldChange, fates
from clawgit.git.rules.when import time_named
from clawgit.git.worktree import relative_path
from clawgit.workspace.workspace import Workspace

LIMIT = 100
"""Changes that `log` lists by default."""

_MOST_REVISIONS = 2

_READ_AT_ONCE = 64
"""Commits that `log` reads in one call of git, at first; each call reads twice as many."""

ALL = Selection()


@dataclass(frozen=True, slots=True)
class LoggedChange(ToldChange):
    """`undone_by` took it back. `files` are given only where patches were asked for."""

    paths: tuple[str, ...]
    undone_by: str | None = None
    files: tuple[FileDiff, ...] | None = None


@dataclass(frozen=True, slots=True)
class Log:
    """Changes, newest first. `more`: the limit left older ones out."""

    commits: tuple[LoggedChange, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class PastChange(ToldChange):
    """One change. `undone_by` took it back. `note`: how this differs from the commit that was asked
    for, if it does.
    """

    parents: tuple[str, ...]
    author: str
    session: str
    confidence: float | None
    run: str
    alerts: tuple[str, ...]
    job: str
    files: tuple[FileDiff, ...]
    undone_by: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class HistoryComparison:
    """From commit `a` (None: before all history) to commit `b` (None: the files on disk).

    `note`: how these differ from the states that were asked for, if they do.
    """

    a: str | None
    b: str | None
    files: tuple[FileDiff, ...]
    note: str = ""


def first_parents(workspace: Workspace) -> Iterator[Commit]:
    """HEAD and its first parents, newest first. Each commit is read when it is asked for."""
    oid = workspace.git.head().oid
    while oid:
        commit = workspace.git.commit(oid)
        yield commit
        oid = _first_parent(commit)


def revision(workspace: Workspace, text: str) -> str:
    """The commit of a change id, a git revision, a date or a time."""
    return resolve(workspace.past(), text, workspace.now, lambda: workspace.zone)


def state(workspace: Workspace, text: str, path: str | None = None) -> State:
    """The same for a command that shows a state: a day before all history means the first state.

    With a `path`, that is the first state of this file.
    """
    log = workspace.past()
    first = First(path, lambda: log.first(path)) if path else None
    return resolve_state(log, text, workspace.now, lambda: workspace.zone, first)


def moment(workspace: Workspace, text: str, *, end: bool = False) -> datetime | None:
    """A day or a time as typed, None for "". With `end`, a day without a time means its end."""
    return time_named(text, workspace.now, workspace.zone, end=end) if text else None


def log(
    workspace: Workspace,
    path: str | None = None,
    limit: int | None = LIMIT,
    wanted: Selection = ALL,
    *,
    patch: bool = False,
    before: str = "",
) -> Log:
    """The changes to all files, to one file (which may be deleted), or below a folder; with
    `before`, those that came before a change.
    """
    index = workspace.past()
    end = state(workspace, before).oid if before else ""
    below = None if path is None else relative_path(workspace.root, path)
    if below is not None and not index.commits(below, 1):
        raise _never_committed(workspace, below)
    since = int(wanted.since.timestamp()) if wanted.since else None
    # The change that is named need not be one of that file.
    newer = takewhile(lambda oid: oid != end, index.walk(since=since)) if end else ()
    passed = {end, *newer}
    # All are read from the newest on: what took a change back came after it.
    wanted_ones = (
        each
        for each in fates(_commits(index, index.walk(below, since)))
        if each.commit.sha not in passed and wanted.takes(each.commit)
    )
    rows = [*islice(wanted_ones, limit)]
    more = next(wanted_ones, None) is not None
    pairs = [(row.commit.sha, _first_parent(row.commit)) for row in rows]
    files = compare_each(index.git, pairs, below) if patch else {}
    return Log(logged(index, rows, files), more)


class DayOfChanges(NamedTuple):
    day: str
    changes: int


class Days(NamedTuple):
    """How many changes each day had, oldest first; days without one are left out."""

    today: str
    days: tuple[DayOfChanges, ...]


def days(workspace: Workspace, since: datetime | None = None) -> Days:
    zone = workspace.zone
    begin = (since or workspace.now - timedelta(days=_YEAR)).astimezone(zone)
    midnight = begin.replace(hour=0, minute=0, second=0, microsecond=0)
    times = workspace.cgit.text("log", f"--since={midnight.isoformat()}", "--format=%ct").split()
    counted = Counter(str(datetime.fromtimestamp(int(time), zone).date()) for time in times)
    today = str(workspace.now.astimezone(zone).date())
    return Days(today, tuple(DayOfChanges(day, counted[day]) for day in sorted(counted)))


_YEAR = 371
"""Days: 53 weeks."""


def show(workspace: Workspace, rev: str, *, patch: bool = True) -> PastChange:
    """One change, compared with its first parent. For a day before all history, the first one."""
    index, (oid, note) = workspace.past(), state(workspace, rev)
    commit = workspace.git.commit(oid)
    message = commit.message
    return PastChange.of(
        commit,
        parents=commit.parents,
        author=commit.author,
        session=message.session,
        confidence=message.confidence,
        run=message.run,
        alerts=commit.alerts,
        job=message.job,
        files=compare(index.git, _first_parent(commit), commit.sha, patch=patch),
        undone_by=_undone_by(index, commit),
        note=note,
    )


def diff(
    workspace: Workspace,
    words: Sequence[str] = (),
    *,
    patch: bool = True,
    path_of: Callable[[str], str] = str,
) -> HistoryComparison:
    """Compares HEAD or one revision with the disk, or two revisions. The last word may be a path,
    which `path_of` makes of it.

    Files outside of the scope are left out, unless named. New Markdown files on disk are compared
    too. A date means the start of that day, and before all history its first state.
    """
    index = workspace.past()
    states, path = _sorted_words(workspace, index, words, path_of)
    a = states[0].oid if states else index.head
    b = states[1].oid if len(states) > 1 else None
    note = "; ".join(dict.fromkeys(then.note for then in states if then.note))
    if b is not None:
        files = compare(index.git, a, b, path, patch=patch, scope=workspace.scope)
    else:
        files = compare_disk(
            workspace.place, index.git, a, path, patch=patch, scope=workspace.scope
        )
    return HistoryComparison(a, b, files, note)


def _commits(index: PathLog, oids: Iterator[str]) -> Iterator[Commit]:
    """The commits, read when they are asked for."""
    objects, size = Batch(index.git), _READ_AT_ONCE
    while some := [*islice(oids, size)]:
        yield from objects.read_commits(some)
        size *= 2


def _undone_by(index: PathLog, commit: Commit) -> str | None:
    """The undo that took a commit back."""
    later = fates(_commits(index, index.walk(since=int(commit.time.timestamp()))))
    return next((fate.undone_by for fate in later if fate.commit.sha == commit.sha), "") or None


def logged(
    index: PathLog, rows: Sequence[Fate], files: Mapping[str, tuple[FileDiff, ...]]
) -> tuple[LoggedChange, ...]:
    """Changes as they are listed."""
    paths = index.paths(row.commit.sha for row in rows)
    return tuple(
        LoggedChange.of(
            commit,
            paths=tuple(paths[commit.sha]),
            undone_by=undone_by or None,
            files=files.get(commit.sha),
        )
        for commit, undone_by in rows
    )


def _first_parent(commit: Commit) -> str | None:
    return commit.parents[0] if commit.parents else None


def _sorted_words(
    workspace: Workspace, index: PathLog, words: Sequence[str], path_of: Callable[[str], str]
) -> tuple[list[State], str | None]:
    """Up to two revisions, then perhaps a path. A word that could be both is a revision; `./word`
    is a path.
    """
    revisions: list[State] = []
    for at, word in enumerate(words, 1):
        try:
            revisions.append(state(workspace, word))
        except NotFoundError:
            if at < len(words) or not _is_path(workspace, index, path_of(word)):
                raise
    if len(revisions) > _MOST_REVISIONS:
        raise UsageError(
            "Name at most two revisions and one path.", hint="clawgit diff [A [B]] [PATH]"
        )
    has_path = len(revisions) < len(words)
    return revisions, relative_path(workspace.root, path_of(words[-1])) if has_path else None


def _is_path(workspace: Workspace, index: PathLog, word: str) -> bool:
    try:
        path = relative_path(workspace.root, word)
    except UsageError:
        return False
    return (workspace.root / path).exists() or bool(index.commits(path, 1))


def _never_committed(workspace: Workspace, path: str) -> NotFoundError:
    if (workspace.root / path).exists():
        return NotFoundError(
            f"{path} was never committed.", hint="`clawgit snapshot` commits what is on disk."
        )
    return NotFoundError(
        f"No commit here touches {path}.",
        hint="`clawgit diff DAY --stat` lists the files that changed since a day.",
    )
