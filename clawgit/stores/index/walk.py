"""Walks the Markdown files below a folder: by stat only, through descriptors."""

import os
from collections.abc import Callable, Container, Iterator
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING

from clawgit.domain.workspace.seen import is_markdown
from clawgit.stores.index.sources import EXTRA, FOLDERS, SourceFile, found_as
from clawgit.values import NamedTuple

if TYPE_CHECKING:
    from clawgit.stores.index.fence import Fence


def look(file: Path, source: str, fence: "Fence | None") -> SourceFile | None:
    """A plain file as it is; None for anything else, and for a file of another agent."""
    try:
        status = file.stat(follow_symlinks=source == EXTRA)
    except OSError:
        return None
    if not S_ISREG(status.st_mode) or (fence and fence.owns(status)):
        return None
    return found_as(source, status)


def everything(_path: str) -> bool:
    return True


class Walk(NamedTuple):
    """The options of a walk. `covers` says by its path which file is looked at; `skipped` are
    names; `walked` are paths that were walked already.
    """

    source: str
    fence: "Fence | None" = None
    covers: Callable[[str], bool] = everything
    skipped: Container[str] = ()
    walked: Container[str] = ()


def below(
    folder: str, prefix: str, walk: Walk, *, top: bool = False
) -> Iterator[tuple[str, SourceFile]]:
    """The Markdown files below a folder, without hidden ones, repositories and other agents'."""
    fence, waiting = walk.fence, [(folder, prefix, walk.source)]
    # The folders below are looked at one by one as they are read: no link leads to them.
    if walk.source == EXTRA and fence and fence.shuts(Path(folder)):
        return
    while waiting:
        folder, prefix, source = waiting.pop()
        files, folders = _read(folder, prefix, walk._replace(source=source), top=top)
        yield from files
        for name in folders:
            path = f"{prefix}{name}/"
            deeper = FOLDERS.get(path, source)
            if deeper and path not in walk.walked and name not in walk.skipped:
                waiting.append((f"{folder}{os.sep}{name}", path, deeper))
        top = False


def _read(
    folder: str, prefix: str, walk: Walk, *, top: bool
) -> tuple[list[tuple[str, SourceFile]], list[str]]:
    """The Markdown files of one folder, and the folders in it; nothing if it cannot be read.

    This is the inner loop of each look at a workspace.
    """
    files: list[tuple[str, SourceFile]] = []
    folders: list[str] = []
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return files, folders
    try:
        if walk.source == EXTRA and not top and _is_closed(descriptor, walk.fence):
            return files, folders
        # Through a descriptor the kernel need not walk the whole path for each file.
        with os.scandir(descriptor) as entries:
            for entry in entries:
                name = entry.name
                if name.lower() == ".git" and not top:
                    return [], []
                if name[0] == ".":
                    continue
                if not is_markdown(name):
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(name)
                elif file := _file(entry, prefix + name, walk):
                    files.append((prefix + name, file))
    finally:
        os.close(descriptor)
    return files, folders


def _is_closed(descriptor: int, fence: "Fence | None") -> bool:
    return fence is not None and fence.closes(os.fstat(descriptor))


def _file(entry: os.DirEntry[str], path: str, walk: Walk) -> SourceFile | None:
    """A plain file of ours; None for anything else, and if it is gone since its folder was read."""
    if not walk.covers(path):
        return None
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return None
    if S_ISREG(status.st_mode) and not (walk.fence and walk.fence.owns(status)):
        return found_as(walk.source, status)
    return None
