"""What can be derived from history, brought up to date after git has changed something; nobody
waits for it.
"""

from clawgit.errors import BusyError
from clawgit.ops.search.indexing import reindex
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.git.pathlog import PathLog

STALE = "stale"
"""The file by which the hook before a commit tells the one after it that there will be something to
do."""


def freshen(workspace: Workspace) -> bool:
    """Follows HEAD until it stands still. False where another process is at it: one of them is
    enough.
    """
    try:
        with workspace_lock(workspace.place.private / "freshen.lock", "following HEAD", 0):
            git, seen = CGit(workspace.root, workspace.caller.env), None
            (workspace.place.private / STALE).unlink(missing_ok=True)
            while (head := _head(git)) != seen:
                _follow(workspace, git, head)
                seen = head
    except BusyError:
        return False
    return True


def _follow(workspace: Workspace, git: CGit, head: str) -> None:
    """A line for each thing that is derived from what HEAD holds, or from what a checkout has laid
    in the work tree.
    """
    log = PathLog(workspace.place, git)
    try:
        log.refresh(head or None)
    finally:
        log.close()
    reindex(workspace)


def _head(git: CGit) -> str:
    """Empty on a branch without a commit."""
    return git.text("rev-parse", "--quiet", "--verify", "HEAD", ok=(0, 1)).strip()
