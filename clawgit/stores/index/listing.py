"""The items of one blob, packed into a row: a blob is read once, however many files hold it."""

import sqlite3
import zlib
from array import array
from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING

from clawgit.domain.facts.vector_life import Aging, Horizon
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.search.bonds import bonds
from clawgit.values import NamedTuple

if TYPE_CHECKING:
    from clawgit.domain.markdown.item import Item

KINDS = ("item", "para", "turn", "table", "fence", "code", "quote", "html", "front", "heading")

_COLUMNS = 7
_MARK = 2
"""Numbers that say of an item since when its vector ages: its place, and the day."""

_CHECK_BYTES = 4
_FIELD = "\x1e"
_PART = "\x1f"
# Both are whitespace to Python, and the joined titles, keys and facts went through `split()`, so
# they contain neither.


class TornError(sqlite3.DatabaseError):
    """SQLite returned other data than was stored: a page was overwritten, which it does not
    notice.
    """


class Listing(NamedTuple):
    """One blob's items, column by column. An item's `path` is its place in `paths`."""

    texts: Sequence[int]
    lines: Sequence[int]
    ends: Sequence[int]
    words: Sequence[int]
    kinds: Sequence[int]
    path: Sequence[int]
    bonds: Sequence[int]
    paths: Sequence[tuple[str, ...]]
    keys: Sequence[str]
    metas: dict[int, str]
    opens: dict[int, tuple[str, ...]]

    def meta(self, at: int) -> Meta | None:
        row = self.metas.get(at)
        if row is None:
            return None
        ident, *facts = row.split(" ")
        return Meta(ident, tuple(facts))


def listed(items: "Sequence[Item]", texts: Sequence[int], words: Sequence[int]) -> Listing:
    """The listing of items whose texts have these ids and lengths."""
    paths: dict[tuple[str, ...], int] = {}
    metas: dict[int, str] = {}
    opens: dict[int, tuple[str, ...]] = {}
    for at, item in enumerate(items):
        paths.setdefault(item.path, len(paths))
        if item.meta:
            metas[at] = " ".join((item.meta.id, *item.meta.facts))
        if item.opens:
            opens[at] = item.opens
    return Listing(
        texts=texts,
        lines=[item.line for item in items],
        ends=[item.end_line for item in items],
        words=words,
        kinds=[KINDS.index(item.kind) for item in items],
        path=[paths[item.path] for item in items],
        bonds=bonds(items),
        paths=list(paths),
        keys=[item.key for item in items],
        metas=metas,
        opens=opens,
    )


def pack(listing: Listing) -> tuple[bytes, str]:
    """A listing as its numbers, text ids first and a checksum last, and its names."""
    columns = (
        listing.texts,
        listing.lines,
        listing.ends,
        listing.words,
        listing.kinds,
        listing.path,
        listing.bonds,
    )
    numbers = b"".join(array("i", column).tobytes() for column in columns)
    fields = (
        "\n".join(_PART.join(path) for path in listing.paths),
        _PART.join(listing.keys),
        "\n".join(f"{at} {facts}" for at, facts in listing.metas.items()),
        "\n".join(_PART.join((str(at), *titles)) for at, titles in listing.opens.items()),
    )
    names = _FIELD.join(fields)
    return numbers + _checksum(numbers, names), names


def unpack(numbers: bytes, names: str) -> Listing:
    flat, numbers, checksum = array("i"), numbers[:-_CHECK_BYTES], numbers[-_CHECK_BYTES:]
    if checksum != _checksum(numbers, names):
        raise TornError("a list of the index is torn")
    flat.frombytes(numbers)
    count = len(flat) // _COLUMNS
    texts, lines, ends, words, kinds, path, bonded = (
        flat[at * count : (at + 1) * count] for at in range(_COLUMNS)
    )
    paths, keys, metas, opens = names.split(_FIELD)
    return Listing(
        texts,
        lines,
        ends,
        words,
        kinds,
        path,
        bonded,
        paths=[tuple(path.split(_PART)) if path else () for path in paths.split("\n")],
        keys=keys.split(_PART) if keys else [""] * count,
        metas={int(at): facts for at, _, facts in _pairs(metas, " ")},
        opens={int(at): tuple(titles.split(_PART)) for at, _, titles in _pairs(opens, _PART)},
    )


def text_ids(numbers: bytes, count: int) -> "array[int]":
    """The text ids alone, from the beginning of the packed numbers."""
    ids = array("i")
    ids.frombytes(numbers[: count * ids.itemsize])
    return ids


def pack_aging(found: Iterable[tuple[int, Aging | None]]) -> bytes:
    """Which items of a list have a vector that will expire, and the day from which that counts."""
    numbers = array("i")
    for at, aging in found:
        if aging:
            numbers.extend((at, aging.since.toordinal() * 2 + aging.corrected))
    return numbers.tobytes()


def over(packed: bytes, horizon: Horizon) -> list[int]:
    """The items of a list whose vectors are over."""
    first = horizon.once.toordinal(), horizon.corrected.toordinal()
    return [at for at, mark in _marks(packed) if mark >> 1 < first[mark & 1]]


def most_once(packed: bytes) -> int:
    """At least as many as a list has items that were mentioned once."""
    return len(packed) // (_MARK * array("i").itemsize)


def days_once(packed: bytes) -> list[date]:
    """The days of the items of a list that were mentioned once."""
    return [date.fromordinal(mark >> 1) for _, mark in _marks(packed) if not mark & 1]


def _marks(packed: bytes) -> Iterable[tuple[int, int]]:
    """What `pack_aging` packed: items, and their days, doubled, plus one if corrected."""
    numbers = array("i")
    numbers.frombytes(packed)
    return zip(numbers[::_MARK], numbers[1::_MARK], strict=True)


def _checksum(numbers: bytes, names: str) -> bytes:
    return zlib.crc32(names.encode(), zlib.crc32(numbers)).to_bytes(_CHECK_BYTES, "big")


def _pairs(field: str, sign: str) -> Iterable[tuple[str, str, str]]:
    return (line.partition(sign) for line in field.split("\n")) if field else ()
