"""The errands that the runner does between jobs: messages, calls, edits and the index."""

from collections.abc import Callable
from typing import NamedTuple

from clawgit.errors import ClawgitError
from clawgit.ops.search.indexing import IndexState, index_state
from clawgit.ops.search.vector_search import is_wanted, vectors_in
from clawgit.ops.sync.standing import is_due
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import openclaw, queue
from clawgit.stores.git.dirt import pause, refuse_mass_deletion, scan
from clawgit.stores.vector_files import is_unfinished


class Errand(NamedTuple):
    """A command of ours, and how often the runner looks whether it is needed.

    If it `stays`, it runs until the runner ends.
    """

    name: str
    seconds: int
    command: tuple[str, ...]
    is_needed: Callable[[Workspace], bool]
    stays: bool = False


def _has_transcripts(workspace: Workspace) -> bool:
    installed = openclaw.find(workspace.caller.home, workspace.caller.env)
    return installed is not None and installed.agent_of(workspace.root) is not None


def _has_calls(workspace: Workspace) -> bool:
    with state_of(workspace) as state:
        return bool(queue.waiting(state, workspace.now))


def _has_edits(workspace: Workspace) -> bool:
    if pause(workspace.place.git_dir):
        return False  # git is in the middle of something; the next look comes soon
    git = workspace.cgit
    dirt = scan(git, workspace.scope)
    try:
        refuse_mass_deletion(git, dirt, workspace.scope)
    except ClawgitError:
        # `status` raises the alarm. Nothing is committed until the operator has looked.
        return False
    return bool(dirt.paths)


def _is_behind(workspace: Workspace) -> bool:
    state = index_state(workspace)
    if state.behind > 0 or state == IndexState():  # behind, or never built
        return True
    return is_wanted(workspace) and is_unfinished(vectors_in(workspace))


SYNC = Errand("sync", 10, ("sync",), is_due)
"""Runs after each job if `sync_remote` is set. Its failure does not fail the job."""

ERRANDS: tuple[Errand, ...] = (
    Errand("queue", 5, ("run", "--queue"), _has_calls),
    Errand("ingest", 60, ("chat", "ingest", "--openclaw"), _has_transcripts),
    Errand("snapshot", 300, ("snapshot",), _has_edits),
    Errand("index", 60, ("memory", "index"), _is_behind),
    SYNC,
)

SERVING = Errand("serve", 5, ("serve", "--socket"), lambda _: True, stays=True)
"""With `run --serve`: the process that keeps the memory open, and owns Chroma."""
