"""The kinds of files that are searched, and which kind a file is by its path alone."""

import os
from typing import NamedTuple

from clawgit.domain.workspace.layout import CHANGELOG, CONFIG, OTHER_CHANGELOG, OTHER_CONFIG
from clawgit.domain.workspace.seen import is_markdown

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
"""What is searched unless the question says otherwise."""

NAMED = {IDENTITY: frozenset({IDENTITY, PROFILE})}
"""What the name of a source stands for, where that is more than itself: the operator's profile and
the agent's are part of the identity."""

SHARED = "shared"
"""What the agents share is a source too, with an index of its own."""

INDEX = "memory/INDEX.md"
"""It only says where things stand: a session starts with it, and a search need not find it."""

LOG_FOLDERS = ("Archive/Conflicts/", "Archive/Compaction/")
"""Where old lines of the log files are moved; they are no memory either."""

DEEPER = {"memory/archive": ARCHIVE, "Archive/Facts": EXPIRED}
"""Folders whose files are of another source than those beside them."""

FILES = {
    "MEMORY.md": MEMORY,
    "memory.md": MEMORY,
    "CORRECTIONS.md": CORRECTIONS,
    **dict.fromkeys(("USER.md", "IDENTITY.md"), PROFILE),
    **dict.fromkeys(("SOUL.md", "AGENTS.md", "TOOLS.md"), IDENTITY),
}
"""Who the operator and the agent are is a fact like any other; how the agent is to work is none."""

_LOG_FILES = ("CONFLICTS.md", "COMPACTION_LOG.md")
_OURS_ALONE = (CONFIG, OTHER_CONFIG, CHANGELOG, OTHER_CHANGELOG)

_FOLDERS = (
    *((folder, "") for folder in LOG_FOLDERS),
    ("Archive/Facts/", EXPIRED),
    ("Archive/", ARCHIVE),
    ("memory/archive/", ARCHIVE),
    ("memory/", MEMORY),
)
"""The source of the files below a folder; the first one that fits counts."""


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
    if "/" not in path:
        return FILES.get(path, "")
    if path == INDEX:
        return IDENTITY
    is_hidden = path.startswith(".") or "/." in path
    if is_hidden or not is_markdown(path):
        return ""
    return next((source for folder, source in _FOLDERS if path.startswith(folder)), "")


def is_log(path: str) -> bool:
    """Whether a file is a log of clawgit's, which is searched only if the operator names it."""
    return path in _LOG_FILES or path.startswith(LOG_FOLDERS)


def is_never(path: str) -> bool:
    """Whether a path is never memory, even if it is named: settings, and what directs an agent."""
    is_prompt = path.startswith("agents/") and path.endswith("/SOUL.md")
    return is_prompt or path in _OURS_ALONE or "/.git/" in f"/{path}"
