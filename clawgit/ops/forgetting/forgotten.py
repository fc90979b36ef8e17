"""Whether a text was forgotten in a workspace, for code that would store or show it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.change.history import SYNC, Intent
from clawgit.domain.forgetting.record import Forgotten
from clawgit.domain.markdown.decoding import text_of
from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace_base import WorkspaceBase

Changes = Mapping[str, tuple[bytes | None, bytes | None]]


class ForgottenError(ClawgitError):
    """A text that the operator had forgotten was to be stored again."""

    kind = "forgotten"


def refuse_forgotten(workspace: "WorkspaceBase", intent: Intent, changes: Changes) -> None:
    """Raises if a change brings forgotten words back. Only the operator may learn them again.

    A sync has removed such words before: see `ops/sync/bringing.py`.
    """
    known = workspace.forgotten()
    if intent.actor == OPERATOR or intent.verb == SYNC or not known.acts:
        return
    for path, (before, after) in changes.items():
        if _has(known, path, before, after):
            raise ForgottenError(
                f"{path} would get words that `clawgit forget` removed.",
                hint="Leave them out, or have the operator add them back at a terminal.",
            )


def _has(known: Forgotten, path: str, before: bytes | None, after: bytes | None) -> bool:
    """Whether the new lines of a file, or the name of a new file, have such words."""
    if known.is_back(text_of(before or b""), text_of(after or b"")):
        return True
    return before is None and known.holds(path)
