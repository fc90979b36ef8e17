"""Checks that all names of a file with several names are in the workspace.

Through a name elsewhere, text from outside could come in; OpenClaw refuses such files.
"""

import os
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

HARD_LINK = "a hard link to a file outside of the workspace"
_KEPT_SECONDS = 1.0
"""A cache, so that a folder full of hard links is walked once."""


class _Walked(NamedTuple):
    root: str
    at: float
    names: Counter[tuple[int, int]]


_last: list[_Walked] = []


def leads_outside(root: Path | str, status: os.stat_result) -> bool:
    """Whether a file has a name outside the workspace, or in its .git folder."""
    if status.st_nlink <= 1:
        return False
    return _names_below(os.fspath(root))[status.st_dev, status.st_ino] < status.st_nlink


def _names_below(root: str) -> Counter[tuple[int, int]]:
    """How many names each file has in the workspace."""
    now = time.monotonic()
    if not _last or _last[0].root != root or now - _last[0].at > _KEPT_SECONDS:
        _last[:] = [_Walked(root, now, _counted(root))]
    return _last[0].names


def _counted(root: str) -> Counter[tuple[int, int]]:
    names: Counter[tuple[int, int]] = Counter()
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            device = os.lstat(folder).st_dev
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        if entry.name != ".git":
                            waiting.append(entry.path)
                    else:
                        # A directory entry has the inode, so no stat is needed.
                        names[device, entry.inode()] += 1
        except OSError:
            continue
    return names
