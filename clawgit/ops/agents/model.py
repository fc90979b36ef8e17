"""The language model as a workspace sets it: for the run of an agent, and for who asks it something
in between.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from clawgit.ops.agents.prompts import role_of
from clawgit.ops.conversation.queue import Clock
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.runs import new_run
from clawgit.stores.state import State, repository_state

if TYPE_CHECKING:
    from clawgit.stores.llm.mind import OpenMind

HELD = frozenset(
    {"memory-miner", "recall-validator", "soul-keeper", "conflict-detector", "memory-compactor"}
)
"""The agents that write what was said or noted. A lesson concludes, and a fact of the organizer is
held to its line."""


def mind_of(
    workspace: Workspace, state: State, run: str, clock: Clock, agent: str = ""
) -> "OpenMind | None":
    """None where no model is named, which costs nothing. An agent's prompt, the workspace's or the
    package's, comes before each question.
    """
    if not workspace.config.settings.llm_model.strip():
        return None
    from clawgit.stores.llm.mind import open_mind  # noqa: PLC0415 - most workspaces have none

    zone = workspace.zone

    def here() -> datetime:
        return clock().astimezone(zone) if zone else clock()

    return open_mind(
        workspace.config.settings, state=state, run=run, clock=here, root=workspace.root,
            env=workspace.caller.env,
        role=role_of(workspace, agent) if agent else "", holds=agent in HELD,
    )  # fmt: skip


@contextmanager
def session_mind(workspace: Workspace) -> Iterator["OpenMind | None"]:
    """A mind for something that is no run of an agent."""
    if not workspace.config.settings.llm_model.strip():
        yield None
        return
    caller = workspace.caller
    with repository_state(workspace.place, caller.env, caller.home, workspace.now) as state:
        yield mind_of(workspace, state, new_run(), lambda: workspace.now)
