"""What git's hooks ask and what they find; shared by all checks of a commit."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from clawgit.domain.workspace.layout import CONFIG, OTHER_CONFIG

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace_base import WorkspaceBase

SOUL = "soul"
SECRET = "secret"  # noqa: S105 - a kind, not a secret
CONFIG_RULE = "config"
CORRECTIONS_RULE = "corrections"

CORRECTIONS = "CORRECTIONS.md"


class HookFinding(NamedTuple):
    """`line` is 0 where it concerns the whole file. What is not `refused` is a warning."""

    path: str
    line: int
    rule: str
    message: str
    hint: str
    refused: bool = True


class HookCheck(NamedTuple):
    """One question about one file. Where it breaks, the commit goes on, but for one of the soul or
    of a secret.
    """

    rule: str
    path: str
    find: Callable[[], Iterable[HookFinding]]


class Asker(NamedTuple):
    """Who commits, and the workspace, opened only where the soul, the settings or a secret make it
    needed. `gone` is what the files hold that the commit takes away.
    """

    operator: bool
    env: Mapping[str, str]
    workspace: "Callable[[], WorkspaceBase]"
    gone: Callable[[], Sequence[str]]


def config_here() -> str:
    """The file of the settings, as a hook sees it, which stands at the top of the work tree."""
    return OTHER_CONFIG if os.path.isfile(OTHER_CONFIG) else CONFIG  # noqa: PTH113 - pathlib takes 5 ms to load
