"""`delta`: what changed in a workspace since a commit, a time, or since the same client asked
last.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from clawgit.domain.change.history import Commit
from clawgit.domain.change.when import parse_when
from clawgit.domain.markdown.entry import content_key, entries, holds_entries
from clawgit.errors import ClawgitError, NotFoundError, UsageError
from clawgit.ops.change.history import reading
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.patches import compare_disk
from clawgit.stores.git.pathlog import PathLog
from clawgit.stores.git.revisions import resolve
from clawgit.stores.git.worktree import read_file
from clawgit.stores.state import repository_state, state_file

FIRST = timedelta(days=1)
"""How far back a client is told that asks for the first time."""

LIMIT = 50
_MOST_FILES = 200
"""Files whose entries are compared."""


@dataclass(frozen=True, slots=True)
class CommittedChange:
    """One change that was committed."""

    sha: str
    id: str | None
    time: datetime
    actor: str
    summary: str
    reason: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """`added` and `removed` count lines, None for a binary file."""

    path: str
    status: str
    added: int | None
    removed: int | None


@dataclass(frozen=True, slots=True)
class ChangedEntry:
    """An entry of memory that is new, or gone. `id` is its key, as `why` takes it."""

    path: str
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Delta:
    """From the commit `since`, None for the beginning, to the files on disk, edits that are not
    committed included. `basis` says where `since` comes from; `commits` are newest first, and
    `more` says that older ones were left out.
    """

    since: str | None
    basis: str
    head: str | None
    commits: tuple[CommittedChange, ...]
    more: bool
    files: tuple[ChangedFile, ...]
    added: tuple[ChangedEntry, ...]
    removed: tuple[ChangedEntry, ...]


def delta(workspace: Workspace, since: str = "", client: str = "", limit: int = LIMIT) -> Delta:
    """What changed since a revision, a change id or a time; without one, since this `client` asked
    last, which is remembered in state.db. A reader: of the workspace nothing is changed.
    """
    if not (since or client):
        raise UsageError("Say since when.", hint="A change id, a git revision, a date or a time.")
    with reading(workspace) as index:
        begin, basis = _begin(workspace, index, since, client)
        found = _between(index, begin)
        changed = compare_disk(workspace.place, index.git, begin, patch=False)
        paths = [one.path for one in changed if holds_entries(one.path)][:_MOST_FILES]
        before, now = _entries_then(index, begin, paths), dict(_entries_now(workspace, paths))
        shown = Batch(index.git).read_commits(found[:limit])
        result = Delta(
            since=begin,
            basis=basis,
            head=index.head,
            commits=tuple(_step(index, commit) for commit in shown),
            more=len(found) > limit,
            files=tuple(
                ChangedFile(one.path, one.status, one.added, one.removed) for one in changed
            ),
            added=tuple(entry for key, entry in now.items() if key not in before),
            removed=tuple(entry for key, entry in before.items() if key not in now),
        )
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
    return _resolved(workspace, index, day), "a day ago, for this client has not asked before"


def _resolved(workspace: Workspace, index: PathLog, text: str) -> str | None:
    try:
        return resolve(index, text, workspace.now, lambda: workspace.zone)
    except NotFoundError:
        if parse_when(text, workspace.now, None):
            return None
        raise


def _between(index: PathLog, begin: str | None) -> list[str]:
    if index.head is None:
        return []
    if begin is None:
        return index.commits()
    return index.git.text("rev-list", "--topo-order", f"{begin}..{index.head}").split()


def _step(index: PathLog, commit: Commit) -> CommittedChange:
    told = commit.message
    paths = tuple(index.paths(commit.sha))
    return CommittedChange(
        commit.sha, commit.id, commit.time, commit.actor, told.told, told.reason, paths
    )


def _entries_then(index: PathLog, begin: str | None, paths: list[str]) -> dict[str, ChangedEntry]:
    if begin is None or not paths:
        return {}
    found = Batch(index.git).read(f"{begin}:{path}" for path in paths)
    texts = ((path, one.data) for path, one in zip(paths, found, strict=True) if one)
    return dict(_keyed(texts))


def _entries_now(workspace: Workspace, paths: list[str]) -> Iterator[tuple[str, ChangedEntry]]:
    for path in paths:
        with suppress(ClawgitError):  # a link, say: what cannot be read holds no entry
            yield from _keyed([(path, read_file(workspace.root, path).data or b"")])


def _keyed(texts: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, ChangedEntry]]:
    """By what they say, so that neither a move nor one mention more is news."""
    for path, data in texts:
        for entry in entries(data.decode("utf-8", "replace")):
            yield content_key(entry.text), ChangedEntry(path, entry.key, entry.text)


def _last_seen(workspace: Workspace, client: str) -> str:
    if not state_file(workspace.place).exists():
        return ""
    caller = workspace.caller
    with repository_state(workspace.place, caller.env, caller.home, workspace.now) as state:
        rows = state.query("SELECT head FROM client_seen WHERE client = ?", client)
    return str(rows[0][0]) if rows else ""


def _remember(workspace: Workspace, client: str, head: str) -> None:
    """A state that cannot be written costs the mark, not the answer."""
    caller = workspace.caller
    with (
        suppress(ClawgitError),
        repository_state(workspace.place, caller.env, caller.home, workspace.now) as state,
        state.write() as db,
    ):
        row = client, head, int(workspace.now.timestamp())
        db.execute("INSERT OR REPLACE INTO client_seen VALUES (?, ?, ?)", row)
