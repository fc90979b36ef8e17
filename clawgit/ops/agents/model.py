"""The language model that a workspace sets, for agents and for single questions."""

from collections.abc import Iterator
from contextlib import contextmanager

from clawgit.ops.agents.prompts import role_of
from clawgit.ops.conversation.queue import Clock
from clawgit.ops.safety.masking import cover_of
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.llm.mind import OpenMind, open_mind
from clawgit.stores.runs import new_run
from clawgit.stores.state import State


def mind_of(
    workspace: Workspace, state: State, run: str, clock: Clock, agent: str = ""
) -> OpenMind | None:
    """The model; None if none is set. The agent's prompt comes before each question."""
    if not workspace.config.settings.llm_model.strip():
        return None
    return open_mind(
        workspace.config.settings,
        state=state,
        run=run,
        clock=lambda: clock().astimezone(workspace.zone),
        root=workspace.root,
        env=workspace.caller.env,
        role=role_of(workspace, agent) if agent else "",
        cover=cover_of(workspace),
    )


@contextmanager
def session_mind(workspace: Workspace) -> Iterator[OpenMind | None]:
    """A model for use outside an agent's run."""
    if not workspace.config.settings.llm_model.strip():
        yield None
        return
    with state_of(workspace) as state:
        yield mind_of(workspace, state, new_run(), lambda: workspace.now)
