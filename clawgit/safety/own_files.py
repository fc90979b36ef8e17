"""The names of the files that have a second name where the first is somebody else's; and the scope
in force, as it is stored for git's hooks.
"""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from clawgit.core.disk.plainfile import start_of, text_at
from clawgit.core.layout import (
    CHANGELOGS,
    CONFIG,
    LAYOUTS,
    OPENCLAW,
    OTHER_CONFIG,
    Scope,
    changelog_name,
    scope_in_force,
)

if TYPE_CHECKING:
    from clawgit.workspace.workspace_base import WorkspaceBase


def config_name(root: str | os.PathLike[str] = ".") -> str:
    """The file that holds the settings. A hook runs at the top of the work tree."""
    return OTHER_CONFIG if os.path.isfile(os.path.join(root, OTHER_CONFIG)) else CONFIG  # noqa: PTH113, PTH118 - pathlib takes 5 ms


def changelog_file(workspace: "WorkspaceBase") -> str:
    """The file that holds the history of the identity."""
    texts = (_text_of(f"{workspace.root}/{name}") for name in CHANGELOGS)
    return changelog_name(workspace.layout, *texts)


def _text_of(file: str) -> str | None:
    try:
        return start_of(file).decode("utf-8", "replace")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError):
        return None
    except OSError as error:
        # A link or a pipe of that name is somebody else's, so ours has its second name.
        return str(error)


# The scope in force, as `in_force.py` stores it: git's hooks need it before the settings


def kept_scope(env: Mapping[str, str]) -> Scope | None:
    """The scope of the workspace in whose top folder the process runs; None if the settings must be
    read to know.
    """
    if env.get("CLAWGIT_SCOPE"):
        return None
    name = config_name()
    written, file = text_at(name), f"{common_folder(env)}/clawgit/scope"
    if not os.path.lexists(file):
        # Nobody has read the settings here, so no scope was accepted.
        return None if "scope" in written else scope_in_force(OPENCLAW, (), name)
    rows, _, text = text_at(file).partition("\n\n")
    layout, *patterns = rows.split("\n")
    if text != written or layout not in LAYOUTS:
        return None
    return scope_in_force(layout, (*patterns,), name)


def common_folder(env: Mapping[str, str]) -> str:
    """Git's folder, which all worktrees share."""
    folder = env.get("GIT_DIR", ".git")
    common = text_at(f"{folder}/commondir").strip()
    if not common:
        return folder
    return common if common.startswith("/") else f"{folder}/{common}"
