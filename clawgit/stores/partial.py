"""The one door by which a file is read to be searched or shown: no more than its first 2 MiB.

What clawgit writes to is read whole, by `stores/git/worktree.py`.
"""

import os
import stat
from pathlib import Path

from clawgit.domain.workspace.limits import LARGEST_FILE, readable


def part_of(descriptor: int) -> bytes:
    """The part of an open file; the descriptor stays open."""
    with os.fdopen(os.dup(descriptor), "rb") as file:
        # One byte more shows that the file goes on, and so where its last whole line ends.
        return readable(file.read(LARGEST_FILE + 1))


def part_at(file: Path) -> bytes:
    """The part of a plain file, by any name; nothing where none can be read."""
    try:
        # O_NONBLOCK: to open a named pipe would wait for a writer for ever.
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return part_of(descriptor) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(descriptor)
