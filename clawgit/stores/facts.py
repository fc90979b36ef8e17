"""The facts of memory/structured/ as a derived database, for questions by class, day and words."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path

from clawgit.domain.change.ids import blob_id
from clawgit.domain.markdown.decoding import exact_bytes
from clawgit.domain.organizing.facts_page import PageFact, facts_in
from clawgit.domain.search.terms import indexed, is_word, joined, queried
from clawgit.stores.clearing import clear, clear_the_way
from clawgit.stores.database import (
    DAMAGED,
    opened,
    plain_errors,
    primary_code,
    storable,
    writing,
)
from clawgit.values import NamedTuple

_VERSION = 2
_MOST_WORDS = 40
_SCHEMA = (
    "CREATE TABLE pages (path TEXT PRIMARY KEY, blob TEXT NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE facts (
        id INTEGER PRIMARY KEY, path TEXT NOT NULL, line INTEGER NOT NULL, key TEXT NOT NULL,
        text TEXT NOT NULL,
        class TEXT NOT NULL, status TEXT NOT NULL, first TEXT NOT NULL, last TEXT NOT NULL,
        until TEXT NOT NULL,
        evidence TEXT NOT NULL
    )
    """,
    "CREATE INDEX facts_by_page ON facts (path)",
    "CREATE INDEX facts_by_class ON facts (class, until)",
    "CREATE VIRTUAL TABLE fact_words USING fts5 (words, tokenize='porter ascii')",
    f"PRAGMA user_version = {_VERSION}",
)


class FactQuery(NamedTuple):
    """The facts to find. An empty field matches all; `over_on`: only those expired on that day."""

    query: str = ""
    class_: str = ""
    over_on: date | None = None
    limit: int = 200


class FoundFact(NamedTuple):
    """A fact in the database; a day is "" if the entry has none."""

    path: str
    line: int
    id: str
    text: str
    category: str
    status: str
    first: str
    last: str
    expires: str
    evidence: tuple[str, ...]


class FactsDatabase:
    """The pages as they were when `follow` was last called."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def follow(self, pages: Mapping[str, str]) -> int:
        """Takes in changed pages and drops those that are gone; returns how many.

        `pages` is text by path.
        """
        pages = {storable(path): storable(text) for path, text in pages.items()}
        known = dict(self._db.execute("SELECT path, blob FROM pages"))
        blobs = {path: blob_id(exact_bytes(text)) for path, text in pages.items()}
        changed = sorted(path for path in {*known, *blobs} if known.get(path) != blobs.get(path))
        if changed:
            with writing(self._db):
                for path in changed:
                    self._drop(path)
                    if path in pages:
                        self._take(path, blobs[path], pages[path])
        return len(changed)

    def find(self, wanted: FactQuery) -> tuple[FoundFact, ...]:
        """The facts that match: with words, best first; else by class and page."""
        words = [word for word in queried(joined(wanted.query)) if is_word(word)][:_MOST_WORDS]
        if wanted.query.strip() and not words:
            return ()
        tests: dict[str, str] = {}
        source, order = "facts", "class, path, line"
        if words:
            tests["fact_words MATCH ?"] = " OR ".join(f'"{word}"' for word in words)
            source = "fact_words JOIN facts ON facts.id = fact_words.rowid"
            order = "fact_words.rank, facts.id"
        if wanted.class_:
            tests["class = ?"] = wanted.class_
        if wanted.over_on:
            over = "status = 'active' AND until != '' AND until < ?"
            tests[over] = wanted.over_on.isoformat()
        where = f"WHERE {' AND '.join(tests)}" if tests else ""
        rest = f"{where} ORDER BY {order} LIMIT ?"
        query = f"SELECT {_COLUMNS} FROM {source} {rest}"  # noqa: S608 - only words of ours
        rows = self._db.execute(query, (*tests.values(), wanted.limit))
        return tuple(FoundFact._make((*row[:-1], tuple(row[-1].split()))) for row in rows)

    def counts(self) -> dict[str, int]:
        """How many facts are current, by class."""
        query = (
            "SELECT class, count(*) FROM facts WHERE status = 'active' GROUP BY class ORDER "
            "BY class"
        )
        return dict(self._db.execute(query))

    def _drop(self, path: str) -> None:
        self._db.execute(
            "DELETE FROM fact_words WHERE rowid IN (SELECT id FROM facts WHERE path = ?)", (path,)
        )
        self._db.execute("DELETE FROM facts WHERE path = ?", (path,))
        self._db.execute("DELETE FROM pages WHERE path = ?", (path,))

    def _take(self, path: str, blob: str, text: str) -> None:
        self._db.execute("INSERT INTO pages VALUES (?, ?)", (path, blob))
        for fact in facts_in(path, text):
            done = self._db.execute(_INSERT, _row(fact))
            words = indexed(fact.entry.text)
            self._db.execute(
                "INSERT INTO fact_words (rowid, words) VALUES (?, ?)", (done.lastrowid, words)
            )


@contextmanager
def open_facts(path: Path) -> Iterator[FactsDatabase]:
    """The database at a path; one that is missing, damaged or of another version is built again."""
    with plain_errors(path), closing(_opened(path)) as db:
        yield FactsDatabase(db)


def _opened(path: Path) -> sqlite3.Connection:
    try:
        db = _connected(path)
        if _is_whole(db):
            return db
    except sqlite3.DatabaseError as error:
        if primary_code(error) not in DAMAGED:
            raise
    else:
        db.close()
    clear(path)
    db = _connected(path)
    with db:
        for statement in _SCHEMA:
            db.execute(statement)
    return db


def _connected(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    clear_the_way(path)
    db = opened(path.absolute().as_uri())
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.Error:
        db.close()
        raise
    return db


def _is_whole(db: sqlite3.Connection) -> bool:
    """Whether the schema is current and the word index answers."""
    [version] = db.execute("PRAGMA user_version").fetchone()
    if version != _VERSION:
        return False
    db.execute("SELECT count(*) FROM fact_words").fetchone()
    return bool(db.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")


def _row(fact: PageFact) -> tuple[object, ...]:
    meta, entry = fact.meta, fact.entry
    days = (day.isoformat() if day else "" for day in (meta.first, meta.last, meta.expires))
    text = " ".join(entry.text.split())
    return (
        fact.path,
        entry.line,
        entry.key,
        text,
        fact.class_,
        meta.status,
        *days,
        "\n".join(meta.evidence),
    )


_COLUMNS = "path, line, key, text, class, status, first, last, until, evidence"
_MARKS = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?"
_INSERT = f"INSERT INTO facts ({_COLUMNS}) VALUES ({_MARKS})"  # noqa: S608 - only words of ours
