"""The queues in `state.db`: what waits for an agent or a script. A crash repeats no item.

A worker that claims an item holds it for `LEASE`. If it does not finish in that time, another
worker gets it.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from uuid import uuid4

from clawgit.errors import BusyError, NotFoundError
from clawgit.stores.state import State

LEASE = timedelta(minutes=5)
MOST_TRIES = 3
_PAUSE = timedelta(minutes=1)
"""The pause after the first failure; each further failure doubles it."""

_DIED = "its consumer died, or took too long"


class QueueItem(NamedTuple):
    """One thing to do.

    `told` is what the sender says about it, as JSON. A higher `rank` comes first.
    """

    id: int
    queue: str
    rank: int
    told: Mapping[str, Any]
    since: datetime
    tries: int = 0
    trouble: str = ""
    aside: bool = False
    held: bool = False


class QueueClaim(NamedTuple):
    """An item, and the token that proves who holds it."""

    item: QueueItem
    holder: str


def put(
    db: sqlite3.Connection, queue: str, payload: Mapping[str, object], rank: int, now: datetime
) -> int:
    """Adds an item, as part of whatever else the transaction writes."""
    row = (queue, rank, json.dumps(dict(payload), ensure_ascii=False), _seconds(now))
    # For the type checker: after an INSERT there is always a row id.
    return int(
        db.execute(
            "INSERT INTO queue_item (queue, rank, told, since) VALUES (?, ?, ?, ?)", row
        ).lastrowid
        or 0
    )


def claim(state: State, queue: str, now: datetime, lease: timedelta = LEASE) -> QueueClaim | None:
    """The next item of a queue, leased to the caller; None if there is nothing to do."""
    holder, moment = uuid4().hex, _seconds(now)
    with state.write() as db:
        db.execute(_SET_ASIDE_THE_DEADLY, (_DIED, moment, MOST_TRIES))
        rows = db.execute(_CLAIM, (holder, _seconds(now + lease), queue, moment)).fetchall()
    return QueueClaim(_item(rows[0], moment), holder) if rows else None


def done(state: State, claim: QueueClaim) -> bool:
    """Removes a finished item from its queue; False if another worker got it meanwhile."""
    with state.write() as db:
        return (
            db.execute("DELETE FROM queue_item WHERE id = ? AND holder = ?", _proof(claim)).rowcount
            == 1
        )


def fail(state: State, claim: QueueClaim, trouble: str, now: datetime) -> bool:
    """Gives an item back, to be tried again after a pause; after the third time it is set aside."""
    aside = claim.item.tries >= MOST_TRIES
    again = now + _PAUSE * 2 ** (claim.item.tries - 1)
    with state.write() as db:
        row = (trouble, aside, _seconds(again), *_proof(claim))
        return db.execute(_FAIL, row).rowcount == 1


def listed(state: State, now: datetime) -> list[QueueItem]:
    """All items, in the order in which they will be claimed; those that were set aside come
    last.
    """
    moment = _seconds(now)
    return [
        _item(row, moment) for row in state.query(f"{_SELECT} ORDER BY aside, queue, rank DESC, id")
    ]


def newest(state: State, queue: str) -> int:
    """The number of the newest item of a queue, 0 if it is empty."""
    return int(
        state.query("SELECT coalesce(max(id), 0) FROM queue_item WHERE queue = ?", queue)[0][0]
    )


def clear(state: State, queue: str, upto: int) -> None:
    """Removes the items up to a number, because they were handled in another way."""
    if upto:
        with state.write() as db:
            db.execute("DELETE FROM queue_item WHERE queue = ? AND id <= ?", (queue, upto))


def waiting(state: State, now: datetime) -> list[str]:
    """The queues in which something can be claimed now."""
    rows = state.query(
        "SELECT DISTINCT queue FROM queue_item WHERE NOT aside AND free_at <= ?", _seconds(now)
    )
    return sorted(queue for (queue,) in rows)


def retry(state: State, ident: int, now: datetime, *, dry_run: bool = False) -> QueueItem:
    """Lets an item be tried at once, and as often as a new one; BusyError while it is held."""
    return _settled(state, ident, _RETRY, now, dry_run=dry_run)


def drop(state: State, ident: int, now: datetime, *, dry_run: bool = False) -> QueueItem:
    """Removes an item from its queue unprocessed; BusyError while it is held."""
    return _settled(state, ident, _DROP, now, dry_run=dry_run)


def let_go(state: State, idents: Iterable[int], now: datetime) -> None:
    """Removes those of some items that nobody holds. Others may have settled some meanwhile."""
    rows = [(ident, _seconds(now)) for ident in idents]
    with state.write() as db:
        db.executemany(_LET_GO, rows)


def _settled(
    state: State, ident: int, statement: str, now: datetime, *, dry_run: bool
) -> QueueItem:
    with nullcontext() if dry_run else state.write() as db:
        item = _free(state, ident, _seconds(now))
        if db is not None:
            db.execute(statement, (ident,))
    return item


def _free(state: State, ident: int, moment: int) -> QueueItem:
    rows = state.query(f"{_SELECT} WHERE id = ?", ident)
    if not rows:
        raise NotFoundError(
            f"There is no item {ident} in the queue.",
            hint="`clawgit run --queue --dry-run` shows the waiting calls.",
        )
    item = _item(rows[0], moment)
    if item.held:
        raise BusyError(f"Item {ident} is being worked on.", hint="Try again when it is done.")
    return item


def _proof(claim: QueueClaim) -> tuple[int, str]:
    return claim.item.id, claim.holder


def _item(row: tuple[Any, ...], moment: int) -> QueueItem:
    ident, queue, rank, payload, since, tries, trouble, aside, free_at, holder = row
    held = bool(holder) and free_at > moment
    return QueueItem(
        ident, queue, rank, json.loads(payload), _moment(since), tries, trouble, bool(aside), held
    )


def _seconds(moment: datetime) -> int:
    return int(moment.timestamp())


def _moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


_SELECT = (
    "SELECT id, queue, rank, told, since, tries, trouble, aside, free_at, holder FROM queue_item"
)
_CLAIM = """
    UPDATE queue_item SET holder = ?, free_at = ?, tries = tries + 1 WHERE id = (
        SELECT id FROM queue_item WHERE queue = ? AND NOT aside AND free_at <= ?
        ORDER BY rank DESC, id LIMIT 1
    ) RETURNING id, queue, rank, told, since, tries, trouble, aside, free_at, holder
"""
_SET_ASIDE_THE_DEADLY = """
    UPDATE queue_item SET aside = 1, holder = '', trouble = ?
    WHERE NOT aside AND holder <> '' AND free_at <= ? AND tries >= ?
"""
"""After this many tries, an item is assumed to crash its workers."""

_FAIL = (
    "UPDATE queue_item SET trouble = ?, aside = ?, free_at = ?, holder = '' WHERE id = ? AND "
    "holder = ?"
)
_RETRY = (
    "UPDATE queue_item SET aside = 0, tries = 0, free_at = 0, trouble = '', holder = '' "
    "WHERE id = ?"
)
_DROP = "DELETE FROM queue_item WHERE id = ?"
_LET_GO = "DELETE FROM queue_item WHERE id = ? AND (holder = '' OR free_at <= ?)"
