"""What leaves a workspace, masked: the secrets of a text, apart from those that its operator
allows.
"""

from typing import TYPE_CHECKING

from clawgit.domain.safety.masks import Mask
from clawgit.domain.safety.secrets import masked, places
from clawgit.errors import ClawgitError
from clawgit.ops.safety.secrets_allowed import allowed

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace_base import WorkspaceBase


def mask_of(workspace: "WorkspaceBase") -> Mask:
    """The mask of a workspace. What is allowed is asked for only where a text holds a secret:
    nearly none does.
    """

    def mask(text: str) -> str:
        found = frozenset(place.fingerprint for place in places(text))
        return masked(text, _allowed(workspace, found)) if found else text

    return mask


def _allowed(workspace: "WorkspaceBase", fingerprints: frozenset[str]) -> frozenset[str]:
    """Where nobody can tell what is allowed, nothing is."""
    try:
        return allowed(workspace, fingerprints)
    except ClawgitError:
        return frozenset()
