"""Updates the live index from the disk, in short transactions between which others can read."""

import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.change.ids import blob_id
from clawgit.stores.database import writing
from clawgit.stores.hardlinks import leads_outside
from clawgit.stores.index import live, shelf
from clawgit.stores.index.live import ANEW, File, LiveChange
from clawgit.stores.index.shelf import Chunking
from clawgit.stores.index.sources import EXTRA, SourceFile, found_as
from clawgit.stores.plainfile import part_of

Progress = Callable[[int, int], None]
"""Called with how many files are done, of how many."""

_TICK = 2_000_000_000
"""The coarsest clock of a file system, in nanoseconds: within one tick, a file can change without a
new time."""

_BATCH_BYTES = 4 << 20
_BATCH_FILES = 5_000


class Aim(NamedTuple):
    """The goal of an update: the files found below `root`, and how they are cut."""

    root: Path
    found: dict[str, SourceFile]
    chunking: Chunking


class ReadFile(NamedTuple):
    """A file as it was read, with its status before the read."""

    path: str
    data: bytes
    found: SourceFile
    old: File | None


class Standing(NamedTuple):
    """The files of the live set, as long as the connection sees no other `version` of it."""

    version: tuple[int, ...]
    files: dict[str, File]


def version(db: sqlite3.Connection) -> tuple[int, ...]:
    """Changes when another connection writes."""
    return tuple(
        db.execute(f"PRAGMA {schema}.data_version").fetchone()[0] for schema in ("main", "shared")
    )


def standing(db: sqlite3.Connection) -> Standing:
    return Standing(version(db), {file.path: file for file in live.files(db)})


def catch_up(
    db: sqlite3.Connection, aim: Aim, progress: Progress, known: Standing | None = None
) -> tuple[int, Standing]:
    """Updates the index to `aim`; returns how many files changed, and the new state.

    `known` is what the index has. Finished batches stay if it is cut off.
    """
    done = changed = 0
    # One transaction per batch: others can read in between, and a kill -9 costs one batch at most.
    while True:
        with writing(db):
            # Another process may have written since the last batch; its work is not done twice.
            if live.prepare(db, aim.chunking) or known is None or known.version != version(db):
                known = standing(db)
            todo = live.changes(known.files, aim.found)
            batch = list(_batch(todo))
            changed += _apply(db, aim, batch, known.files, _further(progress, done, len(todo)))
        done += len(batch)
        if len(batch) == len(todo):
            return changed, known


def rebuild(
    db: sqlite3.Connection, aim: Aim, progress: Progress, _known: Standing | None = None
) -> tuple[int, Standing]:
    """Builds the whole index again, in one transaction; readers see the old one meanwhile."""
    with writing(db):
        shelf.reset(db)
        live.prepare(db, aim.chunking)
        known = standing(db)
        todo = live.changes({}, aim.found)
        done = changed = 0
        while done < len(todo):
            batch = list(_batch(todo[done:]))
            further = _further(progress, done, len(todo) - done)
            changed += _apply(db, aim, batch, known.files, further)
            done += len(batch)
    return changed, known


def _batch(todo: list[LiveChange]) -> Iterator[LiveChange]:
    room = _BATCH_BYTES
    for change in todo[:_BATCH_FILES]:
        yield change
        room -= change.found.size if change.found else 0
        if room < 0:
            return


def _further(progress: Progress, done: int, left: int) -> Callable[[int], None]:
    """The progress callback for the files of a batch."""
    return lambda count: progress(done + count, done + left)


def _apply(
    db: sqlite3.Connection,
    aim: Aim,
    batch: list[LiveChange],
    files: dict[str, File],
    further: Callable[[int], None],
) -> int:
    """Stores a batch; afterwards `found` and `files` have the new state."""
    reads, changed = [], 0
    for change in batch:
        read = _read(aim.root, change) if change.found else None
        if read:
            aim.found[change.path] = read.found
            reads.append(read)
        else:
            aim.found.pop(change.path, None)
            if gone := files.pop(change.path, None):
                live.drop(db, gone)
                changed += 1
    named = [(bytes.fromhex(blob_id(read.data)), read) for read in reads]
    kept = shelf.find(db, {oid for oid, _ in named}, aim.chunking)
    for count, (oid, read) in enumerate(named, len(batch) - len(named)):
        further(count)
        words = None
        if oid not in kept:
            kept[oid], words = shelf.add(db, oid, read.data, aim.chunking)
        files[read.path] = live.put(db, read.path, read.found, kept[oid], words, read.old)
        changed += read.old is None or read.old.list != kept[oid].id
    further(len(batch))
    return changed


def _read(root: Path, change: LiveChange) -> ReadFile | None:
    """Reads a file; None if it is gone or cannot be read.

    If it may change again within the same tick, it is read again next time.
    """
    assert change.found is not None  # noqa: S101 - `_apply` asks for no other
    # A file that became a link since it was found could lead outside. Only paths in `extra_paths`
    # may be links.
    follow = 0 if change.found.source == EXTRA else os.O_NOFOLLOW
    try:
        descriptor = os.open(
            # O_NONBLOCK: otherwise opening a named pipe would wait for a writer for ever.
            root / change.path,
            os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | follow,
        )
    except OSError:
        return None
    try:
        # The status of the open file, before it is read: a change in between then shows next time.
        # If it were taken afterwards, that change would count as read.
        status, now = os.fstat(descriptor), time.time_ns()
        if not stat.S_ISREG(status.st_mode):
            return None
        if follow and leads_outside(root, status):
            return None
        data = part_of(descriptor)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    seen = found_as(change.found.source, status)
    fresh = abs(now - status.st_ctime_ns) <= _TICK
    return ReadFile(change.path, data, seen._replace(ctime=ANEW) if fresh else seen, change.old)
