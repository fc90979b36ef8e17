"""Finds out whether a crash left anything in a repository, by the names and ages of a few files.

Every command asks this when it opens a workspace, so libgit2 need not be loaded to know.
"""

import os
import time
from pathlib import Path

from clawgit.stores.git.lock import lock_holder
from clawgit.stores.git.place import RepoPlace

SETTLE_SECONDS = 0.05
"""A file that changed less than this ago may be half written, or still open in the editor that
wrote it."""


def may_need_recovery(place: RepoPlace) -> bool:
    """Whether a crash may have left something that this process can finish now.

    If somebody holds the lock, the files are his: he is working, and has not crashed.
    """
    return _is_left(place) and lock_holder(place.private / "lock") is None


def _is_left(place: RepoPlace) -> bool:
    refs, packed = place.common_dir / "refs" / "clawgit", place.common_dir / "packed-refs"
    return (
        (refs / "tx" / place.worktree).exists()
        or (refs / "parked" / place.worktree).exists()
        or os.path.lexists(place.git_dir / "index.lock")
        or _is_held(place.private / "held")
        or (packed.is_file() and b" refs/clawgit/tx/" in packed.read_bytes())
    )


def _is_held(folder: Path) -> bool:
    """Whether a displaced file may be looked at again.

    With many writers, some file was always replaced a moment ago. That one must wait in any case;
    its writer looks at it again, or the next writer does.
    """
    try:
        names = os.listdir(folder)  # noqa: PTH208 - names are enough, and no paths are made of them
    except OSError:
        return False
    ends: dict[str, set[str]] = {}
    for name in names:
        token, _, end = name.partition(".")
        ends.setdefault(token, set()).add(end)
    return any(_may_be_seen(folder, token, ends[token]) for token in ends)


def _may_be_seen(folder: Path, token: str, ends: set[str]) -> bool:
    if "torn" in ends:
        return False  # set aside for a person
    if "json" not in ends:
        return True
    try:
        age = time.time() - os.stat(folder / f"{token}.json").st_mtime  # noqa: PTH116 - as above
    except OSError:
        return False  # its owner has just looked at it
    # A time in the future comes from a clock that was set back: there is nothing to wait for.
    return not 0 <= age < SETTLE_SECONDS
