"""The files that hold corrections, as on disk."""

from clawgit.talk.rules.corrections import ARCHIVE, CORRECTIONS
from clawgit.workspace.workspace_base import WorkspaceBase


def logs(workspace: WorkspaceBase) -> dict[str, str]:
    """The text of each of them by its path: the log, and its archive."""
    books = sorted((workspace.root / ARCHIVE).glob("*.md"))
    paths = (CORRECTIONS, *(f"{ARCHIVE}{book.name}" for book in books))
    return {path: text for path in paths if (text := workspace.glance(path))}
