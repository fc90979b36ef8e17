"""Reads the time that a context is asked for."""

from clawgit.domain.change.when import parse_when
from clawgit.ops.change.history import state
from clawgit.ops.context.files import Moment
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.batch import Batch


def moment(workspace: Workspace, at: str) -> Moment:
    """Now; or the commit of a revision, at its own time or at the date that was given.

    For a date before all history it is the first commit, at its own time.
    """
    if not at:
        return Moment(workspace.local_now)
    commit, note = state(workspace, at)
    [named_commit] = Batch(workspace.cgit).read_commits([commit])
    named = None if note else parse_when(at, workspace.now, workspace.zone)
    return Moment((named or named_commit.time).astimezone(workspace.zone), commit, note)
