"""Who has the embedded Chroma open: one process at a time, by a lock that the kernel frees."""

import os
from pathlib import Path

from clawgit.stores.chroma.failures import ChromaBusyError
from clawgit.stores.git.lock import lock_holder, note, opened, taken


def lock_file(chroma: Path) -> Path:
    return chroma / "lock"


def take(chroma: Path) -> int:
    """Takes the lock; returns its descriptor.

    A child that inherits it holds the lock too, so there is no second owner before the child ends.
    """
    path = lock_file(chroma)
    descriptor = opened(path)
    if not taken(descriptor):
        os.close(descriptor)
        holder = lock_holder(path) or "another clawgit process"
        raise ChromaBusyError(
            f"Chroma is open in {holder}.",
            hint="That process answers; others scan the vectors themselves.",
        )
    note(descriptor, "chroma")
    return descriptor
