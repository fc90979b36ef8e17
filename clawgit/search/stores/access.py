"""The access log: which hits of searches were shown, so that frequent ones can be promoted."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from clawgit.core import NamedTuple
from clawgit.core.disk.database import BUSY_SECONDS, plain_errors, storable
from clawgit.git.rules.ids import digest
from clawgit.safety.rules.masks import head
from clawgit.safety.rules.secrets import masked
from clawgit.workspace.stores.state import State

_MOST_ROWS = 50_000
_LONGEST_QUERY = 500
_PATIENCE_MS = 50

_DIGITS = 32
"""Of a hash."""


class Showing(NamedTuple):
    """A question, its session, and the hits that the caller saw, in their JSON shape."""

    query: str
    session: str
    results: Iterable[Mapping[str, Any]]


def record(state: State, showings: Iterable[Showing], now: datetime) -> None:
    """Records hits that a caller was shown.

    Injected hits do not count, or recall would feed itself.
    """
    time, rows = int(now.timestamp()), list[tuple[object, ...]]()
    for query, session, hits in showings:
        # A search without a session counts for its day.
        where = storable(session.strip() or f"day:{now:%Y-%m-%d}")
        asked = storable(head(masked(query), _LONGEST_QUERY))
        rows += [(time, where, asked, storable(hit["path"]), hit["entryId"], "") for hit in hits]
    with plain_errors(Path("state.db")), _hurried(state), state.write() as db:
        db.executemany(_INSERT, rows)
        # The oldest go.
        db.execute(_LET_GO, (_MOST_ROWS,))


def frequent(state: State) -> dict[str, tuple[int, int]]:
    """How often each entry was shown, and in how many sessions.

    An entry is identified by its key, wherever it moved. The same question again in one session
    counts once.
    """
    return {entry: (hits, sessions) for entry, hits, sessions in state.query(_FREQUENT)}


class Access(NamedTuple):
    """That an entry was shown for a question of a session, which are here as hashes."""

    entry: str
    session: str
    asked: str
    time: datetime


def unsent(state: State, sent: int) -> list[tuple[int, Access]]:
    """What was shown since the row of that number, oldest first, each with its number."""
    return [
        (
            number,
            Access(
                entry,
                digest(session)[:_DIGITS],
                digest(query)[:_DIGITS],
                datetime.fromtimestamp(time, UTC),
            ),
        )
        for number, entry, session, query, time in state.query(_UNSENT, sent, _AT_ONCE)
    ]


def take_over(state: State, accesses: Iterable[Access]) -> None:
    """Has the log hold these, which several machines have sent, and no others."""
    rows = [(int(one.time.timestamp()), one.session, one.asked, "", one.entry, "")
            for one in accesses]  # fmt: skip
    with state.write() as db:
        db.execute("DELETE FROM search_hit")
        db.executemany(_INSERT, rows)


@contextmanager
def _hurried(state: State) -> Iterator[None]:
    """Shortens SQLite's wait for a lock: nobody should wait for this after the answer."""
    state.query(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
    try:
        yield
    finally:
        state.query(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000:.0f}")


_INSERT = (
    "INSERT INTO search_hit (time, session, query, path, entry, text) VALUES (?, ?, ?, ?, ?, ?)"
)
_AT_ONCE = 1000
_UNSENT = """
    SELECT id, entry, session, query, time FROM search_hit
    WHERE entry <> '' AND path <> '' AND id > iif(?1 > (SELECT max(id) FROM search_hit), 0, ?1)
    ORDER BY id LIMIT ?2
"""
"""What came from a server has no path. Where the log was emptied, its numbers begin anew; a server
takes nothing twice."""

_LET_GO = "DELETE FROM search_hit WHERE id <= (SELECT max(id) FROM search_hit) - ?"
_FREQUENT = """
    SELECT entry, count(DISTINCT session || char(31) || query), count(DISTINCT session)
    FROM search_hit WHERE entry <> '' GROUP BY entry
"""
