"""Locks, and what a crash leaves: the workspace's own lock, who holds a lock of git's, and whether
anything must be recovered. By a few small files: every command asks, without libgit2.

The kernel's lock decides who writes, and frees it when its holder dies.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from clawgit.core.disk.plainfile import rewrite, text_at
from clawgit.core.errors import BusyError, StorageError
from clawgit.git.looked import parked_here
from clawgit.git.place import OURS, RepoPlace, refs_below

_LONGEST = 200
"""Bytes of the note that are read: whoever prepared a `.git` may have written it."""

_PAUSE = 0.01
"""Seconds between attempts, at most. Each waits a random part of it, also after a long wait:
otherwise who came last would ask most often, and pass the others."""


@contextmanager
def workspace_lock(path: Path, purpose: str, timeout: float) -> Iterator[None]:
    """Holds the lock while the block runs.

    A time-out says who holds it; the file itself means nothing.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Not inherited: a git that we start and that outlives us would still hold the lock.
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StorageError(
            f"{path.parent} cannot be written: {error.strerror}.",
            hint="Check the owner and the permissions of the .git folder.",
        ) from error
    holder = f"process {os.getpid()} ({purpose}, since {time.strftime('%H:%M:%S')})"
    try:
        # The kernel's lock, not the file's existence: it ends with its process, so a kill -9 leaves
        # nothing that somebody must delete by hand.
        _acquire(descriptor, path, timeout)
        with suppress(OSError):  # the disk may be full: the lock is held without the note too
            rewrite(descriptor, holder)
        yield
    finally:
        # The file stays. Another process may have it open and wait for it; if it were removed, a
        # third would make a new one, and both would hold a lock.
        os.close(descriptor)


def lock_holder(path: Path) -> str | None:
    """Who holds the lock right now, in words; None if nobody does."""
    try:
        # Without O_CREAT: the question must not create the file.
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        # A shared lock: many may ask at once, without taking each other for the holder.
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _holder(path)
    finally:
        os.close(descriptor)
    return None


def _acquire(descriptor: int, path: Path, timeout: float) -> None:
    """Asks again and again, since a flock that waits in the kernel knows no time limit."""
    deadline = time.monotonic() + timeout
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise BusyError(
                    f"The workspace is locked by {_holder(path)}; waited {timeout:g} s.",
                    hint="Try again when it has finished. Nothing was changed.",
                ) from None
            time.sleep(_PAUSE * os.urandom(1)[0] / 255)
        else:
            return


def _holder(path: Path) -> str:
    # The note may be half written, or an earlier holder's if the disk was full.
    note = text_at(path, _LONGEST)
    return note if note.startswith("process ") else "another clawgit process"


MARK = "clawgit "
"""How the text of our own `index.lock` begins."""


def has_our_mark(lock: Path) -> bool:
    """Whether clawgit made an `index.lock`."""
    try:
        return str(lock.readlink()).startswith(MARK)
    except OSError:
        return False


SETTLE_SECONDS = 0.05
"""A file that changed less than this ago may be half written, or still open in the editor that
wrote it."""


def may_need_recovery(place: RepoPlace) -> bool:
    """Whether a crash may have left something that this process can finish now.

    If somebody holds the lock, the files are his: he is working, and has not crashed.
    """
    is_left = (
        refs_below(place, f"{OURS}tx/{place.worktree}")
        or parked_here(place)
        or has_our_mark(place.git_dir / "index.lock")
        or _is_held(place.private / "held")
    )
    return bool(is_left) and lock_holder(place.private / "lock") is None


def _is_held(folder: Path) -> bool:
    """Whether a displaced file may be looked at again.

    With many writers, some file was always replaced a moment ago. That one must wait in any case;
    its writer looks at it again, or the next writer does. What lies there without a card, the next
    write removes, and what was set aside waits for a person.
    """
    try:
        names = os.listdir(folder)  # noqa: PTH208 - names are enough, and no paths are made of them
    except OSError:
        return False
    for name in names:
        # Its owner may have just looked at it, and dropped it.
        with suppress(FileNotFoundError):
            if name.endswith(".json") and not must_wait(f"{folder}/{name}"):
                return True
    return False


def must_wait(card: str | Path) -> float:
    """How many seconds must pass before a displaced file may be looked at again."""
    age = time.time() - os.stat(card).st_mtime  # noqa: PTH116 - as above
    # A time in the future comes from a clock that was set back: there is nothing to wait for.
    return SETTLE_SECONDS - age if 0 <= age < SETTLE_SECONDS else 0
