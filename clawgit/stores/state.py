"""`state.db`: what clawgit must remember and git does not store.

Primary data, shared by all worktrees, never pushed. Its tables are in `state_schema.py`.
Each kind of data has a module of its own, which asks with `State.query` and writes within
`State.write`; each transaction is written to the journal before it is committed.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from clawgit.errors import BusyError, ClawgitError, StorageError
from clawgit.stores.clearing import clear, is_there
from clawgit.stores.database import (
    DAMAGED,
    connect,
    copy_database,
    counts,
    faults,
    has_other_rights,
    is_damage,
    is_sound,
    make_private,
    plain_errors,
    primary_code,
    writing,
)
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.state_copies import (
    Copies,
    clear_of_others,
    day_of,
    mark_copies,
    repository_copies,
)
from clawgit.stores.state_journal import (
    Appended,
    Journal,
    forget,
    gap_of,
    rotate,
    tables,
    unreadable,
    withdraw,
)
from clawgit.stores.state_recovery import recover, renew_words
from clawgit.stores.state_schema import FORMAT, version_of

Answer = TypeVar("Answer")

_LOCK_SECONDS = 5.0


class Examined(NamedTuple):
    """The contents of a copy: the number of rows of each table, and what SQLite finds wrong."""

    rows: dict[str, int]
    faults: list[str]


class StateMendedError(StorageError):
    """The file was damaged, and is repaired. The current write was rolled back."""

    kind = "state_mended"


class State:
    """An open state database.

    `notes` say what had to be repaired or could not be copied, in words for the user.
    """

    def __init__(
        self,
        path: Path,
        copies: Copies,
        now: datetime,
        notes: list[str],
    ) -> None:
        self.notes = notes
        self._db = connect(path)
        self._path = path
        self._copies = copies
        self._now = now
        self._file = _identity(path)
        self._journal: Journal | None = None
        self._copy_seen_to = False

    def close(self) -> None:
        self._db.close()

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Runs a query. If it meets damage, the file is repaired and the query run again."""
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            if not is_damage(error) or self._db.in_transaction:
                raise
            self._mend(error)
        return self._db.execute(sql, values).fetchall()

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction; an exception in the block rolls it back.

        After the block it is in the journal too. StateMendedError if the file was damaged: it is
        repaired now, and the block may be tried again.
        """
        try:
            self._begin()
            with self._db:
                yield self._db
                appended = self._appended()
                self._commit(appended)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            self._mend(error)
            raise self._mended() from error
        self._see_to_copy()

    def transact(self, work: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """Runs `work` in one transaction, and again if the file had to be repaired meanwhile."""
        try:
            with self.write() as db:
                return work(db)
        except StateMendedError:
            with self.write() as db:
                return work(db)

    def acknowledge(self, alert: str) -> bool:
        """Records that the operator has seen an alert (a commit's hash or change id).

        False if that is recorded already.
        """
        with self.write() as db:
            known = db.execute(
                "INSERT OR IGNORE INTO acknowledged VALUES (?, ?)", (alert, self._now.isoformat())
            )
            return known.rowcount == 1

    def acknowledged(self) -> dict[str, datetime]:
        return {
            alert: datetime.fromisoformat(time)
            for alert, time in self.query("SELECT * FROM acknowledged")
        }

    def purge(self, work: Callable[[sqlite3.Connection], int]) -> int:
        """Deletes rows for good, also from free pages, logs and copies.

        `work` returns how many it deleted.
        """
        self._db.execute("PRAGMA secure_delete = ON")
        gone = self.transact(work)
        # The index of words has those of deleted messages until its parts are merged.
        renew_words(self._db)
        self._db.execute("VACUUM")
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with _locked(self._path):
            # Each new copy makes the previous one the second, and deletes an old journal.
            for _ in self._copies.newest_first:
                _renew_copy(self._db, self._path, self._copies, self._now)
        return gone

    def counts(self) -> dict[str, int]:
        """The number of rows of each table."""
        return counts(self._db)

    def copy_to(self, target: Path) -> None:
        """A consistent copy in one file, while others go on writing."""
        copy_database(self._db, target)

    def _begin(self) -> None:
        """Takes SQLite's write lock on the file that has the name now, which may be a new one."""
        if self._journal is None:
            self._journal = Journal(self._copies.folder)
            self._journal.watch(self._db)
        self._db.execute("BEGIN IMMEDIATE")
        while _identity(self._path) != self._file:
            self._db.execute("ROLLBACK")
            self._reconnect()
            self._db.execute("BEGIN IMMEDIATE")

    def _appended(self) -> Appended | None:
        """The line in the journal; None if it cannot be written: then the data is only in the
        database.
        """
        assert self._journal is not None  # noqa: S101 - `_begin` made it
        try:
            return self._journal.append(self._db, self._now.isoformat())
        except OSError as error:
            self._copies_lack(
                f"The journal of state.db in {self._copies.folder} could not be written: {error}"
            )
            return None

    def _commit(self, appended: Appended | None) -> None:
        """Commits what the journal has; if that fails, removes it from the journal."""
        if appended is not None and appended.begun:
            self._copies_lack()  # what was there before this journal is in no journal
        try:
            self._db.execute("COMMIT")
        except sqlite3.Error:
            if appended is not None:
                with suppress(OSError):  # then the journal has a row too many, which is no loss
                    withdraw(appended)
            raise
        if _identity(self._path) != self._file:
            # Somebody set this file aside between our check and the commit.
            self._reconnect()
            raise self._mended()

    def _mended(self) -> StateMendedError:
        return StateMendedError(
            f"{self._path} was damaged and has been repaired; what you wanted to write is not in "
            "it yet.",
            hint="Run the same command again. `clawgit status` says what came back.",
        )

    def _copies_lack(self, note: str = "") -> None:
        """Records that until the next copy some data is only in the database."""
        self.notes += [note] if note else []
        self._copy_seen_to = False
        with suppress(OSError):
            gap_of(self._path).touch(0o600)

    def _see_to_copy(self) -> None:
        """Makes a copy after the first write of a day, and when the journal is not enough."""
        if self._copy_seen_to:
            return
        self._copy_seen_to = True
        if self._copies.day == day_of(self._now) and not gap_of(self._path).exists():
            return
        try:
            with _locked(self._path, 0):
                self.notes += clear_of_others(self._copies)
                is_made = _renew_copy(self._db, self._path, self._copies, self._now)
            if not is_made:
                self._mend()
        except BusyError:
            return  # the process that holds the lock is making the copy
        except (ClawgitError, OSError, sqlite3.Error) as error:
            self.notes.append(
                f"The daily copy of state.db in {self._copies.folder} could not be made: {error}"
            )

    def _mend(self, error: sqlite3.DatabaseError | None = None) -> None:
        """Restores the file, unless another process has done so since it was opened.

        `error` is the error that showed the damage.
        """
        with _locked(self._path):
            if _identity(self._path) == self._file:
                if error is not None and primary_code(error) in DAMAGED and is_sound(self._path):
                    # The tables are sound, so the index of words is damaged, which is derived from
                    # them.
                    with suppress(sqlite3.DatabaseError):
                        renew_words(self._db)
                        return
                self.notes += recover(self._path, self._copies, self._now)
        self._reconnect()

    def _reconnect(self) -> None:
        self._db.close()
        self._db = connect(self._path)
        self._file = _identity(self._path)
        if self._journal is not None:
            self._journal.watch(self._db)


def repository_state(
    place: RepoPlace, env: Mapping[str, str], home: Path, now: datetime
) -> AbstractContextManager[State]:
    """The state of a repository, the same for all its worktrees."""
    return open_state(state_file(place), repository_copies(place, env, home), now)


def state_file(place: RepoPlace) -> Path:
    return place.shared / "state.db"


@contextmanager
def open_state(path: Path, copies: Copies, now: datetime) -> Iterator[State]:
    """The database at `path`: made or restored if needed. `notes` say what was done.

    A damaged file is moved aside, not deleted. One of another format raises `StateFormatError` and
    is not changed.
    """
    with plain_errors(path):
        make_private(path)
        notes = _made_ready(path, copies, now)
        with closing(State(path, copies, now, notes)) as state:
            yield state


def mend_state(path: Path, copies: Copies, now: datetime) -> list[str]:
    """Restores a database that is missing or damaged; returns what was done."""
    with plain_errors(path), _locked(path):
        make_private(path)
        if path.is_file() and not state_faults(path):
            return []
        return recover(path, copies, now)


def state_faults(path: Path) -> list[str]:
    """What is wrong with a database: what SQLite finds, and texts that cannot be read."""
    with plain_errors(path), closing(connect(path, "ro")) as db:
        wrong = faults(db)
        if wrong or not db.execute("PRAGMA user_version").fetchone()[0]:
            return wrong or ["it is empty"]
        return [fault for table in tables(db) for fault in unreadable(db, table)]


def not_private(path: Path, copies: Copies) -> list[Path]:
    """The files of this state whose mode is not 0600."""
    beside = (file for file in path.parent.glob("state.*") if file.suffix != ".lock")
    kept = (file for pattern in ("state*.db*", "journal-*") for file in copies.folder.glob(pattern))
    return [file for file in (*sorted(beside), *sorted(kept)) if has_other_rights(file)]


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


def _made_ready(path: Path, copies: Copies, now: datetime) -> list[str]:
    if version_of(path) == FORMAT:
        return []
    with _locked(path):
        # Again: another process may have made it meanwhile.
        return [] if version_of(path) == FORMAT else recover(path, copies, now)


def _renew_copy(db: sqlite3.Connection, state: Path, copies: Copies, now: datetime) -> bool:
    """Moves the newest copy to second place and makes a new one.

    False if `state` itself turns out to be damaged; then both stay.
    """
    copies.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    _begin_journal(db, copies)
    temp = copies.folder / "state.new"
    copy_database(db, temp)
    if not is_sound(temp):
        temp.unlink()
        return False
    first, second = copies.newest_first
    if is_there(first):
        clear(second)
        first.replace(second)
    temp.replace(first)
    for file in not_private(state, copies):
        with suppress(OSError):
            file.chmod(0o600)
    mark_copies(copies, now)
    forget(copies.folder)
    gap_of(state).unlink(missing_ok=True)
    return True


def _begin_journal(db: sqlite3.Connection, copies: Copies) -> None:
    """Begins a new journal before the copy, so that each line of the old one is in the copy."""
    with writing(db):
        rotate(copies.folder)


def _identity(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except FileNotFoundError as error:
        raise StorageError(
            f"{path} was removed meanwhile.", hint="Run the same command again."
        ) from error
    return status.st_dev, status.st_ino


def _locked(path: Path, timeout: float = _LOCK_SECONDS) -> AbstractContextManager[None]:
    return workspace_lock(path.with_name("state.lock"), path.name, timeout)
