"""Finds the files that the search covers: one walk over the folders, in which none is opened."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, NamedTuple

from clawgit.domain.workspace.layout import Searched
from clawgit.domain.workspace.scope import is_below
from clawgit.domain.workspace.seen import PACKAGES, folder_of, is_markdown
from clawgit.stores.index.sources import (
    EXTRA,
    FILES,
    IDENTITY,
    INDEX,
    LOG_FOLDERS,
    MEMORY,
    SourceFile,
    found_as,
    is_log,
    is_never,
    source_of,
)

if TYPE_CHECKING:
    from clawgit.stores.index.fence import Fence

_OWN_FOLDERS = ("memory", "Archive")
"""The memory folders of every workspace."""

Found = Iterator[tuple[str, SourceFile]]


def everything(_path: str) -> bool:
    return True


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
    # Our own folders were walked already; in most workspaces they have nearly all files.
    for place in scope.layout.places:
        if place not in _OWN_FOLDERS and not _is_linked(scope.root, place):
            for path, file in _of_layout(scope, place):
                files.setdefault(path, file)
    for named in scope.extra:
        for path, file in _named(scope, named):
            files.setdefault(path, file)
    return files


def in_scope(paths: Iterable[str], scope: Reach) -> dict[str, str]:
    """The source of each path in scope, as `discover` would have found it in the workspace."""
    names = frozenset(paths)
    sources = _sources(filter(scope.covers, names), source_of)
    if "MEMORY.md" in sources:
        sources.pop("memory.md", None)
    patterns = [Path(os.path.relpath(scope.root / each, scope.root)).parts for each in scope.extra]
    further = _sources(names - sources.keys(), lambda path: _further(scope, path, patterns))
    return sources | _unshut(scope, further)


def _sources(paths: Iterable[str], source: Callable[[str], str]) -> dict[str, str]:
    """The sources of those paths that have one."""
    return {path: found for path in paths if (found := source(path))}


def _unshut(scope: Reach, sources: dict[str, str]) -> dict[str, str]:
    """The sources without those of another agent's files: history may have some."""
    if scope.fence is None:
        return sources
    folders = frozenset(filter(None, map(folder_of, sources)))
    shut = {folder for folder in folders if scope.fence.shuts(scope.root / folder)}
    return {path: source for path, source in sources.items() if folder_of(path) not in shut}


def _further(scope: Reach, path: str, patterns: Iterable[Sequence[str]]) -> str:
    """The source of a path that is no file of every workspace; "" for none."""
    if not is_markdown(path) or is_never(path):
        return ""
    is_reached = any(is_below(path, place) for place in scope.layout.places)
    if is_reached and (source := _layout_source(scope, path)):
        return source
    parts = path.split("/")
    return EXTRA if any(_covers(pattern, parts) for pattern in patterns) else ""


class _Walk(NamedTuple):
    """What is looked for. `source` says by its path what a file is, "" for nothing; `enters` says
    the same of folders; a `wary` walk asks the fence at each.
    """

    fence: "Fence | None"
    source: Callable[[str], str]
    enters: Callable[[str], bool] = everything
    wary: bool = True


def _own(scope: Reach) -> Found:
    """The files that every workspace has."""
    root, fence = scope.root, scope.fence
    # With the spelling of the folder: some file systems find MEMORY.md under the name memory.md
    # too.
    names = frozenset(os.listdir(root)) if root.is_dir() else frozenset[str]()  # noqa: PTH208 - names
    own = FILES.keys() & names - ({"memory.md"} if "MEMORY.md" in names else set())
    for name in filter(scope.covers, own):
        if file := _plain(root / name, FILES[name], fence):
            yield name, file

    def source(path: str) -> str:
        if not scope.covers(path):
            return ""
        return IDENTITY if path == INDEX else _folder_source(folder_of(path))

    walk = _Walk(fence, source, lambda path: f"{path}/" not in LOG_FOLDERS, wary=False)
    for name in _OWN_FOLDERS:
        if not (root / name).is_symlink():
            yield from _below(str(root / name), f"{name}/", walk)


@lru_cache(maxsize=1024)
def _folder_source(folder: str) -> str:
    """The source of the files of a folder."""
    return source_of(f"{folder}/_.md")


def _of_layout(scope: Reach, place: str) -> Found:
    """The further files of this kind of workspace."""

    def source(path: str) -> str:
        return _layout_source(scope, path)

    def enters(path: str) -> bool:
        return path not in _OWN_FOLDERS and path.rpartition("/")[2] not in PACKAGES

    return _at(scope.root / place, place, _Walk(scope.fence, source, enters), top=not place)


def _is_linked(root: Path, path: str) -> bool:
    """Whether a path leads through a link."""
    return bool(path) and os.path.realpath(root / path) != f"{os.path.realpath(root)}/{path}"


def _layout_source(scope: Reach, path: str) -> str:
    """The source of a file by the layout; "" if it is not searched."""
    if is_log(path) or is_never(path) or not is_markdown(path) or not scope.covers(path):
        return ""
    if scope.layout.memory.covers(path):
        return MEMORY
    return EXTRA if scope.layout.notes.covers(path) else ""


def _named(scope: Reach, named: str) -> Found:
    """The Markdown files of an extra path. The path itself may be a symlink or a repository."""
    path = Path(os.path.normpath(scope.root / named))
    is_pattern = any(sign in named for sign in "*?[") and not path.exists()
    walk = _Walk(scope.fence, lambda path: "" if is_never(path) else EXTRA)
    for match in _matches(path) if is_pattern else [path]:
        inside = match.is_relative_to(scope.root)
        name = str(match.relative_to(scope.root) if inside else match)
        yield from _at(match, "" if name == "." else name, walk, top=True)


def _matches(pattern: Path) -> list[Path]:
    """The matches of a pattern; an invalid one matches nothing."""
    try:
        matches = sorted(Path(pattern.anchor).glob(str(pattern.relative_to(pattern.anchor))))
    except (ValueError, OSError):
        return []
    return [path for path in matches if _covers(pattern.parts, path.parts)]


def _at(path: Path, name: str, walk: _Walk, *, top: bool) -> Found:
    """What a path is or has below it."""
    if walk.fence and walk.fence.shuts(path):
        return
    if path.is_dir():
        yield from _below(str(path), f"{name}/" if name else "", walk, top=top)
        return
    source = walk.source(name) if is_markdown(path.name) else ""
    if source and (file := _plain(path, source, walk.fence, follows=top)):
        yield name, file


def _below(folder: str, prefix: str, walk: _Walk, *, top: bool = False) -> Found:
    """The files below a folder, without hidden ones, repositories and other agents'; the `top`
    itself may be a repository.
    """
    waiting = [(folder, prefix, top)]
    while waiting:
        folder, prefix, top = waiting.pop()
        files, folders = _read(folder, prefix, walk, top=top)
        yield from files
        waiting += [(f"{folder}/{name}", f"{prefix}{name}/", False) for name in folders]


def _read(
    folder: str, prefix: str, walk: _Walk, *, top: bool
) -> tuple[list[tuple[str, SourceFile]], list[str]]:
    """The files of one folder, and the folders in it; nothing if it cannot be read.

    This is the inner loop of each look at a workspace.
    """
    nothing: tuple[list[tuple[str, SourceFile]], list[str]] = [], []
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return nothing
    try:
        is_guarded = walk.fence and walk.wary and not top
        if is_guarded and walk.fence and walk.fence.closes(os.fstat(descriptor)):
            return nothing
        # Through a descriptor the kernel need not walk the whole path for each file.
        with os.scandir(descriptor) as entries:
            seen = {entry.name: entry for entry in entries}
            if not top and any(name.lower() == ".git" for name in seen if name[0] == "."):
                return nothing
            return _looked_at(seen, prefix, walk)
    finally:
        os.close(descriptor)


def _looked_at(
    seen: "Mapping[str, os.DirEntry[str]]", prefix: str, walk: _Walk
) -> tuple[list[tuple[str, SourceFile]], list[str]]:
    """The files and the folders among what a folder has."""
    files, folders = list[tuple[str, SourceFile]](), list[str]()
    for name, entry in seen.items():
        if name[0] == ".":
            continue
        path = prefix + name
        if is_markdown(name):
            source = walk.source(path)
            if source and (file := _plain(entry, source, walk.fence)):
                files.append((path, file))
        elif entry.is_dir(follow_symlinks=False) and walk.enters(path):
            folders.append(name)
    return files, folders


def _plain(
    file: "os.DirEntry[str] | Path", source: str, fence: "Fence | None", *, follows: bool = False
) -> SourceFile | None:
    """A plain file as it is; None for anything else, and for a file of another agent."""
    try:
        status = file.stat(follow_symlinks=follows)
    except OSError:
        return None
    if S_ISREG(status.st_mode) and not (fence and fence.owns(status)):
        return found_as(source, status)
    return None


def _covers(pattern: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether a path matches a pattern, or is below a match. Hidden parts must be named."""
    if not pattern:
        return not any(part.startswith(".") for part in parts)
    if pattern[0] == "**":
        return any(_covers(pattern[1:], parts[at:]) for at in range(len(parts)))
    return bool(parts) and _is_named(parts[0], pattern[0]) and _covers(pattern[1:], parts[1:])


def _is_named(part: str, pattern: str) -> bool:
    # As in a shell, `*` matches no name that begins with a dot.
    is_hidden = part.startswith(".") and not pattern.startswith(".")
    return not is_hidden and fnmatchcase(part, pattern)
