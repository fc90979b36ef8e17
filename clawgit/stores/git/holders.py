"""Which process holds a lock file of git, as far as this system can tell."""

from pathlib import Path

_PROC = Path("/proc")


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
