"""The files with corrections: the log, and its archive."""

from clawgit.domain.corrections.corrections import ARCHIVE, CORRECTIONS
from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.stores.git.worktree import glance


def logs(workspace: WorkspaceBase) -> dict[str, str]:
    """The text of each by its path, as it is on disk."""
    books = sorted((workspace.root / ARCHIVE).glob("*.md"))
    paths = (CORRECTIONS, *(f"{ARCHIVE}{book.name}" for book in books))
    return {path: text for path in paths if (text := glance(workspace.root, path))}
