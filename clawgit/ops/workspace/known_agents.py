"""The agents of this machine by name, from OpenClaw's config and the user's own list."""

import os
import shlex
from pathlib import Path
from typing import NamedTuple

from clawgit.errors import NotAWorkspaceError
from clawgit.ops.workspace.workspace_base import Caller
from clawgit.stores import openclaw, registry
from clawgit.stores.registry import registry_file

MAIN = "main"
"""The agent that writes the shared memory."""

ADDED = "added"
"""The origin of an agent that the user has named."""


class Known(NamedTuple):
    """An agent by name. `origin` says which list names it."""

    agent: str
    path: Path
    origin: str


class KnownAgents(NamedTuple):
    """`unread`: OpenClaw's config exists but cannot be read, so agents may be missing."""

    agents: tuple[Known, ...]
    notes: tuple[str, ...] = ()
    unread: bool = False


def known(caller: Caller) -> KnownAgents:
    """The agents of OpenClaw's config, then those that the user added.

    If both name one, OpenClaw's entry counts.
    """
    added = registry.read(registry_file(caller.home, caller.env))
    config = openclaw.find(caller.home, caller.env)
    if config is None:
        mine = (Known(entry.agent, _clean(entry.path), ADDED) for entry in added)
        return KnownAgents(tuple(mine))
    origin = config.config_path.name if config.config_path else "OpenClaw"
    agents = [Known(entry.id, _clean(entry.workspace), origin) for entry in config.agents]
    names = {entry.agent for entry in agents}
    agents += [
        Known(entry.agent, _clean(entry.path), ADDED) for entry in added if entry.agent not in names
    ]
    return KnownAgents(tuple(agents), config.notes, unread=config.unread)


def refuse_owned(start: Path, root: Path | None, caller: Caller) -> None:
    """Raises if a folder belongs to a known agent and another workspace would answer for it."""
    here, real = start.resolve(), root.resolve() if root else None
    owners = ((agent, agent.path.resolve()) for agent in known(caller).agents)
    around = [(agent, path) for agent, path in owners if here.is_relative_to(path)]
    for agent, path in around:
        # A workspace inside of the agent's folder is one of its own.
        if real is None or not real.is_relative_to(path):
            raise NotAWorkspaceError(
                f"{agent.path} is the folder of the agent {agent.agent}, and is not initialised.",
                hint=f"clawgit init {shlex.quote(str(agent.path))}",
            )


def _clean(path: Path) -> Path:
    return Path(os.path.normpath(path))
