"""Whether anything that answers are made of has moved: files, history, what clawgit keeps."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

_SKIPPED = ("node_modules", "objects", "logs")


def mark(root: Path, git_folders: Iterable[Path]) -> int:
    """A number that is another one once a file was written, made or removed. Nothing is read."""
    return hash((*_files(root), *(file for folder in git_folders for file in _files(folder))))


def _files(folder: Path | str) -> Iterator[tuple[str, int, int]]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name[0] != "." and entry.name not in _SKIPPED:
                        yield from _files(entry.path)
                    continue
                known = entry.stat(follow_symlinks=False)
                yield entry.path, known.st_mtime_ns, known.st_size
    except OSError:
        return  # it went while it was looked at; the next look finds it gone
