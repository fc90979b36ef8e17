"""Where a user is, and what to do next: what `clawgit` answers without a command."""

from typing import NamedTuple

from clawgit.ops.workspace.logs import corrected_in_chat
from clawgit.ops.workspace.status import Status, status
from clawgit.ops.workspace.workspace import Caller, Workspace, is_workspace
from clawgit.stores import openclaw
from clawgit.stores.git.place import locate


class Next(NamedTuple):
    """A command to type, and what for."""

    command: str
    why: str


class Here(NamedTuple):
    """The status of the workspace, null outside of one; and what else may be done."""

    status: Status | None
    next: tuple[Next, ...]


def here(workspace: Workspace) -> Here:
    corrected = corrected_in_chat(workspace)
    told = (Next("clawgit corrections list", corrected),) if corrected else ()
    return Here(status(workspace), (*told, *_EVERYDAY))


def outside(caller: Caller) -> Here:
    """What to do outside a workspace: OpenClaw's own folders come first, if there are any."""
    installation = openclaw.find(caller.home, caller.env)
    agents = installation.agents if installation else ()
    homes = [agent.workspace for agent in agents if agent.workspace.is_dir()]
    steps = [
        Next(f"clawgit -C '{home}'", "the workspace of an OpenClaw agent")
        if (place := locate(home)) and is_workspace(place)
        else Next(f"clawgit init '{home}'", "keep this OpenClaw agent's folder in git")
        for home in homes
    ]
    # A user of OpenClaw has a folder already and needs no new one.
    return Here(None, (*steps,) if steps else _NEW)


_EVERYDAY = (
    Next("clawgit search TEXT", "find what is remembered"),
    Next("clawgit log", "what changed, by whom, and why"),
    Next("clawgit undo", "undo the last change"),
)
_NEW = (
    Next("clawgit init agent", "create a workspace in a new folder here"),
    Next("clawgit init .", "adopt this folder; nothing is overwritten"),
)
