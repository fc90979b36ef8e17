"""Moves one reference, and notes that in its log, as git does.

libgit2 would also sync the logs: four more waits for the disk in each write. Git never syncs them.
"""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from clawgit.doors import pygit2
from clawgit.stores.failures import is_locked
from clawgit.stores.git.place import RepoPlace

_PATIENCE = 1.0
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


def patiently(change: Callable[[], Any]) -> Any:
    """Retries a change for a moment, since `git gc` or `git fetch` may lock refs; C git waits
    too.
    """
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            return change()
        except (OSError, pygit2.GitError) as error:
            if not is_locked(error) or time.monotonic() >= deadline:
                raise
            time.sleep(0.005)


def file_of(place: RepoPlace, name: str) -> Path:
    """The file of a reference, or of its log. Each worktree has a HEAD of its own."""
    is_own = name in ("HEAD", "logs/HEAD")
    return (place.git_dir if is_own else place.common_dir) / name


def move(file: Path, oid: str, may_move: Callable[[], bool]) -> bool:
    """Writes a commit into a reference's file; False if it may not move after all.

    Its content is on the disk then, and its name once the folder is synced. FileExistsError while
    another git holds the reference.
    """
    lock = file.with_name(f"{file.name}.lock")
    descriptor = _opened(lock, _CREATE)
    try:
        with os.fdopen(descriptor, "wb", buffering=0) as opened:
            opened.write(f"{oid}\n".encode())
            # Before it has its name: a power cut must not leave a reference that is empty.
            os.fsync(descriptor)
        if not may_move():
            lock.unlink()
            return False
        _clear_the_way(file)
        lock.replace(file)
    except BaseException:
        lock.unlink(missing_ok=True)
        raise
    return True


def log_line(old: str, new: str, user: tuple[str, str], note: str) -> str:
    """A line of a reference's log."""
    name, email = user
    return f"{old} {new} {name} <{email}> {int(time.time())} {time.strftime('%z')}\t{note}\n"


def append(log: Path, line: str) -> None:
    _clear_the_way(log)
    with os.fdopen(_opened(log, _APPEND), "ab", buffering=0) as opened:
        opened.write(line.encode("utf-8", "surrogateescape"))


def _clear_the_way(file: Path) -> None:
    """Removes the empty folders that git leaves where branches were deleted."""
    if file.is_dir():
        for folder, _, _ in os.walk(file, topdown=False):
            with suppress(OSError):
                Path(folder).rmdir()


def _opened(file: Path, flags: int) -> int:
    try:
        return os.open(file, flags, 0o666)
    except FileNotFoundError:
        file.parent.mkdir(parents=True, exist_ok=True)
        return os.open(file, flags, 0o666)
