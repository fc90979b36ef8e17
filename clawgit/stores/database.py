"""A SQLite file as the stores handle it: opened, copied, examined, moved aside; what goes wrong with it, in words."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

from clawgit.errors import BusyError, StorageError

BUSY_SECONDS = 5.0
DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_LOCKED = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_UNWRITABLE = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk does not answer as it should",
    sqlite3.SQLITE_READONLY: "it is read-only",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened for writing",
    sqlite3.SQLITE_PERM: "permission denied",
}


def connect(path: Path) -> sqlite3.Connection:
    """Opens what exists; never makes an empty file, which would pass for a database."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=BUSY_SECONDS, isolation_level=None)


def storable(text: str) -> str:
    """Text as SQLite takes it: names of files and what is typed need not be UTF-8. Two names stay two."""
    return text.encode("utf-8", "backslashreplace").decode()


def copy_database(db: sqlite3.Connection, target: Path) -> None:
    """A consistent copy in one file, while others go on writing; what lay at `target` goes."""
    clear(target)
    with closing(sqlite3.connect(target, isolation_level=None)) as copy:
        db.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file is all there is: no -wal beside a copy
    target.chmod(0o600)


def clear(path: Path) -> None:
    """Takes away what an earlier attempt left, so that no journal of its is played into a new file."""
    for part in _parts(path):
        part.unlink(missing_ok=True)


def move_aside(path: Path, now: datetime) -> Path | None:
    """The file and what belongs to it, under a name that is free; a stray `-wal` would be played into the next one."""
    parts = _existing(path)
    if not parts:
        return None
    stamp, number = f"{now:%Y%m%dT%H%M%S}", 0
    while _existing(aside := path.with_name(f"{path.stem}.broken-{stamp}-{number}.db")):
        number += 1
    for part in parts:
        part.replace(aside.with_name(aside.name + part.name.removeprefix(path.name)))
    return aside.with_name(aside.name + parts[0].name.removeprefix(path.name))


def is_sound(path: Path) -> bool:
    with closing(connect(path)) as db:
        return not faults(db)


def faults(db: sqlite3.Connection) -> list[str]:
    """What SQLite finds wrong with the whole file; nothing when it is sound."""
    try:
        found = [str(row[0]) for row in db.execute("PRAGMA quick_check")]
    except sqlite3.DatabaseError as error:
        if primary_code(error) not in DAMAGED:
            raise
        return [str(error)]
    return [] if found == ["ok"] else found


def counts(db: sqlite3.Connection) -> dict[str, int]:
    """The number of rows of each table, but for those that SQLite keeps for itself, or for another table."""
    names = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') ORDER BY name"
    counted = "SELECT count(*) FROM {}"
    return {
        name: db.execute(counted.format(f'"{name}"')).fetchone()[0]
        for (name,) in db.execute(names).fetchall()
        if not name.startswith("sqlite_")
    }


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 for errors that Python's module itself raises."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Turns what SQLite says of the file into an error with a next step; a wrong query stays a bug."""
    try:
        yield
    except sqlite3.Error as error:
        code = primary_code(error)
        if code in _LOCKED:
            raise BusyError(
                f"{path} is in use by another process; waited {BUSY_SECONDS:g} s.", hint="Try again when it is done."
            ) from error
        if code in DAMAGED:
            raise StorageError(f"{path} is damaged: {error}.", hint="clawgit doctor --fix") from error
        if code in _UNWRITABLE:
            raise StorageError(
                f"{path} cannot be written: {_UNWRITABLE[code]}.",
                hint="Check the free space, and the owner and permissions of the .git folder.",
            ) from error
        raise


def _parts(path: Path) -> list[Path]:
    return [path.with_name(path.name + tail) for tail in ("", "-wal", "-shm", "-journal")]


def _existing(path: Path) -> list[Path]:
    return [part for part in _parts(path) if part.exists()]
