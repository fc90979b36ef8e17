"""Corrections of which an edit by hand says that the operator made them. Their evidence is looked
up, as that of a tool is.
"""

from clawgit.domain.conversation.chat import USER
from clawgit.domain.corrections.corrections import (
    CORRECTIONS,
    Correction,
    claimed,
)
from clawgit.domain.corrections.lost import lost_corrections
from clawgit.errors import ClawgitError
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.stores.chat.sqlite import SqliteChat

_CHAT = "chat:"


def unsaid(
    workspace: WorkspaceBase, path: str, before: str, after: str, log: str
) -> tuple[Correction, ...]:
    """The corrections that an edit makes binding, and that no message of the operator's proves.

    Corrections may be moved to the archive by hand: `log` is what CORRECTIONS.md said before.
    """
    known = before if path == CORRECTIONS else f"{log}\n{before}"
    return tuple(claim for claim in claimed(known, after) if not _is_said(workspace, claim))


def reworded(path: str, before: str, after: str) -> tuple[str, ...]:
    """The ids of the corrections that an edit makes say something else."""
    return tuple(loss.name for loss in lost_corrections({path: before}, {path: after}) if loss.line)


def _is_said(workspace: WorkspaceBase, claim: Correction) -> bool:
    """Whether the message that it cites is the operator's, and has its words."""
    if not claim.source.startswith(_CHAT):
        return False
    try:
        with state_of(workspace) as state:
            message = SqliteChat(state, str).get(claim.source.removeprefix(_CHAT))
    except ClawgitError:
        return False
    words = claim.words or claim.correct
    return (
        message is not None
        and message.role == USER
        and " ".join(words.split()).casefold() in " ".join(message.text.split()).casefold()
    )
