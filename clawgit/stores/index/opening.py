"""Opens the two files of the index as one connection; damaged ones are replaced."""

import sqlite3
from pathlib import Path
from typing import NamedTuple

from clawgit.stores.clearing import clear, clear_the_way
from clawgit.stores.database import discard_damaged, opened, primary_code
from clawgit.stores.git.place import RepoPlace

_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})

_SYNC = {"main": "NORMAL", "shared": "FULL"}
"""Vectors are stored by text id, so an id must never be used twice, not even after a power cut."""

_CACHE = -16_384
"""SQLite's page cache in KiB, used only as needed: a first build writes all over its files."""


class IndexFiles(NamedTuple):
    """The files of the index: the live set of a worktree, and the texts that all worktrees
    share.
    """

    live: Path
    shared: Path


def files_of(place: RepoPlace) -> IndexFiles:
    return IndexFiles(place.private / "live.db", place.shared / "index.db")


def open_files(files: IndexFiles, patience: float) -> sqlite3.Connection:
    """Opens both for writing; makes missing ones."""
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        clear_the_way(file)
    db = _connected(_uri(files.live, "mode=rwc"), _uri(files.shared, "mode=rwc"), patience)
    try:
        for schema in ("main", "shared"):
            # With a write-ahead log, searches go on reading while an update is written.
            db.execute(f"PRAGMA {schema}.journal_mode = WAL")
            db.execute(f"PRAGMA {schema}.synchronous = {_SYNC[schema]}")
            db.execute(f"PRAGMA {schema}.cache_size = {_CACHE}")
    except sqlite3.Error:
        db.close()
        raise
    return db


def open_unwritable(files: IndexFiles, patience: float) -> sqlite3.Connection:
    """Opens both for reading.

    If SQLite cannot even make its shared-memory file, nobody else can write, so the files are read
    as they are, unless a log has changes that are not in them yet.
    """
    logs = [file.with_name(f"{file.name}-wal") for file in files]
    whole = not any(log.exists() and log.stat().st_size for log in logs)
    # `immutable` last: SQLite then takes no lock and does not read the log.
    for mode in ("mode=ro", "immutable=1") if whole else ("mode=ro",):
        db = None
        try:
            db = _connected(_uri(files.live, mode), _uri(files.shared, mode), patience)
            # SQLite opens a file at the first query, so there is one here.
            db.execute("SELECT count(*) FROM main.sqlite_master, shared.sqlite_master").fetchone()
        except sqlite3.OperationalError as error:
            if db:
                db.close()
            failure = error
        else:
            return db
    raise failure


def open_memory() -> sqlite3.Connection:
    return _connected(":memory:", ":memory:", 0)


def discard(files: IndexFiles, patience: float) -> None:
    """Deletes damaged files; they are derived and will be built again.

    The shared file is deleted only if it is damaged itself.
    """
    # The live set is quickly built again. The texts take longer to read, and the vectors of all
    # worktrees depend on their ids.
    clear(files.live)
    discard_damaged(files.shared, patience)


def vacuum(db: sqlite3.Connection) -> None:
    """Gives free pages back to the disk, as far as other readers and writers allow."""
    try:
        for schema in ("main", "shared"):
            db.execute(f"VACUUM {schema}")
            db.execute(f"PRAGMA {schema}.wal_checkpoint(TRUNCATE)")
    except sqlite3.OperationalError as error:
        if not is_busy(error):
            raise


def is_busy(error: sqlite3.Error) -> bool:
    return primary_code(error) in _BUSY


def _connected(live: str, shared: str, patience: float) -> sqlite3.Connection:
    db = opened(live, patience)
    try:
        db.execute("ATTACH ? AS shared", (shared,))
    except sqlite3.Error:
        db.close()
        raise
    return db


def _uri(path: Path, options: str) -> str:
    return f"{path.absolute().as_uri()}?{options}"
