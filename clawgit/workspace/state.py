"""The state of a workspace: messages, queues, runs, and what else no file holds."""

from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING

from clawgit.workspace.stores.state import State, repository_state

if TYPE_CHECKING:
    from clawgit.workspace.workspace_base import WorkspaceBase


def state_of(
    workspace: "WorkspaceBase", now: datetime | None = None
) -> AbstractContextManager[State]:
    """The state, open until the end of the block. A long run says what time it is by then."""
    caller = workspace.caller
    return repository_state(workspace.place, caller.env, caller.home, now or workspace.now)
