"""Restores `state.db` from its newest sound copy, the journals, and the damaged file, which only
adds what the others lack. What was restored from where is recorded in a file next to the damaged
one, for `status`.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from clawgit.domain.search.terms import words
from clawgit.errors import counted
from clawgit.stores import state_journal as journal
from clawgit.stores.clearing import clear
from clawgit.stores.database import (
    begin_private,
    connect,
    copy_database,
    is_sound,
    move_aside,
    writing,
)
from clawgit.stores.state_copies import Copies, clear_of_others
from clawgit.stores.state_journal import JournalContent, Table
from clawgit.stores.state_salvage import Salvaged, salvage
from clawgit.stores.state_schema import BROKEN, Migration, migrate, version_of

MESSAGES = "chat_message"
_COPY = "copy"
_JOURNAL = "journal"
_FILE = "file"
_NOTE = "state.recovered-{}.json"


class Recovery(NamedTuple):
    """One recovery of the state.

    `messages` and `rows` of other tables are counted by source: copy, journal, file. `complete` is
    false if acknowledged data may be missing.
    """

    id: str
    time: datetime
    kept: str
    copy: str
    copied: str
    messages: Mapping[str, int]
    rows: Mapping[str, int]
    complete: bool

    @property
    def message(self) -> str:
        """What happened, in words."""
        what = "state.db was damaged" if self.kept else "state.db was gone"
        parts = [f"{what}. {self._came_back()}"]
        if self.kept:
            parts.append(f"The damaged file is kept: {self.kept}.")
        parts.append(self._missing())
        return " ".join(parts)

    def _came_back(self) -> str:
        if not self.messages and not self.rows:
            return "Nothing could be recovered."
        other = sum(self.rows.values())
        return (
            f"Recovered: {_with_sources(self.messages, 'message')} and "
            f"{counted(other, 'other row')}."
        )

    def _missing(self) -> str:
        if self.complete:
            return "Nothing that was acknowledged is missing."
        since = f" after {self.copied}" if self.copied else ""
        return f"Messages that came in{since} may be missing."


def _with_sources(sources: Mapping[str, int], noun: str) -> str:
    """The sum, and where it came from."""
    places = {_COPY: "the daily copy", _JOURNAL: "the journal", _FILE: "the damaged file"}
    whole = sum(sources.values())
    listed = ", ".join(
        f"{sources[name]} from {place}" for name, place in places.items() if sources.get(name)
    )
    return counted(whole, noun) + (f" ({listed})" if listed else "")


def recover(path: Path, copies: Copies, now: datetime, steps: tuple[Migration, ...]) -> list[str]:
    """Makes a new database in place of a missing or damaged one; the caller holds the lock.

    Returns what was done. The old file is moved aside. Nothing is reported if there never was a
    state.
    """
    aside = move_aside(path, now)
    others = clear_of_others(copies)
    source = next((copy for copy in copies.newest_first if _is_usable(copy, steps)), None)
    logged = journal.read(copies.folder)
    temp = path.with_name("state.new")
    _begin(temp, steps)
    with closing(sqlite3.connect(temp, isolation_level=None)) as db:
        if source is not None:
            _take_over(db, source, steps)
        before = _sizes(db)
        _play(db, logged)
        between = _sizes(db)
        salvaged = _salvaged(db, aside, source, steps)
        _fill_in(db, salvaged, _gone(logged))
        after = _sizes(db)
        renew_words(db)
        db.execute("PRAGMA journal_mode = WAL")
    temp.replace(path)
    complete = _is_complete(path, copies, logged, salvaged, source)
    if after != between:
        # What came from the damaged file is in no copy before the next write.
        journal.gap_of(path).touch(0o600)
    had_any = source is not None or bool(logged.entries)
    if aside is None and not had_any:
        return others
    sizes = {_COPY: before, _JOURNAL: between - before, _FILE: after - between}
    recovery = _told(now, aside, source, sizes, complete=complete)
    _note(path, recovery)
    return [recovery.message, *others]


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


def _begin(temp: Path, steps: Sequence[Migration]) -> None:
    """Makes a new database under another name.

    Only rows are taken from the old one, since its indexes may be damaged too.
    """
    clear(temp)
    begin_private(temp)
    with closing(sqlite3.connect(temp, isolation_level=None)) as db:
        migrate(db, steps)


def _take_over(db: sqlite3.Connection, source: Path, steps: Sequence[Migration]) -> None:
    """Takes over the rows of a copy and its counters, so that no number is used twice."""
    old = source.with_name("state.old")
    with closing(connect(source)) as kept:
        copy_database(kept, old)
    with closing(connect(old)) as kept:
        migrate(kept, steps)
    db.execute("ATTACH ? AS old", (str(old),))
    with writing(db):
        for table in journal.tables(db):
            db.execute(
                f'INSERT OR REPLACE INTO main."{table.name}" SELECT {table.selected} FROM '  # noqa: S608 - names of ours
                f'old."{table.name}"'
            )
        db.execute("DELETE FROM main.sqlite_sequence")
        db.execute("INSERT INTO main.sqlite_sequence SELECT * FROM old.sqlite_sequence")
    db.execute("DETACH old")
    clear(old)


def _play(db: sqlite3.Connection, logged: JournalContent) -> None:
    """Applies the journals to the copy.

    Columns and tables that this version does not have are skipped.
    """
    known = {table.name: table for table in journal.tables(db)}
    with writing(db):
        for entry in logged.entries:
            for name, rows in entry.rows.items():
                if name in known:
                    _put_all(db, known[name], rows)


def _put_all(
    db: sqlite3.Connection, table: Table, rows: Mapping[Any, Mapping[str, Any] | None]
) -> None:
    for key, row in rows.items():
        if row is None:
            db.execute(f'DELETE FROM "{table.name}" WHERE "{table.key}" = ?', (key,))  # noqa: S608 - our schema
        else:
            _put(db, table, row, "REPLACE")


def _put(db: sqlite3.Connection, table: Table, row: Mapping[str, Any], otherwise: str) -> int:
    columns = [column for column in table.columns if column in row]
    names, marks = ", ".join(f'"{column}"' for column in columns), ", ".join("?" * len(columns))
    statement = f'INSERT OR {otherwise} INTO "{table.name}" ({names}) VALUES ({marks})'  # noqa: S608 - our schema
    return db.execute(statement, [row[column] for column in columns]).rowcount


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


def _salvaged(
    db: sqlite3.Connection, aside: Path | None, source: Path | None, steps: Sequence[Migration]
) -> Salvaged:
    if aside is None:
        return Salvaged({}, whole=False)
    fresh = aside.with_name("state.empty")
    _begin(fresh, steps)
    try:
        return salvage(aside, [*([source] if source else []), fresh], db)
    finally:
        clear(fresh)


def _fill_in(db: sqlite3.Connection, salvaged: Salvaged, gone: set[tuple[str, Any]]) -> None:
    known = {table.name: table for table in journal.tables(db)}
    with writing(db):
        for name, rows in salvaged.rows.items():
            for key, row in rows.items():
                if (
                    (name, key) not in gone
                    and not _put(db, known[name], row, "IGNORE")
                    and name == MESSAGES
                ):
                    _put_message(db, known[name], row)


def _put_message(db: sqlite3.Connection, table: Table, row: Mapping[str, Any]) -> None:
    """Adds a message.

    If another message has its number, but none has its keys, it gets a new number.
    """
    keys = row["live"], row["record"]
    if (
        db.execute("SELECT 1 FROM chat_message WHERE live = ? OR record = ?", keys).fetchone()
        is None
    ):
        _put(
            db,
            table,
            {column: value for column, value in row.items() if column != table.key},
            "IGNORE",
        )


def _sizes(db: sqlite3.Connection) -> Counter[str]:
    counted = {table.name: f'SELECT count(*) FROM "{table.name}"' for table in journal.tables(db)}  # noqa: S608 - names of ours
    return Counter({name: db.execute(query).fetchone()[0] for name, query in counted.items()})


def _is_complete(
    path: Path, copies: Copies, logged: JournalContent, salvaged: Salvaged, source: Path | None
) -> bool:
    """Whether nothing that was acknowledged is missing.

    That is so if the damaged file could be read whole, or if the journals continue the copy, or
    begin with the first row.
    """
    if salvaged.whole:
        return True
    names = journal.journals(copies.folder)
    if not names or logged.torn or journal.gap_of(path).exists():
        return False
    from_the_beginning = names[0] == journal.first(copies.folder)
    needed = 1 if source == copies.newest_first[0] else journal.KEPT
    return from_the_beginning or (source is not None and len(names) >= needed)


def _told(
    now: datetime,
    aside: Path | None,
    source: Path | None,
    sizes: Mapping[str, Counter[str]],
    *,
    complete: bool,
) -> Recovery:
    copied = ""
    if source is not None:
        copied = datetime.fromtimestamp(source.stat().st_mtime, now.tzinfo).strftime(
            "%Y-%m-%d %H:%M"
        )
    return Recovery(
        id=f"state-{now:%Y%m%dT%H%M%S}",
        time=now,
        kept=str(aside or ""),
        copy=str(source or ""),
        copied=copied,
        messages={place: size[MESSAGES] for place, size in sizes.items() if size[MESSAGES]},
        rows={
            place: rest for place, size in sizes.items() if (rest := size.total() - size[MESSAGES])
        },
        complete=complete,
    )


def _note(path: Path, recovery: Recovery) -> None:
    """Records a recovery under a free name, so that each is reported."""
    number, ident = 0, recovery.id
    while (file := path.with_name(_NOTE.format(ident))).exists():
        number += 1
        ident = f"{recovery.id}-{number}"
    begin_private(file)
    note = {**recovery._asdict(), "id": ident, "time": recovery.time.isoformat()}
    file.write_text(json.dumps(note, indent=1) + "\n", "utf-8")


def _is_usable(copy: Path, steps: Sequence[Migration]) -> bool:
    return version_of(copy, steps[-1].version) > BROKEN and is_sound(copy)
