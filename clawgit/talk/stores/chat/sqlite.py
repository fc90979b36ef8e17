"""The chat store in `state.db`: the default, and the place where messages wait for a server."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from clawgit.safety.rules.masks import Mask
from clawgit.safety.rules.secrets import masked
from clawgit.talk.rules.chat import Message, likeness, settle
from clawgit.talk.stores.chat import COLUMNS, ChatReader, clues, marks, selected
from clawgit.workspace.stores.state import State
from clawgit.workspace.stores.state_log import words_of

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


Judge = Callable[[Message, sqlite3.Connection], bool]
"""Triages a message and returns whether it has priority. What it writes over the connection is
committed together with the message, or not at all."""


class SqliteChat(ChatReader):
    """Messages in an open `state.db`.

    A secret is stored as its mask, since messages are searched, quoted and given to agents. What
    became a secret since then is masked when it is read.
    """

    table = "chat_message"
    has_words = "seq IN (SELECT rowid FROM chat_words WHERE chat_words MATCH ?)"

    def __init__(self, state: State, mask: Mask = masked) -> None:
        super().__init__(mask)
        self._state = state
        self._open: sqlite3.Connection | None = None

    @property
    def notes(self) -> list[str]:
        """What had to be repaired in `state.db`, or could not be copied."""
        return self._state.notes

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Writes the block in one transaction; an inner block belongs to the outer one."""
        if self._open is not None:
            yield self._open
            return
        with self._state.write() as db:
            self._open = db
            try:
                yield db
            finally:
                self._open = None

    @contextmanager
    def rehearsal(self) -> Iterator[None]:
        """What is written in the block can be read in it, and is rolled back at its end."""
        with suppress(_TakenBack), self.transaction():
            yield
            raise _TakenBack

    def take(
        self, messages: Sequence[Message], judge: Judge | None = None
    ) -> tuple[list[Message], list[Message]]:
        """Stores messages. Each new one is triaged as part of the same transaction. Returns the new
        ones, and each as it is stored now.
        """
        messages = [*map(self._masked, messages)]

        def take_in(db: sqlite3.Connection) -> tuple[list[Message], list[Message]]:
            named = {name: _stored(value) for name, value in clues(messages).items()}
            known = db.execute(_SELECT + _COULD_BE, named).fetchall()
            settled = settle(messages, [*map(self.message, known)])
            db.executemany(_CHANGE, [(*_row(new), known[at][0]) for at, new in settled.changed])
            for message in settled.fresh:
                is_first = message.priority or (judge is not None and judge(message, db))
                row = _row(message._replace(priority=is_first))
                seq = db.execute(_ADD, (*row, likeness(message))).lastrowid
                db.execute(_ADD_WORDS, (seq, words_of(message.text)))
            return settled.fresh, settled.stored

        # A new transaction is repeated if the file was repaired.
        return take_in(self._open) if self._open is not None else self._state.transact(take_in)

    def drop_before(self, moment: datetime) -> int:
        """Deletes older messages; returns how many."""
        return self._drop("time < ?", _micros(moment))

    def forget(self, holds: Callable[[str], bool], *, dry_run: bool = False) -> int:
        """Deletes the messages whose text `holds` accepts; returns how many."""
        texts = self._state.query("SELECT seq, text FROM chat_message")
        gone = [seq for seq, text in texts if holds(text)]
        if dry_run:
            return len(gone)
        return self._drop("seq IN (SELECT value FROM json_each(?))", json.dumps(gone))

    def unsent(self, after: int, limit: int) -> list[tuple[int, Message]]:
        """Messages that a server does not have in their current form, in order, with numbers."""
        rows = self._rows("WHERE NOT sent AND seq > ? ORDER BY seq LIMIT ?", after, limit)
        return [(row[0], self.message(row)) for row in rows]

    def mark_sent(self, sent: Sequence[tuple[int, Message]]) -> None:
        """Marks messages as sent. One that has changed since it was read must still be sent."""
        with self.transaction() as db:
            db.executemany(_SENT, [(*_row(message), seq) for seq, message in sent])

    def waiting(self) -> int:
        return int(self._state.query("SELECT count(*) FROM chat_message WHERE NOT sent")[0][0])

    def drop_sent(self, before: datetime) -> int:
        """Deletes messages from before that moment that a server has."""
        return self._drop("sent AND time < ?", _micros(before))

    def mark(self, name: str) -> str | None:
        """What was stored under a name, such as how far a transcript was read."""
        rows = self._state.query("SELECT value FROM chat_mark WHERE name = ?", name)
        return str(rows[0][0]) if rows else None

    def set_mark(self, name: str, value: str | None) -> None:
        with self.transaction() as db:
            if value is None:
                db.execute("DELETE FROM chat_mark WHERE name = ?", (name,))
            else:
                db.execute("INSERT OR REPLACE INTO chat_mark VALUES (?, ?)", (name, value))

    def _query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        return self._state.query(sql, *map(_stored, values))

    def _time(self, stored: Any) -> datetime:
        # A number that is no time comes from a damaged row; the row's text should still be shown.
        try:
            return _EPOCH + timedelta(microseconds=stored)
        except OverflowError:
            return _EPOCH

    def _sought(self, terms: Sequence[str]) -> str:
        return " ".join(f'"{term}"*' for term in terms)

    def _drop(self, condition: str, value: int | str) -> int:
        dropped = 0
        with self.transaction() as db:
            # In slices, because each message is read: the index drops words only when it is given
            # the very words that it took in.
            while rows := db.execute(f"{_SELECT} WHERE {condition} LIMIT 500", (value,)).fetchall():
                held = [(row[0], words_of(self.message(row).text)) for row in rows]
                db.executemany(_DROP_WORDS, held)
                db.executemany(
                    "DELETE FROM chat_message WHERE seq = ?", [(row[0],) for row in rows]
                )
                dropped += len(rows)
        return dropped


class _TakenBack(Exception):  # noqa: N818 - no error: it ends a rehearsal
    pass


def _row(message: Message) -> tuple[object, ...]:
    return tuple(_stored(value) for value in message)


def _stored(value: object) -> object:
    if isinstance(value, list):
        return json.dumps(value)
    return _micros(value) if isinstance(value, datetime) else value


def _micros(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND


_SELECT = selected(SqliteChat.table)
_COULD_BE = """
    WHERE seq IN (
        SELECT seq FROM chat_message WHERE live IN (SELECT value FROM json_each(:keys))
        UNION SELECT seq FROM chat_message WHERE record IN (SELECT value FROM json_each(:keys))
        UNION SELECT seq FROM chat_message WHERE id IN (SELECT value FROM json_each(:ids))
        UNION SELECT seq FROM chat_message
            WHERE likeness IN (SELECT value FROM json_each(:alike))
            AND time BETWEEN :first AND :last
    ) ORDER BY time, seq"""
_PLACES = marks(Message._fields)
_ADD = f"INSERT INTO chat_message ({COLUMNS}, likeness) VALUES ({_PLACES}, ?)"  # noqa: S608 - columns of ours
_CHANGE = f"UPDATE chat_message SET sent = 0, ({COLUMNS}) = ({_PLACES}) WHERE seq = ?"  # noqa: S608
_SENT = f"UPDATE chat_message SET sent = 1 WHERE ({COLUMNS}) IS ({_PLACES}) AND seq = ?"  # noqa: S608
_ADD_WORDS = "INSERT INTO chat_words (rowid, words) VALUES (?, ?)"
_DROP_WORDS = "INSERT INTO chat_words (chat_words, rowid, words) VALUES ('delete', ?, ?)"
