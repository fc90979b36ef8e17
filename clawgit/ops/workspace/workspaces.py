"""Several agents: which there are, where each lives, and whose memory a caller may read."""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from clawgit.domain.change.actors import OPERATOR
from clawgit.errors import ClawgitError, UsageError
from clawgit.ops.workspace.known_agents import ADDED, MAIN, Known, known
from clawgit.ops.workspace.reach import (
    ReachRefusedError,
    allowed_paths,
    same_folder,
    shared_memory,
)
from clawgit.ops.workspace.workspace import Caller, Workspace, is_workspace
from clawgit.stores import registry
from clawgit.stores.git.gitdir import is_ours, refuse_foreign_place
from clawgit.stores.git.place import RepoPlace, locate
from clawgit.stores.index.discover import SHARED
from clawgit.stores.index.opening import files_of
from clawgit.stores.registry import NamedAgent, registry_file
from clawgit.stores.state import state_file

READY = "ready"
MISSING = "missing"
BARE = "not initialised"
SAME = "shared repository"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class ListedWorkspace:
    """An agent's workspace, with its repository, its index and its state where it has them.
    `condition` is ready, missing, not initialised, or shared repository; `inside` the agent in
    whose folder it lies; `next` what to type.
    """

    agent: str
    path: Path
    origin: str
    condition: str
    repository: Path | None
    index: Path | None
    state: Path | None
    inside: str
    next: str


@dataclass(frozen=True, slots=True)
class Workspaces:
    """`shared` is the memory that all agents read, null without one."""

    workspaces: tuple[ListedWorkspace, ...]
    shared: ListedWorkspace | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Registered:
    """`action` is added, moved, kept, removed or absent. The list is the user's and in no history:
    no commit, but for the one that begins the shared memory.
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
    """Every agent, in order; `here` is listed by the name of its folder where nobody names it. The
    shared memory is the one that `here` reads.
    """
    agents, notes, _ = known(caller)
    shared = shared_memory(here) if here else None
    if (
        here
        and not any(same_folder(one.path, here.root) for one in agents)
        and not _is(shared, here.root)
    ):
        agents = (*agents, Known(here.root.name, here.root, "here"))
    listed = tuple(_listed(one, agents) for one in agents)
    return Workspaces(
        listed, _listed(Known(SHARED, shared, _shared_by(here)), ()) if shared else None, notes
    )


def agents_served(caller: Caller, before: Iterable[Workspace] = ()) -> tuple[Workspace, ...]:
    """The workspaces of all agents that are initialised, each once, though two agents live in it.
    While OpenClaw's config cannot be read, those that were served `before` stay.
    """
    served: list[Workspace] = []
    found = known(caller)
    kept = (one.root for one in before) if found.unread else ()
    for path in (*(one.path for one in found.agents), *kept):
        place = _place(path)
        if place is None or not is_workspace(place) or not is_ours(place, caller.env):
            continue
        if not any(same_folder(place.root, other.root) for other in served):
            served.append(Workspace(place, caller))
    return tuple(served)


def agent_of(workspace: Workspace) -> str:
    """The agent that lives in a workspace, "" where nobody names one."""
    return next(
        (
            one.agent
            for one in known(workspace.caller).agents
            if same_folder(one.path, workspace.root)
        ),
        "",
    )


def may_read(workspace: Workspace, path: Path) -> bool:
    """The operator reads all, and everybody his own; else `allow_paths` must name the very
    folder.
    """
    if workspace.caller.actor == OPERATOR or same_folder(path, workspace.root):
        return True
    return any(
        same_folder(allowed, path) for allowed in allowed_paths(workspace) if allowed.is_absolute()
    )


def reached(workspace: Workspace, agent: str) -> Workspace:
    """Another agent's workspace, to be read; ReachRefusedError where it is not for this caller."""
    one = _named(workspace, agent)
    if agent != SHARED and not may_read(workspace, one.path):
        raise ReachRefusedError(
            f"The memory of {agent} is not for this workspace.",
            hint="Let the operator ask, or let allow_paths name it: clawgit config set "
            f"allow_paths '{one.path}'",
        )
    place = _place(one.path)
    if place is None or not is_workspace(place):
        listed = _listed(one, ())
        raise ReachRefusedError(
            f"{agent} has no memory yet: {one.path} is {listed.condition}.", hint=listed.next
        )
    refuse_foreign_place(place, workspace.caller.env)
    return Workspace(place, workspace.caller)


def cited(workspace: Workspace, path: str) -> tuple[Workspace, str]:
    """Whose file a hit names, and its path there: by a citation such as `coder:memory/x.md`, or by
    the path of a file that all share. Any other path is one's own.
    """
    shared = shared_memory(workspace)
    if shared and not same_folder(shared, workspace.root) and Path(path).is_relative_to(shared):
        return reached(workspace, SHARED), str(Path(path).relative_to(shared))
    agent, colon, name = path.partition(":")
    if not colon or not _NAME.fullmatch(agent) or (workspace.root / path).exists():
        return workspace, path
    if agent != SHARED and not any(one.agent == agent for one in known(workspace.caller).agents):
        return workspace, path
    return reached(workspace, agent), name


def add(caller: Caller, agent: str, folder: Path, *, dry_run: bool = False) -> Registered:
    """Names an agent. A new name grants nobody anything; `main`, who writes the shared memory, and
    a name that stands for another folder already are the operator's.
    """
    folder = Path(os.path.normpath(folder.absolute()))
    _refuse_names(agent)
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder.", hint=f"clawgit init '{folder}'")
    there = next((one for one in known(caller).agents if one.agent == agent), None)
    if there and same_folder(there.path, folder):
        return Registered(agent, there.path, "kept", _listed(there, ()).next, (), dry_run=dry_run)
    if there and there.origin != ADDED:
        raise UsageError(
            f"{there.origin} says where {agent} lives: {there.path}.", hint="Take another name."
        )
    if there or agent == MAIN:
        _refuse_others(caller, f"say who {agent} is")
    file, row = registry_file(caller.home, caller.env), NamedAgent(agent, folder)
    if not dry_run:
        registry.changed(file, lambda rows: [*(one for one in rows if one.agent != agent), row])
    step = _listed(Known(agent, folder, ADDED), ()).next
    return Registered(agent, folder, "moved" if there else "added", step, (file,), dry_run=dry_run)


def remove(caller: Caller, agent: str, *, dry_run: bool = False) -> Registered:
    """Takes a name from the user's list; the workspace stays as it is. Only the operator does."""
    there = next((one for one in known(caller).agents if one.agent == agent), None)
    if there is None:
        return Registered(agent, Path(), "absent", "", (), dry_run=dry_run)
    if there.origin != ADDED:
        raise UsageError(
            f"{agent} is named by {there.origin}, not here.", hint="Take it out there."
        )
    _refuse_others(caller, f"take {agent} from the list")
    file = registry_file(caller.home, caller.env)
    if not dry_run:
        registry.changed(file, lambda rows: [one for one in rows if one.agent != agent])
    return Registered(agent, there.path, "removed", "", (file,), dry_run=dry_run)


def _named(workspace: Workspace, agent: str) -> Known:
    agents = known(workspace.caller).agents
    shared = shared_memory(workspace)
    if agent == SHARED and shared:
        return Known(SHARED, shared, "")
    found = next((one for one in agents if one.agent == agent), None)
    if found is None:
        names = ", ".join(one.agent for one in agents)
        hint = f"There are {names}." if names else "clawgit workspace add names one."
        raise UsageError(f"There is no agent {agent!r}.", hint=hint)
    return found


def _listed(one: Known, agents: tuple[Known, ...]) -> ListedWorkspace:
    place = _place(one.path)
    ready = place if place and is_workspace(place) else None
    condition, step = _condition(one, place, agents)
    return ListedWorkspace(
        agent=one.agent,
        path=one.path,
        origin=one.origin,
        condition=condition,
        repository=place.git_dir if place else None,
        index=files_of(ready).live if ready else None,
        state=state_file(ready) if ready else None,
        inside=next((other.agent for other in _around(one, agents)), ""),
        next=step,
    )


def _condition(one: Known, place: RepoPlace | None, agents: tuple[Known, ...]) -> tuple[str, str]:
    if not one.path.is_dir():
        waits = f"start OpenClaw once, then clawgit init '{one.path}'"
        return MISSING, waits if one.origin != ADDED else f"clawgit init '{one.path}'"
    if place is None or not is_workspace(place):
        return BARE, f"clawgit init '{one.path}'"
    for other in agents:
        theirs = _place(other.path) if other.agent != one.agent else None
        if (
            theirs
            and same_folder(theirs.common_dir, place.common_dir)
            and not same_folder(other.path, one.path)
        ):
            return (
                SAME,
                f"{other.agent} sees its history; give it a repository of its own: git clone",
            )
    return READY, ""


def _around(one: Known, agents: tuple[Known, ...]) -> list[Known]:
    """The agents in whose folders a workspace lies, the innermost first."""
    path = Path(os.path.realpath(one.path))
    outer = [other for other in agents if any(map(partial(same_folder, other.path), path.parents))]
    return sorted(
        outer, key=lambda other: len(Path(os.path.realpath(other.path)).parts), reverse=True
    )


def _place(path: Path) -> RepoPlace | None:
    try:
        return locate(path)
    except (ClawgitError, OSError):
        return None


def _shared_by(here: Workspace | None) -> str:
    return "shared_memory" if here and here.config.settings.shared_memory else "OpenClaw"


def _is(shared: Path | None, root: Path) -> bool:
    return shared is not None and same_folder(shared, root)


def _refuse_names(agent: str) -> None:
    if not _NAME.fullmatch(agent) or agent == SHARED:
        raise UsageError(
            f"{agent!r} is no agent's name.",
            hint="Letters, digits, dashes: clawgit workspace add coder .",
        )


def _refuse_others(caller: Caller, act: str) -> None:
    if caller.actor != OPERATOR:
        raise ReachRefusedError(f"Only the operator may {act}.", hint="Run it at a terminal.")
