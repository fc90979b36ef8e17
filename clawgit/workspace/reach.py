"""The agents of this machine, which files the search of each covers, and which belong to others."""

import os
from pathlib import Path
from typing import ClassVar

from clawgit.core import NamedTuple
from clawgit.core.disk.xdg import keep, own_note
from clawgit.core.doors import json, shlex
from clawgit.core.errors import ClawgitError, ConfigError, NotAWorkspaceError
from clawgit.core.layout import searched
from clawgit.git.lock import workspace_lock
from clawgit.git.rules.actors import OPERATOR
from clawgit.workspace.discover import Fence, Reach, discover, identity
from clawgit.workspace.stores import openclaw
from clawgit.workspace.workspace_base import Caller, WorkspaceBase

MAIN = "main"
"""The agent that writes the shared memory."""

ADDED = "added"
"""The origin of an agent that the user has named."""


class Known(NamedTuple):
    """An agent by name. `origin` says which list names it.

    Where it is listed, `condition` is ready, missing, not initialised or refused, and `next`
    what to type.
    """

    agent: str
    path: Path
    origin: str
    condition: str = ""
    next: str = ""


class ReachRefusedError(ClawgitError):
    """The path belongs to another agent, and this one may not read it."""

    kind: ClassVar[str] = "not_allowed"


def known(caller: Caller) -> tuple[Known, ...]:
    """The agents of OpenClaw's config, then those that the user added under other names."""
    config = openclaw.find(caller)
    origin = config.config_path.name if config and config.config_path else "OpenClaw"
    agents = {
        name: Known(name, Path(os.path.normpath(path)), ADDED)
        for name, path in registered(registry_file(caller)).items()
    }
    named = {
        agent.id: Known(agent.id, Path(os.path.normpath(agent.workspace)), origin)
        for agent in (config.agents if config else ())
    }
    return tuple({**named, **agents, **named}.values())


def refuse_owned(start: Path, root: Path | None, caller: Caller) -> None:
    """Raises if a folder belongs to a known agent and another workspace would answer for it."""
    here, real = start.resolve(), root.resolve() if root else None
    for agent in known(caller):
        path = agent.path.resolve()
        # A workspace inside of the agent's folder is one of its own.
        if here.is_relative_to(path) and (real is None or not real.is_relative_to(path)):
            raise NotAWorkspaceError(
                f"{agent.path} is the folder of the agent {agent.agent}, and is not initialised.",
                hint=f"clawgit init {shlex.quote(str(agent.path))}",
            )


def reach_of(workspace: WorkspaceBase) -> Reach:
    """The files that belong to memory; in the shared workspace every Markdown file.

    An extra path may begin with `~`, the home of the user who asks.
    """
    paths = workspace.settings.extra_paths
    named = tuple(
        str(expanded(workspace, path)) if path.startswith("~/") else path for path in paths
    )
    extra = (*named, str(workspace.root)) if is_shared_memory(workspace) else named
    layout = searched(workspace.layout, workspace.settings.patterns)
    return memory_of(workspace)._replace(extra=extra, fence=fence_of(workspace), layout=layout)


def memory_of(workspace: WorkspaceBase) -> Reach:
    """The memory that clawgit itself writes, without what the settings or the layout add."""
    return Reach(workspace.root, covers=workspace.scope.covers)


def memory_paths(workspace: WorkspaceBase) -> list[str]:
    """The files of that memory, sorted."""
    return sorted(discover(memory_of(workspace)))


def fence_of(workspace: WorkspaceBase) -> Fence:
    """The folders of other agents that this workspace may not read: all but those whose absolute
    path `allow_paths` names.
    """
    shared = shared_memory(workspace)

    # Only if needed: several files must be read to know the other agents.
    def others() -> list[Path]:
        agents = (agent.path for agent in known(workspace.caller))
        return [path for path in agents if not (shared and same_folder(path, shared))]

    return Fence(workspace.root, others, [*allowed_paths(workspace), *([shared] if shared else [])])


def allowed_paths(workspace: WorkspaceBase) -> tuple[Path, ...]:
    return tuple(expanded(workspace, path) for path in workspace.settings.allow_paths)


def shared_memory(workspace: WorkspaceBase) -> Path | None:
    """The folder that all agents read: `shared_memory`, else `shared/memory` in OpenClaw's state;
    None without one.
    """
    named = workspace.settings.shared_memory
    state = openclaw.state_of(workspace.caller)
    folder = expanded(workspace, named) if named else state and state / "shared" / "memory"
    return folder if folder and folder.is_dir() else None


def is_shared_memory(workspace: WorkspaceBase) -> bool:
    shared = shared_memory(workspace)
    return shared is not None and same_folder(shared, workspace.root)


def refuse_shared_writing(workspace: WorkspaceBase) -> None:
    """Raises if an agent would write to the shared memory from inside it.

    The operator may, and a caller that was admitted from its own workspace.
    """
    if not workspace.admitted and workspace.actor != OPERATOR and is_shared_memory(workspace):
        raise ReachRefusedError(
            "This is the shared memory.",
            hint=f"{MAIN} writes it from its own workspace: clawgit memory add --shared",
        )


def same_folder(folder: Path, other: Path) -> bool:
    """Whether two paths are the same folder, whatever links, capitals and dots are in them."""
    # Two missing folders both have no identity, but that does not make them the same.
    return folder == other or (
        (file_id := identity(folder)) is not None and file_id == identity(other)
    )


def expanded(workspace: WorkspaceBase, path: str) -> Path:
    """A path from a setting, made absolute: `~` is the caller's home, and a relative path starts at
    the workspace.
    """
    return workspace.caller.home / path[2:] if path.startswith("~/") else workspace.root / path


# The agents that the user has named

_PATIENCE = 5.0


def registry_file(caller: Caller) -> Path:
    """`clawgit/workspaces.json` in the XDG configuration folder: the folder of each agent."""
    return own_note(caller.env, caller.home, "workspaces.json")


def registered(file: Path) -> dict[str, str]:
    """The agents in their order; none without a file. What is no such list is an error."""
    try:
        stored = json.loads(file.read_bytes())
        if not all(path.startswith("/") for path in stored.values()):
            raise ValueError("a folder in it is not an absolute path")  # noqa: TRY301 - one error
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError) as error:
        raise ConfigError(
            f"{file}: it cannot be read: {error}.", hint='It holds {"coder": "/…", …}: fix it.'
        ) from error
    return stored  # type: ignore[no-any-return] # as was looked at


def register(file: Path, agent: str, folder: Path) -> None:
    """Puts an agent at the end of the list. In one step, and under a lock: two at once stay two."""
    with workspace_lock(file.with_suffix(".lock"), file.name, _PATIENCE):
        agents = registered(file)
        agents.pop(agent, None)
        keep(file, {**agents, agent: os.fspath(folder)})
