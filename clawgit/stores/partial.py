"""Reads a file to be searched or shown: at most its first 2 MiB.

Files that clawgit writes are read whole, by `stores/git/worktree.py`.
"""

import os
import stat
from pathlib import Path

from clawgit.domain.workspace.limits import LARGEST_FILE, readable


def part_of(descriptor: int) -> bytes:
    """The part of an open file; the descriptor stays open."""
    with os.fdopen(os.dup(descriptor), "rb") as file:
        # One byte more shows whether the file goes on; then it is cut at the last whole line.
        return readable(file.read(LARGEST_FILE + 1))


def part_at(file: Path) -> bytes:
    """The part of a plain file; empty if it cannot be read."""
    try:
        # O_NONBLOCK: otherwise opening a named pipe would wait for a writer for ever.
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return part_of(descriptor) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(descriptor)
