"""The live half of the index, in live.db of a worktree: its current files and their words."""

import os
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from clawgit.stores.index import shelf
from clawgit.stores.index.shelf import Chunking, ShelvedList
from clawgit.stores.index.sources import SourceFile

_VERSION = "3"
"""The version of these tables, and of how `domain/search/terms.py` splits a text."""

_SCHEMA = (
    """CREATE TABLE live_stamp (
        version TEXT NOT NULL, generation TEXT NOT NULL, chunking TEXT NOT NULL
    )""",
    """CREATE TABLE live_files (
        id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, source TEXT NOT NULL,
        size INTEGER NOT NULL,
        mtime INTEGER NOT NULL, ctime INTEGER NOT NULL, inode INTEGER NOT NULL,
        list INTEGER NOT NULL,
        first INTEGER NOT NULL, items INTEGER NOT NULL, words INTEGER NOT NULL
    )""",
    "CREATE INDEX live_first ON live_files (first, items)",
    # Words are folded and separated already, so the simplest tokenizer splits them like
    # `terms.words`, in every SQLite.
    """CREATE VIRTUAL TABLE live_words USING fts5(
        words, content='', columnsize=0, detail=none, tokenize='porter ascii'
    )""",
    "CREATE VIRTUAL TABLE live_vocabulary USING fts5vocab('live_words', 'row')",
)

_OUTDATED = f"""
UPDATE live_files SET ctime = ? WHERE list NOT IN (
    SELECT id FROM shared.blob_lists WHERE {shelf.SERVES}
)"""  # noqa: S608 - made of constants

_NAMES = sys.getfilesystemencoding(), sys.getfilesystemencodeerrors()
"""How `os.fsdecode` reads a path."""

ANEW = -1
"""A time that no file has, so that the file must be read again."""


class File(NamedTuple):
    """A file of the live set. Its items have the ids from `first` to before `first + items`."""

    id: int
    path: str
    found: SourceFile
    list: int
    first: int
    items: int
    words: int


class LiveChange(NamedTuple):
    """What the live set must do about a path: replace `old` by `found`, or drop it."""

    path: str
    found: SourceFile | None
    old: File | None


def is_current(db: sqlite3.Connection, chunking: Chunking) -> bool:
    """Whether the tables have this version, and match the shared ones and the chunking."""
    stamp = _stamp(db)
    return stamp is not None and stamp == (
        _VERSION,
        shelf.generation(db),
        shelf.cut_as(chunking),
    )


def prepare(db: sqlite3.Connection, chunking: Chunking) -> bool:
    """Makes the tables current; returns whether that was needed.

    Lists that do not depend on the chunking stay.
    """
    if is_current(db, chunking):
        return False
    if shelf.generation(db) is None:
        shelf.reset(db)
    generation, stamp = shelf.generation(db), _stamp(db)
    if stamp is None or stamp[:2] != (_VERSION, generation):
        _reset(db)
    elif stamp[2] != shelf.cut_as(chunking):
        db.execute(_OUTDATED, (ANEW, *shelf.served_by(chunking)))
    db.execute("DELETE FROM live_stamp")
    db.execute(
        "INSERT INTO live_stamp VALUES (?, ?, ?)",
        (_VERSION, generation, shelf.cut_as(chunking)),
    )
    return True


def files(db: sqlite3.Connection) -> list[File]:
    """The files in the order of their items; none if the tables do not match the shared ones."""
    stamp = _stamp(db)
    # Its lists would name other texts if the shared tables were made again since.
    if stamp is None or stamp[:2] != (_VERSION, shelf.generation(db)):
        return []
    rows = db.execute(
        "SELECT id, path, source, size, mtime, ctime, inode, list, first, items, words FROM "
        "live_files ORDER BY first"
    )
    return [
        # By place and without a call for each path: there may be a hundred thousand.
        File._make((row[0], row[1].decode(*_NAMES), SourceFile._make(row[2:7]), *row[7:]))
        for row in rows
    ]


def changes(old: Mapping[str, File], found: Mapping[str, SourceFile]) -> list[LiveChange]:
    """What differs from the live set: files that are gone first, then by name."""
    gone = [LiveChange(path, None, file) for path, file in old.items() if path not in found]
    new = [path for path, seen in found.items() if path not in old or old[path].found != seen]
    return [*gone, *(LiveChange(path, found[path], old.get(path)) for path in sorted(new))]


def drop(db: sqlite3.Connection, file: File) -> None:
    _write_words(db, file.first, shelf.words_of(db, file.list), [])
    db.execute("DELETE FROM live_files WHERE id = ?", (file.id,))


def put(
    db: sqlite3.Connection,
    path: str,
    found: SourceFile,
    kept: ShelvedList,
    words: list[str] | None,
    old: File | None,
) -> File:
    """Stores a file as it is now, with the words of its items if known.

    Its items keep their ids while there is room; else they move to the end.
    """
    first = old.first if old else _end(db)
    if old is None or old.list != kept.id:
        before = shelf.words_of(db, old.list) if old else []
        after = shelf.words_of(db, kept.id) if words is None else words
        # The ids of a file's items are consecutive: if they would reach the next file's, all move.
        if old and not 0 < kept.items <= _room(db, old):
            _write_words(db, first, before, [])
            first, before = _end(db), []
        _write_words(db, first, before, after)
    row = (*found, kept.id, first, kept.items, kept.words)
    # Plain statements: one that could fail half way makes SQLite open a savepoint, and FTS flush
    # everything.
    if old:
        db.execute(
            "UPDATE live_files SET source = ?, size = ?, mtime = ?, ctime = ?, inode = ?, list = "
            "?, first = ?, items = ?, words = ? WHERE id = ?",
            (*row, old.id),
        )
        return File(old.id, path, found, kept.id, first, kept.items, kept.words)
    made = db.execute(
        "INSERT INTO live_files VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (os.fsencode(path), *row),
    )
    return File(made.lastrowid or 0, path, found, kept.id, first, kept.items, kept.words)


def _write_words(
    db: sqlite3.Connection, first: int, before: Sequence[str], after: Sequence[str]
) -> None:
    """Replaces the words of the items from `first` on, except for those that stay the same."""
    # FTS stores no texts here: to delete an item it must get exactly the words that it was given.
    pairs = list(enumerate(zip_longest(before, after), first))
    old = [(ident, words) for ident, (words, now) in pairs if words is not None and words != now]
    new = [(ident, words) for ident, (was, words) in pairs if words is not None and words != was]
    db.executemany("INSERT INTO live_words (live_words, rowid, words) VALUES ('delete', ?, ?)", old)
    db.executemany("INSERT INTO live_words (rowid, words) VALUES (?, ?)", new)


def _room(db: sqlite3.Connection, file: File) -> float:
    """How many ids are free before the next file; 0 if the file had no items, and so no place."""
    if not file.items:
        return 0
    following = db.execute(
        "SELECT min(first) FROM live_files WHERE first > ?", (file.first,)
    ).fetchone()[0]
    return float("inf") if following is None else following - file.first


def _end(db: sqlite3.Connection) -> int:
    last = db.execute(
        "SELECT first + items FROM live_files ORDER BY first DESC, items DESC LIMIT 1"
    ).fetchone()
    return int(last[0]) if last else 1


def _reset(db: sqlite3.Connection) -> None:
    for table in ("live_vocabulary", "live_words", "live_files", "live_stamp"):
        db.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in _SCHEMA:
        db.execute(statement)


def _stamp(db: sqlite3.Connection) -> tuple[str, str, str] | None:
    try:
        row = db.execute("SELECT version, generation, chunking FROM live_stamp").fetchone()
    except sqlite3.OperationalError as error:
        if "no such" in str(error):
            return None
        raise
    return None if row is None else (str(row[0]), str(row[1]), str(row[2]))
