"""`state.db`: what clawgit must remember and git does not store.

Derived from the log, which is the truth of messages; shared by all worktrees, never pushed. Its
tables are in `state_log.py`. Each kind
of data has a module of its own, which asks with `State.query` and writes within `State.write`.
Each transaction is in the log (`state_log.py`) before it is committed, so a database that is lost
or damaged is made again from there.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from clawgit.core import NamedTuple
from clawgit.core.disk.database import (
    begin_private,
    clear,
    connect,
    copy_database,
    counts,
    faults,
    is_damage,
    is_there,
    make_private,
    move_aside,
    plain_errors,
    writing,
)
from clawgit.core.disk.plainfile import sync
from clawgit.core.disk.xdg import state_home
from clawgit.core.doors import json
from clawgit.core.errors import StorageError
from clawgit.git.lock import workspace_lock
from clawgit.git.place import RepoPlace
from clawgit.workspace.stores import state_log
from clawgit.workspace.stores.state_log import (
    FORMAT,
    KEYS,
    Stand,
    StateLog,
    log_of,
    make_tables,
    renew_words,
    version_of,
)

if TYPE_CHECKING:
    from clawgit.workspace.workspace_base import Caller

Answer = TypeVar("Answer")

_LOCK_SECONDS = 5.0
_PAGE, _ROOM = 4096, 4 << 20
"""A log that is longer than this and four databases is begun anew."""

_NO_LOG = 1 << 60
"""Bytes of the log that are in the database, where it has data that the log lacks, or the log has
what was deleted for good: no log is as long, so the next write begins it anew.
"""

_RECOVERED = "recovered/"
"""How the name of a mark begins that tells of a recovery."""

_MARK = "INSERT OR REPLACE INTO chat_mark VALUES ('log', ?)"
"""How much of the log is in the database."""


class Examined(NamedTuple):
    """The contents of a copy: the number of rows of each table, and what SQLite finds wrong."""

    rows: dict[str, int]
    faults: list[str]


class StateMendedError(StorageError):
    """The file was damaged, and is repaired. The current write was rolled back."""

    kind = "state_mended"


class State:
    """An open state database.

    `notes` say what had to be repaired or could not be logged, in words for the user.
    """

    def __init__(self, path: Path, log: StateLog, now: datetime, notes: list[str]) -> None:
        self.notes = notes
        self._path, self._log, self._now = path, log, now
        self._connect()

    def close(self) -> None:
        self._db.close()

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Runs a query. If it meets damage, the file is repaired and the query run again."""
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            if not is_damage(error) or self._db.in_transaction:
                raise
            self._mend()
        return self._db.execute(sql, values).fetchall()

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction; an exception in the block rolls it back.

        StateMendedError if the file was damaged: it is repaired now, and the block may be tried
        again.
        """
        try:
            self._begin()
            with self._db:
                self._follow()
                yield self._db
                self._commit()
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            self._mend()
            raise self._mended() from error

    def transact(self, work: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """Runs `work` in one transaction, and again if the file had to be repaired meanwhile."""
        try:
            with self.write() as db:
                return work(db)
        except StateMendedError:
            with self.write() as db:
                return work(db)

    def acknowledge(self, alert: str) -> None:
        """Records that the operator has seen an alert (a commit's hash or change id)."""
        with self.write() as db:
            db.execute(
                "INSERT OR IGNORE INTO acknowledged VALUES (?, ?)", (alert, self._now.isoformat())
            )

    def acknowledged(self) -> dict[str, datetime]:
        return {
            alert: datetime.fromisoformat(time)
            for alert, time in self.query("SELECT * FROM acknowledged")
        }

    def purge(self, work: Callable[[sqlite3.Connection], int]) -> int:
        """Deletes rows for good, also from free pages and the log.

        `work` returns how many it deleted.
        """
        self._db.execute("PRAGMA secure_delete = ON")
        gone = self.transact(work)
        # The index of words has those of deleted messages until its parts are merged.
        with writing(self._db):
            renew_words(self._db)
            self._leave_log()
        self._db.execute("VACUUM")
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with self.write():
            pass  # has the log begun anew, without them
        return gone

    def counts(self) -> dict[str, int]:
        """The number of rows of each table."""
        return counts(self._db)

    def copy_to(self, target: Path) -> None:
        """A consistent copy in one file, while others go on writing."""
        copy_database(self._db, target)

    def catch_up(self) -> None:
        """Takes in what the log has and the database lacks, before anything is read."""
        if self._log.stand().size > self._seen().size:
            with self.write():
                pass

    def _begin(self) -> None:
        """Takes SQLite's write lock on the file that has the name now, which may be a new one.

        A transaction that begins the log anew waits for the disk: after a power cut a database that
        does not know this log would replace it.
        """
        mode = "NORMAL"
        while True:
            state_log.watch(self._db)
            self._db.execute(f"PRAGMA synchronous = {mode}")
            self._db.execute("BEGIN IMMEDIATE")
            if _identity(self._path) != self._file:
                self._reconnect()
            elif mode == "FULL" or self._is_followed():
                return
            else:
                self._db.rollback()
                mode = "FULL"

    def _is_followed(self) -> bool:
        """Whether the log has what the database has, and need not begin anew."""
        stand, seen = self._log.stand(), self._seen()
        longest = _ROOM + 4 * _PAGE * self._db.execute("PRAGMA page_count").fetchone()[0]
        is_same = stand == seen and seen.name != ""
        return is_same and stand.size <= longest

    def _follow(self) -> None:
        """Makes database and log the same. A kill or a power cut may have left the log ahead."""
        if self._is_followed():
            return
        stand, seen = self._log.stand(), self._seen()
        if stand.name == seen.name != "" and stand.size > seen.size:
            state_log.play(self._db, state_log.lines(self._log.file, seen.size))
            renew_words(self._db)
            # Committed first: a kill after the log is replaced must find them in the database.
            self._mark(stand)
            self._db.execute("COMMIT")
            self._db.execute("BEGIN IMMEDIATE")
        if wrong := faults(self._db):
            error = sqlite3.DatabaseError(wrong[0])
            error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise error  # what is damaged must not replace a good log
        try:
            # What others committed was not waited for, and is to be only here for a moment.
            with suppress(FileNotFoundError):
                sync(self._path.with_name(f"{self._path.name}-wal"))
            sync(self._path.parent)
            if stand.name != seen.name:  # else it is ours, whatever became of its first commit
                self.notes += state_log.clear_of_others(self._log)
            self._mark(state_log.renew(self._log, self._db))
        except OSError as error:
            self._is_not_logged(error)

    def _commit(self) -> None:
        """Commits what is in the log. What cannot be written there is only in the database."""
        line = state_log.touched(self._db)
        if line and self._seen().size != _NO_LOG:
            try:
                state_log.append(self._log, line)
                self._mark(self._log.stand())
            except OSError as error:
                self._is_not_logged(error)
        is_logged = self._seen().size != _NO_LOG
        try:
            self._db.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if not line or not is_logged or is_damage(error):
                raise
            # It is in the log, and so it is said: who is told that it failed says it once more.
            self._db.rollback()
            self.notes.append(f"{self._path} is behind its log until there is room: {error}")
            return
        if not is_logged:
            # This waits for the disk, as a commit here does not.
            self._db.execute("PRAGMA wal_checkpoint(FULL)")
        if _identity(self._path) != self._file:
            # Somebody set this file aside between our check and the commit.
            self._reconnect()
            raise self._mended()

    def _seen(self) -> Stand:
        rows = self._db.execute("SELECT value FROM chat_mark WHERE name = 'log'").fetchall()
        name, _, size = rows[0][0].partition(":") if rows else ("", "", "0")
        return Stand(name, int(size))

    def _mark(self, stand: Stand) -> None:
        self._db.execute(_MARK, (":".join(map(str, stand)),))
        state_log.forget_touched(self._db)

    def _is_not_logged(self, error: OSError) -> None:
        self.notes.append(
            f"The log of state.db in {self._log.folder} could not be written: {error}"
        )
        self._leave_log()

    def _leave_log(self) -> None:
        """The database says itself that it goes on without its log."""
        self._mark(self._seen()._replace(size=_NO_LOG))

    def _mended(self) -> StateMendedError:
        return StateMendedError(
            f"{self._path} was damaged and has been repaired; what you wanted to write is not in "
            "it yet.",
            hint="Run the same command again. `clawgit status` says what came back.",
        )

    def _mend(self) -> None:
        """Restores the file, unless another process has done so since it was opened."""
        with _locked(self._path):
            if _identity(self._path) == self._file:
                self.notes += _recover(self._path, self._log, self._now)
        self._reconnect()

    def _reconnect(self) -> None:
        self._db.close()
        self._connect()

    def _connect(self) -> None:
        self._db = connect(self._path)
        # The log waits for the disk; the database catches up with it after a power cut.
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._file = _identity(self._path)


def state_file(place: RepoPlace) -> Path:
    return place.shared / "state.db"


def repository_log(place: RepoPlace, caller: "Caller") -> StateLog:
    """The log of a repository's state, the same for all of its worktrees."""
    root = place.root
    if place.git_dir != place.common_dir:
        root = place.common_dir.parent if place.common_dir.name == ".git" else place.common_dir
    return log_of(state_home(caller.env, caller.home), root, caller.env)


@contextmanager
def open_state(path: Path, log: StateLog, now: datetime) -> Iterator[State]:
    """The database at `path`: made or restored if needed. `notes` say what was done.

    A damaged file is moved aside, not deleted. One of another format raises `StateFormatError` and
    is not changed.
    """
    with plain_errors(path):
        make_private(path)
        notes = _made_ready(path, log, now)
        with closing(State(path, log, now, notes)) as state:
            state.catch_up()
            yield state


def mend_state(path: Path, log: StateLog, now: datetime) -> list[str]:
    """Restores a database that is missing or damaged; returns what was done."""
    with plain_errors(path), _locked(path):
        make_private(path)
        if path.is_file() and not state_faults(path):
            return []
        return _recover(path, log, now)


def state_faults(path: Path) -> list[str]:
    """What is wrong with a database: what SQLite finds, and texts that cannot be read."""
    with plain_errors(path), closing(connect(path, "ro")) as db:
        wrong = faults(db)
        if wrong or not db.execute("PRAGMA user_version").fetchone()[0]:
            return wrong or ["it is empty"]
        for table in KEYS:
            try:
                for _ in db.execute(f'SELECT * FROM "{table}"'):  # noqa: S608 - ours
                    pass
            except sqlite3.DatabaseError as error:
                wrong.append(f"{table}: {error}")
    return wrong


def bring_state(source: Path, path: Path) -> None:
    """Puts a copy from `State.copy_to` in place as a new database."""
    with plain_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        version_of(source)
        temp = path.with_name("state.new")
        with closing(connect(source)) as old:
            copy_database(old, temp)
        with closing(connect(temp)) as db:
            db.execute("PRAGMA journal_mode = WAL")
        temp.replace(path)


def examine_copy(copy: Path) -> Examined:
    """Examines a copy, without changing it."""
    with plain_errors(copy), closing(connect(copy)) as db:
        wrong = faults(db)
        return Examined({} if wrong else counts(db), wrong)


class Recovery(NamedTuple):
    """One recovery of the state. `complete` is false if its log was damaged or gone. What the log
    could not take, on a full disk, is in `kept` alone: each such write said so.
    """

    id: str
    time: datetime
    kept: str
    complete: bool

    @property
    def message(self) -> str:
        """What happened, in words."""
        what = f"damaged; that file is kept: {self.kept}" if self.kept else "gone"
        left = "which is whole." if self.complete else "and messages that came in may be missing."
        return f"state.db was {what}. It was made again from its log, {left}"


def recoveries(state: State) -> list[Recovery]:
    """All recoveries of this state, oldest first."""
    rows = state.query("SELECT value FROM chat_mark WHERE name GLOB ? ORDER BY name",
                       f"{_RECOVERED}*")  # fmt: skip
    stored = (json.loads(value) for (value,) in rows)
    return [Recovery(**{**each, "time": datetime.fromisoformat(each["time"])}) for each in stored]


def _made_ready(path: Path, log: StateLog, now: datetime) -> list[str]:
    if version_of(path) == FORMAT:
        return []
    with _locked(path):
        # Again: another process may have made it meanwhile.
        return [] if version_of(path) == FORMAT else _recover(path, log, now)


def _recover(path: Path, log: StateLog, now: datetime) -> list[str]:
    """Makes a new database from the log, in place of a missing or damaged one, which is moved
    aside; the caller holds the lock.

    Returns what was done; nothing is reported if there never was a state.
    """
    aside = move_aside(path, now)
    others = state_log.clear_of_others(log)
    is_new = aside is None and not is_there(log.file)
    temp = path.with_name("state.new")
    clear(temp)
    begin_private(temp)
    with closing(connect(temp)) as db:
        make_tables(db)
        with writing(db):
            is_whole = state_log.play(db, state_log.lines(log.file))
            renew_words(db)
            recovery = Recovery(f"state-{now:%Y%m%dT%H%M%S}", now, str(aside or ""), is_whole)
            if not is_new:
                told = json.dumps(recovery._asdict(), default=datetime.isoformat)
                mark = (f"{_RECOVERED}{recovery.id}", told)
                db.execute("INSERT OR REPLACE INTO chat_mark VALUES (?, ?)", mark)
        db.execute("PRAGMA journal_mode = WAL")
    temp.replace(path)
    return others if is_new else [recovery.message, *others]


def seconds(moment: datetime) -> int:
    return int(moment.timestamp())


def _identity(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except FileNotFoundError as error:
        raise StorageError(
            f"{path} was removed meanwhile.", hint="Run the same command again."
        ) from error
    return status.st_dev, status.st_ino


def _locked(path: Path) -> AbstractContextManager[None]:
    return workspace_lock(path.with_name("state.lock"), path.name, _LOCK_SECONDS)
