"""`state.db`: what clawgit must remember and git does not hold. Primary data, shared by all worktrees, never pushed.

A later part adds its tables by one more `Step` at the end of `STEPS` (a step that was released is never edited), and
keeps its own queries in a module of its own, which asks with `State.query` and writes within `State.write`.
"""

import errno
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from clawgit.errors import BusyError, ClawgitError
from clawgit.stores.database import (
    DAMAGED,
    clear,
    connect,
    copy_database,
    counts,
    faults,
    is_sound,
    move_aside,
    plain_errors,
    primary_code,
)
from clawgit.stores.git.gitdir import RepoPlace
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.state_copies import Copies, clear_of_others, day_of, mark_copies, repository_copies

_LOCK_SECONDS = 5.0
_ABSENT, _BROKEN = -1, 0


class Step(NamedTuple):
    """One migration. Its statements run in one transaction, which also sets `user_version` to `version`."""

    version: int
    statements: tuple[str, ...]


STEPS: tuple[Step, ...] = (
    Step(1, ("CREATE TABLE acknowledged (alert TEXT PRIMARY KEY, time TEXT NOT NULL) WITHOUT ROWID",)),
    Step(
        2,
        (
            (
                "CREATE TABLE search_hit (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, session TEXT NOT NULL,"
                " query TEXT NOT NULL, path TEXT NOT NULL, entry TEXT NOT NULL, text TEXT NOT NULL)"
            ),
        ),
    ),
    Step(
        3,
        (
            """
            CREATE TABLE chat_message (
                seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, session TEXT NOT NULL, role TEXT NOT NULL,
                text TEXT NOT NULL, time INTEGER NOT NULL, priority INTEGER NOT NULL, live TEXT UNIQUE,
                record TEXT UNIQUE, likeness INTEGER NOT NULL, due INTEGER NOT NULL DEFAULT 0,
                sent INTEGER NOT NULL DEFAULT 0
            )
            """,
            "CREATE INDEX chat_by_time ON chat_message (time)",
            "CREATE INDEX chat_by_session ON chat_message (session, time)",
            "CREATE INDEX chat_by_id ON chat_message (id)",
            "CREATE INDEX chat_by_likeness ON chat_message (likeness, time)",
            "CREATE INDEX chat_due ON chat_message (time) WHERE due",
            "CREATE VIRTUAL TABLE chat_words USING fts5 (words, content = '', detail = 'none', tokenize = \"ascii\")",
            "CREATE TABLE chat_mark (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
        ),
    ),
    Step(
        4,
        (
            (
                "CREATE TABLE queue_item (id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL,"
                " rank INTEGER NOT NULL, told TEXT NOT NULL, since INTEGER NOT NULL,"
                " free_at INTEGER NOT NULL DEFAULT 0, holder TEXT NOT NULL DEFAULT '',"
                " tries INTEGER NOT NULL DEFAULT 0, trouble TEXT NOT NULL DEFAULT '',"
                " aside INTEGER NOT NULL DEFAULT 0)"
            ),
            "CREATE INDEX queue_next ON queue_item (queue, rank DESC, id) WHERE NOT aside",
            (
                "CREATE TABLE pattern_cut_off (pattern TEXT PRIMARY KEY, times INTEGER NOT NULL, last INTEGER NOT NULL)"
                " WITHOUT ROWID"
            ),
        ),
    ),
    Step(
        5,
        (
            """
            CREATE TABLE job_run (
                seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, job TEXT NOT NULL, by TEXT NOT NULL,
                started INTEGER NOT NULL, ended INTEGER, outcome TEXT NOT NULL DEFAULT '',
                trouble TEXT NOT NULL DEFAULT '', base TEXT NOT NULL DEFAULT '', steps INTEGER NOT NULL DEFAULT 0,
                heard TEXT NOT NULL DEFAULT '', marks TEXT NOT NULL DEFAULT '{}', told TEXT NOT NULL DEFAULT '{}'
            )
            """,
            "CREATE INDEX job_run_by_job ON job_run (job, seq)",
            """
            CREATE TABLE model_call (
                id INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, day TEXT NOT NULL, time INTEGER NOT NULL,
                model TEXT NOT NULL, prompt TEXT NOT NULL, answer TEXT NOT NULL DEFAULT '', tokens INTEGER NOT NULL,
                ms INTEGER NOT NULL DEFAULT 0, trouble TEXT NOT NULL DEFAULT ''
            )
            """,
            "CREATE INDEX model_call_by_day ON model_call (day)",
            "CREATE INDEX model_call_by_run ON model_call (run)",
        ),
    ),
    Step(
        6,
        (
            (
                "CREATE TABLE client_seen (client TEXT PRIMARY KEY, head TEXT NOT NULL, time INTEGER NOT NULL)"
                " WITHOUT ROWID"
            ),
        ),
    ),
)


class Examined(NamedTuple):
    """What a copy holds: the number of rows of each table, and what SQLite finds wrong."""

    rows: dict[str, int]
    faults: list[str]


class StateTooNewError(ClawgitError):
    """A newer clawgit wrote this database; what it means is not known here, so it is left alone."""

    kind = "state_too_new"


class State:
    """An open state database. `notes` say what had to be repaired or could not be copied, in words for the user."""

    def __init__(self, db: sqlite3.Connection, path: Path, copies: Copies, now: datetime, notes: list[str]) -> None:
        self.notes = notes
        self._db = db
        self._path = path
        self._copies = copies
        self._now = now
        self._copy_seen_to = False

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        return self._db.execute(sql, values).fetchall()

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction; an exception in the block takes it back. The first of a day is followed by the copy."""
        self._db.execute("BEGIN IMMEDIATE")
        with self._db:
            yield self._db
        if not self._copy_seen_to:
            self._copy_seen_to = True
            self._copy_of_the_day()

    def acknowledge(self, alert: str) -> bool:
        """Remembers that the operator has seen an alert (a commit's hash or change id). False where that is known."""
        with self.write() as db:
            known = db.execute("INSERT OR IGNORE INTO acknowledged VALUES (?, ?)", (alert, self._now.isoformat()))
            return known.rowcount == 1

    def acknowledged(self) -> dict[str, datetime]:
        return {alert: datetime.fromisoformat(time) for alert, time in self.query("SELECT * FROM acknowledged")}

    def counts(self) -> dict[str, int]:
        """The number of rows of each table."""
        return counts(self._db)

    def integrity(self) -> list[str]:
        """What SQLite finds wrong with the file; nothing when it is sound."""
        return faults(self._db)

    def copy_to(self, target: Path) -> None:
        """A consistent copy in one file, while others go on writing."""
        copy_database(self._db, target)

    def _copy_of_the_day(self) -> None:
        if self._copies.day == day_of(self._now):
            return
        try:
            with _locked(self._path, 0):
                if self._copies.day != day_of(self._now):
                    self.notes += clear_of_others(self._copies)
                    _renew_copy(self._db, self._copies, self._now)
        except BusyError:
            return  # whoever holds the lock is making the copy
        except (ClawgitError, OSError, sqlite3.Error) as error:
            self.notes.append(f"The daily copy of state.db in {self._copies.folder} could not be made: {error}")


def repository_state(
    place: RepoPlace, env: Mapping[str, str], home: Path, now: datetime
) -> AbstractContextManager[State]:
    """The state of a repository, whichever of its worktrees asks."""
    return open_state(state_file(place), repository_copies(place, env, home), now)


def state_file(place: RepoPlace) -> Path:
    return place.shared / "state.db"


@contextmanager
def open_state(path: Path, copies: Copies, now: datetime, steps: tuple[Step, ...] = STEPS) -> Iterator[State]:
    """The database at `path`, made, migrated, or brought back from its copy where needed; `notes` tell.

    A damaged file is moved aside and kept. One of a newer clawgit raises `StateTooNewError` and is not changed.
    """
    with plain_errors(path):
        notes = _made_ready(path, copies, now, steps)
        with closing(connect(path)) as db:
            yield State(db, path, copies, now, notes)


def mend_state(path: Path, copies: Copies, now: datetime) -> list[str]:
    """Replaces a database that is damaged anywhere by its copy; says what was done, nothing where it is sound."""
    with plain_errors(path), _locked(path):
        return [] if path.exists() and is_sound(path) else _replaced(path, copies, now, STEPS)


def bring_state(source: Path, path: Path) -> None:
    """Puts a copy that `State.copy_to` made in place as a new database, migrated to this version."""
    with plain_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        _version(source, STEPS[-1].version)
        _build(path, source, STEPS)


def examine_copy(copy: Path) -> Examined:
    """Looks at a copy, of whichever version, and leaves it as it is."""
    with plain_errors(copy), closing(connect(copy)) as db:
        wrong = faults(db)
        return Examined({} if wrong else counts(db), wrong)


def _made_ready(path: Path, copies: Copies, now: datetime, steps: tuple[Step, ...]) -> list[str]:
    newest = steps[-1].version
    if _version(path, newest) == newest:
        return []
    with _locked(path):
        if _version(path, newest) in (_ABSENT, _BROKEN):
            return _replaced(path, copies, now, steps)
        with closing(connect(path)) as db:
            _migrate(db, steps)
    return []


def _version(path: Path, newest: int) -> int:
    """What `user_version` says. Every file of ours was born with one, so none at all means a broken file."""
    if not path.exists():
        return _ABSENT
    try:
        with closing(connect(path)) as db:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            version = int(db.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.DatabaseError as error:
        if primary_code(error) in DAMAGED:
            return _BROKEN
        raise
    if version > newest:
        raise StateTooNewError(
            f"{path} was written by a newer clawgit (its format is {version}, this one knows {newest}).",
            hint="Update this one: pip install --upgrade clawgit",
        )
    return version


def _replaced(path: Path, copies: Copies, now: datetime, steps: tuple[Step, ...]) -> list[str]:
    """A new database where none is, or a damaged one; the lock is held."""
    aside = move_aside(path, now)
    notes = [f"state.db was damaged; what is left of it is kept in {aside}."] if aside else []
    others = clear_of_others(copies)
    source = next((copy for copy in copies.newest_first if _is_usable(copy, steps[-1].version)), None)
    _build(path, source, steps)
    if source is not None:
        made = datetime.fromtimestamp(source.stat().st_mtime, now.tzinfo).isoformat(" ", "minutes")
        return [*notes, f"state.db was brought back from its copy of {made}, {source}."]
    return [*notes, *(["There was no copy of it; a new one was begun."] if notes else []), *others]


def _build(path: Path, source: Path | None, steps: tuple[Step, ...]) -> None:
    """Builds the file aside and moves it in place whole, so that nobody ever sees a half-made one."""
    temp = path.with_name("state.new")
    clear(temp)
    if source is not None:
        with closing(connect(source)) as old:
            copy_database(old, temp)
    with closing(sqlite3.connect(temp, isolation_level=None)) as db:
        _migrate(db, steps)
        db.execute("PRAGMA journal_mode = WAL")
    temp.replace(path)


def _migrate(db: sqlite3.Connection, steps: tuple[Step, ...]) -> None:
    """Takes the steps that are missing. Asked anew inside each transaction: two processes may migrate at once."""
    for step in steps:
        db.execute("BEGIN IMMEDIATE")
        with db:
            if db.execute("PRAGMA user_version").fetchone()[0] < step.version:
                for statement in step.statements:
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {step.version}")


def _renew_copy(db: sqlite3.Connection, copies: Copies, now: datetime) -> None:
    """The newest copy moves on to second place, unless the new one is no better than what it would replace."""
    copies.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    temp = copies.folder / "state.new"
    copy_database(db, temp)
    if not is_sound(temp):
        temp.unlink()
        raise OSError(errno.EIO, "state.db is damaged, `clawgit doctor` says where; the last good copy was kept")
    first, second = copies.newest_first
    if first.exists():
        first.replace(second)
    temp.replace(first)
    mark_copies(copies, now)


def _is_usable(copy: Path, newest: int) -> bool:
    return _version(copy, newest) > _BROKEN and is_sound(copy)


def _locked(path: Path, timeout: float = _LOCK_SECONDS) -> AbstractContextManager[None]:
    return workspace_lock(path.with_name("state.lock"), path.name, timeout)
