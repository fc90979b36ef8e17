"""`delta`: what changed since a commit, since a time, or since the client's last call."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from clawgit.core.errors import ClawgitError, UsageError
from clawgit.git.batch import Batch
from clawgit.git.history.patches import FileDiff
from clawgit.git.history.pathlog import PathLog, told
from clawgit.git.revisions import BeforeHistoryError
from clawgit.git.rules.undoing import fates
from clawgit.history.comparing import compare_disk
from clawgit.history.log import LoggedChange, logged, past, revision
from clawgit.workspace.stores.state import state_file
from clawgit.workspace.workspace import Workspace

FIRST = timedelta(days=1)
"""How far back the first call of a client goes."""

LIMIT = 50
"""Commits that are listed, if the caller sets no limit."""


@dataclass(frozen=True, slots=True)
class Delta:
    """What changed from the commit `since` (None: the beginning) to the files on disk.

    `files` have their patches; uncommitted edits are included. `basis` says where `since` comes
    from. `commits` are newest first; `more`: older ones were left out.
    """

    since: str | None
    basis: str
    head: str | None
    commits: tuple[LoggedChange, ...]
    more: bool
    files: tuple[FileDiff, ...]


def delta(workspace: Workspace, since: str = "", client: str = "", limit: int = LIMIT) -> Delta:
    """What changed since a revision, a change id or a time; without one, since the last call of
    this `client`. The call is recorded in state.db; the workspace itself is not changed.
    """
    if not (since or client):
        raise UsageError("Say since when.", hint="A change id, a git revision, a date or a time.")
    index = past(workspace)
    begin, basis = _begin(workspace, index, since, client)
    span = f"{begin}..{index.head}" if begin else index.head
    oids = index.git.text("rev-list", "--topo-order", span).split() if span else []
    result = Delta(
        since=begin,
        basis=basis,
        head=index.head,
        commits=logged(fates(told(index.git, oids[:limit])), {}),
        more=len(oids) > limit,
        files=compare_disk(workspace, index.git, begin),
    )
    # Only now: if anything above fails, the next call starts from the same commit.
    if client and index.head:
        _remember(workspace, client, index.head)
    return result


def _begin(workspace: Workspace, index: PathLog, since: str, client: str) -> tuple[str | None, str]:
    """The commit to compare with. A time before all history is its beginning."""
    last = "" if since else _last_seen(workspace, client)
    if last and Batch(index.git).read([f"{last}^{{commit}}"])[0]:
        return last, "the last call of this client"
    basis = since or "a day ago, because this client has not asked before"
    with suppress(BeforeHistoryError):
        return revision(workspace, since or (workspace.now - FIRST).isoformat()), basis
    return None, basis


def _last_seen(workspace: Workspace, client: str) -> str:
    if not state_file(workspace.place).exists():
        return ""
    with workspace.state() as kept:
        rows = kept.query("SELECT head FROM client_seen WHERE client = ?", client)
    return str(rows[0][0]) if rows else ""


def _remember(workspace: Workspace, client: str, head: str) -> None:
    """Records the call. If state.db cannot be written, the answer is given all the same."""
    with suppress(ClawgitError), workspace.state() as kept, kept.write() as db:
        row = client, head, int(workspace.now.timestamp())
        db.execute("INSERT OR REPLACE INTO client_seen VALUES (?, ?, ?)", row)
