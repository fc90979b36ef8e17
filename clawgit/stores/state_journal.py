"""The journal of `state.db`: the rows of each transaction, written before it is committed.

With the daily copy and the journals since then, the whole state can be restored without the
database. A line has a checksum and the rows as the transaction left them, by table and key. So
lines can be applied to any earlier state, more than once, and the last version of a row is right.
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
"""How many journals are stored: the older of the two copies needs the journal begun before it was
made, and the next one."""


class Table(NamedTuple):
    """A table with primary data: its columns, and the key column."""

    name: str
    key: str
    columns: tuple[str, ...]

    @property
    def selected(self) -> str:
        return ", ".join(f'"{column}"' for column in self.columns)

    def insert(self, otherwise: str) -> str:
        marks = ", ".join("?" * len(self.columns))
        return f'INSERT OR {otherwise} INTO "{self.name}" ({self.selected}) VALUES ({marks})'  # noqa: S608 - our schema


class JournalEntry(NamedTuple):
    """What one transaction left: rows by table and key, None for a deleted row."""

    time: str
    rows: Mapping[str, Mapping[Any, Mapping[str, Any] | None]]


class JournalContent(NamedTuple):
    """The entries of journals, in order. `torn` counts damaged lines."""

    entries: list[JournalEntry]
    torn: int


class Journal:
    """Writes what one connection changes. `watch` it before its first transaction."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._tables: dict[str, Table] = {}

    def watch(self, db: sqlite3.Connection) -> None:
        """Has SQLite record the key of each changed row in memory, whatever the statement."""
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
        """Writes what the open transaction changed; None if it changed nothing.

        Called before the commit, under SQLite's write lock, so lines are in the order of commits.
        There is no sync: SQLite's own log, which the commit syncs, is for power cuts.
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
    """Removes the last line, whose transaction could not be committed.

    A crash before this leaves an unconfirmed row too many, never one too few.
    """
    _append(appended.file, _line({"withdrawn": appended.txn}))


def rotate(folder: Path) -> None:
    """Begins a new journal.

    Called within a write transaction, so that no late line goes into the old one.
    """
    names = journals(folder)
    number = int(names[-1].stem.rpartition("-")[2]) + 1 if names else 1
    _begin(folder, number)


def forget(folder: Path) -> None:
    """Deletes journals that neither copy needs."""
    for file in journals(folder)[:-KEPT]:
        file.unlink(missing_ok=True)


def journals(folder: Path) -> list[Path]:
    """The journals, oldest first."""
    return sorted(folder.glob(_GLOB))


def first(folder: Path) -> Path:
    """The first journal, which begins before there is any copy."""
    return folder / _NAME.format(1)


def gap_of(state: Path) -> Path:
    """The file that marks that `state` has data which no journal and no copy has."""
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
    """The errors that stop SQLite from reading a table."""
    try:
        for _ in db.execute(f'SELECT {table.selected} FROM "{table.name}"'):  # noqa: S608 - our schema
            pass
    except sqlite3.DatabaseError as error:
        yield f"{table.name}: {error}"


def read(folder: Path) -> JournalContent:
    """Everything in the journals of a folder, except for withdrawn lines."""
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
    # The line break in front separates it from a line that a full disk cut off.
    return b"\n%08x %b\n" % (zlib.crc32(text), text)


def _checked(line: bytes) -> dict[str, Any] | None:
    """The content of a line, None if it is damaged."""
    checksum, _, text = line.partition(b" ")
    if checksum != b"%08x" % zlib.crc32(text):
        return None
    entry: dict[str, Any] = json.loads(text)
    return entry


def _current(folder: Path) -> tuple[Path, bool]:
    """The newest journal, and whether it is new."""
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
