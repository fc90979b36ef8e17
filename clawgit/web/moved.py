"""Whether commands may answer otherwise now: whether a file moved that answers are made of."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

_HISTORY = (
    "HEAD", "config", "index", "packed-refs", "refs", "clawgit/state.db", "clawgit/state.db-wal",
)  # fmt: skip
"""Of git's folders. What is derived moves by being read."""


def mark(root: Path, git_dirs: Iterable[Path], settings: Path) -> int:
    """Another number once a file was written, made or removed. No file is read."""
    places = [root, settings, *(folder / name for folder in git_dirs for name in _HISTORY)]
    return hash(tuple(_standing(path) for place in places for path in (str(place), *_below(place))))


def _below(folder: Path) -> Iterator[str]:
    """The files in a folder that are not hidden."""
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (f"{path}/{name}" for name in names)


def _standing(path: str) -> tuple[str, int, int]:
    try:
        known = os.lstat(path)
    except OSError:
        return path, 0, 0
    return path, known.st_mtime_ns, known.st_size
