"""What was forgotten in a workspace, as those ask who would learn or show a text."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.change.history import Intent
from clawgit.domain.forgetting.record import Forgotten
from clawgit.domain.markdown.decoding import text_of
from clawgit.errors import ClawgitError
from clawgit.stores.git.forgetting.forgotten import forgotten_in

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace_base import WorkspaceBase

Changes = Mapping[str, tuple[bytes | None, bytes | None]]


class ForgottenError(ClawgitError):
    """A text was to be kept that the operator had forgotten."""

    kind = "forgotten"


def forgotten(workspace: "WorkspaceBase") -> Forgotten:
    """The record, of which nothing can be told but whether a text has such words."""
    return forgotten_in(workspace.place, workspace.cgit)


def is_forgotten(workspace: "WorkspaceBase", text: str) -> bool:
    return forgotten(workspace).holds(text)


def brings_back(known: Forgotten, before: bytes | None, after: bytes | None) -> bool:
    """Whether the lines that a file gains have forgotten words."""
    return bool(known.acts) and known.holds(_added(before, after))


def refuse_forgotten(workspace: "WorkspaceBase", intent: Intent, changes: Changes) -> None:
    """Raises if a change brings forgotten words back. Only the operator may learn them again."""
    known = forgotten(workspace)
    if intent.actor == OPERATOR or not known.acts:
        return
    for path, (before, after) in changes.items():
        if brings_back(known, before, after) or (before is None and known.holds(path)):
            raise ForgottenError(
                f"{path} would get words that the operator had forgotten.",
                hint="Leave them out. If they are to be known again, the operator adds them at a "
                "terminal.",
            )


def _added(before: bytes | None, after: bytes | None) -> str:
    """The lines of a change that were not there before."""
    old = {*text_of(before or b"").splitlines()}
    return "\n".join(line for line in text_of(after or b"").splitlines() if line not in old)
