"""Opens, copies, examines and moves aside SQLite files, explains their errors, and makes room for a
file where something else has its name.
"""

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

from clawgit.core.errors import BusyError, StorageError

BUSY_SECONDS = 5.0
DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_NOT_UTF8 = "Could not decode to UTF-8"
_PRIVATE = 0o600
LOCKED = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_UNWRITABLE = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk does not answer as it should",
    sqlite3.SQLITE_READONLY: "it is read-only",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened for writing",
    sqlite3.SQLITE_PERM: "permission denied",
}


class Connection(sqlite3.Connection):
    """A connection that reports damage as an SQLite error.

    SQLite quotes a damaged schema, which may not be UTF-8; Python then raises a UnicodeDecodeError
    instead.
    """

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        try:
            return super().execute(sql, parameters)
        except UnicodeDecodeError as error:
            damage = sqlite3.DatabaseError("malformed database schema")
            damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise damage from error


def connect(path: Path, mode: str = "rw") -> sqlite3.Connection:
    """Opens an existing database. It never makes an empty file, which would pass for one."""
    return opened(f"{path.absolute().as_uri()}?mode={mode}")


def opened(name: str, patience: float = BUSY_SECONDS) -> sqlite3.Connection:
    """Opens a database by its URI, or by `:memory:`; it begins no transaction by itself."""
    return sqlite3.connect(
        name, uri=True, timeout=patience, isolation_level=None, factory=Connection
    )


@contextmanager
def writing(db: sqlite3.Connection) -> Iterator[None]:
    """One transaction; an exception in the block rolls it back."""
    # Takes the write lock at once: of two transactions that began by reading, only one could write.
    db.execute("BEGIN IMMEDIATE")
    with db:
        yield


def storable(text: str) -> str:
    """Text that SQLite accepts: file names and typed text may not be UTF-8.

    Different names stay different.
    """
    return text.encode("utf-8", "backslashreplace").decode()


def is_damage(error: Exception) -> bool:
    """Whether the error means damage: SQLite says so, or a text is not UTF-8."""
    return primary_code(error) in DAMAGED or str(error).startswith(_NOT_UTF8)


def begin_private(path: Path) -> None:
    """Makes an empty file that nobody else may read, whatever the umask, for SQLite to fill."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _PRIVATE))


def make_private(path: Path) -> None:
    """Makes a database of ours and its companion files readable and writable for us alone."""
    for part in parts(path):
        with suppress(OSError):  # not ours: opening it then says what is wrong
            mode = part.lstat().st_mode
            if stat.S_ISREG(mode) and stat.S_IMODE(mode) != _PRIVATE:
                part.chmod(_PRIVATE)


def copy_database(db: sqlite3.Connection, target: Path) -> None:
    """Makes a consistent copy in one file, while others go on writing; replaces `target`."""
    clear(target)
    begin_private(target)
    with closing(sqlite3.connect(target, isolation_level=None)) as copy:
        db.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file is the whole copy, without a -wal


def move_aside(path: Path, now: datetime) -> Path | None:
    """Moves the file away with its `-wal`, which SQLite would apply to the next file of that
    name.
    """
    parts = _existing(path)
    if not parts:
        return None
    stamp, number = f"{now:%Y%m%dT%H%M%S}", 0
    while _existing(aside := path.with_name(f"{path.stem}.broken-{stamp}-{number}.db")):
        number += 1
    make_private(path)
    moved = [
        part.replace(aside.with_name(aside.name + part.name.removeprefix(path.name)))
        for part in parts
    ]
    return moved[0]


def faults(db: sqlite3.Connection) -> list[str]:
    """What SQLite finds wrong with the whole file; empty if it is sound."""
    try:
        lines = [str(row[0]) for row in db.execute("PRAGMA quick_check")]
    except sqlite3.DatabaseError as error:
        if primary_code(error) not in DAMAGED:
            raise
        return [str(error)]
    return [] if lines == ["ok"] else lines


def counts(db: sqlite3.Connection) -> dict[str, int]:
    """The number of rows of each table, without SQLite's own and those of virtual tables."""
    names = (
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', "
        "'virtual') ORDER BY name"
    )
    counted = "SELECT count(*) FROM {}"
    return {
        name: db.execute(counted.format(f'"{name}"')).fetchone()[0]
        for (name,) in db.execute(names).fetchall()
        if not name.startswith("sqlite_")
    }


def primary_code(error: Exception) -> int:
    """SQLite's primary result code; 0 for errors that Python's module itself raises."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Turns SQLite's errors into ours, with a next step; a wrong query stays a bug."""
    try:
        yield
    except sqlite3.Error as error:
        code = primary_code(error)
        if code in LOCKED:
            raise BusyError(
                f"{path} is in use by another process; waited {BUSY_SECONDS:g} s.",
                hint="Try again when it is done.",
            ) from error
        if is_damage(error):
            raise StorageError(
                f"{path} is damaged: {error}.", hint="clawgit doctor --fix"
            ) from error
        if code in _UNWRITABLE:
            raise StorageError(
                f"{path} cannot be written: {_UNWRITABLE[code]}.",
                hint="Check the free space, and the owner and permissions of the .git folder.",
            ) from error
        raise


def _existing(path: Path) -> list[Path]:
    return [part for part in parts(path) if is_there(part)]


def is_there(path: Path) -> bool:
    """Whether anything has that name, even a broken link."""
    return os.path.lexists(path)


def clear_the_way(path: Path) -> None:
    """Called before a derived file is opened: removes what has its name and is no readable file: a
    folder, or a broken link. If that fails, the opening reports it.
    """
    if is_there(path) and not (path.is_file() and os.access(path, os.R_OK)):
        with suppress(OSError):
            clear(path)


def clear(path: Path) -> None:
    """Removes what an earlier attempt left, so that SQLite does not apply its journal to a new
    file.
    """
    for part in parts(path):
        if part.is_dir() and not part.is_symlink():
            _clear_folder(part)
        else:
            part.unlink(missing_ok=True)


def _clear_folder(folder: Path) -> None:
    """Removes an empty folder that has a file's name; one with contents is renamed."""
    try:
        folder.rmdir()
    except OSError:
        names = (folder.with_name(f"{folder.name}.folder-{number}") for number in count())
        folder.rename(next(name for name in names if not is_there(name)))


def parts(path: Path) -> list[Path]:
    """A SQLite file and the journals that may be next to it."""
    return [path.with_name(path.name + tail) for tail in ("", "-wal", "-shm", "-journal")]
