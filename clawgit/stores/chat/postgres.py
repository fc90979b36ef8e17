"""The chat store in PostgreSQL, for several machines. Writers wait for each other."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from clawgit.domain.conversation.chat import Message, likeness, settle
from clawgit.domain.safety.masks import Mask
from clawgit.domain.safety.secrets import masked
from clawgit.domain.search.terms import queried, words
from clawgit.doors import load, psycopg
from clawgit.errors import ConfigError, MissingExtraError
from clawgit.stores.chat.protocol import SPOKEN, MessageQuery, ServerAwayError, clues, conditions

if TYPE_CHECKING:
    Connection: TypeAlias = psycopg.Connection[Any]

_PATIENCE_SECONDS = 5
_WRITERS = 0x636C6177_6D7367
_MAKERS = 0x636C6177_736368
"""Numbers of our advisory locks, which hold for a whole database."""

_MOST_WORDS = 5000
_LONGEST_WORD = 50
_SLICE = 500
_HINT = (
    "Check chat_store (or CLAWGIT_CHAT_STORE), and that the server runs. Messages wait in "
    "state.db until it does."
)

_TABLES = """
    CREATE TABLE clawgit_message (
        seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id text NOT NULL, session text NOT NULL, role text NOT NULL, text text NOT NULL,
        time timestamptz NOT NULL,
        priority boolean NOT NULL, live text UNIQUE, record text UNIQUE, likeness bigint NOT NULL,
        words tsvector NOT NULL
    );
    CREATE INDEX clawgit_message_by_time ON clawgit_message (time, seq);
    CREATE INDEX clawgit_message_by_session ON clawgit_message (session, time);
    CREATE INDEX clawgit_message_by_id ON clawgit_message (id);
    CREATE INDEX clawgit_message_by_likeness ON clawgit_message (likeness, time);
    CREATE INDEX clawgit_message_by_words ON clawgit_message USING gin (words);
"""


class PostgresChat:
    """Messages in the database at an address, in its current schema; close it when done.

    Any method may raise `ServerAwayError`: the server could not do it now, and a `put` wrote
    nothing. Secrets are masked on the way in and out, as in `state.db`.
    """

    def __init__(self, address: str, mask: Mask = masked) -> None:
        self._mask = mask
        self._address = address
        self._db: Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
        self._db = None

    def put(self, messages: Sequence[Message]) -> list[Message]:
        if not messages:
            return []
        # Masked before anything is compared, since the stored rows are masked.
        messages = [message._replace(text=self._mask(message.text)) for message in messages]
        with self._connection() as db, db.cursor() as cursor:
            # One writer at a time, until the transaction ends: two with the same message would each
            # find it missing.
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", (_WRITERS,))
            wanted = clues(messages)
            known = cursor.execute(_COULD_BE, (wanted.keys, wanted.keys, *wanted[1:])).fetchall()
            settled = settle(messages, [*map(_message, known)])
            cursor.executemany(_CHANGE, [(*new, known[at][0]) for at, new in settled.changed])
            cursor.executemany(
                _ADD,
                [(*message, likeness(message), _indexed(message)) for message in settled.fresh],
            )
        return settled.fresh

    def find(self, wanted: MessageQuery) -> list[Message]:
        clauses, values = conditions(wanted, "%s")
        if wanted.query.strip():
            terms = [f"'{term[:_LONGEST_WORD]}':*" for term in queried(wanted.query)]
            if not terms:
                return []
            clauses.append("words @@ %s::tsquery")
            values.append(" & ".join(terms))
        where = " AND ".join(clauses) or "TRUE"
        sql = f"{_SELECT} WHERE {where} ORDER BY time DESC, seq DESC LIMIT %s"
        with self._connection() as db:
            rows = db.execute(sql.encode(), (*values, wanted.limit)).fetchall()
        return [*map(self._read, reversed(rows))]

    def each(self) -> Iterator[Message]:
        where, bound = "TRUE", list[object]()
        while True:
            with self._connection() as db:
                rows = db.execute(
                    f"{_SELECT} WHERE {where} ORDER BY time, seq LIMIT {_SLICE}".encode(), bound
                ).fetchall()
            if not rows:
                return
            yield from map(self._read, rows)
            where, bound = "(time, seq) > (%s, %s)", [rows[-1][5], rows[-1][0]]

    def get(self, key: str) -> Message | None:
        with self._connection() as db:
            row = db.execute(
                f"{_SELECT} WHERE live = %s OR record = %s".encode(), (key, key)
            ).fetchone()
        return self._read(row) if row else None

    def arrived(self, after: int, limit: int) -> list[tuple[int, Message]]:
        """Writers wait for each other, so no number becomes visible after a higher one."""
        with self._connection() as db:
            rows = db.execute(_ARRIVED, (after, [*SPOKEN], limit)).fetchall()
        return [(int(row[0]), self._read(row)) for row in rows]

    def drop_before(self, moment: datetime) -> int:
        with self._connection() as db:
            return db.execute("DELETE FROM clawgit_message WHERE time < %s", (moment,)).rowcount

    def forget(self, holds: Callable[[str], bool]) -> int:
        """Deleted rows stay in the server's files until it is vacuumed, which is done here."""
        with self._connection() as db:
            rows = db.execute("SELECT seq, text FROM clawgit_message").fetchall()
            gone = [seq for seq, text in rows if holds(text)]
            db.execute("DELETE FROM clawgit_message WHERE seq = ANY(%s::bigint[])", (gone,))
        if gone:
            with self._connection(in_one=False) as db:
                db.execute("VACUUM FULL clawgit_message")
        return len(gone)

    def count(self) -> int:
        with self._connection() as db:
            row = db.execute("SELECT count(*) FROM clawgit_message").fetchone()
        return int(row[0]) if row else 0

    def _read(self, row: tuple[Any, ...]) -> Message:
        message = _message(row)
        return message._replace(text=self._mask(message.text))

    @contextmanager
    def _connection(self, *, in_one: bool = True) -> Iterator["Connection"]:
        """The connection, `in_one` transaction unless that cannot be."""
        _must_be_installed()
        try:
            if self._db is None:
                self._db = _opened(self._address)
            with self._db.transaction() if in_one else nullcontext():
                yield self._db
        except psycopg.Error as error:
            # What it refuses now it may accept later: it may be a standby, or lack a table or a
            # right.
            self.close()
            raise _away(error) from error


def _opened(address: str) -> "Connection":
    """A connection to tables that are there."""
    try:
        db = psycopg.connect(
            address, connect_timeout=_PATIENCE_SECONDS, client_encoding="UTF8", autocommit=True
        )
    except psycopg.ProgrammingError as error:
        if error.sqlstate:
            raise
        # Not what psycopg says: it quotes the address, which may hold a password.
        raise ConfigError(
            "chat_store is not an address that PostgreSQL understands.", hint=_HINT
        ) from None
    try:
        _check_encoding(db)
        with db.transaction():
            _make_tables(db)
    except BaseException:
        db.close()
        raise
    return db


def _must_be_installed() -> None:
    try:
        load(psycopg)
    except ImportError as error:
        raise MissingExtraError(
            "A chat store in PostgreSQL needs the package psycopg.",
            hint="pip install 'clawgit[postgres]'",
        ) from error


def _check_encoding(db: "Connection") -> None:
    """Refuses a database that is not UTF-8.

    A message that it cannot store would hold up all later ones.
    """
    encoding = db.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise ServerAwayError(
            f"The chat server's database holds its text as {encoding}; messages need UTF8.",
            hint="CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0, and name that in "
            "chat_store.",
        )


def _make_tables(db: "Connection") -> None:
    # Two machines may do so at once.
    db.execute("SELECT pg_advisory_xact_lock(%s)", (_MAKERS,))
    if db.execute("SELECT to_regclass('clawgit_message')").fetchone() == (None,):
        db.execute(_TABLES)


def _away(error: "psycopg.Error") -> ServerAwayError:
    why = " ".join((error.diag.message_primary or str(error)).split())[:300] or type(error).__name__
    return ServerAwayError(f"The chat server cannot be used: {why}", hint=_HINT)


def _message(row: tuple[Any, ...]) -> Message:
    message = Message(*row[1:])
    return message._replace(time=message.time.astimezone(UTC))


def _indexed(message: Message) -> list[str]:
    """The words of a message; of a very long one only the first: a tsvector holds one megabyte."""
    indexed = dict.fromkeys(word[:_LONGEST_WORD] for word in words(message.text))
    return [*islice(indexed, _MOST_WORDS)]


_SELECT = "SELECT seq, id, session, role, text, time, priority, live, record FROM clawgit_message"
_ARRIVED = f"{_SELECT} WHERE seq > %s AND role = ANY(%s::text[]) ORDER BY seq LIMIT %s".encode()
_COULD_BE = f"""{_SELECT} WHERE live = ANY(%s::text[]) OR record = ANY(%s::text[])
OR id = ANY(%s::text[])
    OR (likeness = ANY(%s::bigint[]) AND time BETWEEN %s AND %s) ORDER BY time, seq""".encode()
_ADD = """
    INSERT INTO clawgit_message (id, session, role, text, time, priority, live, record, likeness,
    words) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, array_to_tsvector(%s::text[])) ON CONFLICT DO
    NOTHING
"""
_CHANGE = """
    UPDATE clawgit_message SET id = %s, session = %s, role = %s, text = %s, time = %s, priority =
    %s, live = %s, record = %s WHERE seq = %s
"""
