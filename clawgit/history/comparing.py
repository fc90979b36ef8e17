"""`show` and `diff`: shows one change, compares two states."""

from collections.abc import Callable, Sequence
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.disk.plainfile import is_hard_link
from clawgit.core.errors import NotFoundError, UsageError
from clawgit.git.cgit import CGit
from clawgit.git.dirt import flagged_rows, index_with
from clawgit.git.guards.filters import filtered
from clawgit.git.history.patches import EMPTY_TREE, SHAPE, FileDiff, compare, kept, limit, parsed
from clawgit.git.history.pathlog import PathLog
from clawgit.git.revisions import State
from clawgit.git.rules.history import ToldChange
from clawgit.git.rules.undoing import fates
from clawgit.git.worktree import relative_path
from clawgit.history.log import past, state
from clawgit.workspace.workspace import Workspace

_MOST_REVISIONS = 2

_NEW = b"H 100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 0\t"
"""A new file is listed as an empty one."""


class PastChange(NamedTuple):
    """One change. `undone_by` took it back. `note`: how this differs from the commit that was asked
    for, if it does.
    """

    change: ToldChange
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


class HistoryComparison(NamedTuple):
    """From commit `a` (None: before all history) to commit `b` (None: the files on disk).

    `note`: how these differ from the states that were asked for, if they do.
    """

    a: str | None
    b: str | None
    files: tuple[FileDiff, ...]
    note: str = ""


def show(workspace: Workspace, rev: str, *, patch: bool = True) -> PastChange:
    """One change, compared with its first parent. For a day before all history, the first one."""
    index, (oid, note) = past(workspace), state(workspace, rev)
    commit = workspace.git.commit(oid)
    message = commit.message
    later = fates(index.read())
    undone_by = next((fate.undone_by for fate in later if fate.commit.sha == commit.sha), "")
    return PastChange(
        commit.told,
        parents=commit.parents,
        author=commit.author,
        session=message.session,
        confidence=message.confidence,
        run=message.run,
        alerts=commit.alerts,
        job=message.job,
        files=compare(index.git, commit.first_parent, commit.sha, patch=patch),
        undone_by=undone_by or None,
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
    index = past(workspace)
    states, path = _sorted_words(workspace, index, words, path_of)
    a = states[0].oid if states else index.head
    b = states[1].oid if len(states) > 1 else None
    note = "; ".join(dict.fromkeys(then.note for then in states if then.note))
    if b is not None:
        files = compare(index.git, a, b, path, patch=patch, scope=workspace.scope)
    else:
        files = _compare_disk(workspace, index.git, a, path, patch=patch)
    return HistoryComparison(a, b, files, note)


def _compare_disk(
    workspace: Workspace, git: CGit, old: str | None, path: str | None, *, patch: bool
) -> tuple[FileDiff, ...]:
    """The files on disk that differ from a commit, new Markdown files among them."""
    new = git.run("ls-files", "--others", "--exclude-standard", "-z", "--", ":(icase)*.md")
    rows = [_NEW + path for path in new.split(b"\0") if path]
    with index_with(git, [*flagged_rows(git).values(), *rows]) as index:
        told = git.run(
            "diff", *SHAPE, old or EMPTY_TREE, "--", *limit(path, workspace.scope), index=index
        )
    differing = [*kept(parsed(told), path, workspace.scope, patch=patch)]
    left = filtered(git, (file.path for file in differing))
    return tuple(
        file
        for file in differing
        if file.path not in left and not _is_hard_link(workspace.root / file.path)
    )


def _is_hard_link(file: Path) -> bool:
    try:
        return is_hard_link(file.lstat())
    except OSError:
        return False


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
    return (workspace.root / path).exists() or index.knows(path)
