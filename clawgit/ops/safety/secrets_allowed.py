"""The secrets and remotes that the operator allows: the entries of `secrets_allow` in force."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace_base import WorkspaceBase

REMOTE = "remote:"
KEY = "secrets_allow"


class SecretsError(ClawgitError):
    """A secret would leave this machine, or somebody without authority would allow it."""

    kind = "secrets"


def allowed(workspace: "WorkspaceBase", wanted: Iterable[str]) -> frozenset[str]:
    """The fingerprints and remotes among `wanted` that the operator has allowed."""
    wanted = frozenset(wanted)
    return wanted.intersection(workspace.config.settings.secrets_allow) if wanted else frozenset()


def how_to_allow(entry: str) -> str:
    if entry.startswith(REMOTE):
        return f"clawgit secrets allow --remote {entry.removeprefix(REMOTE)}"
    return f"clawgit secrets allow {entry}"
