"""The log of `state.db`: a file outside of the repository that has all rows, for the case that the
database is lost.

Each transaction adds one line with the rows that it leaves, and waits until it is on the disk;
only then does the database commit. A line has a checksum and its rows by table and key. So lines
can be applied to any earlier state, more than once, and the last version of a row is right. A log
that has grown long, or lacks something, is replaced by one that begins with all rows.
"""

import hashlib
import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from clawgit.stores.clearing import clear_the_way
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.plainfile import put_in_place, sync
from clawgit.stores.xdg import state_home

_NONE = 1
_UNKNOWN = 128
_SLICE = 500
_NOTE = """
    CREATE TEMP TRIGGER IF NOT EXISTS "touch_{table}_{event}_{row}" AFTER {event} ON main."{table}"
    BEGIN INSERT INTO touched VALUES ('{table}', {row}."{key}"); END
"""
_OLD = ("state.db", "state.1.db", "journal-*.jsonl")
"""What stood here before there was one log: two daily copies, and the lines since then."""


class Stand(NamedTuple):
    """Which file the log is, and how long; zeros without one."""

    file: int = 0
    size: int = 0


class StateLog(NamedTuple):
    """Where the log of one workspace lies.

    It is found by the workspace's path; git, with `env`, shows whether it is still the same
    repository. Without `env` this is not checked.
    """

    folder: Path
    root: Path
    env: Mapping[str, str] | None = None

    @property
    def file(self) -> Path:
        return self.folder / "state.jsonl"

    @property
    def mark(self) -> Path:
        """Says whose log it is, by the first commit of the history."""
        return self.folder / "state.json"

    @property
    def older(self) -> list[Path]:
        """What earlier versions wrote: copies, the newest first, then lines, the oldest first."""
        return [file for pattern in _OLD for file in sorted(self.folder.glob(pattern))]

    def stand(self) -> Stand:
        try:
            status = self.file.stat()
        except OSError:
            return Stand()
        return Stand(status.st_ino, status.st_size)

    @property
    def began(self) -> str:
        """The first commit of the history that it belongs to, "" if that is not known."""
        try:
            return str(json.loads(self.mark.read_bytes()).get("began", ""))
        except (OSError, ValueError, AttributeError):
            # Without a readable mark the log counts as that of this workspace.
            return ""


class Table(NamedTuple):
    """A table with primary data: its columns, and the key column."""

    name: str
    key: str
    columns: tuple[str, ...]

    @property
    def selected(self) -> str:
        columns = ", ".join(f'"{column}"' for column in self.columns)
        return f'SELECT {columns} FROM main."{self.name}"'  # noqa: S608 - our schema


_COUNTERS = Table("sqlite_sequence", "name", ("name", "seq"))
"""SQLite's own: the highest number that each table gave, so that none is given twice."""


def log_of(home: Path, root: Path, env: Mapping[str, str] | None = None) -> StateLog:
    """The log of the workspace at `root`, below the state home.

    The folder's name has a readable part, and a hash that identifies the workspace.
    """
    real = root.resolve()
    digest = hashlib.sha256(os.fsencode(real)).hexdigest()[:12]
    return StateLog(home / "clawgit" / f"{real.name}-{digest}", real, env)


def repository_log(place: RepoPlace, env: Mapping[str, str], home: Path) -> StateLog:
    """The log of a repository's state, the same for all of its worktrees."""
    root = place.root
    if place.git_dir != place.common_dir:
        root = place.common_dir.parent if place.common_dir.name == ".git" else place.common_dir
    return log_of(state_home(env, home), root, env)


def clear_of_others(log: StateLog) -> list[str]:
    """Moves the log of another repository, which was at this path before, aside; returns where."""
    began = log.began
    if not began or log.env is None:
        return []
    git = CGit(log.root, log.env)
    if git.call("cat-file", "-e", f"{began}^{{commit}}", ok=(0, _NONE, _UNKNOWN))[0] == 0:
        return []
    names = (log.folder.with_name(f"{log.folder.name}.{number}") for number in range(1, 1000))
    aside = next(name for name in names if not name.exists())
    log.folder.rename(aside)
    return [f"The state of another workspace, which was at this path before, is kept in {aside}."]


def tables(db: sqlite3.Connection) -> list[Table]:
    """The tables of primary data, without SQLite's own and those of virtual tables."""
    rows = db.execute(
        "SELECT t.name, c.name, c.pk FROM pragma_table_list AS t, pragma_table_info(t.name) AS c"
        " WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        " ORDER BY t.name, c.cid"
    ).fetchall()
    columns: dict[str, list[str]] = {}
    keys: dict[str, str] = {}
    for name, column, is_key in rows:
        columns.setdefault(name, []).append(column)
        if is_key:
            keys[name] = column
    return [Table(name, keys[name], tuple(columns[name])) for name in keys]


def watch(db: sqlite3.Connection) -> None:
    """Has SQLite record the key of each changed row in memory, whatever the statement."""
    db.execute("PRAGMA temp_store = MEMORY")
    db.execute("CREATE TEMP TABLE IF NOT EXISTS touched (name TEXT, key)")
    for table in tables(db):
        for event, rows in (("INSERT", ("NEW",)), ("UPDATE", ("OLD", "NEW")), ("DELETE", ("OLD",))):
            for row in rows:
                db.execute(_NOTE.format(table=table.name, key=table.key, event=event, row=row))


def forget_touched(db: sqlite3.Connection) -> None:
    db.execute("DELETE FROM temp.touched")


def touched(db: sqlite3.Connection) -> bytes | None:
    """The line with what the open transaction changed; None if it changed nothing."""
    names = {name for (name,) in db.execute("SELECT DISTINCT name FROM temp.touched")}
    rows = {each.name: _left(db, each) for each in tables(db) if each.name in names}
    return _line(rows) if rows else None


def append(log: StateLog, line: bytes) -> Stand:
    """Adds a line, and waits until it is on the disk.

    Called before the commit, under SQLite's write lock, so lines are in the order of commits. A
    crash before the commit leaves an unconfirmed row too many, never one too few.
    """
    descriptor = os.open(log.file, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
    try:
        written = os.write(descriptor, line)
        while written < len(line):
            written += os.write(descriptor, line[written:])
        os.fsync(descriptor)
        status = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    return Stand(status.st_ino, status.st_size)


def renew(log: StateLog, db: sqlite3.Connection) -> Stand:
    """Replaces the log by all rows; called under SQLite's write lock, so that nobody adds to it."""
    was_there = log.file.is_file()
    log.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = log.folder / "state.new"
    new.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    with os.fdopen(os.open(new, flags, 0o600), "wb") as out:
        out.writelines(map(_line, all_rows(db)))
        out.flush()
        os.fsync(out.fileno())
    mark = {"workspace": str(log.root), "began": log.began or _first_commit(log)}
    put_in_place(log.mark, f"{json.dumps(mark)}\n".encode(), 0o600)
    clear_the_way(log.file)
    new.replace(log.file)
    # The folder too, which may be new itself: else a power cut takes the name away.
    sync(log.folder)
    sync(log.folder.parent)
    if was_there:  # else they are what this one was made of
        for old in log.older:
            old.unlink()
    return log.stand()


def lines(file: Path, start: int = 0) -> Iterator[Mapping[str, Any] | None]:
    """The rows of each line, None for a damaged one. A last line that was cut off is none: nobody
    was told that it was written.
    """
    try:
        with file.open("rb") as opened:
            opened.seek(start)
            for line in opened:
                if line != b"\n" and line.endswith(b"\n"):
                    yield _checked(line[:-1])
    except OSError:
        yield None


def play(db: sqlite3.Connection, told: Iterable[Mapping[str, Any] | None]) -> bool:
    """Applies lines to the tables; returns whether there were any, and none was damaged."""
    known, seen = {_COUNTERS.name, *(table.name for table in tables(db))}, set[bool]()
    for each in told:
        seen.add(each is not None)
        for name, rows in (each or {}).items():
            if name in known:
                _put(db, name, rows)
    return seen == {True}


def _put(db: sqlite3.Connection, name: str, rows: Mapping[str, Any]) -> None:
    key, columns, put = rows["key"], rows["columns"], rows["put"]
    at, marks = columns.index(key), ", ".join("?" * len(columns))
    gone = [(value,) for value in (*rows["gone"], *(row[at] for row in put))]
    db.executemany(f'DELETE FROM "{name}" WHERE "{key}" = ?', gone)  # noqa: S608 - our schema
    named = ", ".join(f'"{column}"' for column in columns)
    db.executemany(f'INSERT OR REPLACE INTO "{name}" ({named}) VALUES ({marks})', put)  # noqa: S608 - our schema


def _left(db: sqlite3.Connection, table: Table) -> dict[str, Any]:
    """What the open transaction left of a table."""
    of_it = "SELECT key FROM temp.touched WHERE name = ?"
    keys = {key for (key,) in db.execute(of_it, (table.name,))}
    there = db.execute(f'{table.selected} WHERE "{table.key}" IN ({of_it})', (table.name,))
    put = there.fetchall()
    at = table.columns.index(table.key)
    return _rows(table, put, sorted(keys - {row[at] for row in put}))


def all_rows(db: sqlite3.Connection) -> Iterator[Mapping[str, Any]]:
    """All rows of a database, as lines have them; of an empty one, too, there is a line."""
    for table in tables(db):
        rows = db.execute(table.selected)
        while put := rows.fetchmany(_SLICE):
            yield {table.name: _rows(table, put, [])}
    yield {_COUNTERS.name: _rows(_COUNTERS, db.execute(_COUNTERS.selected).fetchall(), [])}


def _rows(table: Table, put: list[Any], gone: list[Any]) -> dict[str, Any]:
    return {"key": table.key, "columns": table.columns, "put": put, "gone": gone}


def _line(rows: Mapping[str, Any]) -> bytes:
    text = json.dumps({"rows": rows}, ensure_ascii=False, separators=(",", ":")).encode()
    # The line break in front separates it from a line that a full disk cut off.
    return b"\n%08x %b\n" % (zlib.crc32(text), text)


def _checked(line: bytes) -> Mapping[str, Any] | None:
    checksum, _, text = line.partition(b" ")
    if checksum != b"%08x" % zlib.crc32(text):
        return None
    rows: Mapping[str, Any] = json.loads(text).get("rows", {})
    return rows


def _first_commit(log: StateLog) -> str:
    """The first commit of HEAD's history, which all clones share; "" if there is none."""
    if log.env is None:
        return ""
    git = CGit(log.root, log.env)
    code, commits = git.call("rev-list", "--max-parents=0", "HEAD", ok=(0, _UNKNOWN))
    return commits.decode("ascii").split()[-1] if code == 0 else ""
