"""Which files the search covers, and how each looks from outside: one walk over the folders, no
file opened.
"""

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.domain.workspace.layout import CHANGELOG, CONFIG, OTHER_CHANGELOG, OTHER_CONFIG

if TYPE_CHECKING:
    from clawgit.stores.index.fence import Fence

MEMORY, ARCHIVE, CORRECTIONS, IDENTITY, EXTRA, SESSIONS, EXPIRED = SOURCES = (
    "memory", "archive", "corrections", "identity", "extra", "sessions", "expired",
)  # fmt: skip
"""What a file can be a source of; each file is in one."""

DEFAULT_SOURCES = frozenset(SOURCES) - {IDENTITY, SESSIONS, EXPIRED}
"""What is searched unless the question says otherwise."""

SHARED = "shared"
"""What the agents share is a source too, with an index of its own."""


def _everything(_path: str) -> bool:
    return True


class Reach(NamedTuple):
    """The workspace, and what its operator wants searched besides: files, folders and patterns, `~`
    spelled out.

    What lies behind the fence is not found, whoever names it. `layout` are the files and folders
    where this kind of workspace keeps its memory; of them, and of clawgit's own, only what the
    scope `covers` is found.
    """

    root: Path
    extra: tuple[str, ...] = ()
    fence: "Fence | None" = None
    layout: tuple[str, ...] = ()
    covers: Callable[[str], bool] = _everything


class Found(NamedTuple):
    """A file's source, and what changes when the file does; times are in nanoseconds."""

    source: str
    size: int
    mtime: int
    ctime: int
    inode: int


def discover(scope: Reach) -> dict[str, Found]:
    """The files by path: as git names them, but an absolute path for what lies outside of the
    workspace.

    Symlinks are not followed, and repositories inside are left to their own workspace.
    """
    found = {path: seen for path, seen in _own(scope) if scope.covers(path)}
    if _INDEX in found:
        found[_INDEX] = found[_INDEX]._replace(source=IDENTITY)
    for named in (*scope.layout, *scope.extra):
        for file, seen in _named(scope, named):
            path = _from_root(scope.root, file)
            if path not in found and _is_asked_for(scope, named, path):
                found[path] = seen
    return found


def source_of(path: str) -> str:
    """The source of a file of the workspace that is in scope without being named; "" where it is
    not.
    """
    top, _, rest = path.partition("/")
    if not rest:
        return _FILES.get(path, "")
    if not _is_markdown(path) or any(part.startswith(".") for part in path.split("/")):
        return ""
    if path == _INDEX:
        return IDENTITY
    if path.startswith(_LOGS):
        return ""
    if path.startswith("Archive/Facts/"):
        return EXPIRED
    return (
        ARCHIVE
        if top == "Archive" or path.startswith("memory/archive/")
        else MEMORY
        if top == "memory"
        else ""
    )


def in_scope(paths: Iterable[str], scope: Reach) -> dict[str, str]:
    """The source of each of these paths that is in scope, as `discover` would have found them in
    the workspace.
    """
    names = set(paths)
    found = {path: source for path in names if scope.covers(path) and (source := source_of(path))}
    if "MEMORY.md" in found:
        found.pop("memory.md", None)
    for named in (*scope.layout, *scope.extra):
        wanted = Path(os.path.relpath(scope.root / named, scope.root)).parts
        for path in names - found.keys():
            if (
                _is_markdown(path)
                and _is_asked_for(scope, named, path)
                and _covers(wanted, path.split("/"))
            ):
                found[path] = EXTRA
    shut = _shut(
        scope, {path.rpartition("/")[0] for path, source in found.items() if source == EXTRA}
    )
    return {path: source for path, source in found.items() if path.rpartition("/")[0] not in shut}


def found_as(source: str, status: os.stat_result) -> Found:
    return Found(source, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def _shut(scope: Reach, folders: Iterable[str]) -> set[str]:
    """The folders of the workspace that are another agent's, which its own history may have taken
    in.
    """
    if scope.fence is None:
        return set()
    return {folder for folder in folders if folder and scope.fence.shuts(scope.root / folder)}


def _own(scope: Reach) -> Iterator[tuple[str, Found]]:
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


def _named(scope: Reach, named: str) -> Iterator[tuple[str, Found]]:
    """The Markdown files of an extra path. What the operator named may be a link or a repository,
    what is in it not.
    """
    path = Path(os.path.normpath(scope.root / named))
    if any(sign in named for sign in "*?[") and not path.exists():
        for match in _matches(path):
            yield from _at(match, scope.fence)
    else:
        yield from _at(path, scope.fence)


def _matches(pattern: Path) -> list[Path]:
    """A pattern that cannot be one matches nothing."""
    try:
        found = sorted(Path(pattern.anchor).glob(str(pattern.relative_to(pattern.anchor))))
    except (ValueError, OSError):
        return []
    return [path for path in found if _covers(pattern.parts, path.parts)]


def _at(path: Path, fence: "Fence | None") -> Iterator[tuple[str, Found]]:
    if fence and fence.shuts(path):
        return
    if path.is_dir():
        yield from _below(str(path), f"{path}/", EXTRA, fence, top=True)
    elif _is_markdown(path.name) and (found := _look(path, EXTRA, fence)):
        yield str(path), found


def _look(file: Path, source: str, fence: "Fence | None") -> Found | None:
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
) -> Iterator[tuple[str, Found]]:
    """The Markdown files below a folder, but for hidden ones, those of a repository and those of
    another agent.
    """
    waiting = [(folder, prefix, source)]
    while waiting:
        folder, prefix, source = waiting.pop()
        if source == EXTRA and fence and fence.shuts(Path(folder)):
            continue
        files, folders = _read(folder, source, fence, top=top)
        yield from ((prefix + name, found) for name, found in files)
        for name in folders:
            if f"{prefix}{name}/" not in _LOGS:
                deeper = _DEEPER.get(prefix + name, source)
                waiting.append((f"{folder}{os.sep}{name}", f"{prefix}{name}/", deeper))
        top = False


def _read(
    folder: str, source: str, fence: "Fence | None", *, top: bool
) -> tuple[list[tuple[str, Found]], list[str]]:
    """The Markdown files of one folder, and the folders in it; nothing of one that cannot be
    read.
    """
    files: list[tuple[str, Found]] = []
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
    """Whether what a name stands for is to be found there: the operator's own names reach further
    than a layout's.
    """
    if _is_never(path):
        return False
    return named in scope.extra or (
        scope.covers(path) and path not in _LOG_FILES and not path.startswith(_LOGS)
    )


def _is_never(path: str) -> bool:
    """What is no memory, whoever names it."""
    return path in _OURS_ALONE or path.startswith("agents/") or "/.git/" in f"/{path}"


def _covers(wanted: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether a path of so many parts is what a pattern means, or lies below it. Hidden ones must
    be named.
    """
    from fnmatch import fnmatchcase  # noqa: PLC0415 - only where extra paths are set

    if not wanted:
        return not any(part.startswith(".") for part in parts)
    if wanted[0] == "**":
        return any(_covers(wanted[1:], parts[at:]) for at in range(len(parts)))
    if not parts or (parts[0].startswith(".") and not wanted[0].startswith(".")):
        return False
    return fnmatchcase(parts[0], wanted[0]) and _covers(wanted[1:], parts[1:])


_INDEX = "memory/INDEX.md"
"""What a session starts with and not what it looks for: it only says where things stand."""

_OURS_ALONE = (CONFIG, OTHER_CONFIG, CHANGELOG, OTHER_CHANGELOG)
_LOG_FILES = ("CONFLICTS.md", "COMPACTION_LOG.md")
_LOGS = ("Archive/Conflicts/", "Archive/Compaction/")
"""What left the log files: no memory, as these are none."""

_DEEPER = {"memory/archive": ARCHIVE, "Archive/Facts": EXPIRED}
"""Folders whose files are of another source than those beside them."""

_FILES = {
    "MEMORY.md": MEMORY,
    "memory.md": MEMORY,
    "CORRECTIONS.md": CORRECTIONS,
    **dict.fromkeys(("SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "TOOLS.md"), IDENTITY),
}
