"""Updates what is derived from history, in the background after git has changed something."""

from contextlib import closing

from clawgit.domain.change.actors import CLAWGIT
from clawgit.domain.change.authority import SOULS
from clawgit.errors import BusyError
from clawgit.ops.change.after_merge import after_merge
from clawgit.ops.safety.committed_texts import look_at_commits
from clawgit.ops.search.indexing import reindex
from clawgit.ops.soul import changelog
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.lock import workspace_lock

STALE = "stale"
"""The file by which pre-commit tells post-commit that there is work to do."""


def freshen(workspace: Workspace, *, committed: bool = False, merged: bool = False) -> bool:
    """Updates until HEAD no longer moves.

    False if another process does it already. `committed`, `merged`: HEAD was just made by `git
    commit` or `git merge`, not only checked out.
    """
    try:
        with workspace_lock(workspace.place.private / "freshen.lock", "following HEAD", 0):
            git, seen = workspace.cgit, None
            (workspace.place.private / STALE).unlink(missing_ok=True)
            while (head := _head(git)) != seen:
                changed = _follow(workspace, head)
                _follow_merge(workspace, git)
                look_at_commits(workspace, git, head)
                if (committed or merged) and not changed.isdisjoint(SOULS):
                    _follow_soul(workspace)
                seen = head
    except BusyError:
        return False
    return True


def _follow(workspace: Workspace, head: str) -> frozenset[str]:
    """Updates what is derived from HEAD or the work tree; returns the files that HEAD changed."""
    changed = frozenset(workspace.past(head).paths([head])[head]) if head else frozenset[str]()
    reindex(workspace)
    return changed


def _follow_merge(workspace: Workspace, git: CGit) -> None:
    with closing(_as_clawgit(workspace)) as ours:
        after_merge(ours, git)


def _follow_soul(workspace: Workspace) -> None:
    """Updates CHANGELOG.md, by one commit, after plain git changed the soul.

    It cannot be part of that commit, whose message and time were not known before it was made.
    """
    with closing(_as_clawgit(workspace)) as ours:
        changelog.follow(ours)


def _as_clawgit(workspace: Workspace) -> Workspace:
    return Workspace(workspace.place, workspace.caller._replace(actor=CLAWGIT))


def _head(git: CGit) -> str:
    """The commit of HEAD; "" on a branch without a commit."""
    return git.text("rev-parse", "--quiet", "--verify", "HEAD", ok=(0, 1)).strip()
