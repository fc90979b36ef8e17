"""Which files a workspace's settings have the search cover, and where the workspaces of other
agents begin.
"""

from pathlib import Path
from typing import ClassVar

from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.workspace.layout import searched
from clawgit.errors import ClawgitError, PathRefusedError
from clawgit.ops.workspace.known_agents import MAIN, known
from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.stores.index.discover import Reach
from clawgit.stores.index.fence import Fence, identity
from clawgit.stores.openclaw import config_places


class ReachRefusedError(ClawgitError):
    """What belongs to another agent, and is not for this one."""

    kind: ClassVar[str] = "not_allowed"


def reach_of(workspace: WorkspaceBase) -> Reach:
    """What belongs to memory. In the shared workspace every Markdown file does.

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
    """The memory that clawgit itself keeps, without what the settings or the layout add."""
    return Reach(workspace.root, covers=workspace.scope.covers)


def fence_of(workspace: WorkspaceBase) -> Fence:
    """What of other agents this workspace may not read: all that `allow_paths` does not name by its
    absolute path.
    """

    # Asked only where it matters: to know the other agents, several files must be read.
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
    """Raises where a file of this workspace is a second name of one that belongs to another
    agent.
    """
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
    state = next(
        (
            place
            for place in config_places(workspace.caller.home, workspace.caller.env)
            if place.is_dir()
        ),
        None,
    )
    return state / "shared" / "memory" if state and (state / "shared" / "memory").is_dir() else None


def is_shared_memory(workspace: WorkspaceBase) -> bool:
    shared = shared_memory(workspace)
    return shared is not None and same_folder(shared, workspace.root)


def refuse_shared_writing(workspace: WorkspaceBase) -> None:
    """Raises if an agent would write into the shared memory from inside it. The operator may, and
    a caller that was admitted from a workspace of its own.
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
    """By what they are: links, capitals and dots in their names make no difference."""
    # Two folders that are not there have the same identity, none, and are not the same for that.
    return folder == other or (
        (file_id := identity(folder)) is not None and file_id == identity(other)
    )


def expanded(workspace: WorkspaceBase, path: str) -> Path:
    """A path as a setting names it: `~` is the home of whoever asks, and what is relative begins at
    the workspace.
    """
    return workspace.caller.home / path[2:] if path.startswith("~/") else workspace.root / path
