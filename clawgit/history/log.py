"""`log`: lists changes; and the commit that a revision, a day or a time means."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import islice, takewhile

from clawgit.core import NamedTuple
from clawgit.core.errors import NotFoundError
from clawgit.git.history.patches import FileDiff, compare_each
from clawgit.git.history.pathlog import PathLog
from clawgit.git.place import head_of
from clawgit.git.revisions import State, resolve, resolve_state
from clawgit.git.rules.history import Commit, ToldChange
from clawgit.git.rules.undoing import Fate, Selection, fates
from clawgit.git.worktree import relative_path
from clawgit.workspace.workspace import Workspace

LIMIT = 100
"""Changes that `log` lists by default."""

ALL = Selection()


class LoggedChange(NamedTuple):
    """A commit and `paths`. `undone_by` took it back. `files` are given only where patches were
    asked for.
    """

    change: ToldChange
    paths: tuple[str, ...]
    undone_by: str | None = None
    files: tuple[FileDiff, ...] | None = None


class Log(NamedTuple):
    """Changes, newest first. `more`: the limit left older ones out."""

    commits: tuple[LoggedChange, ...]
    more: bool


def past(workspace: Workspace) -> PathLog:
    """History as HEAD sees it."""
    return PathLog(workspace.cgit, head_of(workspace.place) or None)


def revision(workspace: Workspace, text: str) -> str:
    """The commit of a change id, a git revision, a date or a time."""
    return resolve(past(workspace), text, workspace.now, lambda: workspace.zone)


def state(workspace: Workspace, text: str, path: str | None = None) -> State:
    """The same for a command that shows a state: a day before all history means the first state.

    With a `path`, that is the first state of this file.
    """
    return resolve_state(past(workspace), text, workspace.now, lambda: workspace.zone, path)


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
    index = past(workspace)
    end = state(workspace, before).oid if before else ""
    below = None if path is None else relative_path(workspace.root, path)
    # The change that is named need not be one of that file.
    newer = takewhile(lambda oid: oid != end, index.oids()) if end else ()
    passed = {end, *newer}
    # All are read from the newest on: what took a change back came after it.
    wanted_ones = (
        each
        for each in fates(_recent(index, index.read(below), wanted.since))
        if each.commit.sha not in passed and wanted.takes(each.commit)
    )
    rows = [*islice(wanted_ones, limit)]
    if below is not None and not (rows or index.knows(below)):
        raise _never_committed(workspace, below)
    more = next(wanted_ones, None) is not None
    pairs = [(row.commit.sha, row.commit.first_parent) for row in rows]
    return Log(_logged(rows, compare_each(index.git, pairs, below) if patch else {}), more)


def _recent(index: PathLog, commits: Iterator[Commit], since: datetime | None) -> Iterator[Commit]:
    """Down to the oldest of that time or later, not to the first before it: a clock may have gone
    back, to 1970 after a power cut.
    """
    if since is None or index.head is None:
        return commits
    told, begin = index.git.text("log", "--format=%ct %H", index.head, "--"), since.timestamp()
    rows = reversed([row.split() for row in told.splitlines()])
    older = {oid for _, oid in takewhile(lambda row: int(row[0]) < begin, rows)}
    return takewhile(lambda commit: commit.sha not in older, commits)


class DayOfChanges(NamedTuple):
    day: str
    changes: int


class Days(NamedTuple):
    """How many changes each day had, with `--days`, oldest first; days without one are left out."""

    today: str
    days: tuple[DayOfChanges, ...]


def days(workspace: Workspace, since: datetime | None = None) -> Days:
    zone = workspace.zone
    begin = (since or workspace.now - timedelta(days=_YEAR)).astimezone(zone)
    midnight = begin.replace(hour=0, minute=0, second=0, microsecond=0)
    times = workspace.cgit.text("log", f"--since={midnight.isoformat()}", "--format=%ct").split()
    counted = Counter(str(datetime.fromtimestamp(int(time), zone).date()) for time in times)
    today = str(workspace.today)
    return Days(today, tuple(DayOfChanges(day, counted[day]) for day in sorted(counted)))


_YEAR = 371
"""Days: 53 weeks."""


def _logged(
    rows: Iterable[Fate], files: Mapping[str, tuple[FileDiff, ...]]
) -> tuple[LoggedChange, ...]:
    """Changes as they are listed, of commits whose paths are known."""
    return tuple(
        LoggedChange(commit.told, commit.paths, undone_by or None, files.get(commit.sha))
        for commit, undone_by in rows
    )


def _never_committed(workspace: Workspace, path: str) -> NotFoundError:
    if (workspace.root / path).exists():
        return NotFoundError(
            f"{path} was never committed.", hint="`clawgit snapshot` commits what is on disk."
        )
    return NotFoundError(
        f"No commit here touches {path}.",
        hint="`clawgit diff DAY --stat` lists the files that changed since a day.",
    )
