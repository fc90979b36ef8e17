"""The tables of the index: files with their stamps, their items, and the words of these."""

import binascii
import os
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from functools import lru_cache

from clawgit.core import NamedTuple
from clawgit.core.doors import hashlib, json
from clawgit.core.limits import readable
from clawgit.core.markdown.comment import Meta
from clawgit.core.markdown.decoding import is_all_text, is_text, text_of
from clawgit.core.markdown.entry import holds_entries
from clawgit.core.markdown.item import Item, items
from clawgit.core.markdown.tag_table import tags_in
from clawgit.language.terms import indexed
from clawgit.memory.rules.confidence import aging
from clawgit.search.rules.row import KEY, as_corrections, as_talk, key_of, passage
from clawgit.talk.rules.chat import as_turns
from clawgit.talk.rules.corrections import holds_corrections
from clawgit.workspace.discover import SourceFile

_VERSION = 8
"""The version of these tables, and of how a file is read into them: another one rebuilds."""

_SCHEMA = (
    """CREATE TABLE file (
        path BLOB PRIMARY KEY, source TEXT NOT NULL,
        size INTEGER NOT NULL, mtime INTEGER NOT NULL, ctime INTEGER NOT NULL,
        inode INTEGER NOT NULL, stamp BLOB NOT NULL, first INTEGER NOT NULL,
        items INTEGER NOT NULL, keys BLOB NOT NULL
    )""",
    # All that is only read and never selected stands in one column: it is written in half the time.
    """CREATE TABLE item (
        id INTEGER PRIMARY KEY, packed TEXT NOT NULL, ages INTEGER, checked INTEGER NOT NULL
    )""",
    "CREATE INDEX aging ON item (ages) WHERE ages IS NOT NULL",
    # Words are folded and separated already, so the simplest tokenizer splits them like
    # `terms.words`. Without their places, FTS5 cannot weigh the words of a table without contents.
    "CREATE VIRTUAL TABLE words USING fts5(said, above, content='', tokenize='ascii')",
    "CREATE VIRTUAL TABLE vocabulary USING fts5vocab('words', 'row')",
)
_FILES = "SELECT path, source, size, mtime, ctime, inode, stamp, first, items FROM file"
_ITEMS = """
SELECT id, packed, ages, checked FROM item WHERE id IN (SELECT value FROM json_each(?))
"""

_NAMES = sys.getfilesystemencoding(), sys.getfilesystemencodeerrors()
"""How `os.fsdecode` reads a path."""


class TornError(sqlite3.DatabaseError):
    """SQLite returned other data than was stored: a page was overwritten, which it does not
    notice.
    """

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


class File(NamedTuple):
    """A file of the index. Its items have the ids from `first` to before `first + items`.

    `stamp` is the hash of its contents, with a mark behind it if not all of them is text.
    """

    path: str
    found: SourceFile
    stamp: bytes
    first: int
    items: int

    @property
    def ids(self) -> range:
        return range(self.first, self.first + self.items)

    @property
    def is_garbled(self) -> bool:
        return len(self.stamp) > KEY


_Row = tuple[int, str, int | None, int]


def is_current(db: sqlite3.Connection) -> bool:
    return bool(db.execute("PRAGMA user_version").fetchone()[0] == _VERSION)


def reset(db: sqlite3.Connection) -> None:
    """Makes empty tables, in the caller's transaction."""
    for table in ("vocabulary", "words", "item", "file"):
        db.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in _SCHEMA:
        db.execute(statement)
    db.execute(f"PRAGMA user_version = {_VERSION}")


def files(db: sqlite3.Connection) -> dict[str, File]:
    """The files by path; none if the tables have another version."""
    if not is_current(db):
        return {}
    found, made = SourceFile._make, File._make
    # By place and without a call for each path: there may be a hundred thousand.
    return {
        (path := row[0].decode(*_NAMES)): made((path, found(row[1:6]), *row[6:]))
        for row in db.execute(_FILES)
    }


def parsed(path: str, data: bytes) -> Sequence[Item]:
    """The items of a file. Binary bytes have none; text in any Unicode encoding has."""
    if not is_text(data):
        return ()
    # A blob of history may be of any size.
    text = as_turns(text_of(readable(data)))
    found = as_talk(items(path, text))
    return [*(as_corrections(found, text) if holds_corrections(path) else found)]


def stamp_of(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()[:KEY] + (b"" if is_all_text(data) else b"?")


def put(
    db: sqlite3.Connection, path: str, found: SourceFile, stamp: bytes, made: Sequence[Item]
) -> None:
    """Stores a new file behind all others."""
    first = int(db.execute("SELECT ifnull(max(id), 0) + 1 FROM item").fetchone()[0])
    aged = holds_entries(path)
    rows, words, keys = list[_Row](), list[tuple[int, str, str]](), list[bytes]()
    for ident, item in enumerate(made, first):
        said = indexed(item.text)
        words.append((ident, said, _above(item.headings)))
        packed = _packed(item, said.count(" ") + 1)
        ages = _ages(item.meta, item.text) if aged and item.meta else None
        rows.append((ident, packed, ages, _checksum(ident, packed, ages)))
        keys.append(key_of(passage(item.text, item.headings)))
    db.executemany("INSERT INTO item VALUES (?, ?, ?, ?)", rows)
    db.executemany("INSERT INTO words (rowid, said, above) VALUES (?, ?, ?)", words)
    # A place among others would become wrong when ids are given again.
    first = first if rows else 0
    kept = (os.fsencode(path), *found, stamp, first, len(rows), b"".join(keys))
    db.execute("INSERT INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", kept)


def drop(db: sqlite3.Connection, file: File) -> None:
    """Removes a file with its items."""
    # FTS keeps no texts here: to delete an item it must get exactly the words that it was given.
    rows = read(db, dict.fromkeys(file.ids, file))
    db.executemany(
        "INSERT INTO words (words, rowid, said, above) VALUES ('delete', ?, ?, ?)",
        ((row.id, indexed(row.text), _above(row.headings)) for row in rows),
    )
    db.execute("DELETE FROM item WHERE id >= ? AND id < ?", (file.first, file.ids.stop))
    db.execute("DELETE FROM file WHERE path = ?", (os.fsencode(file.path),))


def touch(db: sqlite3.Connection, file: File, found: SourceFile) -> None:
    """Notes another status of a file whose contents are the same."""
    db.execute(
        "UPDATE file SET source = ?, size = ?, mtime = ?, ctime = ?, inode = ? WHERE path = ?",
        (*found, os.fsencode(file.path)),
    )


def read(db: sqlite3.Connection, placed: Mapping[int, File]) -> list[Item]:
    """Items, each of a file, in no order."""
    # Fetched to the end first: a torn one must leave no open statement behind.
    rows = db.execute(_ITEMS, (json.dumps([*placed]),)).fetchall()
    if len(rows) != len(placed):
        raise TornError("the index has lost an item")
    return [_read(row, placed[row[0]]) for row in rows]


def keys(db: sqlite3.Connection) -> dict[int, bytes]:
    """The keys of the vectors of each file, by the id of its first item."""
    return dict(db.execute("SELECT first, keys FROM file"))


def _read(row: _Row, file: File) -> Item:
    ident, packed, ages, checksum = row
    # A damaged page can have another valid text, which would be a false memory.
    if _checksum(ident, packed, ages) != checksum:
        raise TornError("an item of the index is torn")
    line, end, words, kind, key, meta, opens, headings, text = json.loads(packed)
    known = Meta(meta[0], tuple(meta[1:])) if meta else None
    above = tuple(headings), kind, key, known, tuple(opens)
    # By place: by name it takes half as long again, and a search makes hundreds.
    return Item(line, end, text, *above, file.path, file.found.source, ident, file.first, words)


def _packed(item: Item, words: int) -> str:
    meta = (item.meta.id, *item.meta.facts) if item.meta else ()
    place = (item.line, item.end_line, words, item.kind, item.key, meta, item.opens)
    return json.dumps((*place, item.headings, item.text), ensure_ascii=False)


@lru_cache(maxsize=4096)  # the items of a file mostly have the same headings
def _above(headings: tuple[str, ...]) -> str:
    """The words of what stands above an item."""
    return indexed(" ".join(headings))


def _ages(meta: Meta, text: str) -> int | None:
    """Since which day the vector of an entry ages, doubled, and one more if it was corrected."""
    ages = aging(meta, tags_in(text))
    return ages.since.toordinal() * 2 + ages.corrected if ages else None


def _checksum(ident: int, packed: str, ages: int | None) -> int:
    return binascii.crc32(f"{ident} {ages} {packed}".encode())
