"""What the operator lets leave this machine: those entries of `secrets_allow` that are in force."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace_base import WorkspaceBase

REMOTE = "remote:"
KEY = "secrets_allow"


class SecretsError(ClawgitError):
    """Something would leave this machine that must not, or somebody would allow it who may not."""

    kind = "secrets"


def allowed(workspace: "WorkspaceBase", wanted: Iterable[str]) -> frozenset[str]:
    """Those of some fingerprints and remotes that the operator has allowed."""
    wanted = frozenset(wanted)
    return wanted.intersection(workspace.config.settings.secrets_allow) if wanted else frozenset()


def how_to_allow(entry: str) -> str:
    if entry.startswith(REMOTE):
        return f"clawgit secrets allow --remote {entry.removeprefix(REMOTE)}"
    return f"clawgit secrets allow {entry}"
