"""Several agents: which there are, which workspace each has, and whose memory a caller may read."""

import os
from functools import partial
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.errors import ClawgitError, UsageError
from clawgit.git.gitdir import refuse_foreign_place
from clawgit.git.place import RepoPlace, locate
from clawgit.git.rules.actors import OPERATOR
from clawgit.language.lazily import lazily
from clawgit.workspace.discover import SHARED
from clawgit.workspace.reach import (
    ADDED,
    MAIN,
    Known,
    ReachRefusedError,
    allowed_paths,
    known,
    register,
    registry_file,
    same_folder,
    shared_memory,
)
from clawgit.workspace.stores import openclaw
from clawgit.workspace.workspace import Caller, Workspace, is_workspace

_NAME = lazily(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class Workspaces(NamedTuple):
    """`shared` is the memory that all agents read, null without one."""

    workspaces: tuple[Known, ...]
    shared: Known | None
    notes: tuple[str, ...]


class Registered(NamedTuple):
    """`action` is added, moved or kept.

    The list is the user's and in no history, so there is no commit, except for the one that begins
    the shared memory.
    """

    agent: str
    path: Path
    action: str
    next: str
    changed: tuple[Path, ...]
    commit: str | None = None
    id: str | None = None
    dry_run: bool = False


def workspaces(caller: Caller, here: Workspace | None = None) -> Workspaces:
    """Every agent, in order, and the shared memory that `here` reads.

    If no agent is named for `here`, it is listed by the name of its folder.
    """
    agents, shared = known(caller), _shared(here) if here else None
    names_here = (*agents, *([shared] if shared else []))
    if here and not any(same_folder(agent.path, here.root) for agent in names_here):
        agents = (*agents, Known(here.root.name, here.root, "here"))
    config = openclaw.find(caller)
    return Workspaces(
        tuple(map(partial(_listed, caller), agents)),
        _listed(caller, shared) if shared else None,
        config.notes if config else (),
    )


def openclaw_workspace(caller: Caller) -> Path | None:
    """The workspace for a command outside any: the first in OpenClaw's config under clawgit."""
    named = (agent.path for agent in known(caller) if agent.origin != ADDED)
    return next(filter(_place, named), None)


def agent_of(workspace: Workspace) -> str:
    """The agent whose workspace this is, "" if none is named."""
    agents = known(workspace.caller)
    return next((row.agent for row in agents if same_folder(row.path, workspace.root)), "")


def may_read(workspace: Workspace, path: Path) -> bool:
    """Whether a caller may read a workspace: the operator any, others their own and folders in
    `allow_paths`.
    """
    allowed = (workspace.root, *allowed_paths(workspace))
    return workspace.actor == OPERATOR or any(same_folder(each, path) for each in allowed)


def reached(workspace: Workspace, agent: str) -> Workspace:
    """Another agent's workspace, for reading; ReachRefusedError if this caller may not."""
    target = _shared(workspace) if agent == SHARED else None
    target = target or _known_agent(workspace.caller, agent)
    if target is None:
        names = ", ".join(other.agent for other in known(workspace.caller))
        hint = f"There are {names}." if names else "clawgit workspace add names one."
        raise UsageError(f"There is no agent {agent!r}.", hint=hint)
    if agent != SHARED and not may_read(workspace, target.path):
        raise ReachRefusedError(
            f"This workspace may not read the memory of {agent}.",
            hint="The operator may, and can allow it: clawgit config set "
            f"allow_paths '{target.path}'",
        )
    place = _place(target.path)
    if place is None:
        listed = _listed(workspace.caller, target)
        raise ReachRefusedError(
            f"{agent} has no memory yet: {target.path} is {listed.condition}.", hint=listed.next
        )
    refuse_foreign_place(place, workspace.env)
    return Workspace(place, workspace.caller)


def cited(workspace: Workspace, path: str) -> tuple[Workspace, str]:
    """The workspace and the path of the file that a search hit cites.

    A citation such as `coder:memory/x.md` names another agent's file, and a path in the shared
    folder a shared one. Any other path is one of this workspace.
    """
    shared = shared_memory(workspace)
    if shared and Path(path).is_relative_to(shared) and not same_folder(shared, workspace.root):
        return reached(workspace, SHARED), str(Path(path).relative_to(shared))
    agent, colon, name = path.partition(":")
    # A file of this workspace may have a colon in its name, so it is tried first.
    if not colon or not _NAME.fullmatch(agent) or (workspace.root / path).exists():
        return workspace, path
    return reached(workspace, agent), name


def add(caller: Caller, agent: str, folder: Path) -> Registered:
    """Adds an agent to the user's list, or moves it to another folder.

    A new name gives nobody any rights. Only the operator may name `main`, which writes the shared
    memory, or move a name to another folder.
    """
    folder = Path(os.path.normpath(folder.absolute()))
    _refuse_names(agent)
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder.", hint=f"clawgit init '{folder}'")
    current = _known_agent(caller, agent)
    if current and same_folder(current.path, folder):
        step = _listed(caller, current).next
        return Registered(agent, current.path, "kept", step, (), dry_run=caller.dry_run)
    if current and current.origin != ADDED:
        raise UsageError(
            f"{current.origin} says where {agent} lives: {current.path}.",
            hint="Choose another name.",
        )
    if (current or agent == MAIN) and caller.actor != OPERATOR:
        raise ReachRefusedError(
            f"Only the operator may say who {agent} is.", hint="Run it at a terminal."
        )
    file = registry_file(caller)
    if not caller.dry_run:
        register(file, agent, folder)
    action = "moved" if current else "added"
    step = _listed(caller, Known(agent, folder, ADDED)).next
    return Registered(agent, folder, action, step, (file,), dry_run=caller.dry_run)


def _known_agent(caller: Caller, name: str) -> Known | None:
    return next((agent for agent in known(caller) if agent.agent == name), None)


def _listed(caller: Caller, entry: Known) -> Known:
    place = _place(entry.path)
    condition, step = "ready", ""
    if not entry.path.is_dir():
        waits = "" if entry.origin == ADDED else "start OpenClaw once, then "
        condition, step = "missing", f"{waits}clawgit init '{entry.path}'"
    elif place is None:
        condition, step = "not initialised", f"clawgit init '{entry.path}'"
    else:
        try:
            refuse_foreign_place(place, caller.env)
        except ClawgitError:
            condition, step = "refused", f"clawgit -C '{entry.path}' status"
    return entry._replace(condition=condition, next=step)


def _place(folder: Path) -> RepoPlace | None:
    """The workspace that a folder is, whoever owns it; None if it is none."""
    try:
        place = locate(folder)
    except (ClawgitError, OSError):
        return None
    return place if place and is_workspace(place) else None


def _shared(workspace: Workspace) -> Known | None:
    """The shared memory, named as the agents are."""
    folder = shared_memory(workspace)
    by = "shared_memory" if workspace.settings.shared_memory else "OpenClaw"
    return Known(SHARED, folder, by) if folder else None


def _refuse_names(agent: str) -> None:
    if not _NAME.fullmatch(agent) or agent == SHARED:
        raise UsageError(
            f"{agent!r} is not a valid name for an agent.",
            hint="Letters, digits, dashes: clawgit workspace add coder .",
        )
