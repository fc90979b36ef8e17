"""A glance between two looks at all files: has anything changed of what changed last?

A folder changes when a file in it is made, deleted, renamed or replaced, as most editors save. A
file that is written in place does not change its folder, so the files that changed last are glanced
at, too: what is written again was mostly written not long ago.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from typing import NamedTuple

from clawgit.domain.workspace.seen import folder_of
from clawgit.stores.index.live import ANEW, File
from clawgit.stores.index.sources import EXTRA, found_as

_MOST = 128
"""So many files, and so many folders. Of a memory of fewer no change is ever missed."""

Times = Mapping[str, int]
"""The time of each folder, in nanoseconds; one that is gone has none."""

_TOP = ""
_GONE = -1


class Watched(NamedTuple):
    """The top folder and those of all files, and the files that changed last."""

    folders: frozenset[str]
    files: Sequence[File]


class Glance(NamedTuple):
    """The files below `root` that changed last, as they were read, and the times of folders."""

    root: str
    files: Sequence[File]
    folders: Times

    def holds(self) -> bool:
        """Whether all is as it was."""
        return all(is_as_read(self.root, file) for file in self.files) and all(
            _time_of(self.root, folder) == time for folder, time in self.folders.items()
        )


def watched(files: Sequence[File]) -> Watched:
    folders = {_TOP, *(folder_of(file.path) for file in files)}
    return Watched(frozenset(folders), nlargest(_MOST, files, key=_changed))


def times_of(root: str, folders: Iterable[str]) -> Times:
    """To be asked before a look at the files: what changes meanwhile shows at the next glance."""
    return {folder: _time_of(root, folder) for folder in folders}


def glanced(root: str, now: Watched, before: Times) -> Glance:
    """What a look has found, with the times from before it."""
    times = {**before, **times_of(root, now.folders - before.keys())}
    newest = nlargest(_MOST, times, key=times.__getitem__)
    return Glance(root, now.files, {folder: times[folder] for folder in newest})


def is_as_read(root: str, file: File) -> bool:
    """Whether a file still is what was read of it."""
    read = file.found
    try:
        status = os.stat(os.path.join(root, file.path), follow_symlinks=read.source == EXTRA)  # noqa: PTH116, PTH118 - half the time
    except OSError:
        return False
    now = found_as(read.source, status)
    return now == read or (read.ctime == ANEW and now._replace(ctime=ANEW) == read)


def _changed(file: File) -> float:
    return float("inf") if file.found.ctime == ANEW else file.found.ctime


def _time_of(root: str, folder: str) -> int:
    try:
        return os.stat(os.path.join(root, folder)).st_mtime_ns  # noqa: PTH116, PTH118 - see above
    except OSError:
        return _GONE
