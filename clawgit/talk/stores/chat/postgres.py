"""The chat store in PostgreSQL, for several machines. Writers wait for each other."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from itertools import islice, starmap
from typing import TYPE_CHECKING, Any, Self, TypeAlias, cast

from clawgit.core.doors import load, psycopg
from clawgit.core.errors import ConfigError, MissingExtraError
from clawgit.language.terms import words
from clawgit.safety.rules.masks import Mask
from clawgit.safety.rules.secrets import masked
from clawgit.search.stores.access import Access
from clawgit.talk.rules.chat import Message, likeness, settle
from clawgit.talk.stores.chat import COLUMNS, ChatReader, ServerAwayError, clues, marks, selected

if TYPE_CHECKING:
    Connection: TypeAlias = psycopg.Connection[Any]

_PATIENCE_SECONDS = 5
_WRITERS = 0x636C6177_6D7367
_MAKERS = 0x636C6177_736368
"""Numbers of our advisory locks, which hold for a whole database."""

_MOST_WORDS = 5000
_LONGEST_WORD = 50
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


class PostgresChat(ChatReader):
    """Messages in the database at an address, in its current schema; close it when done.

    Any method may raise `ServerAwayError`: the server could not do it now, and a `put` wrote
    nothing. Secrets are masked on the way in and out, as in `state.db`.
    """

    table = "clawgit_message"
    has_words = "words @@ ?::tsquery"

    def __init__(self, address: str, mask: Mask = masked) -> None:
        super().__init__(mask)
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
        messages = [*map(self._masked, messages)]
        with self._connection() as db, db.cursor() as cursor:
            # One writer at a time, until the transaction ends: two with the same message would each
            # find it missing.
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", (_WRITERS,))
            known = cursor.execute(_COULD_BE, clues(messages)).fetchall()
            settled = settle(messages, [*map(self.message, known)])
            cursor.executemany(_CHANGE, [(*new, known[at][0]) for at, new in settled.changed])
            cursor.executemany(
                _ADD,
                [(*message, likeness(message), _indexed(message)) for message in settled.fresh],
            )
        return settled.fresh

    def drop_before(self, moment: datetime) -> int:
        with self._connection() as db:
            return db.execute("DELETE FROM clawgit_message WHERE time < %s", (moment,)).rowcount

    def forget(self, holds: Callable[[str], bool], *, dry_run: bool = False) -> int:
        """Deleted rows stay in the server's files until it is vacuumed, which is done here."""
        with self._connection() as db:
            rows = db.execute("SELECT seq, text FROM clawgit_message").fetchall()
            gone = [seq for seq, text in rows if holds(text)]
            if dry_run:
                return len(gone)
            db.execute("DELETE FROM clawgit_message WHERE seq = ANY(%s::bigint[])", (gone,))
        if gone:
            with self._connection(in_one=False) as db:
                db.execute("VACUUM FULL clawgit_message")
        return len(gone)

    def put_accesses(self, accesses: Sequence[Access]) -> None:
        """Stores what searches showed, where the server is that of a fleet."""
        with self._connection() as db, db.cursor() as cursor:
            if cursor.execute(_COUNTS_ACCESS).fetchone() != (None,):
                cursor.executemany(_ADD_ACCESS, accesses)

    def accesses(self) -> list[Access]:
        """The newest ones, of all machines."""
        return [*starmap(Access, self._query(_ACCESSES))]

    def _query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self._connection() as db:
            return db.execute(sql.replace("?", "%s").encode(), values).fetchall()

    def _time(self, stored: Any) -> datetime:
        return cast("datetime", stored.astimezone(UTC))

    def _sought(self, terms: Sequence[str]) -> str:
        return " & ".join(f"'{term[:_LONGEST_WORD]}':*" for term in terms)

    @contextmanager
    def _connection(self, *, in_one: bool = True) -> Iterator["Connection"]:
        """The connection, `in_one` transaction unless that cannot be."""
        try:
            load(psycopg)
        except ImportError as error:
            raise MissingExtraError(
                "A chat store in PostgreSQL needs the package psycopg.",
                hint="pip install 'clawgit[postgres]'",
            ) from error
        try:
            if self._db is None:
                self._db = _opened(self._address)
            with self._db.transaction() if in_one else nullcontext():
                yield self._db
        except psycopg.Error as error:
            # What it refuses now it may accept later: it may be a standby, or lack a table or a
            # right.
            self.close()
            raise ServerAwayError(
                f"The chat server cannot be used: {reason_of(error)}", hint=_HINT
            ) from error


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
        if why := unfit(db):
            raise ServerAwayError(f"The chat server cannot be used: {why}", hint=MAKE_UTF8)  # noqa: TRY301
        with db.transaction():
            # Two machines may do so at once.
            db.execute("SELECT pg_advisory_xact_lock(%s)", (_MAKERS,))
            if db.execute("SELECT to_regclass('clawgit_message')").fetchone() == (None,):
                db.execute(_TABLES)
    except BaseException:
        db.close()
        raise
    return db


MAKE_UTF8 = (
    "CREATE DATABASE clawgit_utf8 ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0; then name it."
)


def unfit(db: "Connection") -> str:
    """Why a database cannot hold every text; "" if it can."""
    encoding = db.info.parameter_status("server_encoding")
    return "" if encoding == "UTF8" else f"its database has the encoding {encoding}, not UTF8."


def reason_of(error: "psycopg.Error") -> str:
    """What PostgreSQL says is wrong, in a line."""
    words = (error.diag.message_primary or str(error)).split()
    return " ".join(words)[:300] or type(error).__name__


def _indexed(message: Message) -> list[str]:
    """The words of a message; of a very long one only the first: a tsvector holds one megabyte."""
    indexed = dict.fromkeys(word[:_LONGEST_WORD] for word in words(message.text))
    return [*islice(indexed, _MOST_WORDS)]


_COULD_BE = f"""{selected(PostgresChat.table)}
    WHERE live = ANY(%(keys)s::text[]) OR record = ANY(%(keys)s::text[])
    OR id = ANY(%(ids)s::text[])
    OR (likeness = ANY(%(alike)s::bigint[]) AND time BETWEEN %(first)s AND %(last)s)
    ORDER BY time, seq""".encode()
_PLACES = marks(Message._fields, "%s")
_ADD = f"""INSERT INTO clawgit_message ({COLUMNS}, likeness, words)
    VALUES ({_PLACES}, %s, array_to_tsvector(%s::text[])) ON CONFLICT DO NOTHING""".encode()  # noqa: S608 - columns of ours
_CHANGE = f"UPDATE clawgit_message SET ({COLUMNS}) = ({_PLACES}) WHERE seq = %s".encode()  # noqa: S608 - columns of ours
_COUNTS_ACCESS = "SELECT to_regclass('clawgit_access')"
_ADD_ACCESS = """
    INSERT INTO clawgit_access (entry, session, asked, time) VALUES (%s, %s, %s, %s)
    ON CONFLICT DO NOTHING
"""
_ACCESSES = """
    SELECT entry, session, asked, time FROM clawgit_access ORDER BY time DESC LIMIT 50000
"""
