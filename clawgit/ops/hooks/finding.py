"""The types that all checks of a commit share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace_base import WorkspaceBase

SOUL = "soul"
SECRET = "secret"  # noqa: S105 - a kind, not a secret
CONFIG_RULE = "config"
CORRECTIONS_RULE = "corrections"
ENTRIES = "entries"
PLANTED = "planted"
ACTOR = "actor"
FORGOTTEN = "forgotten"

CORRECTIONS = "CORRECTIONS.md"

_NAMES_AN_ACTOR = "CLAWGIT_ACTOR"


class HookFinding(NamedTuple):
    """`line` is 0 for the whole file. A finding that is not `refused` is a warning."""

    path: str
    line: int
    rule: str
    message: str
    hint: str
    refused: bool = True


class HookCheck(NamedTuple):
    """One check of one file.

    If it fails with an error, the commit goes on, unless the check is for secrets, or guards the
    soul, the settings or the corrections.
    """

    rule: str
    path: str
    find: Callable[[], Iterable[HookFinding]]


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
