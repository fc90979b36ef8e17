"""Finds the files that the search covers: one walk over the folders, no file is opened."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.domain.workspace.layout import CHANGELOG, CONFIG, OTHER_CHANGELOG, OTHER_CONFIG

if TYPE_CHECKING:
    from clawgit.stores.index.fence import Fence

MEMORY = "memory"
ARCHIVE = "archive"
CORRECTIONS = "corrections"
IDENTITY = "identity"
EXTRA = "extra"
SESSIONS = "sessions"
EXPIRED = "expired"
SOURCES = (MEMORY, ARCHIVE, CORRECTIONS, IDENTITY, EXTRA, SESSIONS, EXPIRED)
"""The kinds of files that are searched; each file is of one kind."""

DEFAULT_SOURCES = frozenset(SOURCES) - {IDENTITY, SESSIONS, EXPIRED}
"""What is searched unless the question says otherwise."""

SHARED = "shared"
"""What the agents share is a source too, with an index of its own."""

_INDEX = "memory/INDEX.md"
"""It only says where things stand: a session starts with it, and a search need not find it."""

_OURS_ALONE = (CONFIG, OTHER_CONFIG, CHANGELOG, OTHER_CHANGELOG)
_LOG_FILES = ("CONFLICTS.md", "COMPACTION_LOG.md")
_LOGS = ("Archive/Conflicts/", "Archive/Compaction/")
"""Where old lines of the log files are moved; they are no memory either."""

_FOLDERS = (
    *((folder, "") for folder in _LOGS),
    ("Archive/Facts/", EXPIRED),
    ("Archive/", ARCHIVE),
    ("memory/archive/", ARCHIVE),
    ("memory/", MEMORY),
)
"""The source of the files below a folder; the first one that fits counts."""

_DEEPER = {"memory/archive": ARCHIVE, "Archive/Facts": EXPIRED}
"""Folders whose files are of another source than those beside them."""

_FILES = {
    "MEMORY.md": MEMORY,
    "memory.md": MEMORY,
    "CORRECTIONS.md": CORRECTIONS,
    **dict.fromkeys(("SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "TOOLS.md"), IDENTITY),
}


def _everything(_path: str) -> bool:
    return True


class Reach(NamedTuple):
    """The workspace, and the `extra` files, folders and patterns that the operator wants searched.

    What lies behind the fence is never found. `layout` are the files and folders where this kind of
    workspace keeps its memory; `covers` says what of that and of clawgit's own files is found.
    """

    root: Path
    extra: tuple[str, ...] = ()
    fence: "Fence | None" = None
    layout: tuple[str, ...] = ()
    covers: Callable[[str], bool] = _everything


class SourceFile(NamedTuple):
    """A file's source, and what changes when the file does; times are in nanoseconds."""

    source: str
    size: int
    mtime: int
    ctime: int
    inode: int


def discover(scope: Reach) -> dict[str, SourceFile]:
    """The files by path: as git names them, or absolute if they lie outside of the workspace.

    Symlinks are not followed, and repositories inside are left to their own workspace.
    """
    files = {path: seen for path, seen in _own(scope) if scope.covers(path)}
    if _INDEX in files:
        files[_INDEX] = files[_INDEX]._replace(source=IDENTITY)
    for named in (*scope.layout, *scope.extra):
        for file, seen in _named(scope, named):
            path = _from_root(scope.root, file)
            if path not in files and _is_asked_for(scope, named, path):
                files[path] = seen
    return files


def source_of(path: str) -> str:
    """The source of a file that is in scope without being named; "" if it is not."""
    if "/" not in path:
        return _FILES.get(path, "")
    if path == _INDEX:
        return IDENTITY
    is_hidden = path.startswith(".") or "/." in path
    if is_hidden or not _is_markdown(path):
        return ""
    return next((source for folder, source in _FOLDERS if path.startswith(folder)), "")


def in_scope(paths: Iterable[str], scope: Reach) -> dict[str, str]:
    """The source of each path in scope, as `discover` would have found it in the workspace."""
    names = set(paths)
    sources = {path: source_of(path) for path in names}
    sources = {path: source for path, source in sources.items() if source and scope.covers(path)}
    if "MEMORY.md" in sources:
        sources.pop("memory.md", None)
    for named in (*scope.layout, *scope.extra):
        sources |= dict.fromkeys(_matching(scope, named, names - sources.keys()), EXTRA)
    return _outside_of_the_fence(scope, sources)


def _outside_of_the_fence(scope: Reach, sources: dict[str, str]) -> dict[str, str]:
    extra_folders = {_folder(path) for path, source in sources.items() if source == EXTRA}
    shut = _shut(scope, extra_folders)
    return {path: source for path, source in sources.items() if _folder(path) not in shut}


def _matching(scope: Reach, named: str, paths: Iterable[str]) -> list[str]:
    """Those of the paths that a name stands for: a file, a folder or a pattern."""
    pattern = Path(os.path.relpath(scope.root / named, scope.root)).parts
    return [
        path
        for path in paths
        if _is_markdown(path)
        and _is_asked_for(scope, named, path)
        and _covers(pattern, path.split("/"))
    ]


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def found_as(source: str, status: os.stat_result) -> SourceFile:
    return SourceFile(source, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def _shut(scope: Reach, folders: Iterable[str]) -> set[str]:
    """The folders that belong to another agent; history may hold some of them."""
    if scope.fence is None:
        return set()
    return {folder for folder in folders if folder and scope.fence.shuts(scope.root / folder)}


def _own(scope: Reach) -> Iterator[tuple[str, SourceFile]]:
    """What every workspace has."""
    root, fence = scope.root, scope.fence
    # As the folder spells them: some file systems find MEMORY.md under the name memory.md too.
    names = {file.name for file in root.iterdir()} if root.is_dir() else set()
    for name in _FILES.keys() & names - ({"memory.md"} if "MEMORY.md" in names else set()):
        if found := _look(root / name, _FILES[name], fence):
            yield name, found
    for name, source in (("memory", MEMORY), ("Archive", ARCHIVE)):
        if not (root / name).is_symlink():
            yield from _below(str(root / name), f"{name}/", source, fence)


def _named(scope: Reach, named: str) -> Iterator[tuple[str, SourceFile]]:
    """The Markdown files of an extra path. The path itself may be a symlink or a repository."""
    path = Path(os.path.normpath(scope.root / named))
    if any(sign in named for sign in "*?[") and not path.exists():
        for match in _matches(path):
            yield from _at(match, scope.fence)
    else:
        yield from _at(path, scope.fence)


def _matches(pattern: Path) -> list[Path]:
    """A pattern that cannot be one matches nothing."""
    try:
        matches = sorted(Path(pattern.anchor).glob(str(pattern.relative_to(pattern.anchor))))
    except (ValueError, OSError):
        return []
    return [path for path in matches if _covers(pattern.parts, path.parts)]


def _at(path: Path, fence: "Fence | None") -> Iterator[tuple[str, SourceFile]]:
    if fence and fence.shuts(path):
        return
    if path.is_dir():
        yield from _below(str(path), f"{path}/", EXTRA, fence, top=True)
    elif _is_markdown(path.name) and (file := _look(path, EXTRA, fence)):
        yield str(path), file


def _look(file: Path, source: str, fence: "Fence | None") -> SourceFile | None:
    try:
        status = file.stat(follow_symlinks=source == EXTRA)
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode) or _is_anothers(status, fence):
        return None
    return found_as(source, status)


def _is_anothers(status: os.stat_result, fence: "Fence | None") -> bool:
    return fence is not None and fence.owns(status)


def _below(
    folder: str, prefix: str, source: str, fence: "Fence | None", *, top: bool = False
) -> Iterator[tuple[str, SourceFile]]:
    """The Markdown files below a folder, without hidden ones, repositories and other agents'."""
    waiting = [(folder, prefix, source)]
    while waiting:
        folder, prefix, source = waiting.pop()
        if source == EXTRA and fence and fence.shuts(Path(folder)):
            continue
        files, folders = _read(folder, source, fence, top=top)
        yield from ((prefix + name, file) for name, file in files)
        for name in folders:
            if f"{prefix}{name}/" not in _LOGS:
                deeper = _DEEPER.get(prefix + name, source)
                waiting.append((f"{folder}{os.sep}{name}", f"{prefix}{name}/", deeper))
        top = False


def _read(
    folder: str, source: str, fence: "Fence | None", *, top: bool
) -> tuple[list[tuple[str, SourceFile]], list[str]]:
    """The Markdown files of one folder, and the folders in it; nothing if it cannot be read."""
    files: list[tuple[str, SourceFile]] = []
    folders: list[str] = []
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return files, folders
    try:
        # Through a descriptor the kernel need not walk the whole path for each file.
        with os.scandir(descriptor) as entries:
            for entry in entries:
                name = entry.name
                if name == ".git" and not top:
                    return [], []
                if name[-3:].lower() == ".md":
                    seen = name[0] != "." and entry.is_file(follow_symlinks=False)
                    if seen and (status := _status(entry)) and not _is_anothers(status, fence):
                        files.append((name, found_as(source, status)))
                elif name[0] != "." and entry.is_dir(follow_symlinks=False):
                    folders.append(name)
    finally:
        os.close(descriptor)
    return files, folders


def _status(entry: os.DirEntry[str]) -> os.stat_result | None:
    """None where the file has gone since its folder was read."""
    try:
        return entry.stat(follow_symlinks=False)
    except OSError:
        return None


def _from_root(root: Path, file: str) -> str:
    inside = f"{root}{os.sep}"
    return file.removeprefix(inside).replace(os.sep, "/") if file.startswith(inside) else file


def _is_markdown(path: str) -> bool:
    return path[-3:].lower() == ".md"


def _is_asked_for(scope: Reach, named: str, path: str) -> bool:
    """Whether a path that a configured name matches is searched.

    `extra_paths` of the operator may reach outside the scope.
    """
    if _is_never(path):
        return False
    if named in scope.extra:
        return True
    return scope.covers(path) and path not in _LOG_FILES and not path.startswith(_LOGS)


def _is_never(path: str) -> bool:
    """Whether a path is never memory, even if it is named."""
    return path in _OURS_ALONE or path.startswith("agents/") or "/.git/" in f"/{path}"


def _covers(pattern: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether a path matches a pattern, or lies below a match. Hidden parts must be named."""
    if not pattern:
        return not any(part.startswith(".") for part in parts)
    if pattern[0] == "**":
        return any(_covers(pattern[1:], parts[at:]) for at in range(len(parts)))
    if not parts:
        return False
    first, head = parts[0], pattern[0]
    # As a shell does: `*` matches no name that begins with a dot.
    if first.startswith(".") and not head.startswith("."):
        return False
    if not fnmatchcase(first, head):
        return False
    return _covers(pattern[1:], parts[1:])
