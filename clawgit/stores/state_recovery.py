"""Restores `state.db` from its newest sound copy and the journals. The damaged file adds the rows
that the others lack and that SQLite can still read. What was done is recorded in a file next to
the damaged one, for `status`.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from clawgit.domain.search.terms import words
from clawgit.doors import tempfile
from clawgit.errors import counted
from clawgit.stores import state_journal as journal
from clawgit.stores.clearing import clear
from clawgit.stores.database import begin_private, connect, is_sound, move_aside, writing
from clawgit.stores.state_copies import Copies, clear_of_others
from clawgit.stores.state_journal import JournalContent, Table
from clawgit.stores.state_schema import BROKEN, make_tables, version_of

MESSAGES = "chat_message"
_NOTE = "state.recovered-{}.json"


class Recovery(NamedTuple):
    """One recovery of the state.

    `complete` is false if acknowledged data may be missing, from `copied` on if there is a copy.
    """

    id: str
    time: datetime
    kept: str
    copied: str
    messages: int
    rows: int
    complete: bool

    @property
    def message(self) -> str:
        """What happened, in words."""
        parts = ["state.db was damaged." if self.kept else "state.db was gone."]
        if self.messages or self.rows:
            found = counted(self.messages, "message"), counted(self.rows, "other row")
            parts.append(f"Recovered: {' and '.join(found)}.")
        else:
            parts.append("Nothing could be recovered.")
        if self.kept:
            parts.append(f"The damaged file is kept: {self.kept}.")
        since = f" after {self.copied}" if self.copied else ""
        missing = f"Messages that came in{since} may be missing."
        parts.append("Nothing that was acknowledged is missing." if self.complete else missing)
        return " ".join(parts)


def recover(path: Path, copies: Copies, now: datetime) -> list[str]:
    """Makes a new database in place of a missing or damaged one; the caller holds the lock.

    Returns what was done. The old file is moved aside. Nothing is reported if there never was a
    state.
    """
    aside = move_aside(path, now)
    others = clear_of_others(copies)
    source = next((copy for copy in copies.newest_first if _is_usable(copy)), None)
    logged = journal.read(copies.folder)
    temp = path.with_name("state.new")
    clear(temp)
    begin_private(temp)
    with closing(connect(temp)) as db:
        make_tables(db)
        if source is not None:
            _take_over(db, source)
        _play(db, logged)
        before = db.total_changes
        is_whole = aside is not None and _fill_in(db, aside, _gone(logged))
        is_filled = db.total_changes > before
        renew_words(db)
        messages, rows = _sizes(db)
        db.execute("PRAGMA journal_mode = WAL")
    temp.replace(path)
    complete = is_whole or _is_complete(path, copies, logged, source)
    if is_filled:
        # What came from the damaged file is in no copy before the next write.
        journal.gap_of(path).touch(0o600)
    if aside is None and source is None and not logged.entries:
        return others
    ident, copied = f"state-{now:%Y%m%dT%H%M%S}", _day_of(source, now) if source else ""
    recovery = Recovery(ident, now, str(aside or ""), copied, messages, rows, complete)
    _note(path, recovery)
    return [recovery.message, *others]


def _day_of(copy: Path, now: datetime) -> str:
    return f"{datetime.fromtimestamp(copy.stat().st_mtime, now.tzinfo):%Y-%m-%d %H:%M}"


def recoveries(path: Path) -> list[Recovery]:
    """All recoveries of this state, oldest first."""
    known = []
    for file in sorted(path.parent.glob(_NOTE.format("*"))):
        try:
            stored: dict[str, Any] = json.loads(file.read_bytes())
            known.append(Recovery(**{**stored, "time": datetime.fromisoformat(stored["time"])}))
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            continue  # somebody else's file
    return known


def renew_words(db: sqlite3.Connection) -> None:
    """Builds the index of words in messages again; it is derived from the texts."""
    with writing(db):
        db.execute("INSERT INTO chat_words (chat_words) VALUES ('delete-all')")
        rows = (
            (seq, words_of(text)) for seq, text in db.execute("SELECT seq, text FROM chat_message")
        )
        db.executemany("INSERT INTO chat_words (rowid, words) VALUES (?, ?)", rows)


def words_of(text: str) -> str:
    """The words of a message, for its index."""
    return " ".join(dict.fromkeys(words(text)))


def _take_over(db: sqlite3.Connection, source: Path) -> None:
    """Takes over the rows of a copy and its counters, so that no number is used twice."""
    db.execute("ATTACH ? AS old", (f"{source.absolute().as_uri()}?mode=ro",))
    with writing(db):
        for table in journal.tables(db):
            db.execute(
                f'INSERT INTO main."{table.name}" SELECT {table.selected} FROM old."{table.name}"'  # noqa: S608 - names of ours
            )
        db.execute("DELETE FROM main.sqlite_sequence")
        db.execute("INSERT INTO main.sqlite_sequence SELECT * FROM old.sqlite_sequence")
    db.execute("DETACH old")


def _play(db: sqlite3.Connection, logged: JournalContent) -> None:
    """Applies the journals to the copy."""
    known = {table.name: table for table in journal.tables(db)}
    with writing(db):
        for entry in logged.entries:
            for name, rows in entry.rows.items():
                for key, row in rows.items():
                    _put(db, known[name], key, row)


def _put(db: sqlite3.Connection, table: Table, key: object, row: Mapping[str, Any] | None) -> None:
    if row is None:
        db.execute(f'DELETE FROM "{table.name}" WHERE "{table.key}" = ?', (key,))  # noqa: S608 - our schema
    else:
        db.execute(table.insert("REPLACE"), [row[column] for column in table.columns])


def _gone(logged: JournalContent) -> set[tuple[str, Any]]:
    """The rows that were deleted by the journals, so that the damaged file does not bring them
    back.
    """
    last = {
        (name, key): row
        for entry in logged.entries
        for name, rows in entry.rows.items()
        for key, row in rows.items()
    }
    return {named for named, row in last.items() if row is None}


def _fill_in(db: sqlite3.Connection, broken: Path, gone: set[tuple[str, Any]]) -> bool:
    """Adds rows of the damaged file that are new here; returns whether it could be read whole."""
    is_whole = True
    with _opened_copy(broken) as old, writing(db):
        # Without this SQLite refuses a file that is shorter than its header says.
        old.execute("PRAGMA writable_schema = ON")
        for table in journal.tables(db):
            at = table.columns.index(table.key)
            try:
                # From the table, not an index: an index may be intact if the rows are not.
                query = f'SELECT {table.selected} FROM "{table.name}" NOT INDEXED'  # noqa: S608 - ours
                for row in old.execute(query):
                    if (table.name, row[at]) not in gone:
                        is_whole &= _is_put(db, table, row)
            except sqlite3.DatabaseError:
                is_whole = False
    return is_whole


def _is_put(db: sqlite3.Connection, table: Table, row: Sequence[Any]) -> bool:
    """Whether a row has the types of its columns: one that was damaged may have others."""
    try:
        db.execute(table.insert("IGNORE"), row)
    except sqlite3.IntegrityError:
        return False
    return True


@contextmanager
def _opened_copy(broken: Path) -> Iterator[sqlite3.Connection]:
    """A copy of the damaged file with its log: SQLite applies the log, and the file stays as it
    was.
    """
    with tempfile.TemporaryDirectory(prefix="clawgit-state-") as folder:
        copy = Path(folder) / "state.db"
        copy.touch()
        for part in (broken, broken.with_name(f"{broken.name}-wal")):
            if part.is_file():
                copy.with_name(part.name.replace(broken.name, copy.name)).write_bytes(
                    part.read_bytes()
                )
        with closing(connect(copy)) as db:
            yield db


def _sizes(db: sqlite3.Connection) -> tuple[int, int]:
    """The number of messages, and of the rows of all other tables."""
    sizes = {
        table.name: db.execute(f'SELECT count(*) FROM "{table.name}"').fetchone()[0]  # noqa: S608 - names of ours
        for table in journal.tables(db)
    }
    messages = sizes.pop(MESSAGES)
    return messages, sum(sizes.values())


def _is_complete(path: Path, copies: Copies, logged: JournalContent, source: Path | None) -> bool:
    """Whether the journals continue the copy, or begin with the first row."""
    names = journal.journals(copies.folder)
    if not names or logged.torn or journal.gap_of(path).exists():
        return False
    from_the_beginning = names[0] == journal.first(copies.folder)
    needed = 1 if source == copies.newest_first[0] else journal.KEPT
    return from_the_beginning or (source is not None and len(names) >= needed)


def _note(path: Path, recovery: Recovery) -> None:
    """Records a recovery under a free name, so that each is reported."""
    number, ident = 0, recovery.id
    while (file := path.with_name(_NOTE.format(ident))).exists():
        number += 1
        ident = f"{recovery.id}-{number}"
    begin_private(file)
    note = {**recovery._asdict(), "id": ident, "time": recovery.time.isoformat()}
    file.write_text(json.dumps(note, indent=1) + "\n", "utf-8")


def _is_usable(copy: Path) -> bool:
    return version_of(copy) > BROKEN and is_sound(copy)
