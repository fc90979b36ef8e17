"""Updates what is derived from history, in the background after git has changed something."""

from clawgit.errors import BusyError
from clawgit.ops.search.indexing import reindex
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.git.pathlog import PathLog

STALE = "stale"
"""The file by which the hook before a commit tells the one after it that there is work to do."""


def freshen(workspace: Workspace) -> bool:
    """Updates until HEAD no longer moves. False if another process does it already."""
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
    """Updates each thing that is derived from HEAD or from the work tree."""
    log = PathLog(workspace.place, git)
    try:
        log.refresh(head or None)
    finally:
        log.close()
    reindex(workspace)


def _head(git: CGit) -> str:
    """The commit of HEAD; "" on a branch without a commit."""
    return git.text("rev-parse", "--quiet", "--verify", "HEAD", ok=(0, 1)).strip()
