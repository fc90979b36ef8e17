"""The chat store: every message of every conversation, once, in SQLite or in PostgreSQL."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from clawgit.core import NamedTuple
from clawgit.core.errors import ClawgitError
from clawgit.language.terms import queried
from clawgit.safety.rules.masks import Mask
from clawgit.talk.rules.chat import ASSISTANT, USER, WINDOW, Message, likeness
from clawgit.workspace.stores.state import State

SPOKEN = (USER, ASSISTANT)
"""The roles of those who talk with each other."""


class MessageQuery(NamedTuple):
    """Which messages are wanted: the newest `limit` of those that match all fields.

    `query` has words of the text, or their beginnings. Any of the `roles` will do.
    """

    query: str = ""
    session: str = ""
    roles: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    limit: int = 1 << 62


class ServerAwayError(ClawgitError):
    """A chat server does not answer, or refuses us.

    Nothing is lost: messages wait in `state.db`.
    """

    kind = "chat_server_away"


def clues(messages: Sequence[Message]) -> dict[str, list[str] | list[int] | datetime]:
    """The values by which stored messages are found that could be the same as these, by name."""
    times = [message.time for message in messages]
    return {
        "keys": [key for message in messages for key in (message.live, message.record) if key],
        "ids": [message.id for message in messages if message.id],
        "alike": [*map(likeness, messages)],
        "first": min(times) - WINDOW,
        "last": max(times) + WINDOW,
    }


AWAY = "server away"
"""The mark that holds why the server could not be used."""


def why_away(state: State) -> str | None:
    """Why the chat server could not be reached when it was last needed, and how many messages wait
    for it; None if all is well. It is not asked: that takes seconds.
    """
    rows = state.query("SELECT value FROM chat_mark WHERE name = ?", AWAY)
    [(count,)] = state.query("SELECT count(*) FROM chat_message WHERE NOT sent")
    return f"{rows[0][0]} {waiting_words(count)}" if rows else None


def waiting_words(count: int) -> str:
    return f"{count} message{' waits' if count == 1 else 's wait'} in state.db."


class ChatReader(ABC):
    """Messages, each once, in the rows of `table`: `settle` joins two accounts of one message.

    What became a secret since it was stored is masked.
    """

    table: str
    has_words: str
    """The condition that a row has the words of `_sought`."""

    def __init__(self, mask: Mask) -> None:
        self._mask = mask

    def find(self, wanted: MessageQuery) -> list[Message]:
        """The messages that are wanted, in the order of time."""
        clauses, values = list[str](), list[object]()
        for clause, given in (
            ("session = ?", [wanted.session]),
            ("time >= ?", [wanted.since]),
            ("time < ?", [wanted.until]),
            (f"role IN ({marks(wanted.roles)})", wanted.roles),
        ):
            if any(given):
                clauses.append(clause)
                values += given
        if wanted.query.strip():
            terms = queried(wanted.query)
            if not terms:
                return []
            clauses.append(self.has_words)
            values.append(self._sought(terms))
        where = " AND ".join(clauses) or "TRUE"
        values.append(wanted.limit)
        rows = self._rows(f"WHERE {where} ORDER BY time DESC, seq DESC LIMIT ?", *values)
        return [*map(self._read, reversed(rows))]

    def get(self, key: str) -> Message | None:
        """The message with this key, from whichever source."""
        rows = self._rows("WHERE live = ? OR record = ?", key, key)
        return self._read(rows[0]) if rows else None

    def arrived(self, after: int, limit: int) -> list[tuple[int, Message]]:
        """What user and assistant said, in order of arrival, each message with its number.

        What comes in later gets a higher number, however old it is.
        """
        where = f"WHERE seq > ? AND role IN ({marks(SPOKEN)}) ORDER BY seq LIMIT ?"
        rows = self._rows(where, after, *SPOKEN, limit)
        return [(int(row[0]), self._read(row)) for row in rows]

    def count(self) -> int:
        return int(self._query(f"SELECT count(*) FROM {self.table}")[0][0])  # noqa: S608 - ours

    def _rows(self, where: str, *values: object) -> list[tuple[Any, ...]]:
        return self._query(f"{selected(self.table)} {where}", *values)

    def _read(self, row: tuple[Any, ...]) -> Message:
        return self._masked(self.message(row))

    def _masked(self, message: Message) -> Message:
        return message._replace(text=self._mask(message.text))

    def message(self, row: tuple[Any, ...]) -> Message:
        """The message as it is stored."""
        message = Message._make(row[1:])
        return message._replace(time=self._time(message.time), priority=bool(message.priority))

    @abstractmethod
    def _query(self, sql: str, *values: object) -> list[tuple[Any, ...]]: ...

    @abstractmethod
    def _time(self, stored: Any) -> datetime: ...

    @abstractmethod
    def _sought(self, terms: Sequence[str]) -> str: ...


COLUMNS = ", ".join(Message._fields)
"""Each field of a message has a column of its name."""


def selected(table: str) -> str:
    """The columns of a message, after its number."""
    return f"SELECT seq, {COLUMNS} FROM {table}"  # noqa: S608


def marks(values: Sequence[str], mark: str = "?") -> str:
    """The places of so many values."""
    return ", ".join([mark] * len(values))
