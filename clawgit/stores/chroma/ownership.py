"""Who has the embedded Chroma open: one process at a time, by a lock that the kernel frees."""

import fcntl
import json
import os
import time
from pathlib import Path

from clawgit.errors import StorageError
from clawgit.stores.chroma.failures import ChromaBusyError
from clawgit.stores.git.lock import lock_holder


def lock_file(chroma: Path) -> Path:
    return chroma / "lock"


def take(chroma: Path) -> int:
    """Takes the lock; returns its descriptor.

    A child that inherits it holds the lock too, so there is no second owner before the child ends.
    """
    path = lock_file(chroma)
    try:
        chroma.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StorageError(
            f"{chroma} cannot be written: {error.strerror}.",
            hint="Check the owner and the permissions of the .git folder.",
        ) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        holder = lock_holder(path) or "another clawgit process"
        raise ChromaBusyError(
            f"Chroma is open in {holder}.",
            hint="That process answers; others scan the vectors themselves.",
        ) from None
    note = json.dumps({"pid": os.getpid(), "purpose": "chroma", "since": time.strftime("%H:%M:%S")})
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, note.encode(), 0)
    return descriptor
