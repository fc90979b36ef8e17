"""`delta`: what changed since a commit, since a time, or since the client's last call."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from clawgit.domain.change.undoing import fates
from clawgit.domain.markdown.entry import content_key, entries, holds_entries
from clawgit.errors import ClawgitError, UsageError
from clawgit.ops.change.history import LoggedChange, logged, revision
from clawgit.ops.change.reading import reading
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.history.patches import FileDiff, compare_disk
from clawgit.stores.git.history.pathlog import PathLog
from clawgit.stores.git.revisions import BeforeHistoryError
from clawgit.stores.git.worktree import read_file
from clawgit.stores.state import state_file

FIRST = timedelta(days=1)
"""How far back the first call of a client goes."""

LIMIT = 50
"""Commits that are listed, if the caller sets no limit."""

_MOST_FILES = 200
"""Files whose entries are compared. Parsing more would take seconds."""


@dataclass(frozen=True, slots=True)
class ChangedEntry:
    """An entry that was added or removed. `id` is its key, as `why` takes it."""

    path: str
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Delta:
    """What changed from the commit `since` (None: the beginning) to the files on disk.

    Uncommitted edits are included. `basis` says where `since` comes from. `commits` are newest
    first; `more`: older ones were left out.
    """

    since: str | None
    basis: str
    head: str | None
    commits: tuple[LoggedChange, ...]
    more: bool
    files: tuple[FileDiff, ...]
    added: tuple[ChangedEntry, ...]
    removed: tuple[ChangedEntry, ...]


def delta(workspace: Workspace, since: str = "", client: str = "", limit: int = LIMIT) -> Delta:
    """What changed since a revision, a change id or a time; without one, since the last call of
    this `client`. The call is recorded in state.db; the workspace itself is not changed.
    """
    if not (since or client):
        raise UsageError("Say since when.", hint="A change id, a git revision, a date or a time.")
    with reading(workspace) as index:
        begin, basis = _begin(workspace, index, since, client)
        oids = _between(index, begin)
        commits = Batch(index.git).read_commits(oids[:limit])
        files = compare_disk(workspace.place, index.git, begin, patch=False, scope=workspace.scope)
        added, removed = _changed_entries(workspace, index, begin, files)
        result = Delta(
            since=begin,
            basis=basis,
            head=index.head,
            commits=logged(index, [*fates(commits)], {}),
            more=len(oids) > limit,
            files=files,
            added=added,
            removed=removed,
        )
    # Only now: if anything above fails, the next call starts from the same commit.
    if client and index.head:
        _remember(workspace, client, index.head)
    return result


def _begin(workspace: Workspace, index: PathLog, since: str, client: str) -> tuple[str | None, str]:
    """The commit to compare with. A time before all history is its beginning."""
    if since:
        return _resolved(workspace, index, since), since
    last = _last_seen(workspace, client)
    if last and Batch(index.git).read([f"{last}^{{commit}}"])[0]:
        return last, "the last call of this client"
    day = (workspace.now - FIRST).isoformat()
    return _resolved(workspace, index, day), "a day ago, because this client has not asked before"


def _resolved(workspace: Workspace, index: PathLog, text: str) -> str | None:
    with suppress(BeforeHistoryError):
        return revision(workspace, text, index)
    return None


def _between(index: PathLog, begin: str | None) -> list[str]:
    if index.head is None:
        return []
    if begin is None:
        return index.commits()
    return index.git.text("rev-list", "--topo-order", f"{begin}..{index.head}").split()


def _changed_entries(
    workspace: Workspace, index: PathLog, begin: str | None, files: Iterable[FileDiff]
) -> tuple[tuple[ChangedEntry, ...], tuple[ChangedEntry, ...]]:
    """The entries that were added, and those that were removed."""
    paths = [file.path for file in files if holds_entries(file.path)][:_MOST_FILES]
    before = _entries_then(index, begin, paths)
    now = dict(_entries_now(workspace, paths))
    added = tuple(entry for key, entry in now.items() if key not in before)
    removed = tuple(entry for key, entry in before.items() if key not in now)
    return added, removed


def _entries_then(index: PathLog, begin: str | None, paths: list[str]) -> dict[str, ChangedEntry]:
    if begin is None or not paths:
        return {}
    found = Batch(index.git).read(f"{begin}:{path}" for path in paths)
    texts = ((path, one.data) for path, one in zip(paths, found, strict=True) if one)
    return dict(_keyed(texts))


def _entries_now(workspace: Workspace, paths: list[str]) -> Iterator[tuple[str, ChangedEntry]]:
    for path in paths:
        with suppress(ClawgitError):  # a link, for instance, which is not read
            yield from _keyed([(path, read_file(workspace.root, path).data or b"")])


def _keyed(texts: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, ChangedEntry]]:
    """The entries by their content, so that one that only moved, or was mentioned again, is no
    change.
    """
    for path, data in texts:
        for entry in entries(data.decode("utf-8", "replace")):
            yield content_key(entry.text), ChangedEntry(path, entry.key, entry.text)


def _last_seen(workspace: Workspace, client: str) -> str:
    if not state_file(workspace.place).exists():
        return ""
    with state_of(workspace) as kept:
        rows = kept.query("SELECT head FROM client_seen WHERE client = ?", client)
    return str(rows[0][0]) if rows else ""


def _remember(workspace: Workspace, client: str, head: str) -> None:
    """Records the call. If state.db cannot be written, the answer is given all the same."""
    with suppress(ClawgitError), state_of(workspace) as kept, kept.write() as db:
        row = client, head, int(workspace.now.timestamp())
        db.execute("INSERT OR REPLACE INTO client_seen VALUES (?, ?, ?)", row)
