"""What both databases are asked in the same words. They differ in how they store a row."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from clawgit.domain.conversation.chat import Message
from clawgit.domain.safety.masks import Mask
from clawgit.domain.search.terms import queried
from clawgit.stores.chat.protocol import SPOKEN, MessageQuery

_SLICE = 500
_ALL = 1 << 62


class ChatReader(ABC):
    """Reads the rows of `table`. What became a secret since it was stored is masked."""

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
            (f"role IN ({_marks(wanted.roles)})", wanted.roles),
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
        limit = _ALL if wanted.limit is None else wanted.limit
        rows = self._rows(f"WHERE {where} ORDER BY time DESC, seq DESC LIMIT ?", *values, limit)
        return [*map(self._read, reversed(rows))]

    def each(self) -> Iterator[Message]:
        """All messages in the order of time, in bounded memory."""
        where, bound = "TRUE", list[object]()
        while rows := self._rows(f"WHERE {where} ORDER BY time, seq LIMIT {_SLICE}", *bound):
            yield from map(self._read, rows)
            where, bound = "(time, seq) > (?, ?)", [rows[-1][5], rows[-1][0]]

    def get(self, key: str) -> Message | None:
        """The message with this key, from whichever source."""
        rows = self._rows("WHERE live = ? OR record = ?", key, key)
        return self._read(rows[0]) if rows else None

    def arrived(self, after: int, limit: int) -> list[tuple[int, Message]]:
        """What was said, in order of arrival, each message with its number."""
        where = f"WHERE seq > ? AND role IN ({_marks(SPOKEN)}) ORDER BY seq LIMIT ?"
        rows = self._rows(where, after, *SPOKEN, limit)
        return [(int(row[0]), self._read(row)) for row in rows]

    def count(self) -> int:
        return int(self._query(f"SELECT count(*) FROM {self.table}")[0][0])  # noqa: S608 - ours

    def _rows(self, where: str, *values: object) -> list[tuple[Any, ...]]:
        return self._query(f"{selected(self.table)} {where}", *values)

    def _read(self, row: tuple[Any, ...]) -> Message:
        message = self.message(row)
        return message._replace(text=self._mask(message.text))

    def message(self, row: tuple[Any, ...]) -> Message:
        """The message as it is stored."""
        _, ident, session, role, text, time, priority, live, record = row
        return Message(ident, session, role, text, self._time(time), bool(priority), live, record)

    @abstractmethod
    def _query(self, sql: str, *values: object) -> list[tuple[Any, ...]]: ...

    @abstractmethod
    def _time(self, stored: Any) -> datetime: ...

    @abstractmethod
    def _sought(self, terms: Sequence[str]) -> str: ...


def selected(table: str) -> str:
    """The columns of a message, after its number."""
    return f"SELECT seq, id, session, role, text, time, priority, live, record FROM {table}"  # noqa: S608


def _marks(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))
