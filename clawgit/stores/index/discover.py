"""Finds the files that the search covers: one walk over the folders, in which none is opened."""

import os
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, NamedTuple

from clawgit.domain.workspace.layout import Searched
from clawgit.domain.workspace.scope import is_below
from clawgit.domain.workspace.seen import PACKAGES, folder_of, is_markdown
from clawgit.stores.index.sources import (
    EXTRA,
    FILES,
    FOLDERS,
    IDENTITY,
    INDEX,
    MEMORY,
    SourceFile,
    found_as,
    is_log,
    is_never,
    source_of,
)

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
                if name[0] == ".":
                    if name.lower() == ".git" and not top:
                        return [], []
                elif is_markdown(name):
                    if file := _file(entry, prefix + name, walk):
                        files.append((prefix + name, file))
                elif entry.is_dir(follow_symlinks=False):
                    folders.append(name)
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


_OWN_FOLDERS = ("memory/", "Archive/")
"""The memory folders of every workspace."""


class Reach(NamedTuple):
    """The workspace, and the `extra` files, folders and patterns that the operator wants searched.

    Files behind the fence are never found. `layout` says where this kind of workspace has its
    memory and notes; `covers` says which of these, and of clawgit's own files, are found.
    """

    root: Path
    extra: tuple[str, ...] = ()
    fence: "Fence | None" = None
    layout: Searched = Searched()
    covers: Callable[[str], bool] = everything


def discover(scope: Reach) -> dict[str, SourceFile]:
    """The files by path: as git names them, or absolute if they are outside the workspace.

    Symlinks are not followed, and repositories inside are skipped.
    """
    files = dict(_own(scope))
    if INDEX in files:
        files[INDEX] = files[INDEX]._replace(source=IDENTITY)
    files |= _of_layout(scope, files)
    for named in scope.extra:
        for file, seen in _named(scope, named):
            path = _from_root(scope.root, file)
            if not is_never(path):
                files.setdefault(path, seen)
    return files


def in_scope(paths: Iterable[str], scope: Reach) -> dict[str, str]:
    """The source of each path in scope, as `discover` would have found it in the workspace."""
    names = set(paths)
    sources = _named_sources(names, scope)
    own = frozenset(sources)
    sources |= _layout_sources(scope, names - own)
    for named in scope.extra:
        sources |= dict.fromkeys(_matching(scope, named, names - sources.keys()), EXTRA)
    return _outside_of_the_fence(scope, sources, own)


def _named_sources(names: Iterable[str], scope: Reach) -> dict[str, str]:
    """The sources of the files that are memory by their names."""
    sources = {path: source_of(path) for path in names}
    sources = {path: source for path, source in sources.items() if source and scope.covers(path)}
    if "MEMORY.md" in sources:
        sources.pop("memory.md", None)
    return sources


def _layout_sources(scope: Reach, paths: Iterable[str]) -> dict[str, str]:
    """The sources of the files that are memory to the layout."""
    places = scope.layout.places
    reached = (path for path in paths if any(is_below(path, place) for place in places))
    found = ((path, _layout_source(scope, path)) for path in reached)
    return {path: source for path, source in found if source}


def _outside_of_the_fence(
    scope: Reach, sources: dict[str, str], own: frozenset[str]
) -> dict[str, str]:
    """The sources without another agent's files; history may have some."""
    if scope.fence is None:
        return sources
    folders = {folder for path in sources.keys() - own if (folder := folder_of(path))}
    shut = {folder for folder in folders if scope.fence.shuts(scope.root / folder)}
    return {path: source for path, source in sources.items() if folder_of(path) not in shut}


def _matching(scope: Reach, named: str, paths: Iterable[str]) -> list[str]:
    """The paths that a name means: a file, a folder or a pattern."""
    pattern = Path(os.path.relpath(scope.root / named, scope.root)).parts
    return [
        path
        for path in paths
        if is_markdown(path) and not is_never(path) and _covers(pattern, path.split("/"))
    ]


def _own(scope: Reach) -> Iterator[tuple[str, SourceFile]]:
    """The files that every workspace has."""
    root, fence = scope.root, scope.fence
    # With the spelling of the folder: some file systems find MEMORY.md under the name memory.md
    # too.
    names = {file.name for file in root.iterdir()} if root.is_dir() else set()
    own = FILES.keys() & names - ({"memory.md"} if "MEMORY.md" in names else set())
    for name in filter(scope.covers, own):
        if found := look(root / name, FILES[name], fence):
            yield name, found
    for name in _OWN_FOLDERS:
        if not (root / name).is_symlink():
            yield from below(str(root / name), name, Walk(FOLDERS[name], fence, scope.covers))


def _of_layout(scope: Reach, own: Container[str]) -> dict[str, SourceFile]:
    """The further files of this kind of workspace. No link in their paths is followed."""
    # Our own folders were walked already; in most workspaces they have nearly all files.
    places = (place for place in scope.layout.places if f"{place}/" not in _OWN_FOLDERS)
    return {
        path: file._replace(source=source)
        for place in places
        for path, file in _at_place(scope, place)
        if path not in own and (source := _layout_source(scope, path))
    }


def _at_place(scope: Reach, place: str) -> Iterator[tuple[str, SourceFile]]:
    path = scope.root / place
    if _is_linked(scope.root, place):
        return
    if path.is_dir():
        prefix = f"{place}/" if place else ""
        walk = Walk(EXTRA, scope.fence, skipped=PACKAGES, walked=_OWN_FOLDERS)
        yield from below(str(path), prefix, walk, top=not place)
    elif is_markdown(place) and (file := look(path, MEMORY, scope.fence)):
        yield place, file


def _is_linked(root: Path, path: str) -> bool:
    """Whether a path leads through a link."""
    return bool(path) and os.path.realpath(root / path) != f"{os.path.realpath(root)}/{path}"


def _layout_source(scope: Reach, path: str) -> str:
    """The source of a file by the layout; "" if it is not searched."""
    if is_log(path) or not _may_be_memory(scope, path):
        return ""
    if scope.layout.memory.covers(path):
        return MEMORY
    return EXTRA if scope.layout.notes.covers(path) else ""


def _may_be_memory(scope: Reach, path: str) -> bool:
    return is_markdown(path) and not is_never(path) and scope.covers(path)


def _named(scope: Reach, named: str) -> Iterator[tuple[str, SourceFile]]:
    """The Markdown files of an extra path. The path itself may be a symlink or a repository."""
    path = Path(os.path.normpath(scope.root / named))
    if any(sign in named for sign in "*?[") and not path.exists():
        for match in _matches(path):
            yield from _at(match, scope.fence)
    else:
        yield from _at(path, scope.fence)


def _matches(pattern: Path) -> list[Path]:
    """The matches of a pattern; an invalid one matches nothing."""
    try:
        matches = sorted(Path(pattern.anchor).glob(str(pattern.relative_to(pattern.anchor))))
    except (ValueError, OSError):
        return []
    return [path for path in matches if _covers(pattern.parts, path.parts)]


def _at(path: Path, fence: "Fence | None") -> Iterator[tuple[str, SourceFile]]:
    if fence and fence.shuts(path):
        return
    if path.is_dir():
        yield from below(str(path), f"{path}/", Walk(EXTRA, fence), top=True)
    elif is_markdown(path.name) and (file := look(path, EXTRA, fence)):
        yield str(path), file


def _from_root(root: Path, file: str) -> str:
    inside = f"{root}{os.sep}"
    return file.removeprefix(inside).replace(os.sep, "/") if file.startswith(inside) else file


def _covers(pattern: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether a path matches a pattern, or is below a match. Hidden parts must be named."""
    if not pattern:
        return not any(part.startswith(".") for part in parts)
    if pattern[0] == "**":
        return any(_covers(pattern[1:], parts[at:]) for at in range(len(parts)))
    if not parts:
        return False
    first, head = parts[0], pattern[0]
    # As in a shell, `*` matches no name that begins with a dot.
    if first.startswith(".") and not head.startswith("."):
        return False
    if not fnmatchcase(first, head):
        return False
    return _covers(pattern[1:], parts[1:])
