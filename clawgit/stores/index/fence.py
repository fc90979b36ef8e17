"""The border of an agent's memory: finds what belongs to another agent's workspace, by any name."""

import os
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path

from clawgit.domain.workspace.layout import CONFIG, OTHER_CONFIG
from clawgit.errors import ClawgitError
from clawgit.stores.git.place import locate

Identity = tuple[int, int]
"""Device and inode: what a folder is, however its name is spelt and whatever links lead to it."""


class Fence:
    """The fence around one workspace.

    `others` returns the workspaces of other agents that may have no repository yet, and is called
    only if needed; `allowed` are those that may be read, without other workspaces inside them.
    """

    def __init__(
        self, own: Path, others: Callable[[], Iterable[Path]], allowed: Iterable[Path] = ()
    ) -> None:
        self._own, self._others = own, others
        self._allowed = {found for path in allowed if (found := identity(path))}

    def shuts(self, path: Path) -> bool:
        """Whether a path is in a workspace that may not be read; the innermost one counts."""
        # By its real path and from the inside out: a link may lead into another's workspace, and
        # our own may be inside one.
        real = Path(os.path.realpath(path))
        for folder in (real, *real.parents):
            known = identity(folder)
            if known is None:
                continue
            if known in self._open:
                return False
            if known in self._closed or _is_workspace(folder):
                return True
        return False

    def closes(self, folder: os.stat_result) -> bool:
        """The same for a folder without a repository of its own, in a folder that is not shut."""
        return (folder.st_dev, folder.st_ino) in self._closed

    def owns(self, status: os.stat_result) -> bool:
        """Whether a file with several names has one of them in a workspace that may not be read."""
        # Almost no file has a second name, so the others' files are seldom listed.
        return status.st_nlink > 1 and (status.st_dev, status.st_ino) in self._files

    @cached_property
    def _open(self) -> set[Identity]:
        return {*self._allowed, *filter(None, (identity(self._own),))}

    @cached_property
    def _closed(self) -> dict[Identity, Path]:
        """The workspaces that may not be read; looked up once."""
        found = ((identity(path), path) for path in self._others())
        return {known: path for known, path in found if known and known not in self._open}

    @cached_property
    def _files(self) -> set[Identity]:
        """The files of the workspaces that are closed, without what lies in an open one inside."""
        files: set[Identity] = set()
        for root in self._closed.values():
            for folder, folders, names in os.walk(root):
                folders[:] = [
                    name for name in folders if identity(Path(folder, name)) not in self._open
                ]
                files.update(filter(None, (identity(Path(folder, name)) for name in names)))
        return files


def identity(path: Path) -> Identity | None:
    """The identity of a folder; None if it does not exist."""
    try:
        seen = path.stat()
    except (OSError, ValueError):
        return None
    return seen.st_dev, seen.st_ino


def _is_workspace(folder: Path) -> bool:
    try:
        place = locate(folder)
    except (ClawgitError, OSError):
        return False
    return place is not None and (
        place.shared.is_dir() or any((folder / name).is_file() for name in (CONFIG, OTHER_CONFIG))
    )
