"""The queues in `state.db`: what waits for an agent or a script. A crash repeats no item.

A worker that claims an item holds it for `LEASE`. If it does not finish in that time, another
worker gets it.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from clawgit.core import NamedTuple
from clawgit.core.errors import BusyError, NotFoundError
from clawgit.workspace.stores.state import State, seconds

LEASE = timedelta(minutes=5)
MOST_TRIES = 3
_PAUSE = timedelta(minutes=1)
"""The pause after the first failure; each further failure doubles it."""

_DIED = "its consumer died, or took too long"


class QueueItem(NamedTuple):
    """One thing to do.

    `told` is what the sender says about it, as JSON. `aside`: it failed too often. `held`: a worker
    has it; `holder` is the token that proves which.
    """

    id: int
    queue: str
    told: Mapping[str, Any]
    since: datetime
    tries: int
    trouble: str
    aside: bool
    held: bool
    holder: str


def put(
    db: sqlite3.Connection, queue: str, payload: Mapping[str, object], rank: int, now: datetime
) -> int:
    """Adds an item, as part of whatever else the transaction writes. A higher rank comes first."""
    row = (queue, rank, json.dumps(dict(payload), ensure_ascii=False), seconds(now))
    added = db.execute(
        "INSERT INTO queue_item (queue, rank, told, since) VALUES (?, ?, ?, ?) RETURNING id", row
    )
    return int(added.fetchone()[0])


def claim(state: State, queue: str, now: datetime) -> QueueItem | None:
    """The next item of a queue, leased to the caller; None if there is nothing to do."""
    named = {
        "holder": uuid4().hex, "now": seconds(now), "until": seconds(now + LEASE), "queue": queue,
    }  # fmt: skip
    with state.write() as db:
        rows = db.execute(_CLAIM, named).fetchall()
    return _item(rows[0]) if rows else None


def done(state: State, item: QueueItem) -> bool:
    """Removes a finished item from its queue; False if another worker got it meanwhile."""
    return _changed(state, f"DELETE {_HELD_BY}", item.id, item.holder)


def fail(state: State, item: QueueItem, trouble: str, now: datetime) -> bool:
    """Gives an item back, to be tried again after a pause; after the third time it is set aside."""
    again = now + _PAUSE * 2 ** (item.tries - 1)
    return _changed(state, _FAIL, trouble, seconds(again), item.id, item.holder)


def listed(state: State, now: datetime) -> list[QueueItem]:
    """All items, in the order in which they will be claimed; those that were set aside come
    last.
    """
    rows = state.query(f"{_SELECT} ORDER BY aside, queue, rank DESC, id", seconds(now))
    return [*map(_item, rows)]


def newest(state: State, queue: str) -> int:
    """The number of the newest item of a queue, 0 if it is empty."""
    return int(
        state.query("SELECT coalesce(max(id), 0) FROM queue_item WHERE queue = ?", queue)[0][0]
    )


def clear(state: State, queue: str, upto: int) -> None:
    """Removes the items up to a number, because they were handled in another way."""
    _changed(state, "DELETE FROM queue_item WHERE queue = ? AND id <= ?", queue, upto)


def waiting(state: State, now: datetime) -> list[str]:
    """The queues in which something can be claimed now."""
    rows = state.query(
        "SELECT DISTINCT queue FROM queue_item WHERE tries < ? AND free_at <= ?",
        MOST_TRIES,
        seconds(now),
    )
    return sorted(queue for (queue,) in rows)


def let_go(state: State, idents: Iterable[int], now: datetime) -> None:
    """Removes those of some items that nobody holds. Others may have settled some meanwhile."""
    rows = [(ident, seconds(now)) for ident in idents]
    with state.write() as db:
        db.executemany(
            "DELETE FROM queue_item WHERE id = ? AND (holder = '' OR free_at <= ?)", rows
        )


def settle(
    state: State, ident: int, now: datetime, *, drop: bool, dry_run: bool = False
) -> QueueItem:
    """Lets an item be tried at once, and as often as a new one, or removes it unprocessed;
    BusyError while it is held.
    """
    with nullcontext() if dry_run else state.write() as db:
        rows = state.query(f"{_SELECT} WHERE id = ?2", seconds(now), ident)
        if not rows:
            raise NotFoundError(
                f"There is no item {ident} in the queue.",
                hint="`clawgit run --queue --dry-run` shows the waiting calls.",
            )
        item = _item(rows[0])
        if item.held:
            raise BusyError(f"Item {ident} is being worked on.", hint="Try again when it is done.")
        if db is not None:
            db.execute("DELETE FROM queue_item WHERE id = ?" if drop else _RETRY, (ident,))
    return item


def _changed(state: State, statement: str, *values: object) -> bool:
    with state.write() as db:
        return db.execute(statement, values).rowcount == 1


def _item(row: tuple[Any, ...]) -> QueueItem:
    item = QueueItem._make(row)
    aside, held = bool(item.aside), bool(item.held)
    return item._replace(
        told=json.loads(row[2]),
        since=datetime.fromtimestamp(row[3], UTC),
        # What killed whoever took it had nobody left to say so.
        trouble=item.trouble or (_DIED if aside else ""),
        aside=aside,
        held=held,
    )


_FREE = "(holder = '' OR free_at <= {now})"
_COLUMNS = (
    "id, queue, told, since, tries, trouble, "
    f"tries >= {MOST_TRIES} AND {_FREE} AS aside, NOT {_FREE}, holder"
)
_SELECT = f"SELECT {_COLUMNS.format(now='?1')} FROM queue_item"  # noqa: S608 - columns of ours
_HELD_BY = "FROM queue_item WHERE id = ? AND holder = ?"
_CLAIM = f"""
    UPDATE queue_item SET holder = :holder, free_at = :until, tries = tries + 1 WHERE id = (
        SELECT id FROM queue_item
        WHERE queue = :queue AND tries < {MOST_TRIES} AND free_at <= :now
        ORDER BY rank DESC, id LIMIT 1
    ) RETURNING {_COLUMNS.format(now=":now")}
"""  # noqa: S608 - columns of ours
_FAIL = "UPDATE queue_item SET trouble = ?, free_at = ?, holder = '' WHERE id = ? AND holder = ?"
_RETRY = "UPDATE queue_item SET tries = 0, free_at = 0, trouble = '', holder = '' WHERE id = ?"
