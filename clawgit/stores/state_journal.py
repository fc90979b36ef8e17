"""The journal of `state.db`: the rows of each transaction, written before it is committed.

The daily copy and the journals since then give the whole state back, whatever happened to the
database. A line holds a checksum and the rows as the transaction left them, by table and key. So
lines can be played over any earlier state, more than once, and the last word on a row is the right
one.
"""

import json
import os
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

_NAME = "journal-{:06}.jsonl"
_NOTE = """
    CREATE TEMP TRIGGER IF NOT EXISTS "touch_{table}_{event}_{row}" AFTER {event} ON main."{table}"
    BEGIN INSERT INTO touched VALUES ('{table}', {row}."{key}"); END
"""
_GLOB = "journal-*.jsonl"
KEPT = 2
"""The older of the two copies needs the journal that was begun before it was made, and the one
after that."""


class Table(NamedTuple):
    """A table that holds primary data: its columns, and the one that names a row."""

    name: str
    key: str
    columns: tuple[str, ...]

    @property
    def selected(self) -> str:
        return ", ".join(f'"{column}"' for column in self.columns)


class JournalEntry(NamedTuple):
    """What one transaction left: rows by table and key, None where a row went."""

    time: str
    rows: Mapping[str, Mapping[Any, Mapping[str, Any] | None]]


class JournalContent(NamedTuple):
    """What journals hold, in order. `torn` counts lines that cannot be relied on."""

    entries: list[JournalEntry]
    torn: int


class Journal:
    """Writes what one connection changes. `watch` it before its first transaction."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._tables: dict[str, Table] = {}

    def watch(self, db: sqlite3.Connection) -> None:
        """Lets SQLite note the key of each changed row in memory, whichever statement does it."""
        db.execute("PRAGMA temp_store = MEMORY")
        db.execute("CREATE TEMP TABLE IF NOT EXISTS touched (name TEXT, key)")
        self._tables = {table.name: table for table in tables(db)}
        for table in self._tables.values():
            for event, rows in (
                ("INSERT", ("NEW",)),
                ("UPDATE", ("OLD", "NEW")),
                ("DELETE", ("OLD",)),
            ):
                for row in rows:
                    db.execute(_NOTE.format(table=table.name, key=table.key, event=event, row=row))

    def append(self, db: sqlite3.Connection, time: str) -> "Appended | None":
        """Writes what the open transaction changed; None where it changed nothing.

        Called before the commit: the holder of SQLite's write lock is alone, so lines stand in the
        order of commits. Nobody waits for the disk here: a power cut is what SQLite's own log is
        for, which the commit does wait for.
        """
        rows = self._rows(db)
        if not rows:
            return None
        db.execute("DELETE FROM temp.touched")
        file, begun = _current(self.folder)
        txn = os.urandom(8).hex()
        _append(file, _line({"txn": txn, "time": time, "rows": rows}))
        return Appended(file, txn, begun=begun)

    def _rows(self, db: sqlite3.Connection) -> dict[str, dict[str, Any]]:
        names = [name for (name,) in db.execute("SELECT DISTINCT name FROM temp.touched")]
        return {name: self._rows_of(db, self._tables[name]) for name in names}

    def _rows_of(self, db: sqlite3.Connection, table: Table) -> dict[str, Any]:
        keys = [
            key
            for (key,) in db.execute(
                "SELECT DISTINCT key FROM temp.touched WHERE name = ?", (table.name,)
            )
        ]
        there = db.execute(
            f'SELECT {table.selected} FROM main."{table.name}"'  # noqa: S608 - names of our own schema
            f' WHERE "{table.key}" IN (SELECT key FROM temp.touched WHERE name = ?)',
            (table.name,),
        ).fetchall()
        at = table.columns.index(table.key)
        gone = {*keys} - {row[at] for row in there}
        return {"key": table.key, "columns": table.columns, "put": there, "gone": sorted(gone)}


class Appended(NamedTuple):
    """The journal of a transaction, and its name in it; `begun` if the journal is new."""

    file: Path
    txn: str
    begun: bool


def withdraw(appended: Appended) -> None:
    """Takes the last line back: its transaction could not be committed.

    A crash before this leaves a row too many, which nobody was told of, and never one too few.
    """
    _append(appended.file, _line({"withdrawn": appended.txn}))


def rotate(folder: Path) -> None:
    """Begins a new journal.

    Done within a write transaction, so that no line comes late into the old one.
    """
    names = journals(folder)
    number = int(names[-1].stem.rpartition("-")[2]) + 1 if names else 1
    _begin(folder, number)


def forget(folder: Path) -> None:
    """Lets go of journals that neither copy needs."""
    for file in journals(folder)[:-KEPT]:
        file.unlink(missing_ok=True)


def journals(folder: Path) -> list[Path]:
    """Oldest first."""
    return sorted(folder.glob(_GLOB))


def first(folder: Path) -> Path:
    """The name of the journal that is begun before there is any copy."""
    return folder / _NAME.format(1)


def gap_of(state: Path) -> Path:
    """The file that says: something is in `state` that no journal and no copy has."""
    return state.with_name("state.gap")


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


def unreadable(db: sqlite3.Connection, table: Table) -> Iterator[str]:
    """What stops SQLite from reading each row of a table, where anything does."""
    try:
        for _ in db.execute(f'SELECT {table.selected} FROM "{table.name}"'):  # noqa: S608 - our schema
            pass
    except sqlite3.DatabaseError as error:
        yield f"{table.name}: {error}"


def read(folder: Path) -> JournalContent:
    """All that the journals of a folder hold, but what was withdrawn."""
    entries: dict[str, JournalEntry] = {}
    torn = sum(not file.is_file() for file in journals(folder))
    for line in _lines(folder):
        entry = _checked(line)
        if entry is None:
            torn += 1
        elif "withdrawn" in entry:
            entries.pop(entry["withdrawn"], None)
        else:
            entries[entry["txn"]] = JournalEntry(
                entry["time"], {name: _by_key(rows) for name, rows in entry["rows"].items()}
            )
    return JournalContent([*entries.values()], torn)


def _by_key(rows: Mapping[str, Any]) -> dict[Any, Mapping[str, Any] | None]:
    """The rows that one transaction left of a table."""
    put = (dict(zip(rows["columns"], row, strict=True)) for row in rows["put"])
    left: dict[Any, Mapping[str, Any] | None] = {row[rows["key"]]: row for row in put}
    return {**left, **dict.fromkeys(rows["gone"])}


def _lines(folder: Path) -> Iterator[bytes]:
    for file in journals(folder):
        if file.is_file():
            yield from (line for line in file.read_bytes().split(b"\n") if line)


def _line(record: Mapping[str, Any]) -> bytes:
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
    # The break in front keeps what a full disk tore before it a line of its own.
    return b"\n%08x %b\n" % (zlib.crc32(text), text)


def _checked(line: bytes) -> dict[str, Any] | None:
    """What a line says, None where a byte of it is not what it was."""
    checksum, _, text = line.partition(b" ")
    if checksum != b"%08x" % zlib.crc32(text):
        return None
    entry: dict[str, Any] = json.loads(text)
    return entry


def _current(folder: Path) -> tuple[Path, bool]:
    """The newest journal, and whether it had to be begun."""
    names = journals(folder)
    if names and names[-1].is_file():
        return names[-1], False
    rotate(folder)
    return journals(folder)[-1], True


def _begin(folder: Path, number: int) -> None:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = folder / _NAME.format(number)
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


def _append(file: Path, line: bytes) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
    try:
        written = os.write(descriptor, line)
        while written < len(line):
            written += os.write(descriptor, line[written:])
    finally:
        os.close(descriptor)
