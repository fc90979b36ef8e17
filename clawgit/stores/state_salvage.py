"""Reads what is left in a damaged `state.db`, row by row from a copy; the file is never written.

SQLite stops at the first bad page. So each table is read from its beginning, from its end, and then
key by key across the gap. If the pages with the places of the tables are lost, those of a copy or
of a new database are used.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

from clawgit.doors import shutil, tempfile
from clawgit.stores.database import connect
from clawgit.stores.state_journal import Table, tables

_MOST_PROBES = 5_000
_HEADER = 100
_INTERIOR = 5
_PAGE_SIZE = slice(16, 18)
_FORMATS = slice(18, 20)
_PAGES = slice(28, 32)
_LARGEST = 65_536
_WAL = b"\x02\x02"
_TYPES = {"TEXT": str, "INTEGER": int}


class Salvaged(NamedTuple):
    """Rows by table and key.

    `whole` if every table could be read from its beginning to its end.
    """

    rows: Mapping[str, Mapping[Any, Mapping[str, Any]]]
    whole: bool


def salvage(broken: Path, sound: Iterable[Path], expected: sqlite3.Connection) -> Salvaged:
    """Reads what can be read of a damaged database and its log.

    `sound` are databases in which the tables may be at the same pages; `expected` is an open
    database with the tables that should exist.
    """
    best = Salvaged({}, whole=False)
    if not broken.is_file():
        return best
    with tempfile.TemporaryDirectory(prefix="clawgit-state-") as folder:
        for model in (None, *sound):
            rows = _read(_copied(broken, Path(folder), model), expected)
            if rows.whole and model is None:
                return rows
            best = max(best, rows._replace(whole=False), key=_size)
    return best


def _size(salvaged: Salvaged) -> int:
    return sum(map(len, salvaged.rows.values()))


def _copied(broken: Path, folder: Path, model: Path | None) -> Path:
    """A copy that may be opened, which applies its log; with `model`'s schema if given."""
    for file in folder.iterdir():
        file.unlink()
    copy = folder / "state.db"
    shutil.copyfile(broken, copy)
    log = broken.with_name(broken.name + "-wal")
    if log.is_file():
        shutil.copyfile(log, folder / "state.db-wal")
    if model is not None:
        copy.write_bytes(_with_schema(copy.read_bytes(), model.read_bytes()))
    return copy


def _with_schema(broken: bytes, model: bytes) -> bytes:
    size = int.from_bytes(model[_PAGE_SIZE])
    if size == 1:  # how SQLite writes 65,536, which two bytes cannot hold
        size = _LARGEST
    pages = _schema_pages(model[:size])
    mended = bytearray(broken.ljust(max(pages) * size, b"\0"))
    for page in pages:
        place = slice((page - 1) * size, page * size)
        mended[place] = model[place]
    mended[_FORMATS] = _WAL  # so that a log next to it is read
    mended[_PAGES] = (len(mended) // size).to_bytes(4)
    return bytes(mended)


def _schema_pages(first: bytes) -> list[int]:
    """The first page and those to which it points, which have the whole list of tables."""
    if first[_HEADER] != _INTERIOR:
        return [1]
    count = int.from_bytes(first[_HEADER + 3 : _HEADER + 5])
    cells = [
        int.from_bytes(first[at : at + 2])
        for at in range(_HEADER + 12, _HEADER + 12 + 2 * count, 2)
    ]
    return [1, *(int.from_bytes(first[at : at + 4]) for at in (*cells, _HEADER + 8))]


def _read(copy: Path, expected: sqlite3.Connection) -> Salvaged:
    """What can be read of a copy: nothing if not even the list of tables can be."""
    names = {table.name for table in tables(expected)}
    with closing(connect(copy)) as db:
        db.text_factory = lambda raw: raw.decode("utf-8", "replace")
        try:
            # Without this SQLite refuses a file that is shorter than its header says.
            db.execute("PRAGMA writable_schema = ON")
            there = [table for table in tables(db) if table.name in names]
        except sqlite3.Error:
            return Salvaged({}, whole=False)
        rows_of = {table.name: _rows(db, table) for table in there}
        rows = {name: _plausible(read.rows, expected, name) for name, read in rows_of.items()}
        return Salvaged(
            rows, len(there) == len(names) and all(read.whole for read in rows_of.values())
        )


class _RowsRead(NamedTuple):
    rows: list[dict[str, Any]]
    whole: bool


def _rows(db: sqlite3.Connection, table: Table) -> _RowsRead:
    """Reads rows from the beginning, from the end, and in between."""
    rows, whole = _run(db, table, "ORDER BY {key}")
    if whole:
        return _RowsRead(rows, whole=True)
    backward, _ = _run(db, table, "ORDER BY {key} DESC")
    if not rows and not backward:
        return _RowsRead([], whole=False)  # the page at its root is bad, and no key leads past that
    start = max(_numbers(rows, table), default=0) + 1
    end = min(_numbers(backward, table), default=start + _MOST_PROBES)
    return _RowsRead([*rows, *backward, *_between(db, table, start, end)], whole=False)


def _between(
    db: sqlite3.Connection, table: Table, start: int, end: int
) -> Iterator[dict[str, Any]]:
    """Reads key by key: only a key on a bad page fails."""
    for key in range(start, min(end, start + _MOST_PROBES)):
        with suppress(sqlite3.Error):
            row = db.execute(
                f'SELECT {table.selected} FROM "{table.name}" WHERE "{table.key}" = ?',  # noqa: S608 - names of ours
                (key,),
            ).fetchone()
            if row is not None:
                yield dict(zip(table.columns, row, strict=True))


def _run(db: sqlite3.Connection, table: Table, order: str) -> tuple[list[dict[str, Any]], bool]:
    """Rows up to the first that cannot be read, and whether all could be read."""
    rows: list[dict[str, Any]] = []
    try:
        # From the table, not an index: an index may be intact if the rows are not.
        cursor = db.execute(
            f'SELECT {table.selected} FROM "{table.name}" NOT INDEXED '  # noqa: S608 - names of ours
            + order.format(key=f'"{table.key}"')
        )
        rows.extend(dict(zip(table.columns, row, strict=True)) for row in cursor)
    except sqlite3.Error:
        return rows, False
    return rows, True


def _numbers(rows: list[dict[str, Any]], table: Table) -> Iterator[int]:
    return (row[table.key] for row in rows if isinstance(row[table.key], int))


def _plausible(
    rows: Iterable[Mapping[str, Any]], expected: sqlite3.Connection, name: str
) -> dict[Any, Mapping[str, Any]]:
    """The rows whose values match their columns: a damaged page can look like rows."""
    columns = [
        _Column(*column)
        for column in expected.execute(
            'SELECT name, type, "notnull" OR pk, pk FROM pragma_table_info(?)', (name,)
        )
    ]
    key = next(column.name for column in columns if column.is_key)
    return {row[key]: row for row in rows if all(column.takes(row) for column in columns)}


class _Column(NamedTuple):
    name: str
    kind: str
    needed: int
    is_key: int

    def takes(self, row: Mapping[str, Any]) -> bool:
        """A column that the file does not have yet gets its default."""
        if self.name not in row:
            return True
        value = row[self.name]
        if value is None:
            return not self.needed
        return isinstance(value, _TYPES.get(self.kind, object))
