"""The tables of `state.db`, as steps from an empty file to the newest version.

New tables are one more `Migration` at the end of `STEPS`; a released step is never edited.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from clawgit.errors import ClawgitError
from clawgit.stores.clearing import is_there
from clawgit.stores.database import DAMAGED, connect, primary_code, writing

ABSENT = -1
BROKEN = 0


class StateTooNewError(ClawgitError):
    """A newer clawgit wrote this database.

    This version cannot know its meaning, so it is left alone.
    """

    kind = "state_too_new"


class Migration(NamedTuple):
    """One migration.

    Its statements run in one transaction, which also sets `user_version` to `version`.
    """

    version: int
    statements: tuple[str, ...]


STEPS: tuple[Migration, ...] = (
    Migration(
        1, ("CREATE TABLE acknowledged (alert TEXT PRIMARY KEY, time TEXT NOT NULL) WITHOUT ROWID",)
    ),
    Migration(
        2,
        (
            (
                "CREATE TABLE search_hit (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, session "
                "TEXT NOT NULL,"
                " query TEXT NOT NULL, path TEXT NOT NULL, entry TEXT NOT NULL, text TEXT NOT NULL)"
            ),
        ),
    ),
    Migration(
        3,
        (
            """
            CREATE TABLE chat_message (
                seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, session TEXT NOT NULL,
                role TEXT NOT NULL,
                text TEXT NOT NULL, time INTEGER NOT NULL, priority INTEGER NOT NULL,
                live TEXT UNIQUE,
                record TEXT UNIQUE, likeness INTEGER NOT NULL, due INTEGER NOT NULL DEFAULT 0,
                sent INTEGER NOT NULL DEFAULT 0
            )
            """,
            "CREATE INDEX chat_by_time ON chat_message (time)",
            "CREATE INDEX chat_by_session ON chat_message (session, time)",
            "CREATE INDEX chat_by_id ON chat_message (id)",
            "CREATE INDEX chat_by_likeness ON chat_message (likeness, time)",
            "CREATE INDEX chat_due ON chat_message (time) WHERE due",
            (
                "CREATE VIRTUAL TABLE chat_words USING fts5 (words, content = '', detail = 'none', "
                'tokenize = "ascii")'
            ),
            "CREATE TABLE chat_mark (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
        ),
    ),
    Migration(
        4,
        (
            (
                "CREATE TABLE queue_item (id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT "
                "NULL,"
                " rank INTEGER NOT NULL, told TEXT NOT NULL, since INTEGER NOT NULL,"
                " free_at INTEGER NOT NULL DEFAULT 0, holder TEXT NOT NULL DEFAULT '',"
                " tries INTEGER NOT NULL DEFAULT 0, trouble TEXT NOT NULL DEFAULT '',"
                " aside INTEGER NOT NULL DEFAULT 0)"
            ),
            "CREATE INDEX queue_next ON queue_item (queue, rank DESC, id) WHERE NOT aside",
            (
                "CREATE TABLE pattern_cut_off (pattern TEXT PRIMARY KEY, times INTEGER NOT NULL, "
                "last INTEGER NOT NULL)"
                " WITHOUT ROWID"
            ),
        ),
    ),
    Migration(
        5,
        (
            """
            CREATE TABLE job_run (
                seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, job TEXT NOT NULL,
                by TEXT NOT NULL,
                started INTEGER NOT NULL, ended INTEGER, outcome TEXT NOT NULL DEFAULT '',
                trouble TEXT NOT NULL DEFAULT '', base TEXT NOT NULL DEFAULT '',
                steps INTEGER NOT NULL DEFAULT 0,
                heard TEXT NOT NULL DEFAULT '', marks TEXT NOT NULL DEFAULT '{}',
                told TEXT NOT NULL DEFAULT '{}'
            )
            """,
            "CREATE INDEX job_run_by_job ON job_run (job, seq)",
            """
            CREATE TABLE model_call (
                id INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, day TEXT NOT NULL,
                time INTEGER NOT NULL,
                model TEXT NOT NULL, prompt TEXT NOT NULL, answer TEXT NOT NULL DEFAULT '',
                tokens INTEGER NOT NULL,
                ms INTEGER NOT NULL DEFAULT 0, trouble TEXT NOT NULL DEFAULT ''
            )
            """,
            "CREATE INDEX model_call_by_day ON model_call (day)",
            "CREATE INDEX model_call_by_run ON model_call (run)",
        ),
    ),
    Migration(
        6,
        (
            (
                "CREATE TABLE client_seen (client TEXT PRIMARY KEY, head TEXT NOT NULL, time "
                "INTEGER NOT NULL)"
                " WITHOUT ROWID"
            ),
        ),
    ),
)


def version_of(path: Path, newest: int) -> int:
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
    if not 0 <= version <= newest:
        raise StateTooNewError(
            f"{path} was written by a newer clawgit (its format is {version}, this one knows "
            f"{newest}).",
            hint="Update this one: pip install --upgrade clawgit",
        )
    return version


def migrate(db: sqlite3.Connection, steps: Sequence[Migration]) -> None:
    """Runs the missing steps.

    The version is read again in each transaction, since two processes may migrate at once.
    """
    for step in steps:
        with writing(db):
            if db.execute("PRAGMA user_version").fetchone()[0] < step.version:
                for statement in step.statements:
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {step.version}")
