"""The name of the file that holds the history of the identity."""

from pathlib import Path

from clawgit.domain.workspace.adoption import changelog_name
from clawgit.domain.workspace.layout import CHANGELOG, OTHER_CHANGELOG
from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.stores.plainfile import start_of


def changelog_file(workspace: WorkspaceBase) -> str:
    """CHANGELOG.md, or its second name if CHANGELOG.md is somebody else's."""
    texts = _text_of(workspace.root / CHANGELOG), _text_of(workspace.root / OTHER_CHANGELOG)
    return changelog_name(workspace.layout, *texts)


def _text_of(file: Path) -> str | None:
    try:
        return start_of(file).decode("utf-8", "replace")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError):
        return None
    except OSError as error:
        # A link or a pipe of that name is somebody else's, so ours has its second name.
        return str(error)
