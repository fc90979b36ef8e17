"""Which files the search of a workspace covers, and which belong to other agents."""

from pathlib import Path
from typing import ClassVar

from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.workspace.layout import searched
from clawgit.errors import ClawgitError, PathRefusedError
from clawgit.ops.workspace.known_agents import MAIN, known
from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.stores.index.discover import Reach
from clawgit.stores.index.fence import Fence, identity
from clawgit.stores.openclaw import state_in


class ReachRefusedError(ClawgitError):
    """The path belongs to another agent, and this one may not read it."""

    kind: ClassVar[str] = "not_allowed"


def reach_of(workspace: WorkspaceBase) -> Reach:
    """The files that belong to memory; in the shared workspace every Markdown file.

    An extra path may begin with `~`, the home of the user who asks.
    """
    paths = workspace.config.settings.extra_paths
    named = tuple(
        str(expanded(workspace, path)) if path.startswith("~/") else path for path in paths
    )
    extra = (*named, str(workspace.root)) if is_shared_memory(workspace) else named
    layout = searched(workspace.layout, workspace.config.settings.scope)
    return memory_of(workspace)._replace(extra=extra, fence=fence_of(workspace), layout=layout)


def memory_of(workspace: WorkspaceBase) -> Reach:
    """The memory that clawgit itself writes, without what the settings or the layout add."""
    return Reach(workspace.root, covers=workspace.scope.covers)


def fence_of(workspace: WorkspaceBase) -> Fence:
    """The folders of other agents that this workspace may not read: all but those whose absolute
    path `allow_paths` names.
    """

    # Only if needed: several files must be read to know the other agents.
    def others() -> list[Path]:
        shared = shared_memory(workspace)
        return [
            agent.path
            for agent in known(workspace.caller).agents
            if not (shared and same_folder(agent.path, shared))
        ]

    shared = shared_memory(workspace)
    return Fence(workspace.root, others, [*allowed_paths(workspace), *([shared] if shared else [])])


def refuse_anothers(workspace: WorkspaceBase, path: str) -> None:
    """Raises if a file of this workspace is a link to one that belongs to another agent."""
    try:
        status = (workspace.root / path).lstat()
    except OSError:
        return
    if status.st_nlink > 1 and fence_of(workspace).owns(status):
        raise PathRefusedError(
            f"{path} is a hard link to a file of another agent.",
            hint="allow_paths lists the workspaces that may be read.",
        )


def allowed_paths(workspace: WorkspaceBase) -> tuple[Path, ...]:
    return tuple(expanded(workspace, path) for path in workspace.config.settings.allow_paths)


def shared_memory(workspace: WorkspaceBase) -> Path | None:
    """The folder that all agents read: `shared_memory`, else `shared/memory` in OpenClaw's state;
    None without one.
    """
    named = workspace.config.settings.shared_memory
    if named:
        folder = expanded(workspace, named)
        return folder if folder.is_dir() else None
    state = state_in(workspace.caller.home, workspace.caller.env)
    if state is None:
        return None
    folder = state / "shared" / "memory"
    return folder if folder.is_dir() else None


def is_shared_memory(workspace: WorkspaceBase) -> bool:
    shared = shared_memory(workspace)
    return shared is not None and same_folder(shared, workspace.root)


def refuse_shared_writing(workspace: WorkspaceBase) -> None:
    """Raises if an agent would write to the shared memory from inside it.

    The operator may, and a caller that was admitted from its own workspace.
    """
    if (
        not workspace.admitted
        and workspace.caller.actor != OPERATOR
        and is_shared_memory(workspace)
    ):
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
