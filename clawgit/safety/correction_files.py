"""The files that hold corrections, as on disk."""

from datetime import datetime, time, timedelta

from clawgit.core.errors import counted
from clawgit.git.worktree import glance
from clawgit.talk.rules.corrections import ARCHIVE, CONFIRMED, CORRECTIONS, corrections
from clawgit.workspace.workspace_base import WorkspaceBase


def logs(workspace: WorkspaceBase) -> dict[str, str]:
    """The text of each of them by its path: the log, and its archive."""
    books = sorted((workspace.root / ARCHIVE).glob("*.md"))
    paths = (CORRECTIONS, *(f"{ARCHIVE}{book.name}" for book in books))
    return {path: text for path in paths if (text := glance(workspace.root, path))}


def corrected_in_chat(workspace: WorkspaceBase) -> str:
    """How many memories were corrected in chat since yesterday, in words; "" if none was."""
    yesterday = workspace.today - timedelta(days=1)
    since = datetime.combine(yesterday, time(), workspace.local_zone)
    count = sum(
        correction.status == CONFIRMED
        and correction.source.startswith("chat:")
        and correction.time is not None
        and correction.time >= since
        for correction in corrections(glance(workspace.root, CORRECTIONS))
    )
    return f"{counted(count, 'memory', 'memories')} corrected since yesterday" if count else ""
