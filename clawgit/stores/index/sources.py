"""The kinds of files that are searched, and which kind a file is by its path alone."""

import os
from functools import lru_cache
from typing import NamedTuple

from clawgit.domain.markdown.placeholders import FORMS
from clawgit.domain.workspace.layout import (
    CHANGELOG,
    CONFIG,
    OTHER_CHANGELOG,
    OTHER_CONFIG,
    is_markdown,
)

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
_OURS_ALONE = (CONFIG, OTHER_CONFIG, CHANGELOG, OTHER_CHANGELOG)

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
