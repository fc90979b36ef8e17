"""An index at one moment: which items hold a word, and what an item is."""

import sqlite3
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from itertools import accumulate
from operator import attrgetter
from typing import Self

from clawgit.core import NamedTuple
from clawgit.core.config.settings import Settings
from clawgit.core.disk.database import opened, writing
from clawgit.core.doors import json
from clawgit.core.markdown.item import Item
from clawgit.language.terms import is_word
from clawgit.memory.rules.confidence import ROOM, Horizon, horizon
from clawgit.search.index import tables
from clawgit.search.index.tables import File
from clawgit.search.rules.row import KEY, passage
from clawgit.workspace.discover import MEMORY, SOURCES, SourceFile

Progress = Callable[[int, int], None]
"""Called with how many files are done, of how many."""

_MOST_ROWS = 8_000
_MOST_SELECTED = 150_000
"""How many items words may select together: to rate more takes longer than all the rest."""

_CONTENT = attrgetter("first", "items", "stamp", "path", "found.source")
"""What changes when the items of a file do, or the ids of these."""

_BEST = """
SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words, 1, .6), rowid LIMIT ?
"""
_EXPIRED = """
SELECT id FROM item WHERE ages IS NOT NULL
AND CASE WHEN ages & 1 THEN ages < ? ELSE ages < ? END
"""
_OLDEST_WITH_ROOM = """
SELECT ages >> 1 FROM item WHERE ages IS NOT NULL AND NOT ages & 1
ORDER BY ages DESC LIMIT 1 OFFSET ?
"""


class Freshness(NamedTuple):
    """What is searched: `files` with `items`.

    `changed` files were read just now, and `behind` are not in the index yet. `indexed_at` is the
    commit of HEAD, "" before the first. `note` says what was unusual.
    """

    files: int
    items: int
    changed: int = 0
    behind: int = 0
    indexed_at: str = ""
    note: str = ""


def silent(_done: int, _all: int) -> None:
    """The progress report of a caller who wants none."""


class Index:
    """The items of some files at one moment, limited to the sources of the question.

    Ids are valid as long as `moment` stays. Words are those of `language/terms.py`; anything
    else finds nothing.
    """

    moment = 0
    """Changes whenever the items change."""

    count = searched = 0
    """How many items are searched, of how many files."""

    commit = ""
    """The past commit that is read; "" for files as they are."""

    def __init__(self, db: sqlite3.Connection, sources: frozenset[str]) -> None:
        self._db, self._sources = db, sources
        self._files: list[File] = []
        self._shown: list[File] = []
        self._firsts: list[int] = []
        self._rows: dict[int, Item] = {}
        self._vocabulary: dict[str, int] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._db.close()

    def best(self, words: Iterable[str], most: int) -> list[int]:
        """The items with any of these words, by BM25, the best first."""
        query = " OR ".join(f'"{word}"' for word in self._telling(words))
        if not query or most < 1:
            return []
        # Items of hidden sources are passed over, however many stand before the others.
        hidden = sum(file.items for file in self._files) - self.count
        found = self._db.execute(_BEST, (query, most + hidden)).fetchall()
        return [ident for (ident,) in found if self._file_of(ident)][:most]

    def _telling(self, words: Iterable[str]) -> list[str]:
        """The words that are there, without the commonest if all would select too many items."""
        counts = self.counts(words)
        rare = sorted(filter(counts.get, counts), key=counts.__getitem__)
        selected = accumulate(map(counts.__getitem__, rare))
        few = sum(items <= _MOST_SELECTED for items in selected)
        return rare[: few or 1]

    def counts(self, words: Iterable[str]) -> dict[str, int]:
        """In how many items each word stands, those of hidden sources included."""
        asked = [*words]
        query = "SELECT term, doc FROM vocabulary WHERE term IN (SELECT value FROM json_each(?))"
        known = self._db.execute(query, (json.dumps([*filter(is_word, asked)]),))
        return dict.fromkeys(asked, 0) | dict(known.fetchall())

    def terms(self, first: str, end: str) -> dict[str, int]:
        """The words from `first` to before `end`, and in how many items each stands."""
        query = "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?"
        return dict(self._db.execute(query, (first, end)))

    def holding(self, part: str) -> dict[str, int]:
        """The words with a part within them, and in how many items each stands.

        The first time it reads all words, which takes long if there are many.
        """
        if self._vocabulary is None:
            self._vocabulary = dict(self._db.execute("SELECT term, doc FROM vocabulary"))
        if not is_word(part):
            return {}
        return {term: count for term, count in self._vocabulary.items() if part in term}

    def rows(self, ids: Iterable[int]) -> list[Item]:
        """The items in the order of these ids, without missing ones."""
        asked, known = [*ids], self._rows
        if len(known) > _MOST_ROWS:
            known.clear()
        new = {at: file for at in asked if at not in known and (file := self._file_of(at))}
        known.update((row.id, row) for row in tables.read(self._db, new))
        return [known[ident] for ident in asked if ident in known]

    def around(self, ident: int, reach: int = 1) -> range:
        """The ids up to this many places before and after an item, in its file."""
        file = self._file_of(ident)
        if file is None:
            return range(0)
        return range(max(file.first, ident - reach), min(file.ids.stop, ident + reach + 1))

    def files(self) -> list[File]:
        """The files that are searched and have items, in the order of their items."""
        return [file for file in self._shown if file.items]

    def every_file(self) -> dict[str, File]:
        """All files by path, those of hidden sources and without items included."""
        return {file.path: file for file in self._files}

    def passages(self, ids: Iterable[int]) -> list[str]:
        """What is embedded of items."""
        return [passage(row.text, row.headings) for row in self.rows(ids)]

    def horizon(self, today: date, rules: Settings) -> Horizon:
        """From which days on this memory keeps its vectors; hidden sources take room, too. In the
        past, what has expired today had not expired.
        """
        if self.commit:
            return Horizon(date.min, date.min)
        row = self._db.execute(_OLDEST_WITH_ROOM, (ROOM,)).fetchone()
        return horizon(today, rules, date.fromordinal(row[0] + 1) if row else date.min)

    def vectors(self, without: Horizon | None = None) -> tuple[list[range], bytes]:
        """The ids of all searched items, as runs, and the key of each one's vector.

        The key is zeros where the horizon says that an item keeps no vector.
        """
        runs, keys, starts = list[range](), bytearray(), dict[int, int]()
        packed_of = tables.keys(self._db)
        for file in self.files():
            starts[file.first] = len(keys)
            keys += packed_of[file.first]
            # Files mostly follow each other, and a large workspace has many.
            if runs and runs[-1].stop == file.first:
                runs[-1] = range(runs[-1].start, file.ids.stop)
            else:
                runs.append(file.ids)
        expired = without and (without.corrected.toordinal() * 2, without.once.toordinal() * 2)
        for (ident,) in self._db.execute(_EXPIRED, expired) if expired else ():
            if home := self._file_of(ident):
                at = starts[home.first] + (ident - home.first) * KEY
                keys[at : at + KEY] = bytes(KEY)
        return runs, bytes(keys)

    def _take(self, files: Iterable[File]) -> None:
        """Reads the files of the moment that the connection sees."""
        now = sorted(files, key=lambda file: file.first)
        if [*map(_CONTENT, now)] != [*map(_CONTENT, self._files)]:
            self.moment += 1
            self._rows, self._vocabulary = {}, None
        self._files, self._firsts = now, [file.first for file in now]
        self._shown = [file for file in now if file.found.source in self._sources]
        self.searched, self.count = len(self._shown), sum(file.items for file in self._shown)

    def _file_of(self, ident: int) -> File | None:
        """The file of an item that is searched."""
        at = bisect_right(self._firsts, ident) - 1
        if at < 0:
            return None
        file = self._files[at]
        is_there = ident < file.first + file.items
        return file if is_there and file.found.source in self._sources else None


def of_texts(texts: Mapping[str, str | Sequence[Item]], source: str = MEMORY) -> Index:
    """An index in memory of texts, or of ready items, by path."""

    def items(path: str, text: str | Sequence[Item]) -> Sequence[Item]:
        if isinstance(text, str):
            return tables.parsed(path, text.encode("utf-8", "replace"))
        return text

    found = SourceFile(source, 0, 0, 0, 0)
    return of_files((path, found, items(path, text)) for path, text in texts.items())


def of_files(
    files: Iterable[tuple[str, SourceFile, Sequence[Item]]],
    sources: frozenset[str] = frozenset(SOURCES),
) -> Index:
    """An index in memory of the items of files."""
    db = opened(":memory:")
    with writing(db):
        tables.reset(db)
        for path, found, items in files:
            tables.put(db, path, found, b"", items)
    return of_tables(db, sources)


def of_tables(db: sqlite3.Connection, sources: frozenset[str]) -> Index:
    """What an open connection sees."""
    index = Index(db, sources)
    index._take(tables.files(db).values())  # noqa: SLF001 - its maker
    return index
