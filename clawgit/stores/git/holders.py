"""Which process holds a lock file of git, as far as this system can tell."""

import time
from pathlib import Path

_PROC = Path("/proc")
SEES_PROCESSES = _PROC.is_dir()

STALE_SECONDS = 3600.0
"""Git holds a lock for seconds. Containers or other machines that share the folder cannot be seen
from here, so a lock is old only after an hour."""


def is_dead(lock: Path, root: Path, age: float) -> bool:
    """Whether a lock is certainly a leftover: it is old, and no process could hold it."""
    return SEES_PROCESSES and age >= STALE_SECONDS and user_of(lock, root) is None


def age_of(lock: Path) -> float:
    """Seconds since a lock was made; 0 if it is gone by now."""
    try:
        return max(0.0, time.time() - lock.lstat().st_mtime)
    except OSError:
        return 0.0


def user_of(lock: Path, root: Path) -> str | None:
    """The process that has a lock open, or a git that works in its repository; None if unknown.

    What another user's process has open cannot be seen, so any git of theirs counts. Outside
    Linux nothing can be seen.
    """
    if not _PROC.is_dir():
        return None
    for folder in _PROC.glob("[0-9]*"):
        if _has_open(folder, lock) or _is_git_in(folder, root):
            return f"process {folder.name}"
    return None


def _has_open(process: Path, lock: Path) -> bool:
    real = str(lock.resolve())
    try:
        return any(_target(link) == real for link in (process / "fd").iterdir())
    except OSError:
        return False


def _is_git_in(process: Path, root: Path) -> bool:
    try:
        name = (process / "comm").read_text("utf-8", "replace")
    except OSError:
        return False
    if not name.startswith("git"):
        return False
    try:
        folder = (process / "cwd").readlink()
    except PermissionError:
        return True  # Another user's process. Its folder cannot be seen, so it may be here.
    except OSError:
        return False  # A zombie: it has ended, and its parent has not read its exit status yet.
    return folder.is_relative_to(root.resolve())


def _target(link: Path) -> str | None:
    try:
        return str(link.readlink())
    except OSError:
        return None
