"""Corrections of which an edit by hand says that the operator confirmed them. Their evidence is
looked up, as that of a tool is.
"""

from clawgit.domain.conversation.chat import USER
from clawgit.domain.corrections.corrections import (
    CORRECTIONS,
    Correction,
    claimed,
)
from clawgit.domain.markdown.decoding import exact_text
from clawgit.errors import ClawgitError
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.stores.chat.sqlite import SqliteChat
from clawgit.stores.git.batch import Batch

_CHAT = "chat:"


def claim_alerts(
    workspace: WorkspaceBase, path: str, before: bytes | None, after: bytes | None
) -> tuple[str, ...]:
    """Alerts about such corrections whose evidence is no message of the operator's.

    None in a repository without any history: it has lost the messages, too.
    """
    claims = _claims(workspace, path, exact_text(before or b""), exact_text(after or b""))
    if not claims or workspace.adopting or not workspace.cgit.has_references():
        return ()
    return tuple(
        f"correction {path}#{claim.id} is confirmed, but no message that is known here says so"
        for claim in claims
        if not _is_said(workspace, claim)
    )


def _claims(workspace: WorkspaceBase, path: str, before: str, after: str) -> tuple[Correction, ...]:
    if path != CORRECTIONS:
        # Corrections may be moved to the archive by hand.
        log = exact_text(Batch(workspace.cgit).data(f"HEAD:{CORRECTIONS}"))
        return claimed(f"{log}\n{before}", after)
    # Another alert names those without any evidence.
    return tuple(claim for claim in claimed(before, after) if claim.source)


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
