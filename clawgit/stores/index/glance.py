"""A glance between two looks at all files: has anything changed of what changed last?

A folder changes when a file in it is made, deleted, renamed or replaced, as most editors save. A
file that is written in place does not change its folder, so the files that changed last are glanced
at, too: what is written again was mostly written not long ago.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest

from clawgit.domain.workspace.seen import folder_of
from clawgit.stores.index.live import ANEW, File
from clawgit.stores.index.sources import EXTRA
from clawgit.values import NamedTuple

_MOST = 128
"""This many files, and this many folders. In a memory of fewer, only the first file of a folder
that had none is missed."""

Times = Mapping[str, int]
"""The time of each folder, in nanoseconds."""

_TOP = ""
_GONE = -1


class Watched(NamedTuple):
    """The top folder and those of all files, and the files that changed last."""

    folders: frozenset[str]
    files: Sequence[File]


class Stamp(NamedTuple):
    """The name of a file, and what it was when it was read. `follows`: where a link leads."""

    name: bytes
    follows: bool
    size: int
    mtime: int
    ctime: int
    inode: int

    def holds(self) -> bool:
        try:
            now = os.stat(self.name) if self.follows else os.lstat(self.name)  # noqa: PTH116 - hundreds at each question
        except OSError:
            return False
        if self.ctime not in (ANEW, now.st_ctime_ns):
            return False
        return (self.size, self.mtime, self.inode) == (now.st_size, now.st_mtime_ns, now.st_ino)


class Glance(NamedTuple):
    """The files that changed last, as they were read, and the times of the folders that did."""

    files: Sequence[Stamp] = ()
    folders: Sequence[tuple[bytes, int]] = ()

    def holds(self) -> bool:
        """Whether all is as it was."""
        return all(stamp.holds() for stamp in self.files) and all(
            _time_of(folder) == time for folder, time in self.folders
        )


def watched(files: Sequence[File]) -> Watched:
    folders = {_TOP, *(folder_of(file.path) for file in files)}
    return Watched(frozenset(folders), nlargest(_MOST, files, key=_changed))


def times_of(root: str, folders: Iterable[str]) -> Times:
    """To be asked before a look at the files: what changes meanwhile shows at the next glance."""
    return {folder: _time_of(_named(root, folder)) for folder in folders}


def glanced(root: str, now: Watched, before: Times) -> Glance:
    """What a look has found, with the times from before it."""
    times = {**before, **times_of(root, now.folders - before.keys())}
    newest = nlargest(_MOST, times, key=times.__getitem__)
    return Glance(
        [stamp_of(root, file) for file in now.files],
        [(_named(root, folder), times[folder]) for folder in newest],
    )


def stamp_of(root: str, file: File) -> Stamp:
    source, *seen = file.found
    return Stamp(_named(root, file.path), source == EXTRA, *seen)


def _named(root: str, path: str) -> bytes:
    """Its name for the system, encoded once; an extra path is whole already."""
    return os.fsencode(os.path.join(root, path))  # noqa: PTH118 - thousands at each look


def _changed(file: File) -> float:
    """When a file changed; those come first that were read within a tick of their change."""
    return float("inf") if file.found.ctime == ANEW else file.found.ctime


def _time_of(folder: bytes) -> int:
    try:
        return os.stat(folder).st_mtime_ns  # noqa: PTH116 - see `Stamp`
    except OSError:
        return _GONE
