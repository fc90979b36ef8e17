"""Finds the files that the search covers, and of which kind each is by its path alone: one walk
over the folders, in which none is opened. The fence keeps out what is another agent's.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from stat import S_ISREG

from clawgit.core import NamedTuple
from clawgit.core.disk.plainfile import is_hard_link
from clawgit.core.errors import ClawgitError
from clawgit.core.layout import (
    CHANGELOGS,
    CONFIG,
    OTHER_CONFIG,
    PACKAGES,
    Searched,
    folder_of,
    is_below,
    is_markdown,
    name_of,
)
from clawgit.core.markdown.placeholders import FORMS
from clawgit.git.place import locate

MEMORY = "memory"
ARCHIVE = "archive"
CORRECTIONS = "corrections"
IDENTITY = "identity"
PROFILE = "profile"
EXTRA = "extra"
SESSIONS = "sessions"
EXPIRED = "expired"
SOURCES = (MEMORY, ARCHIVE, CORRECTIONS, IDENTITY, PROFILE, EXTRA, SESSIONS, EXPIRED)
"""The kinds of files that are searched; each file is of one kind."""

DEFAULT_SOURCES = frozenset(SOURCES) - {IDENTITY, SESSIONS, EXPIRED}
"""The sources that are searched by default."""

NAMED = {IDENTITY: frozenset({IDENTITY, PROFILE})}
"""Names of sources that include others: the profile is part of the identity."""

SHARED = "shared"
"""The shared memory is a source too, with its own index."""

INDEX = "memory/INDEX.md"
"""A file that only lists where things are: each session gets it, so a search need not find it."""

LOG_FOLDERS = ("Archive/Conflicts/", "Archive/Compaction/")
"""The folder of old log lines; they are no memory either."""

FILES = {
    "MEMORY.md": MEMORY,
    "memory.md": MEMORY,
    "CORRECTIONS.md": CORRECTIONS,
    **dict.fromkeys(FORMS, PROFILE),
}
"""Files at the top → their source. A profile tells who the operator and the agent are, how the
agent should work, what its tools are called and what it looks after."""

_LOG_FILES = ("CONFLICTS.md", "COMPACTION_LOG.md")
_OURS_ALONE = (CONFIG, OTHER_CONFIG, *CHANGELOGS)

FOLDERS = {
    **dict.fromkeys(LOG_FOLDERS, ""),
    "Archive/Facts/": EXPIRED,
    "Archive/": ARCHIVE,
    "memory/archive/": ARCHIVE,
    "memory/": MEMORY,
}
"""Folder → the source of its files, "" for none; a folder inside of another comes before it."""


class SourceFile(NamedTuple):
    """A file's source, and what changes when the file does; times are in nanoseconds."""

    source: str
    size: int
    mtime: int
    ctime: int
    inode: int


def found_as(source: str, status: os.stat_result) -> SourceFile:
    return SourceFile(source, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def source_of(path: str) -> str:
    """The source of a file that is in scope without being named; "" if it is not."""
    folder, _, name = path.rpartition("/")
    if not folder:
        return FILES.get(path, "")
    if path == INDEX:
        return IDENTITY
    is_read = is_markdown(name) and not name.startswith(".")
    return _of_folder(f"{folder}/") if is_read else ""


@lru_cache(maxsize=1024)  # of most files, the one before lies in the same folder
def _of_folder(folder: str) -> str:
    if folder.startswith(".") or "/." in folder:
        return ""
    return next((source for start, source in FOLDERS.items() if folder.startswith(start)), "")


def is_log(path: str) -> bool:
    """Whether a file is one of clawgit's logs, which are searched only if the operator names
    them.
    """
    return path in _LOG_FILES or path.startswith(LOG_FOLDERS)


def is_never(path: str) -> bool:
    """Whether a path is never memory, even if it is named: settings, and instructions for an
    agent.
    """
    is_prompt = path.startswith("agents/") and path.endswith("/SOUL.md")
    return is_prompt or path in _OURS_ALONE or "/.git/" in f"/{path}"


_OWN_FOLDERS = ("memory", "Archive")
"""The memory folders of every workspace."""

Found = Iterator[tuple[str, SourceFile | None]]
"""Paths, and what is there; None: nothing that is read.
"""


class Reach(NamedTuple):
    """The workspace, and the `extra` files and folders that the operator wants searched.

    Files behind the fence are never found. `layout` says where this kind of workspace has its
    memory and notes; `covers` says which of these, and of clawgit's own files, are found.
    """

    root: Path
    extra: tuple[str, ...] = ()
    fence: "Fence | None" = None
    layout: Searched = Searched()
    covers: Callable[[str], bool] = lambda _: True

    def source(self, path: str) -> str:
        """The source of a file of the workspace by its path alone; "" if it is not searched."""
        if self.covers(path) and (source := source_of(path) or self._of_layout(path)):
            return source
        is_named = _is_reached(path, _named_inside(self.root, self.extra))
        return EXTRA if is_named and is_markdown(path) and not is_never(path) else ""

    def enters(self, folder: str) -> bool:
        """Whether a folder may have files that every workspace or the layout has."""
        places = _places(self.layout)
        if any(place.startswith(f"{folder}/") for place in places):
            return True
        is_package = name_of(folder) in PACKAGES and not _is_reached(folder, _OWN_FOLDERS)
        return not is_package and _is_reached(folder, places)

    def _of_layout(self, path: str) -> str:
        if is_log(path) or is_never(path) or not is_markdown(path):
            return ""
        if not _is_reached(path, _places(self.layout)):
            return ""
        if self.layout.memory.covers(path):
            return MEMORY
        return EXTRA if self.layout.notes.covers(path) else ""


def discover(scope: Reach) -> dict[str, SourceFile]:
    """The files by path: as git names them, or absolute if they are outside the workspace.

    Symlinks are not followed, and repositories inside are skipped.
    """
    return {path: file for path, file in walked(scope).items() if file}


def walked(scope: Reach) -> dict[str, SourceFile | None]:
    """The same, with None at each path where something else than a plain file is."""
    files = dict(_below(str(scope.root), "", scope.fence, scope.source, scope.enters))
    for named in (Path(os.path.normpath(scope.root / each)) for each in scope.extra):
        if not (scope.fence and scope.fence.shuts(named)):
            files |= {path: files.get(path) or file for path, file in _named(scope, named)}
    return files


def in_scope(paths: Iterable[str], scope: Reach) -> dict[str, str]:
    """The source of each path in scope, as `discover` would have found it in the workspace."""
    sources = {path: source for path in paths if (source := scope.source(path))}
    fence = scope.fence
    if fence is None:
        return sources
    # History may have files of what is another agent's folder today.
    shut = {each for each in {*map(folder_of, sources)} if fence.shuts(scope.root / each)}
    return {path: source for path, source in sources.items() if folder_of(path) not in shut}


@lru_cache(maxsize=8)  # asked for each file
def _places(layout: Searched) -> tuple[str, ...]:
    """The folders that have all that is searched without being named."""
    return (*_OWN_FOLDERS, *layout.places)


@lru_cache(maxsize=8)
def _named_inside(root: Path, extra: tuple[str, ...]) -> tuple[str, ...]:
    """The extra paths, as seen from the workspace."""
    named = (os.path.relpath(root / each, root) for each in extra)
    return tuple("" if each == "." else each for each in named)


def _is_reached(path: str, places: Iterable[str]) -> bool:
    return any(is_below(path, place) for place in places)


def _named(scope: Reach, path: Path) -> Found:
    """The Markdown files of an extra path. The path itself may be a symlink or a repository."""
    inside = path.is_relative_to(scope.root)
    name = os.path.relpath(path, scope.root) if inside else str(path)
    if path.is_dir():
        prefix = "" if name == "." else f"{name}/"
        yield from _below(str(path), prefix, scope.fence, _named_source, _is_shown)
    elif is_markdown(name) and not is_never(name):
        file = _plain(path, EXTRA, follows=True)
        yield from [(name, file)] if file else []


def _named_source(path: str) -> str:
    return EXTRA if _is_shown(path) and not is_never(path) else ""


def _is_shown(path: str) -> bool:
    return not name_of(path).startswith(".")


def _below(
    folder: str,
    prefix: str,
    fence: "Fence | None",
    source_of: Callable[[str], str],
    enters: Callable[[str], bool],
) -> Found:
    """The Markdown files below a folder, without those of repositories and of other agents; the
    folder itself may be a repository.
    """
    waiting, is_inside = [(folder, prefix)], False
    while waiting:
        folder, prefix = waiting.pop()
        for entry in _entries(folder, fence if is_inside else None, is_inside=is_inside):
            path = prefix + entry.name
            if is_markdown(path):
                if source := source_of(path):
                    yield path, _plain(entry, source)
            elif entry.is_dir(follow_symlinks=False) and enters(path):
                waiting.append((entry.path, f"{path}/"))
        is_inside = True


def _entries(folder: str, fence: "Fence | None", *, is_inside: bool) -> "list[os.DirEntry[str]]":
    """What a folder has; nothing if it cannot be read, or is a repository or another agent's."""
    try:
        if fence and fence.closes(os.stat(folder)):  # noqa: PTH116 - names
            return []
        with os.scandir(folder) as entries:
            found = [*entries]
    except OSError:
        return []
    if is_inside and any(entry.name.lower() == ".git" for entry in found):
        return []
    return found


def _plain(
    file: "os.DirEntry[str] | Path", source: str, *, follows: bool = False
) -> SourceFile | None:
    """A plain file as it is; None for anything else, and for a file with several names: one of
    them may be in another agent's workspace.
    """
    try:
        status = file.stat(follow_symlinks=follows)
    except OSError:
        return None
    is_ours = S_ISREG(status.st_mode) and not is_hard_link(status)
    return found_as(source, status) if is_ours else None


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

    @cached_property
    def _open(self) -> set[Identity]:
        return {*self._allowed, *filter(None, (identity(self._own),))}

    @cached_property
    def _closed(self) -> set[Identity]:
        """The workspaces that may not be read; looked up once."""
        return {*filter(None, map(identity, self._others()))} - self._open


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
