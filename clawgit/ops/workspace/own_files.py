"""The names of the files that have a second name where the first is somebody else's."""

import os
from typing import TYPE_CHECKING

from clawgit.domain.workspace.layout import (
    CHANGELOG,
    CONFIG,
    OTHER_CHANGELOG,
    OTHER_CONFIG,
    changelog_name,
)
from clawgit.stores.plainfile import start_of

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace_base import WorkspaceBase


def config_name(root: str | os.PathLike[str] = ".") -> str:
    """The file that holds the settings. A hook runs at the top of the work tree."""
    return OTHER_CONFIG if os.path.isfile(os.path.join(root, OTHER_CONFIG)) else CONFIG  # noqa: PTH113, PTH118 - pathlib takes 5 ms


def changelog_file(workspace: "WorkspaceBase") -> str:
    """The file that holds the history of the identity."""
    texts = (_text_of(f"{workspace.root}/{name}") for name in (CHANGELOG, OTHER_CHANGELOG))
    return changelog_name(workspace.layout, *texts)


def _text_of(file: str) -> str | None:
    try:
        return start_of(file).decode("utf-8", "replace")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError):
        return None
    except OSError as error:
        # A link or a pipe of that name is somebody else's, so ours has its second name.
        return str(error)
