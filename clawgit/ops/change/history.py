"""`log`, `show` and `diff`: lists changes, shows one, compares two states."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from clawgit.domain.change.history import Commit
from clawgit.errors import NotFoundError, UsageError
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.patches import FileDiff, compare, compare_disk
from clawgit.stores.git.pathlog import PathLog
from clawgit.stores.git.revisions import resolve
from clawgit.stores.git.worktree import relative_path

LIMIT = 100
"""Changes that `log` lists by default."""

_MOST_REVISIONS = 2


@dataclass(frozen=True, slots=True)
class LoggedChange:
    sha: str
    id: str | None
    time: datetime
    actor: str
    op: str
    summary: str
    reason: str
    evidence: tuple[str, ...]
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Log:
    """Changes, newest first. `more`: the limit left older ones out."""

    commits: tuple[LoggedChange, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class PastChange:
    """One change. `also`: other commits with the same id, as a cherry-pick makes them."""

    sha: str
    id: str | None
    parents: tuple[str, ...]
    time: datetime
    author: str
    actor: str
    op: str
    summary: str
    reason: str
    evidence: tuple[str, ...]
    session: str
    confidence: float | None
    run: str
    alerts: tuple[str, ...]
    job: str
    also: tuple[str, ...]
    files: tuple[FileDiff, ...]


@dataclass(frozen=True, slots=True)
class HistoryComparison:
    """From commit `a` (None: before all history) to commit `b` (None: the files on disk)."""

    a: str | None
    b: str | None
    files: tuple[FileDiff, ...]


@contextmanager
def reading(workspace: Workspace) -> Iterator[PathLog]:
    """The index of history, updated to HEAD."""
    git = workspace.cgit
    log = PathLog(workspace.place, git)
    try:
        head = Batch(git).read(["HEAD"])[0]
        log.refresh(head.oid if head else None)
        yield log
    finally:
        log.close()


def first_parents(workspace: Workspace) -> Iterator[Commit]:
    """HEAD and its first parents, newest first. Each commit is read when it is asked for."""
    oid = workspace.git.head().oid
    while oid:
        commit = workspace.git.commit(oid)
        yield commit
        oid = _first_parent(commit)


def revision(workspace: Workspace, text: str, log: PathLog | None = None) -> str:
    """The commit of a change id, a git revision, a date or a time."""
    if log is not None:
        return resolve(log, text, workspace.now, lambda: workspace.zone)
    with reading(workspace) as opened:
        return revision(workspace, text, opened)


def log(workspace: Workspace, path: str | None = None, limit: int | None = LIMIT) -> Log:
    """The changes to all files, to one file (which may be deleted), or below a folder."""
    with reading(workspace) as index:
        wanted = None if path is None else relative_path(workspace.root, path)
        found = index.commits(wanted, None if limit is None else limit + 1)
        if wanted is not None and not found:
            raise _never_committed(workspace, wanted)
        shown = Batch(index.git).read_commits(found[:limit])
        changes = tuple(_logged(index, commit) for commit in shown)
        return Log(changes, more=len(found) > len(changes))


def show(workspace: Workspace, rev: str, *, patch: bool = True) -> PastChange:
    """One change, compared with its first parent."""
    with reading(workspace) as index:
        commit = workspace.git.commit(revision(workspace, rev, index))
        files = compare(index.git, _first_parent(commit), commit.sha, patch=patch)
        copies = index.by_change_id(commit.id) if commit.id else []
    message = commit.message
    return PastChange(
        sha=commit.sha,
        id=commit.id,
        parents=commit.parents,
        time=commit.time,
        author=commit.author,
        actor=commit.actor,
        op=message.op,
        summary=message.told,
        reason=message.reason,
        evidence=message.evidence,
        session=message.session,
        confidence=message.confidence,
        run=message.run,
        alerts=message.alerts,
        job=message.job,
        also=tuple(sha for sha in copies if sha != commit.sha),
        files=files,
    )


def diff(
    workspace: Workspace, words: Sequence[str] = (), *, patch: bool = True
) -> HistoryComparison:
    """Compares HEAD or one revision with the disk, or two revisions. The last word may be a path.

    New Markdown files on disk count. A date means the start of that day.
    """
    with reading(workspace) as index:
        revisions, path = _sorted_words(workspace, index, words)
        a = revisions[0] if revisions else index.head
        b = revisions[1] if len(revisions) > 1 else None
        if b is not None:
            return HistoryComparison(a, b, compare(index.git, a, b, path, patch=patch))
        return HistoryComparison(
            a, None, compare_disk(workspace.place, index.git, a, path, patch=patch)
        )


def _logged(index: PathLog, commit: Commit) -> LoggedChange:
    message = commit.message
    return LoggedChange(
        sha=commit.sha,
        id=commit.id,
        time=commit.time,
        actor=commit.actor,
        op=message.op,
        summary=message.told,
        reason=message.reason,
        evidence=message.evidence,
        paths=tuple(index.paths(commit.sha)),
    )


def _first_parent(commit: Commit) -> str | None:
    return commit.parents[0] if commit.parents else None


def _sorted_words(
    workspace: Workspace, index: PathLog, words: Sequence[str]
) -> tuple[list[str], str | None]:
    """Up to two revisions, then perhaps a path. A word that could be both is a revision; `./word`
    is a path.
    """
    revisions: list[str] = []
    for word in words[:_MOST_REVISIONS]:
        try:
            revisions.append(revision(workspace, word, index))
        except NotFoundError:
            if not _is_path(workspace, index, word):
                raise
            break
    rest = words[len(revisions) :]
    if len(rest) > 1 or (rest and not _is_path(workspace, index, rest[0])):
        raise UsageError(
            "Name at most two revisions and one path.", hint="clawgit diff [A [B]] [PATH]"
        )
    return revisions, relative_path(workspace.root, rest[0]) if rest else None


def _is_path(workspace: Workspace, index: PathLog, word: str) -> bool:
    try:
        path = relative_path(workspace.root, word)
    except UsageError:
        return False
    return (workspace.root / path).exists() or bool(index.commits(path, 1))


def _never_committed(workspace: Workspace, path: str) -> NotFoundError:
    if (workspace.root / path).exists():
        return NotFoundError(
            f"{path} was never committed.", hint="`clawgit snapshot` commits what lies on disk."
        )
    return NotFoundError(
        f"No commit here touches {path}.", hint="`clawgit log` lists all changes with their files."
    )
