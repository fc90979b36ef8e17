"""The rows of state.db and of a chat server that hold forgotten words."""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import NamedTuple

from clawgit.ops.conversation.chat import open_chat
from clawgit.ops.forgetting.ground import Ground
from clawgit.ops.safety.own_texts import follow_adopted
from clawgit.ops.workspace.state import state_of
from clawgit.stores.database import connect, plain_errors
from clawgit.stores.state import state_file
from clawgit.stores.state_log import KEYS

_OID = re.compile(r"\b[0-9a-f]{40}\b")

MESSAGES = "chat_message"

_WHOLE = frozenset({"search_hit", "queue_item"})
"""Rows of these are deleted: they are useless without their text. In other tables only the words
are cut; messages are deleted by their store."""


class _Row(NamedTuple):
    table: str
    values: Mapping[str, object]


def rows_with(ground: Ground) -> dict[str, int]:
    """How many rows of each table hold the words; nothing is changed."""
    file = state_file(ground.workspace.place)
    counts: dict[str, int] = {}
    if file.is_file():
        with plain_errors(file), closing(connect(file, "ro")) as db:
            for row in _rows(db, ground):
                counts[row.table] = counts.get(row.table, 0) + 1
    return counts


def messages_with(ground: Ground) -> int:
    """How many messages of the chat server have the words; 0 without a server."""
    if not has_server(ground):
        return 0
    # Unmasked: the usual mask would cut the very words that are searched for.
    with open_chat(ground.workspace, mask=str) as chat:
        return sum(ground.matcher.is_in(message.text) for message in chat.store.each())


def has_server(ground: Ground) -> bool:
    return ground.workspace.config.settings.chat_store != "sqlite"


def forget_server(ground: Ground) -> int:
    """Deletes messages on the server. ServerAwayError if it cannot be reached."""
    if not has_server(ground):
        return 0
    with open_chat(ground.workspace) as chat:
        return chat.store.forget(ground.matcher.is_in)


def forget_rows(ground: Ground) -> int:
    """Deletes or cuts the rows of state.db, also in its free pages and its log."""
    if not state_file(ground.workspace.place).is_file():
        return 0
    with state_of(ground.workspace) as state:
        return state.purge(lambda db: _forget(db, ground))


def follow_commits(ground: Ground, commits: Mapping[str, str]) -> None:
    """Updates the marks of agents and what the operator adopted, which name commits: a rewritten
    commit has another hash.
    """
    follow_adopted(ground.workspace, commits)
    if not commits or not state_file(ground.workspace.place).is_file():
        return
    with state_of(ground.workspace) as state:
        runs = state.query("SELECT seq, base, marks FROM job_run")
        with state.write() as db:
            for seq, *texts in runs:
                after = [_OID.sub(lambda oid: commits.get(oid[0], oid[0]), text) for text in texts]
                if after != texts:
                    db.execute(
                        "UPDATE job_run SET base = ?, marks = ? WHERE seq = ?", (*after, seq)
                    )


def _forget(db: sqlite3.Connection, ground: Ground) -> int:
    rows = [*_rows(db, ground)]
    for name, values in rows:
        key = KEYS[name]
        after = {column: _cut(value, ground) for column, value in values.items()}
        is_named_so = after[key] != values[key]
        if is_named_so or name in _WHOLE or name == MESSAGES:
            db.execute(f'DELETE FROM "{name}" WHERE "{key}" = ?', (values[key],))  # noqa: S608 - names of our own schema
            continue
        columns = ", ".join(f'"{column}" = ?' for column in after)
        update = f'UPDATE "{name}" SET {columns} WHERE "{key}" = ?'  # noqa: S608 - as above
        db.execute(update, (*after.values(), values[key]))
    return len(rows)


def _rows(db: sqlite3.Connection, ground: Ground) -> Iterator[_Row]:
    for table in KEYS:
        cursor = db.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - as above
        columns = [column[0] for column in cursor.description]
        for values in cursor.fetchall():
            if any(isinstance(value, str) and ground.matcher.is_in(value) for value in values):
                yield _Row(table, dict(zip(columns, values, strict=True)))


def _cut(value: object, ground: Ground) -> object:
    return ground.matcher.without(value) if isinstance(value, str) else value
