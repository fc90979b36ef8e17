"""The tables of `state.db`, the number of their format, and the index of words in messages."""

import sqlite3
from contextlib import closing
from pathlib import Path

from clawgit.domain.search.terms import words
from clawgit.errors import ClawgitError
from clawgit.stores.clearing import is_there
from clawgit.stores.database import DAMAGED, connect, primary_code, writing

ABSENT = -1
BROKEN = 0
FORMAT = 8


class StateFormatError(ClawgitError):
    """Another version of clawgit wrote this database.

    This one cannot know its meaning, so it is left alone.
    """

    kind = "state_format"


# STRICT: a row that was read from a damaged page has the types of its columns, or is refused.
# `due` is written no more: a new format would shut out the databases that are there.
TABLES = (
    "CREATE TABLE acknowledged (alert TEXT PRIMARY KEY, time TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """
    CREATE TABLE search_hit (
        id INTEGER PRIMARY KEY, time INTEGER NOT NULL, session TEXT NOT NULL, query TEXT NOT NULL,
        path TEXT NOT NULL, entry TEXT NOT NULL, text TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE chat_message (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, session TEXT NOT NULL,
        role TEXT NOT NULL, text TEXT NOT NULL, time INTEGER NOT NULL, priority INTEGER NOT NULL,
        live TEXT UNIQUE, record TEXT UNIQUE, likeness INTEGER NOT NULL,
        due INTEGER NOT NULL DEFAULT 0, sent INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    "CREATE INDEX chat_by_time ON chat_message (time)",
    "CREATE INDEX chat_by_session ON chat_message (session, time)",
    "CREATE INDEX chat_by_id ON chat_message (id)",
    "CREATE INDEX chat_by_likeness ON chat_message (likeness, time)",
    """
    CREATE VIRTUAL TABLE chat_words
        USING fts5 (words, content = '', detail = 'none', tokenize = "ascii")
    """,
    "CREATE TABLE chat_mark (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """
    CREATE TABLE queue_item (
        id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, rank INTEGER NOT NULL,
        told TEXT NOT NULL, since INTEGER NOT NULL, free_at INTEGER NOT NULL DEFAULT 0,
        holder TEXT NOT NULL DEFAULT '', tries INTEGER NOT NULL DEFAULT 0,
        trouble TEXT NOT NULL DEFAULT '', aside INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    "CREATE INDEX queue_next ON queue_item (queue, rank DESC, id) WHERE NOT aside",
    """
    CREATE TABLE job_run (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, job TEXT NOT NULL,
        by TEXT NOT NULL, started INTEGER NOT NULL, ended INTEGER,
        outcome TEXT NOT NULL DEFAULT '', trouble TEXT NOT NULL DEFAULT '',
        base TEXT NOT NULL DEFAULT '', steps INTEGER NOT NULL DEFAULT 0,
        heard TEXT NOT NULL DEFAULT '', marks TEXT NOT NULL DEFAULT '{}',
        told TEXT NOT NULL DEFAULT '{}'
    ) STRICT
    """,
    "CREATE INDEX job_run_by_job ON job_run (job, seq)",
    """
    CREATE TABLE model_call (
        id INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, day TEXT NOT NULL,
        time INTEGER NOT NULL, model TEXT NOT NULL, prompt TEXT NOT NULL,
        answer TEXT NOT NULL DEFAULT '', tokens INTEGER NOT NULL, ms INTEGER NOT NULL DEFAULT 0,
        trouble TEXT NOT NULL DEFAULT ''
    ) STRICT
    """,
    "CREATE INDEX model_call_by_day ON model_call (day)",
    "CREATE INDEX model_call_by_run ON model_call (run)",
    """
    CREATE TABLE client_seen (client TEXT PRIMARY KEY, head TEXT NOT NULL, time INTEGER NOT NULL)
        STRICT, WITHOUT ROWID
    """,
)


def version_of(path: Path) -> int:
    """The `user_version`. Every file of ours has one from the start, so 0 means a damaged file."""
    if not is_there(path):
        return ABSENT
    if not path.is_file():
        return BROKEN  # a folder or a broken link took its place
    try:
        with closing(connect(path)) as db:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            version = int(db.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.DatabaseError as error:
        if primary_code(error) in DAMAGED:
            return BROKEN
        raise
    if version not in (BROKEN, FORMAT):
        raise StateFormatError(
            f"{path} was written by another version of clawgit (its format is {version}, this one "
            f"knows {FORMAT}).",
            hint="Use that version, or update this one: pip install --upgrade clawgit",
        )
    return version


def make_tables(db: sqlite3.Connection) -> None:
    with writing(db):
        for statement in TABLES:
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {FORMAT}")


def renew_words(db: sqlite3.Connection) -> None:
    """Builds the index of words in messages again; it is derived from the texts."""
    db.execute("INSERT INTO chat_words (chat_words) VALUES ('delete-all')")
    rows = ((seq, words_of(text)) for seq, text in db.execute("SELECT seq, text FROM chat_message"))
    db.executemany("INSERT INTO chat_words (rowid, words) VALUES (?, ?)", rows)


def words_of(text: str) -> str:
    """The words of a message, for its index."""
    return " ".join(dict.fromkeys(words(text)))
