"""Moves one reference, and notes that in its log, as git does.

libgit2 would also sync the logs: four more waits for the disk in each write. Git never syncs them.
"""

import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from clawgit.stores.plainfile import sync

_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


def move(
    file: Path, oid: str, is_expected: Callable[[], bool], logs: Iterable[Path], note: str
) -> bool:
    """Writes a commit into a reference's file, on disk for good; False if its value is another than
    expected. FileExistsError while another git holds the reference.
    """
    lock = file.with_name(f"{file.name}.lock")
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(lock, _CREATE, 0o666)
    try:
        with os.fdopen(descriptor, "wb", buffering=0) as opened:
            if not is_expected():
                lock.unlink()
                return False
            opened.write(f"{oid}\n".encode())
            # Before it has its name: a power cut must not leave a reference that is empty.
            os.fsync(descriptor)
        for log in logs:
            _append(log, note)
        # Git leaves empty folders of branches that were deleted.
        with suppress(OSError):
            file.rmdir()
        lock.replace(file)
    except BaseException:
        lock.unlink(missing_ok=True)
        raise
    sync(file.parent)
    return True


def log_line(old: str, new: str, user: tuple[str, str], note: str) -> str:
    """A line of a reference's log."""
    name, email = user
    return f"{old} {new} {name} <{email}> {int(time.time())} {time.strftime('%z')}\t{note}\n"


def _append(log: Path, line: str) -> None:
    log.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(log, _APPEND, 0o666), "ab", buffering=0) as opened:
        opened.write(line.encode("utf-8", "surrogateescape"))
