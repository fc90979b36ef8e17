"""The workspace for a command that runs outside any: the one that OpenClaw's config names."""

from pathlib import Path

from clawgit.ops.workspace.workspace import Caller, is_workspace
from clawgit.stores import openclaw
from clawgit.stores.git.place import locate


def openclaw_workspace(asker: Caller) -> Path | None:
    """The first workspace in OpenClaw's config that is under clawgit."""
    installed = openclaw.find(asker.home, asker.env)
    if installed is None:
        return None
    for agent in installed.agents:
        place = locate(agent.workspace)
        if place and is_workspace(place):
            return agent.workspace
    return None
