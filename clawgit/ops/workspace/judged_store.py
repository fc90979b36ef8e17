"""The git store of a workspace, under its rules and with its operator's key.

This is the one door to libgit2, which takes 46 ms to load: `Workspace.git` imports this module when
it is first asked for.
"""

from clawgit.ops.soul.rules import rules_of
from clawgit.ops.workspace.operator import commit_signer
from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.stores.git.store import LOCK_TIMEOUT, GitStore


def open_store(workspace: WorkspaceBase) -> GitStore:
    return GitStore(
        workspace.place,
        workspace.caller.env,
        rules=rules_of(workspace),
        signer=commit_signer(workspace.caller),
        trusted_filters=workspace.trusted_filters,
        scope=workspace.scope,
        lock_timeout=LOCK_TIMEOUT if workspace.patience is None else workspace.patience,
    )
