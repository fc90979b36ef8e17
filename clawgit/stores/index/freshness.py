"""What of the files changed, and reads those that did."""

import os
import sqlite3
import stat
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from clawgit.stores.hardlinks import leads_outside
from clawgit.stores.index import tables
from clawgit.stores.index.sources import EXTRA, SourceFile, found_as
from clawgit.stores.index.tables import File
from clawgit.stores.plainfile import part_of

_TICK = 2_000_000_000
"""The coarsest clock of a file system, in nanoseconds: within one tick, a file can change without a
new time."""

_ANEW = -1
"""A time that no file has, so that the file must be read again."""

_BATCH_BYTES = 4 << 20
_BATCH_FILES = 5_000


def version(db: sqlite3.Connection) -> int:
    """Changes when another connection writes."""
    return int(db.execute("PRAGMA data_version").fetchone()[0])


def changes(known: Mapping[str, File], found: Mapping[str, SourceFile]) -> list[str]:
    """The paths at which the index differs from what was found: those that are gone first."""
    gone = [path for path in known if path not in found]
    new = [path for path, seen in found.items() if path not in known or known[path].found != seen]
    return gone + sorted(new)


def batch_of(paths: Sequence[str], found: Mapping[str, SourceFile]) -> Iterator[str]:
    """As many of these as are read in one transaction."""
    room = _BATCH_BYTES
    for path in paths[:_BATCH_FILES]:
        yield path
        room -= found[path].size if path in found else 0
        if room < 0:
            return


def take_in(
    db: sqlite3.Connection,
    root: Path,
    batch: Iterable[str],
    found: dict[str, SourceFile],
    known: dict[str, File],
) -> int:
    """Stores what these files hold now; returns how many have other items.

    Afterwards `found` and `known` say how the files were when they were read.
    """
    gone, new = list[File](), list[tuple[str, SourceFile, bytes, bytes]]()
    for path in batch:
        old, read = known.pop(path, None), _read(root, path, found.pop(path, None))
        if read:
            seen, data = read
            found[path], stamp = seen, tables.stamp_of(data)
            if old and (old.stamp, old.found.source) == (stamp, seen.source):
                known[path] = tables.touch(db, old, seen)
                continue
            new.append((path, seen, stamp, data))
        if old:
            gone.append(old)
    # By rising ids, those that go first: FTS writes out all that it holds where an id falls.
    for file in sorted(gone, key=lambda file: file.first):
        tables.drop(db, file)
    for path, seen, stamp, data in new:
        known[path] = tables.put(db, path, seen, stamp, tables.parsed(path, data))
    return len({file.path for file in gone}.union(path for path, *_ in new))


def _read(root: Path, path: str, seen: SourceFile | None) -> tuple[SourceFile, bytes] | None:
    """A file as it was read, with its status before; None if it is gone or cannot be read.

    If it may change again within the same tick, it is read again next time.
    """
    if seen is None:
        return None
    # A file that became a link since it was found could lead outside. Only paths in `extra_paths`
    # may be links.
    follow = 0 if seen.source == EXTRA else os.O_NOFOLLOW
    try:
        # O_NONBLOCK: otherwise opening a named pipe would wait for a writer for ever.
        descriptor = os.open(root / path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | follow)
    except OSError:
        return None
    try:
        # The status of the open file, before it is read: a change in between then shows next time.
        # If it were taken afterwards, that change would count as read.
        status, now = os.fstat(descriptor), time.time_ns()
        if not stat.S_ISREG(status.st_mode) or (follow and leads_outside(root, status)):
            return None
        data = part_of(descriptor)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    is_fresh = abs(now - status.st_ctime_ns) <= _TICK
    read = found_as(seen.source, status)
    return read._replace(ctime=_ANEW) if is_fresh else read, data
