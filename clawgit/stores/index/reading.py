"""Reads an index: which items have a word, and what an item is, all at one moment."""

import os
import sqlite3
from bisect import bisect_left, bisect_right
from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from operator import itemgetter
from typing import NamedTuple, Self, TypeVar, cast

from clawgit.domain.facts.vector_life import ROOM, Horizon, VectorSettings, horizon, roomy_from
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.entry import holds_entries
from clawgit.domain.search.terms import are_words, is_lone, is_word
from clawgit.domain.workspace.limits import LARGEST_FILE
from clawgit.doors import json
from clawgit.stores.index import shelf
from clawgit.stores.index.extents import Extents
from clawgit.stores.index.listing import (
    KINDS,
    Listing,
    TornError,
    days_once,
    most_once,
    over,
    text_ids,
    unpack,
)
from clawgit.stores.index.live import File

Made = TypeVar("Made")

NO_TEXT = -1
"""The text of an item that is not compared by meaning."""


class ItemRow(NamedTuple):
    """An item as a search shows it.

    `words` is its length, `first` and `last` are the ids of its file's items.

    `headings`, `opens`, `led` and `key` are explained at `Item`.
    """

    id: int
    path: str
    line: int
    end_line: int
    text: str
    text_id: int
    headings: tuple[str, ...]
    opens: tuple[str, ...]
    led: tuple[str, ...]
    kind: str
    key: str
    meta: Meta | None
    source: str
    words: int
    first: int
    last: int


class IndexReader:
    """One index at one moment, limited to the sources of the question.

    Ids are valid until it is refreshed. Words are those of `domain/search/terms.py`; anything else
    finds nothing.
    """

    generation = ""
    """Changes whenever text ids are assigned again."""

    moment = 0
    """Changes whenever the items change."""

    count = 0
    average = 0.0
    """How many items there are, and how many words they have on average."""

    of_all_sources = 0
    """How many items there are, those of hidden sources included: `frequencies` counts these."""

    partly: Sequence[str] = ()
    """The files that are too large to be read to their end."""

    def __init__(self, db: sqlite3.Connection, sources: frozenset[str]) -> None:
        self._db = db
        self._sources = sources
        self._files: list[File] = []
        self._firsts: list[int] = []
        self._hidden: list[File] = []
        self._listings: dict[int, Listing] = {}
        self._extents = Extents()
        self._rows: dict[int, ItemRow] = {}
        self._stems: list[str] | None = None
        self._made: dict[object, object] = {}
        self._counts: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._db.close()

    def postings(self, word: str, among: Sequence[str] = ()) -> list[int]:
        """The items with a word, or with all of several words with spaces between, ascending.

        With `among`, only items that also have one of these rare words: for a common word that is
        faster.
        """
        others = [_quoted(other) for other in among if is_word(other)][:_MOST_OTHERS]
        if not are_words(word) or (among and not others):
            return []
        query = f"{_quoted(word)} AND ({' OR '.join(others)})" if among else _quoted(word)
        return self._holding(query)

    def _holding(self, query: str) -> list[int]:
        """The items of the searched sources that a query of FTS finds."""
        ids: list[int] = json.loads(self._db.execute(_HOLDING, (query,)).fetchone()[0])
        for file in self._hidden:
            del ids[bisect_left(ids, file.first) : bisect_left(ids, file.first + file.items)]
        return ids

    def frequencies(self, words: Iterable[str]) -> dict[str, int]:
        """In how many items each word stands, those of hidden sources included."""
        asked, known = dict.fromkeys(words), self._counts
        if new := [word for word in asked if word not in known]:
            if len(known) > _MOST_COUNTS:
                known.clear()
            known.update(self._counted(new))
        return {word: known[word] for word in asked if word in known}

    def _counted(self, words: Iterable[str]) -> dict[str, int]:
        stems = self.stems(words)
        query = "SELECT term, doc FROM live_vocabulary WHERE term IN ({})"
        counts: dict[str, int] = dict(shelf.chosen(self._db, query, dict.fromkeys(stems.values())))
        known = {
            word: len(self.postings(word)) if is_lone(word) else counts.get(stem, 0)
            for word, stem in stems.items()
        }
        return known | {several: len(self.postings(several)) for several in words if " " in several}

    def stems(self, words: Iterable[str]) -> dict[str, str]:
        """Word → its stem; words with the same stem are the same to the index."""
        return stems_by(self._db, words)

    def vocabulary(self) -> list[str]:
        """Every stem. Slow if there are many; only for words that `postings` does not find."""
        if self._stems is None:
            self._stems = [row[0] for row in self._db.execute("SELECT term FROM live_vocabulary")]
        return self._stems

    def of_vocabulary(self, make: Callable[[list[str]], Made]) -> Made:
        """What is made of every stem; kept as long as no file changes."""
        if make not in self._made:
            self._made[make] = make(self.vocabulary())
        return cast("Made", self._made[make])

    def extents(self, ids: Collection[int]) -> Extents:
        """The lengths, bonds and headings of at least these items.

        TornError if one does not exist, which means a damaged page, if the ids came from the index.
        """
        unknown = self._extents.unknown(ids)
        holding: dict[int, set[File]] = {}
        for ident in unknown:
            if file := self._file_of(ident):
                holding.setdefault(file.list, set()).add(file)
        listings = self._listed(holding)
        for row, files in holding.items():
            for file in files:
                self._extents.learn(file, listings[row])
        if self._extents.unknown(unknown):
            raise TornError("the index names an item that is not there")
        return self._extents

    def rows(self, ids: Iterable[int]) -> list[ItemRow]:
        """The items in the order of these ids, without missing ones."""
        asked, known = [*ids], self._rows
        if len(known) > _MOST_ROWS:
            known.clear()
        if missing := [ident for ident in asked if ident not in known]:
            known.update(self._located(missing))
        return [known[ident] for ident in asked if ident in known]

    def _located(self, ids: Iterable[int]) -> Iterator[tuple[int, ItemRow]]:
        """Those of these items that are there."""
        placed = [(ident, file) for ident in ids if (file := self._file_of(ident))]
        listings = self._listed({file.list for _, file in placed})
        located = [(ident, file, listings[file.list], ident - file.first) for ident, file in placed]
        wanted = {listing.numbers[at] for *_, listing, at in located}
        texts = dict(shelf.checked(self.texts(wanted)))
        for ident, file, listing, at in located:
            yield ident, _row(ident, file, listing, at, texts)

    def files(self) -> list[File]:
        """The files that are searched and have items, in the order of their items."""
        return [file for file in self._files if file.items and file.found.source in self._sources]

    @property
    def paths(self) -> Iterator[str]:
        """All files, those of hidden sources and without items included."""
        return (file.path for file in self._files)

    def text_ids(self, hashes: Iterable[bytes]) -> dict[bytes, int]:
        """The ids of the texts with these first 16 bytes of their SHA-256, if the index has
        them.
        """
        return shelf.ids_of(self._db, hashes)

    def neighbours(self, ident: int, reach: int = 1) -> range:
        """The ids up to this many places before and after an item, in its file."""
        file = self._file_of(ident)
        if file is None:
            return range(0)
        return range(
            max(file.first, ident - reach), min(file.first + file.items, ident + reach + 1)
        )

    def horizon(self, today: date, rules: VectorSettings) -> Horizon:
        """From which days on this memory keeps its vectors; hidden sources take room, too."""
        rows = self._db.execute(_AGING)
        aged = [packed for path, packed in rows if holds_entries(os.fsdecode(path))]
        if sum(map(most_once, aged)) <= ROOM:
            return horizon(today, rules)
        days = [day for packed in aged for day in days_once(packed)]
        return horizon(today, rules, roomy_from(days))

    def live(self, horizon: Horizon | None = None) -> tuple[list[range], bytes]:
        """The ids of all items, as runs, and the text id of each, as 32-bit integers.

        An entry whose vector has expired has the text `NO_TEXT`; without a horizon none has.
        """
        shown = {*self._firsts}.difference(file.first for file in self._hidden)
        runs, text_of_items = list[range](), list[bytes]()
        for first, count, numbers, aging in self._db.execute(_NUMBERS):
            if not count or first not in shown:
                continue
            text_of_items.append(
                self._unexpired(first, count, numbers, aging, horizon) if aging else numbers
            )
            # Files mostly follow each other, and a large workspace has many.
            if runs and runs[-1].stop == first:
                runs[-1] = range(runs[-1].start, first + count)
            else:
                runs.append(range(first, first + count))
        return runs, b"".join(text_of_items)

    def _unexpired(
        self, first: int, count: int, numbers: bytes, aging: bytes, horizon: Horizon | None
    ) -> bytes:
        """The text ids of a file, packed, with `NO_TEXT` for an expired vector."""
        file, texts = self._file_of(first), text_ids(numbers, count)
        if horizon and file and holds_entries(file.path):
            for at in over(aging, horizon):
                texts[at] = NO_TEXT
        return texts.tobytes()

    def texts_held(self) -> set[int]:
        """The texts of all items, and what stands for them where meaning is compared."""
        return {*memoryview(self.live()[1]).cast("i"), *self.own_texts()}

    def own_texts(self) -> Iterator[int]:
        """The texts of the items that are searched, as they stand."""
        hidden = {file.first for file in self._hidden}
        for first, count, numbers in self._db.execute(_OWN_NUMBERS):
            if first not in hidden:
                yield from text_ids(numbers, count)

    def texts(self, ids: Iterable[int]) -> Iterator[tuple[int, bytes, str]]:
        """Id, first 16 bytes of the SHA-256, and text of these text ids."""
        return shelf.texts(self._db, ids)

    def _take(self, files: Iterable[File]) -> None:
        """Reads the files of the moment that the connection sees."""
        self.moment += 1
        self._counts, self._rows = {}, {}
        self._stems, self._made = None, {}
        before, self._files = self._files, sorted(files, key=itemgetter(*_ORDER))
        self._firsts = [file.first for file in self._files]
        partly, shown = list[str](), list[File]()
        self._hidden = []
        for file in self._files:
            if file.found.source in self._sources:
                shown.append(file)
                if file.found.size > LARGEST_FILE:
                    partly.append(file.path)
            elif file.items:
                self._hidden.append(file)
        self.searched, self.partly = len(shown), partly
        self.count = sum(file.items for file in shown)
        self.of_all_sources = sum(file.items for file in self._files)
        words = sum(file.words for file in shown)
        self.average = words / self.count if self.count else 0.0
        generation = shelf.generation(self._db) or ""
        if generation != self.generation:
            self.generation, self._listings = generation, {}
            before, self._extents = [], Extents()
        self._extents.follow(before, self._files)

    def _file_of(self, ident: int) -> File | None:
        at = bisect_right(self._firsts, ident) - 1
        if at < 0:
            return None
        file = self._files[at]
        is_there = ident < file.first + file.items
        return file if is_there and file.found.source in self._sources else None

    def _listed(self, lists: Iterable[int]) -> Mapping[int, Listing]:
        """At least these lists; some are cached."""
        kept = self._listings
        missing = [row for row in lists if row not in kept]
        if not missing:
            return kept
        # Fetched to the end: a torn one must leave no open statement behind.
        fetched = [*shelf.packed(self._db, missing)]
        new = {row: unpack(numbers, names) for row, numbers, names in fetched}
        if len(new) < len(missing):
            raise TornError("the index has lost the list of a file")
        if len(kept) + len(new) <= _MOST_LISTINGS:
            kept.update(new)
            return kept
        return ChainMap(new, kept)


def stems_by(db: sqlite3.Connection, words: Iterable[str]) -> dict[str, str]:
    """The same, by any connection that may make temporary tables."""
    asked = [word for word in dict.fromkeys(words) if is_word(word)]
    for statement in _STEMMING:
        db.execute(statement)
    db.executemany("INSERT INTO temp.asked (rowid, words) VALUES (?, ?)", enumerate(asked))
    stems = db.execute("SELECT doc, term FROM temp.asked_stems")
    return {asked[at]: stem for at, stem in stems}


def _row(ident: int, file: File, listing: Listing, at: int, texts: dict[int, str]) -> ItemRow:
    (text, line, end, words, kind, path, _), names = listing.item(at)
    key = names.keys[at]
    return ItemRow(  # by place: by name it takes half as long again, and a search makes hundreds
        ident,
        file.path,
        line,
        end,
        texts[text],
        text,
        names.paths[path],
        names.opens.get(at, ()),
        names.led.get(at, ()),
        KINDS[kind],
        key if key and holds_entries(file.path) else "",
        names.meta(at),
        file.found.source,
        words,
        file.first,
        file.first + file.items - 1,
    )


def _quoted(word: str) -> str:
    """A word for FTS, quoted, so that AND and NEAR are words too.

    It has none of FTS's own characters. Of words with spaces between them, an item must have all:
    the index does not record their order.
    """
    if " " in word:
        return f"({' AND '.join(map(_quoted, word.split(' ')))})"
    return f'"{word}"*' if is_lone(word) else f'"{word}"'


_MOST_OTHERS = 200
_MOST_ROWS = 8_000
_MOST_COUNTS = 10_000
_MOST_LISTINGS = 10_000
"""How many lists are cached, of less than 1 kB each for a note of ten items."""

_ORDER = (File._fields.index("first"), File._fields.index("items"))
"""A file without items comes before the one whose place it shares."""

# As one text: of a common word, fetching a row for each item takes twice as long.
_HOLDING = "SELECT json_group_array(rowid) FROM live_words WHERE live_words MATCH ?"
_NUMBERS = f"""
SELECT first, live_files.items, {shelf.COMPARED}, aging FROM live_files
JOIN shared.blob_lists ON blob_lists.id = list ORDER BY first
"""  # noqa: S608 - made of constants
_OWN_NUMBERS = """
SELECT f.first, l.items, substr(l.numbers, 1, 4 * l.items) FROM live_files f
JOIN shared.blob_lists l ON l.id = f.list
"""
_AGING = """
SELECT f.path, l.aging FROM live_files f
JOIN shared.blob_lists l ON l.id = f.list WHERE length(l.aging) > 0
"""
_STEMMING = (
    """CREATE VIRTUAL TABLE IF NOT EXISTS temp.asked
    USING fts5(words, content='', tokenize='porter ascii')""",
    (
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.asked_stems USING fts5vocab('temp', 'asked', "
        "'instance')"
    ),
    "INSERT INTO temp.asked (asked) VALUES ('delete-all')",
)
"""A table that shows the stem of each word, so that the question is stemmed like the index."""
