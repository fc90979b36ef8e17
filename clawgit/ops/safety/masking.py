"""Masks the secrets in output, except those that the operator allows."""

from typing import TYPE_CHECKING

from clawgit.domain.safety.masks import Mask
from clawgit.domain.safety.secrets import masked, places
from clawgit.errors import ClawgitError
from clawgit.ops.safety.secrets_allowed import allowed

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace_base import WorkspaceBase


def mask_of(workspace: "WorkspaceBase") -> Mask:
    """The function that masks a text. `secrets_allow` is read only if the text has a secret."""

    def mask(text: str) -> str:
        found = frozenset(place.fingerprint for place in places(text))
        return masked(text, _allowed(workspace, found)) if found else text

    return mask


def _allowed(workspace: "WorkspaceBase", fingerprints: frozenset[str]) -> frozenset[str]:
    """The allowed ones. If the settings cannot be read, nothing is allowed."""
    try:
        return allowed(workspace, fingerprints)
    except ClawgitError:
        return frozenset()
