"""The shared half of the index, in index.db: texts by their hash, and blobs as lists of texts."""

import hashlib
import os
import sqlite3
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from clawgit.domain.change.ids import blob_id
from clawgit.domain.conversation.dump import as_turns
from clawgit.domain.facts.vector_life import Horizon, aging
from clawgit.domain.markdown.chunk import size
from clawgit.domain.markdown.decoding import is_text, text_of
from clawgit.domain.markdown.item import Item, cut, whole
from clawgit.domain.markdown.tags import tags_in
from clawgit.domain.search.passage import passage
from clawgit.domain.search.terms import indexed
from clawgit.domain.workspace.limits import readable
from clawgit.stores.index.listing import (
    Listing,
    TornError,
    listed,
    over,
    pack,
    pack_aging,
    text_ids,
    unpack,
)

_VERSION = f"16 {sys.byteorder}"
"""The version of these tables, and of how `as_turns`, `whole`, `cut` and `pack` read a file."""

_SCHEMA = (
    "CREATE TABLE shared.text_stamp (version TEXT NOT NULL, generation TEXT NOT NULL)",
    (
        "CREATE TABLE shared.text_texts (id INTEGER PRIMARY KEY, hash BLOB NOT NULL, text TEXT NOT "
        "NULL)"
    ),
    "CREATE UNIQUE INDEX shared.text_hash ON text_texts (hash)",
    """CREATE TABLE shared.blob_lists (
        id INTEGER PRIMARY KEY, oid BLOB NOT NULL, chunking TEXT NOT NULL, widest INTEGER NOT NULL,
        items INTEGER NOT NULL, words INTEGER NOT NULL, numbers BLOB NOT NULL, names TEXT NOT NULL,
        aging BLOB NOT NULL, compared BLOB NOT NULL
    )""",
    "CREATE UNIQUE INDEX shared.blob_oid ON blob_lists (oid, chunking)",
)
# `chunking` says nothing of a size if nothing was cut; such a list serves every chunk size from
# `widest` (its longest item) on. `compared` are the ids of the texts that are embedded in place
# of the items' own; empty if they are the same.

SERVES = "(chunking = ? OR (chunking = ? AND widest <= ?))"
"""Whether a list is cut as wanted; see `served_by`."""

COMPARED = """CASE WHEN length(blob_lists.compared) THEN blob_lists.compared
ELSE substr(blob_lists.numbers, 1, 4 * blob_lists.items) END"""
"""The ids of the texts of a list that have the vectors."""

_FOUND = f"""
SELECT oid, id, items, words FROM shared.blob_lists WHERE oid IN ({{}}) AND {SERVES}
"""  # noqa: S608 - made of constants
_TEXTS_OF = f"""
SELECT items, {COMPARED}, aging FROM shared.blob_lists WHERE id IN ({{}})
"""  # noqa: S608 - made of constants

_HASH_BYTES = 16
_AT_ONCE = 500


class Chunking(NamedTuple):
    """The tokens at which a long item is cut, and how many its pieces share.

    `headed`: items are compared by meaning with what stands above them (`passage`).
    """

    tokens: int = 400
    overlap: int = 80
    headed: bool = False


class ShelvedList(NamedTuple):
    """A list as the live set needs it: its row, how many items it has, and their words together."""

    id: int
    items: int
    words: int


def generation(db: sqlite3.Connection) -> str | None:
    """Changes whenever text ids are assigned again; None without tables of this version."""
    try:
        row = db.execute("SELECT version, generation FROM shared.text_stamp").fetchone()
    except sqlite3.OperationalError as error:
        if "no such" in str(error):
            return None
        raise
    return str(row[1]) if row and row[0] == _VERSION else None


def reset(db: sqlite3.Connection) -> None:
    """Makes empty tables, and so a new generation, in the caller's transaction."""
    for table in ("text_stamp", "text_texts", "blob_lists"):
        db.execute(f"DROP TABLE IF EXISTS shared.{table}")
    for statement in _SCHEMA:
        db.execute(statement)
    # This tells users of text ids (the live set, the vectors) that their ids are invalid now.
    db.execute("INSERT INTO shared.text_stamp VALUES (?, ?)", (_VERSION, os.urandom(8).hex()))


def find(
    db: sqlite3.Connection, oids: Iterable[bytes], chunking: Chunking
) -> dict[bytes, ShelvedList]:
    """The lists that are there already, by blob."""
    rows = chosen(db, _FOUND, oids, *served_by(chunking))
    return {oid: ShelvedList(*rest) for oid, *rest in rows}


def add(
    db: sqlite3.Connection, oid: bytes, data: bytes, chunking: Chunking
) -> tuple[ShelvedList, list[str]]:
    """Reads a blob and stores its list; returns the words of its items too.

    Binary bytes have no items; text in any Unicode encoding has, as `text_of` reads it.
    """
    entire: list[Item] = []
    if is_text(data):
        # A blob of history may be of any size, too.
        entire = list(whole(as_turns(text_of(readable(data)))))
    widest = max((size(item.text) for item in entire), default=0)
    # A blob without long items serves every chunk size, so none is recorded.
    items, cut_by = entire, uncut_as(chunking)
    if widest > chunking.tokens:
        tokens, overlap, _ = chunking
        items = [piece for item in entire for piece in cut(item, tokens, overlap)]
        cut_by = cut_as(chunking)
    words = [indexed(item.text) for item in items]
    lengths = [text.count(" ") + 1 for text in words]
    listing = listed(items, _text_ids(db, [item.text for item in items]), lengths)
    numbers, names = pack(listing)
    facts = numbers, names, _packed_aging(items), _compared(db, items) if chunking.headed else b""
    row = db.execute(
        "INSERT INTO shared.blob_lists VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (oid, cut_by, widest, len(items), sum(lengths), *facts),
    ).lastrowid
    return ShelvedList(row or 0, len(items), sum(lengths)), _with_titles(words, listing)


def _compared(db: sqlite3.Connection, items: Sequence[Item]) -> bytes:
    """The ids of what stands for these items where meaning is compared, packed."""
    return array(
        "i", _text_ids(db, [passage(item.text, item.path, item.led) for item in items])
    ).tobytes()


def _packed_aging(items: Sequence[Item]) -> bytes:
    return pack_aging(
        (at, aging(item.meta, tags_in(item.text))) for at, item in enumerate(items) if item.meta
    )


def learn(
    db: sqlite3.Connection, contents: Sequence[bytes], chunking: Chunking, horizon: Horizon
) -> list[int]:
    """Reads blobs that no file may have yet; returns the ids of their texts, without expired
    ones.
    """
    named = {bytes.fromhex(blob_id(content)): content for content in contents}
    kept = find(db, named, chunking)
    for oid, content in named.items():
        if oid not in kept:
            kept[oid], _ = add(db, oid, content, chunking)
    ids: dict[int, None] = {}
    for items, numbers, aged in chosen(db, _TEXTS_OF, [each.id for each in kept.values()]):
        gone = {*over(aged, horizon)}
        ids |= {text: None for at, text in enumerate(text_ids(numbers, items)) if at not in gone}
    return [*ids]


def words_of(db: sqlite3.Connection, row: int) -> list[str]:
    """The words of each item of a list."""
    _, numbers, names = next(packed(db, [row]))
    listing = unpack(numbers, names)
    ids = text_ids(numbers, listing.size)
    texts_by_id = {ident: indexed(text) for ident, _, text in texts(db, dict.fromkeys(ids))}
    return _with_titles([texts_by_id[ident] for ident in ids], listing)


def packed(db: sqlite3.Connection, lists: Iterable[int]) -> Iterator[tuple[int, bytes, str]]:
    """Lists as `unpack` takes them, with their ids."""
    return chosen(db, "SELECT id, numbers, names FROM shared.blob_lists WHERE id IN ({})", lists)


def texts(db: sqlite3.Connection, ids: Iterable[int]) -> Iterator[tuple[int, bytes, str]]:
    """Id, hash and text of those that are there, in no order."""
    return chosen(db, "SELECT id, hash, text FROM shared.text_texts WHERE id IN ({})", ids)


def checked(found: Iterable[tuple[int, bytes, str]]) -> Iterator[tuple[int, str]]:
    """Texts with their ids, each checked against its hash."""
    for ident, known, text in found:
        # A damaged page can have another valid text, which would be a false memory.
        if _hash(text) != known:
            raise TornError("a text of the index is torn")
        yield ident, text


def ids_of(db: sqlite3.Connection, hashes: Iterable[bytes]) -> dict[bytes, int]:
    return dict(chosen(db, "SELECT hash, id FROM shared.text_texts WHERE hash IN ({})", hashes))


def chosen(
    db: sqlite3.Connection, query: str, values: Iterable[object], *more: object
) -> Iterator[Any]:
    """The rows of a query with `IN ({})`, for any number of values.

    SQLite takes only so many in one statement.
    """
    waiting = list(values)
    for at in range(0, len(waiting), _AT_ONCE):
        some = waiting[at : at + _AT_ONCE]
        yield from db.execute(query.format(",".join("?" * len(some))), (*some, *more))


def _text_ids(db: sqlite3.Connection, wanted: Sequence[str]) -> list[int]:
    """The ids of these texts, with new ids for new texts."""
    hashes = [_hash(text) for text in wanted]
    known = ids_of(db, dict.fromkeys(hashes))
    new = {key: text for key, text in zip(hashes, wanted, strict=True) if key not in known}
    if new:
        start = db.execute("SELECT ifnull(max(id), 0) + 1 FROM shared.text_texts").fetchone()[0]
        known.update({key: number for number, key in enumerate(new, start)})
        db.executemany(
            "INSERT INTO shared.text_texts VALUES (?, ?, ?)",
            ((known[key], key, text) for key, text in new.items()),
        )
    return [known[key] for key in hashes]


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()[:_HASH_BYTES]


def _with_titles(words: list[str], listing: Listing) -> list[str]:
    """The words of the items; the first item below a heading gets the heading's words too."""
    for at, titles in listing.opens.items():
        words[at] += f" {indexed(' '.join(titles))}"
    return words


def cut_as(chunking: Chunking) -> str:
    return f"{chunking.tokens}/{chunking.overlap}{uncut_as(chunking)}"


def uncut_as(chunking: Chunking) -> str:
    return " headed" if chunking.headed else ""


def served_by(chunking: Chunking) -> tuple[str, str, int]:
    """What `SERVES` asks for."""
    return cut_as(chunking), uncut_as(chunking), chunking.tokens
