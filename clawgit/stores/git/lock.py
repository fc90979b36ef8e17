"""The workspace lock: one writer at a time, in the order in which they came.

The kernel's lock decides who holds it, and frees it when its holder dies. A process that has to
wait leaves a ticket next to the lock: a file whose name is its time of arrival. The ticket is
touched while the process lives. The kernel alone would give the lock to whoever happens to ask
first.
"""

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from clawgit.errors import BusyError, StorageError
from clawgit.stores.plainfile import rewrite

_SHORTEST_PAUSE = 0.001
_LONGEST_PAUSE = 0.05
_PAUSE_PER_WAITER = 0.005
"""Seconds of pause for each process ahead in line: less than it will take."""
_PAUSE_SHARE = 0.02
"""The pause between attempts, as a share of the time already waited."""

_TICKET = ".waits-"
_STALE = 1.0
"""Seconds after which an untouched ticket belongs to a dead or stopped process. A living one
touches it every 50 ms."""


@contextmanager
def workspace_lock(path: Path, purpose: str, timeout: float) -> Iterator[None]:
    """Holds the lock while the block runs.

    A time-out says who holds it; the file itself means nothing.
    """
    descriptor = opened(path)
    try:
        # The kernel's lock, not the file's existence: it ends with its process, so a kill -9 leaves
        # nothing that somebody must delete by hand.
        _acquire(descriptor, path, timeout)
        with suppress(OSError):  # the disk may be full: the lock is held without the note too
            note(descriptor, purpose)
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


def opened(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Not inherited: a git that we start and that outlives us would still hold the lock.
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StorageError(
            f"{path.parent} cannot be written: {error.strerror}.",
            hint="Check the owner and the permissions of the .git folder.",
        ) from error


def note(descriptor: int, purpose: str) -> None:
    holder = {"pid": os.getpid(), "purpose": purpose, "since": time.strftime("%H:%M:%S")}
    rewrite(descriptor, json.dumps(holder))


def _acquire(descriptor: int, path: Path, timeout: float) -> None:
    # Without a timeout there is no waiting in line: the caller takes a free lock or gives up.
    if (timeout <= 0 or not _ahead(path, _LAST)) and taken(descriptor):
        return
    came = time.monotonic()
    # The clock since boot is the same for all processes. The rest keeps two tickets apart.
    name = f"{path.name}{_TICKET}{time.monotonic_ns():020d}-{os.getpid()}-{descriptor}"
    ticket = path.with_name(name)
    try:
        # Asked again and again, since a flock that waits in the kernel knows no time limit.
        while True:
            # The disk may be full: a process without a ticket waits too, but behind all others.
            with suppress(OSError):
                ticket.touch()
            ahead = _ahead(path, name)
            if not ahead and taken(descriptor):
                return
            waited = time.monotonic() - came
            if waited >= timeout:
                raise BusyError(
                    f"The workspace is locked by {_holder(path)}; waited {timeout:g} s.",
                    hint="Try again when it has finished. Nothing was changed.",
                )
            pause = max(_SHORTEST_PAUSE, waited * _PAUSE_SHARE, ahead * _PAUSE_PER_WAITER)
            time.sleep(min(pause, _LONGEST_PAUSE))
    finally:
        # Only once the lock is held: otherwise a process that comes in between would go ahead of
        # others.
        with suppress(OSError):
            ticket.unlink(missing_ok=True)


_LAST = "~"
"""Sorts after the name of every ticket."""


def taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _ahead(path: Path, ticket: str) -> int:
    """How many processes came before this one and still wait.

    Tickets of dead or stopped processes are removed. A stopped one that goes on touches its ticket
    again, and has its old place.
    """
    opening = path.name + _TICKET
    try:
        with os.scandir(path.parent) as files:
            tickets = [file for file in files if file.name.startswith(opening)]
    except OSError:
        return 0
    return len([file for file in tickets if file.name < ticket and _is_waiting(Path(file))])


def _is_waiting(ticket: Path) -> bool:
    try:
        # Absolute: if the clock was set back, a dead process's ticket is from the future.
        if abs(time.time() - ticket.stat().st_mtime) < _STALE:
            return True
        ticket.unlink()
    except OSError:
        # It just had its turn; or the folder is read-only, and then nobody has a ticket.
        return False
    return False


def _holder(path: Path) -> str:
    # The note may be half written, or an earlier holder's if the disk was full.
    try:
        note = json.loads(path.read_bytes())
        return f"process {note['pid']} ({note['purpose']}, since {note['since']})"
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "another clawgit process"
