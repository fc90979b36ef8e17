"""The git store of a workspace, under its rules and with its operator's key.

Only this module imports libgit2, which takes 13 ms to load; `Workspace.git` imports this module
when first used.
"""

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.ops.soul.rules import rules_of
from clawgit.ops.workspace.operator import commit_signer
from clawgit.stores.git.store import GitStore

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace import Workspace


def open_store(workspace: "Workspace") -> GitStore:
    return GitStore(
        workspace.place,
        workspace.caller.env,
        rules=rules_of(workspace),
        signer=commit_signer(workspace.caller),
        trusted_filters=workspace.trusted_filters,
        scope=workspace.scope,
        follow=partial(_follow_merges, workspace),
    )


def _follow_merges(workspace: "Workspace") -> None:
    """Follows up the merges that plain git made, if our hooks are not installed."""
    from clawgit.ops.change.after_merge import after_merge  # noqa: PLC0415 - 10 ms, for a new head

    # Its failure must not stop a write; `doctor` reports it.
    with suppress(ClawgitError):
        after_merge(workspace, workspace.cgit)
