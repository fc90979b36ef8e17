"""The items of one blob, packed into a row: a blob is read once, however many files hold it."""

import sqlite3
import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from clawgit.domain.facts.vector_life import Aging, Horizon
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.search.bonds import bonds

if TYPE_CHECKING:
    from clawgit.domain.markdown.item import Item

KINDS = ("item", "para", "turn", "table", "fence", "code", "quote", "html", "front", "heading")

_COLUMNS = 7
"""Text id, first and last line, words, kind, headings, bond."""

_WORDS, _BONDS = 3, 6

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
    """The items of a blob: their numbers, column by column, and all names in one text.

    An open index keeps thousands of them, so they stay packed.
    """

    numbers: "array[int]"
    size: int
    packed: str

    @property
    def words(self) -> "array[int]":
        return self._column(_WORDS)

    @property
    def opens(self) -> "Mapping[int, tuple[str, ...]]":
        return _named(self.packed).opens

    @property
    def bonds(self) -> "array[int]":
        return self._column(_BONDS)

    def _column(self, place: int) -> "array[int]":
        return self.numbers[place * self.size : (place + 1) * self.size]

    def item(self, at: int) -> "tuple[array[int], Names]":
        """The numbers of an item, one of each column, and the names that they are about."""
        return self.numbers[at :: self.size], _named(self.packed)


class Names(NamedTuple):
    """The headings above items, each once; their keys; and what some have: facts, titles, and what
    introduces them.
    """

    paths: Sequence[tuple[str, ...]]
    keys: Sequence[str]
    metas: Mapping[int, str]
    opens: Mapping[int, tuple[str, ...]]
    led: Mapping[int, tuple[str, ...]]

    def meta(self, at: int) -> Meta | None:
        row = self.metas.get(at)
        if row is None:
            return None
        ident, *facts = row.split(" ")
        return Meta(ident, tuple(facts))


def listed(items: "Sequence[Item]", texts: Sequence[int], words: Sequence[int]) -> Listing:
    """The listing of items whose texts have these ids and lengths."""
    paths: dict[tuple[str, ...], int] = {}
    for item in items:
        paths.setdefault(item.path, len(paths))
    columns = (
        texts,
        [item.line for item in items],
        [item.end_line for item in items],
        words,
        [KINDS.index(item.kind) for item in items],
        [paths[item.path] for item in items],
        bonds(items),
    )
    fields = (
        "\n".join(_PART.join(path) for path in paths),
        _PART.join(item.key for item in items),
        "\n".join(
            " ".join((str(at), item.meta.id, *item.meta.facts))
            for at, item in enumerate(items)
            if item.meta
        ),
        _of_some((at, item.opens) for at, item in enumerate(items)),
        _of_some((at, item.led) for at, item in enumerate(items)),
    )
    return Listing(array("i", chain(*columns)), len(items), _FIELD.join(fields))


def pack(listing: Listing) -> tuple[bytes, str]:
    """A listing as its numbers, text ids first and a checksum last, and its names."""
    numbers = listing.numbers.tobytes()
    return numbers + _checksum(numbers, listing.packed), listing.packed


def unpack(numbers: bytes, names: str) -> Listing:
    flat, numbers, checksum = array("i"), numbers[:-_CHECK_BYTES], numbers[-_CHECK_BYTES:]
    if checksum != _checksum(numbers, names):
        raise TornError("a list of the index is torn")
    flat.frombytes(numbers)
    return Listing(flat, len(flat) // _COLUMNS, names)


@lru_cache(maxsize=1024)  # a question asks for many items of one list
def _named(packed: str) -> Names:
    paths, keys, metas, opens, led = packed.split(_FIELD)
    return Names(
        [tuple(path.split(_PART)) if path else () for path in paths.split("\n")],
        keys.split(_PART),
        {int(at): facts for at, _, facts in _pairs(metas, " ")},
        _by_item(opens),
        _by_item(led),
    )


def _of_some(said: Iterable[tuple[int, Sequence[str]]]) -> str:
    """The texts of those items that have any, each behind the number of its item."""
    return "\n".join(_PART.join((str(at), *texts)) for at, texts in said if texts)


def _by_item(field: str) -> dict[int, tuple[str, ...]]:
    return {int(at): tuple(texts.split(_PART)) for at, _, texts in _pairs(field, _PART)}


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
