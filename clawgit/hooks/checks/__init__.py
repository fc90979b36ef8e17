"""What a commit is checked for: each staged file (`staged`), the soul and the settings (`soul`)."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from clawgit.workspace.workspace_base import WorkspaceBase

SOUL = "soul"
SECRET = "secret"  # noqa: S105 - a kind, not a secret
CONFIG_RULE = "config"
CORRECTIONS_RULE = "corrections"
ENTRIES = "entries"

CORRECTIONS = "CORRECTIONS.md"

_NAMES_AN_ACTOR = "CLAWGIT_ACTOR"


class Asker(NamedTuple):
    """Who commits, and the workspace, which is opened only if a check needs it.

    `gone` returns the texts of the files that the commit deletes. A caller who is not the operator
    is certainly an agent only if it gives an actor's name.
    """

    operator: bool
    env: Mapping[str, str]
    workspace: "Callable[[], WorkspaceBase]"
    gone: Callable[[], Sequence[str]]

    @property
    def is_agent(self) -> bool:
        return bool(self.env.get(_NAMES_AN_ACTOR))
