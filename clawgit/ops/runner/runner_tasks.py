"""What the runner sees to between the jobs: messages, calls, edits and the index, when there is
something to do.
"""

from collections.abc import Callable
from typing import NamedTuple

from clawgit.errors import ClawgitError
from clawgit.ops.workspace.workspace import Workspace


class Errand(NamedTuple):
    """A command of ours, how often is looked whether it is needed, and whether it `stays`: runs
    until the end.
    """

    name: str
    seconds: int
    command: tuple[str, ...]
    is_needed: Callable[[Workspace], bool]
    stays: bool = False


def _has_transcripts(workspace: Workspace) -> bool:
    from clawgit.stores import openclaw  # noqa: PLC0415 - only where it is looked for

    found = openclaw.find(workspace.caller.home, workspace.caller.env)
    return found is not None and found.agent_of(workspace.root) is not None


def _has_calls(workspace: Workspace) -> bool:
    from clawgit.stores import queue  # noqa: PLC0415
    from clawgit.stores.state import repository_state  # noqa: PLC0415

    caller = workspace.caller
    with repository_state(workspace.place, caller.env, caller.home, workspace.now) as state:
        return bool(queue.waiting(state, workspace.now))


def _has_edits(workspace: Workspace) -> bool:
    from clawgit.stores.git.dirt import pause, refuse_mass_deletion, scan  # noqa: PLC0415

    if pause(workspace.place.git_dir):
        return False  # no branch may be moved now; the next look comes
    git = workspace.cgit
    found = scan(git, workspace.scope)
    try:
        refuse_mass_deletion(git, found, workspace.scope)
    except ClawgitError:
        return (
            False  # `status` raises the alarm; nothing is committed until the operator has looked
        )
    return bool(found.paths)


def _is_behind(workspace: Workspace) -> bool:
    from clawgit.ops.search.index_row import IndexState  # noqa: PLC0415
    from clawgit.ops.search.indexing import index_state  # noqa: PLC0415

    state = index_state(workspace)
    return state.behind > 0 or state == IndexState()  # behind, or never built


def _always(_: Workspace) -> bool:
    return True


ERRANDS: tuple[Errand, ...] = (
    Errand("queue", 5, ("queue", "work"), _has_calls),
    Errand("ingest", 60, ("chat", "ingest", "--openclaw"), _has_transcripts),
    Errand("snapshot", 300, ("snapshot",), _has_edits),
    Errand("index", 60, ("memory", "index"), _is_behind),
)

SERVING = Errand("serve", 5, ("serve", "--socket"), _always, stays=True)
"""With `run --serve`: the process that keeps the memory open, and owns Chroma."""
