"""The workspace lock: one writer at a time, freed by the kernel when its holder dies."""

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from clawgit.errors import BusyError, StorageError

_FIRST_PAUSE = 0.001
_LONGEST_PAUSE = 0.05


@contextmanager
def workspace_lock(path: Path, purpose: str, timeout: float) -> Iterator[None]:
    """Holds the lock while the block runs.

    A time-out says who holds it; the file itself means nothing.
    """
    descriptor = _opened(path)
    try:
        # The kernel's lock and not the file's existence: it goes with its process, so that a
        # kill -9 leaves nothing that somebody would have to delete by hand.
        _acquire(descriptor, path, timeout)
        with suppress(
            OSError
        ):  # the disk may be full: the note is a courtesy, the lock is held without it
            _note(descriptor, purpose)
        yield
    finally:
        # The file stays. Another process may have it open and wait for it: were it removed, a third
        # would make a new one, and both would hold a lock.
        os.close(descriptor)


def lock_holder(path: Path) -> str | None:
    """Who holds the lock right now, in words; None where nobody does."""
    try:
        # Without O_CREAT: to ask who holds it leaves nothing behind.
        descriptor = os.open(path, os.O_RDWR)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return _holder(path)
    finally:
        os.close(descriptor)
    return None


def _opened(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Not inherited: a git that we start and that outlives us would go on holding the lock.
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StorageError(
            f"{path.parent} cannot be written: {error.strerror}.",
            hint="Check the owner and the permissions of the .git folder.",
        ) from error


def _note(descriptor: int, purpose: str) -> None:
    note = json.dumps({"pid": os.getpid(), "purpose": purpose, "since": time.strftime("%H:%M:%S")})
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, note.encode(), 0)


def _acquire(descriptor: int, path: Path, timeout: float) -> None:
    deadline, pause = time.monotonic() + timeout, _FIRST_PAUSE
    # Asked again and again, since a flock that waits in the kernel knows no time limit.
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise BusyError(
                    f"The workspace is locked by {_holder(path)}; waited {timeout:g} s.",
                    hint="Try again when it has finished. Nothing was changed.",
                ) from None
            time.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)
        else:
            return


def _holder(path: Path) -> str:
    # The note may be half written, or an earlier holder's where a full disk kept out the new one.
    try:
        note = json.loads(path.read_bytes())
        return f"process {note['pid']} ({note['purpose']}, since {note['since']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another clawgit process"
