"""The tables of `state.db`, and their log: a file outside of the repository that has all rows, for
the case that the database is lost.

Each transaction adds one line with the rows that it leaves, and waits until it is on the disk;
only then does the database commit. A line has a checksum and its rows by table and key. So lines
can be applied to any earlier state, more than once, and the last version of a row is right. A log
that has grown long, or lacks something, is replaced by one that begins with all rows.
"""

import binascii
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from clawgit.core import NamedTuple
from clawgit.core.disk.database import (
    DAMAGED,
    clear_the_way,
    connect,
    is_there,
    primary_code,
    writing,
)
from clawgit.core.disk.plainfile import put_in_place, sync
from clawgit.core.doors import hashlib, json
from clawgit.core.errors import ClawgitError
from clawgit.git.cgit import CGit
from clawgit.language.terms import words

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


_FIRST = 47
"""Bytes of the first line, which has the name of the log, with the line breaks around it."""

_NONE = 1
_UNKNOWN = 128
_SLICE = 500
_NOTE = """
    CREATE TEMP TRIGGER IF NOT EXISTS "touch_{table}_{event}_{row}" AFTER {event} ON main."{table}"
    BEGIN INSERT INTO touched VALUES ('{table}', {row}."{key}"); END
"""


class Stand(NamedTuple):
    """Which log it is, by the name in its first line, and how long; "" and 0 without one.

    Not the number of its inode: a home that is copied or restored has other numbers.
    """

    name: str = ""
    size: int = 0


class StateLog(NamedTuple):
    """Where the log of one workspace lies.

    It is found by the workspace's path; git, with `env`, shows whether it is still the same
    repository. Without `env` this is not checked.
    """

    folder: Path
    root: Path
    env: Mapping[str, str] | None = None

    @property
    def file(self) -> Path:
        return self.folder / "state.jsonl"

    @property
    def mark(self) -> Path:
        """Says whose log it is, by the first commit of the history."""
        return self.folder / "state.json"

    def stand(self) -> Stand:
        try:
            with self.file.open("rb") as opened:
                first = _checked(opened.read(_FIRST).strip()) or {}
                return Stand(first.get("log", ""), os.fstat(opened.fileno()).st_size)
        except OSError:
            return Stand()

    @property
    def began(self) -> str:
        """The first commit of the history that it belongs to, "" if that is not known."""
        try:
            return str(json.loads(self.mark.read_bytes()).get("began", ""))
        except (OSError, ValueError, AttributeError):
            # Without a readable mark the log counts as that of this workspace.
            return ""


KEYS = {
    "acknowledged": "alert", "search_hit": "id", "chat_message": "seq", "chat_mark": "name",
    "queue_item": "id", "job_run": "seq", "model_call": "id",
}  # fmt: skip
"""Table → its key. The words of messages are derived."""

_COUNTERS = "sqlite_sequence"
"""SQLite's own: the highest number that each table gave, so that none is given twice."""


def log_of(home: Path, root: Path, env: Mapping[str, str] | None = None) -> StateLog:
    """The log of the workspace at `root`, below the state home.

    The folder's name has a readable part, and a hash that identifies the workspace.
    """
    real = root.resolve()
    digest = hashlib.sha256(os.fsencode(real)).hexdigest()[:12]
    return StateLog(home / "clawgit" / f"{real.name}-{digest}", real, env)


def clear_of_others(log: StateLog) -> list[str]:
    """Moves the log of another repository, which was at this path before, aside; returns where."""
    began = log.began
    if not began or log.env is None:
        return []
    git = CGit(log.root, log.env)
    if git.call("cat-file", "-e", f"{began}^{{commit}}", ok=(0, _NONE, _UNKNOWN))[0] == 0:
        return []
    names = (log.folder.with_name(f"{log.folder.name}.{number}") for number in range(1, 1000))
    aside = next(name for name in names if not name.exists())
    log.folder.rename(aside)
    return [f"The state of another workspace, which was at this path before, is kept in {aside}."]


def follow_commits(log: StateLog, commits: Mapping[str, str]) -> None:
    """The log stays that of this repository when its first commit has another hash."""
    if began := commits.get(log.began):
        _put_mark(log, began)


def watch(db: sqlite3.Connection) -> None:
    """Has SQLite record the key of each changed row in memory, whatever the statement."""
    db.execute("PRAGMA temp_store = MEMORY")
    db.execute("CREATE TEMP TABLE IF NOT EXISTS touched (name TEXT, key)")
    for table, key in KEYS.items():
        for event, row in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")):
            db.execute(_NOTE.format(table=table, key=key, event=event, row=row))


def touched(db: sqlite3.Connection) -> bytes | None:
    """The line with what the open transaction changed; None if it changed nothing."""
    rows = {}
    for (name,) in db.execute("SELECT DISTINCT name FROM temp.touched").fetchall():
        of_it, key = f"SELECT key FROM temp.touched WHERE name = '{name}'", KEYS[name]  # noqa: S608 - ours
        rows[name] = _rows(key, db.execute(f'SELECT * FROM "{name}" WHERE "{key}" IN ({of_it})'))  # noqa: S608 - ours
        at = rows[name]["columns"].index(key)
        left = {row[at] for row in rows[name]["put"]}
        rows[name]["gone"] = sorted({touched for (touched,) in db.execute(of_it)} - left)
    return _line(rows) if rows else None


def forget_touched(db: sqlite3.Connection) -> None:
    db.execute("DELETE FROM temp.touched")


def append(log: StateLog, line: bytes) -> None:
    """Adds a line, and waits until it is on the disk.

    Called before the commit, under SQLite's write lock, so lines are in the order of commits. A
    crash before the commit leaves an unconfirmed row too many, never one too few.
    """
    descriptor = os.open(log.file, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
    try:
        written = os.write(descriptor, line)
        while written < len(line):
            written += os.write(descriptor, line[written:])
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def renew(log: StateLog, db: sqlite3.Connection) -> Stand:
    """Replaces the log by all rows; called under SQLite's write lock, so that nobody adds to it."""
    made = [folder for folder in (log.folder, *log.folder.parents) if not folder.exists()]
    log.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = log.folder / "state.new"
    new.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    with os.fdopen(os.open(new, flags, 0o600), "wb") as out:
        out.write(_line({}, log=os.urandom(8).hex()))
        out.writelines(map(_line, all_rows(db)))
        out.flush()
        os.fsync(out.fileno())
    _put_mark(log, log.began or _first_commit(log))
    clear_the_way(log.file)
    new.replace(log.file)
    # The folder too, which may be new itself: else a power cut takes the name away.
    for folder in dict.fromkeys((log.folder, log.folder.parent, *(each.parent for each in made))):
        sync(folder)
    return log.stand()


def lines(file: Path, start: int = 0) -> Iterator[Mapping[str, Any] | None]:
    """The rows of each line, None for a damaged one. A last line that was cut off is none: nobody
    was told that it was written.
    """
    try:
        with file.open("rb") as opened:
            opened.seek(start)
            for line in opened:
                if line != b"\n" and line.endswith(b"\n"):
                    told = _checked(line[:-1])
                    yield told and told["rows"]
    except OSError:
        yield None


def play(db: sqlite3.Connection, told: Iterable[Mapping[str, Any] | None]) -> bool:
    """Applies lines to the tables; returns whether there were any, and none was damaged."""
    seen = set[bool]()
    for each in told:
        seen.add(each is not None)
        for name, rows in (each or {}).items():
            if name not in {*KEYS, _COUNTERS}:
                continue  # of a table that earlier builds had
            key, columns, put = rows["key"], rows["columns"], rows["put"]
            at, marks = columns.index(key), ", ".join("?" * len(columns))
            gone = [(value,) for value in (*rows["gone"], *(row[at] for row in put))]
            db.executemany(f'DELETE FROM "{name}" WHERE "{key}" = ?', gone)  # noqa: S608 - ours
            named = ", ".join(f'"{column}"' for column in columns)
            add = f'INSERT OR REPLACE INTO "{name}" ({named}) VALUES ({marks})'  # noqa: S608 - ours
            db.executemany(add, put)
    return seen == {True}


def all_rows(db: sqlite3.Connection) -> Iterator[Mapping[str, Any]]:
    """All rows of a database, as lines have them; of an empty one, too, there is a line."""
    for name, key in KEYS.items():
        cursor = db.execute(f'SELECT * FROM "{name}"')  # noqa: S608 - ours
        while (rows := _rows(key, cursor, _SLICE))["put"]:
            yield {name: rows}
    yield {_COUNTERS: _rows("name", db.execute(f"SELECT * FROM {_COUNTERS}"))}  # noqa: S608 - ours


def _put_mark(log: StateLog, began: str) -> None:
    mark = {"workspace": str(log.root), "began": began}
    put_in_place(log.mark, f"{json.dumps(mark)}\n".encode(), 0o600)


def _rows(key: str, cursor: sqlite3.Cursor, most: int = -1) -> dict[str, Any]:
    """Rows as a line has them: those that are put, and the keys of those that are gone."""
    put = cursor.fetchmany(most) if most > 0 else cursor.fetchall()
    return {"key": key, "columns": [row[0] for row in cursor.description], "put": put, "gone": []}


def _line(rows: Mapping[str, Any], **more: str) -> bytes:
    text = json.dumps({**more, "rows": rows}, ensure_ascii=False, separators=(",", ":")).encode()
    # The line break in front separates it from a line that a full disk cut off.
    return b"\n%08x %b\n" % (binascii.crc32(text), text)


def _checked(line: bytes) -> Mapping[str, Any] | None:
    checksum, _, text = line.partition(b" ")
    if checksum != b"%08x" % binascii.crc32(text):
        return None
    told: Mapping[str, Any] = json.loads(text)
    return told


def _first_commit(log: StateLog) -> str:
    """The first commit of HEAD's history, which all clones share; "" if there is none."""
    if log.env is None:
        return ""
    git = CGit(log.root, log.env)
    code, commits = git.call("rev-list", "--max-parents=0", "HEAD", ok=(0, _UNKNOWN))
    return commits.decode("ascii").split()[-1] if code == 0 else ""
