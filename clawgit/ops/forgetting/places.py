"""Every place that can hold what is remembered: how it is searched, and how it is cleared.

docs/forget.md says what each holds. A module of `stores/` that writes and has no place fails
tests/ops/forgetting/test_places.py. Of clawgit's own files the derived ones are deleted, others
lose the words.
"""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, filterfalse
from pathlib import Path
from typing import NamedTuple

from clawgit.config.trust import TrustRow
from clawgit.domain.forgetting.wiping import wiped_bytes
from clawgit.doors import shutil
from clawgit.errors import ClawgitError
from clawgit.ops.conversation.chat import open_chat
from clawgit.ops.forgetting.ground import Ground, files_below
from clawgit.ops.safety.own_texts import follow_adopted
from clawgit.ops.workspace.state import state_of
from clawgit.stores import state_log
from clawgit.stores.database import clear, connect, parts, plain_errors
from clawgit.stores.git.looked import PARKED, REJECTED, WAITING
from clawgit.stores.index.live import as_it_stands
from clawgit.stores.state import state_file
from clawgit.stores.state_log import KEYS
from clawgit.stores.trust import accepted_rows, change_rows, trust_file
from clawgit.stores.vectors import key_of, only

Count = Callable[[Ground], int]
"""How many texts, rows or files of a place hold, or held, the words."""


class Place(NamedTuple):
    name: str
    find: Count
    empty: Count


@dataclass(frozen=True, slots=True)
class Found:
    """A place, and how many texts, rows or files of it have, or had, the words."""

    place: str
    count: int
    trouble: str = ""


def search(ground: Ground) -> tuple[Found, ...]:
    """The places that hold the words."""
    return _each(ground, (place.find for place in PLACES))


def empty(ground: Ground) -> tuple[Found, ...]:
    """Empties the places that hold the words. One that cannot be emptied now says why."""
    return _each(ground, (place.empty for place in PLACES))


def _each(ground: Ground, works: Iterable[Count]) -> tuple[Found, ...]:
    found: list[Found] = []
    for place, work in zip(PLACES, works, strict=True):
        try:
            found.append(Found(place.name, work(ground)))
        except ClawgitError as error:
            found.append(Found(place.name, 0, f"{error.message} {error.hint}".strip()))
    return tuple(one for one in found if one.count or one.trouble)


# Refs beside the branches (parked, proposed, rejected) that would bring the words back.


def _waiting(ground: Ground) -> list[str]:
    git = ground.workspace.git
    prefixes = (WAITING, REJECTED, PARKED)
    tips = [item for prefix in prefixes for item in git.refs_below(prefix).items()]
    return [name for name, tip in tips if _brings(ground, tip)]


def _brings(ground: Ground, tip: str) -> bool:
    git = ground.workspace.git
    changes = git.differences(next(iter(git.commit(tip).parents), None), tip)
    return any(ground.matcher.is_in_bytes(after or b"") for _, (_, after) in changes)


def _drop_waiting(ground: Ground) -> int:
    """Deletes their refs. Their objects stay until history is rewritten, or git prunes."""
    names = _waiting(ground)
    ground.workspace.git.delete_refs(names)
    return len(names)


# The messages of a chat server.


def has_server(ground: Ground) -> bool:
    return ground.workspace.config.settings.chat_store != "sqlite"


def messages_with(ground: Ground) -> int:
    """How many messages of the chat server have the words; 0 without a server."""
    if not has_server(ground):
        return 0
    # Unmasked: the usual mask would cut the very words that are searched for.
    with open_chat(ground.workspace, mask=str) as chat:
        return sum(ground.matcher.is_in(message.text) for message in chat.store.each())


def _forget_messages(ground: Ground) -> int:
    """Deletes them. ServerAwayError if the server cannot be reached."""
    if not has_server(ground):
        return 0
    with open_chat(ground.workspace) as chat:
        return chat.store.forget(ground.matcher.is_in)


# state.db, and its log.

_OID = re.compile(r"\b[0-9a-f]{40}\b")

_WHOLE = frozenset({"search_hit", "queue_item", "chat_message"})
"""Rows of these are deleted: they are useless without their text. In other tables only the words
are cut."""


class _Row(NamedTuple):
    table: str
    values: Mapping[str, object]


def _log(ground: Ground) -> int:
    return sum(map(ground.is_in, files_below(ground.log.folder)))


def _raw_state(ground: Ground) -> int:
    """The rows with the words, else the files: a deleted row may still be in a free page."""
    file, count = state_file(ground.workspace.place), 0
    if file.is_file():
        with plain_errors(file), closing(connect(file, "ro")) as db:
            count = sum(1 for _ in _rows(db, ground))
    return count or sum(map(ground.is_in, ground.workspace.place.shared.glob("state.db*")))


def _forget_rows(ground: Ground) -> int:
    """Deletes or cuts the rows of state.db, also in its free pages and its log."""
    # One that is lost is made again here, from the log that has the words.
    with state_of(ground.workspace) as state:
        return state.purge(lambda db: _forget(db, ground))


def follow_commits(ground: Ground, commits: Mapping[str, str]) -> None:
    """Updates the marks of agents, what the operator adopted, and whose the log of state.db is,
    which name commits: a rewritten commit has another hash.
    """
    state_log.follow_commits(ground.log, commits)
    follow_adopted(ground.workspace, commits)
    if not commits or not state_file(ground.workspace.place).is_file():
        return
    with state_of(ground.workspace) as state:
        runs = state.query("SELECT seq, base, marks FROM job_run")
        with state.write() as db:
            for seq, *texts in runs:
                after = [_OID.sub(lambda oid: commits.get(oid[0], oid[0]), text) for text in texts]
                row = (*after, seq)
                if after != texts:
                    db.execute("UPDATE job_run SET base = ?, marks = ? WHERE seq = ?", row)


def _forget(db: sqlite3.Connection, ground: Ground) -> int:
    rows = [*_rows(db, ground)]
    for name, values in rows:
        key = KEYS[name]
        after = {column: _cut(value, ground) for column, value in values.items()}
        is_named_so = after[key] != values[key]
        if is_named_so or name in _WHOLE:
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


# Indexes and vectors.

_INDEXES = ("search.db", "index.db", "past/*.db")
_VECTORS = ("vectors", "chroma")


def _databases(ground: Ground) -> list[Path]:
    every = (folder.glob(pattern) for folder in ground.folders for pattern in _INDEXES)
    return [base for found in every for base in sorted(found)]


def _indexes_with(ground: Ground) -> list[Path]:
    """Derived databases with the words in any of their files."""
    return [base for base in _databases(ground) if any(map(ground.is_in, parts(base)))]


def _clear_indexes(ground: Ground) -> int:
    """Deletes them; the next search reads the files again."""
    found = _indexes_with(ground)
    for base in found:
        clear(base)
    return len(found)


def clear_history(ground: Ground) -> None:
    """Deletes what was derived from the old commits; it is made again from the new ones."""
    for base in _databases(ground):
        clear(base)


def vectors_with(ground: Ground) -> frozenset[bytes]:
    """The keys of the vectors of texts that hold the words, as the indexes know them."""
    return frozenset(key_of(text) for text in _embedded(ground) if ground.matcher.is_in(text))


def _drop_vectors(ground: Ground) -> int:
    """Deletes them, since much of a text can be guessed from its vector, and with them those of
    texts that no file has any more: nobody knows what these said.

    Chroma is filled again from the others.
    """
    vectors, chroma = (ground.workspace.place.shared / name for name in _VECTORS)
    clean = {key_of(text) for text in _embedded(ground) if not ground.matcher.is_in(text)}
    gone = only(vectors, clean)
    if gone and chroma.is_dir():
        shutil.rmtree(chroma)
    return gone


def _embedded(ground: Ground) -> Iterator[str]:
    """The texts that the indexes of all worktrees and past commits hold, as they are embedded."""
    for base in _databases(ground):
        if index := as_it_stands(base):
            with suppress(sqlite3.DatabaseError), index:
                for file in index.files():
                    yield from index.passages(file.ids)


# What the operator has accepted.


def _accepted_with(ground: Ground) -> int:
    rows = accepted_rows(_trusted(ground), ground.workspace.place)
    return sum(_without(row, ground) is not row for row in rows)


def _cut_accepted(ground: Ground) -> int:
    """Cuts the words and leaves the hash, as for a text with a secret."""

    def cut(rows: Iterable[TrustRow]) -> list[TrustRow]:
        return [_without(row, ground) for row in rows]

    count = _accepted_with(ground)
    if count:
        change_rows(_trusted(ground), ground.workspace.place, cut)
    return count


def _trusted(ground: Ground) -> Path:
    return trust_file(ground.workspace.caller.home, ground.workspace.caller.env)


def _without(row: TrustRow, ground: Ground) -> TrustRow:
    texts = (row.value, row.reason)
    if any(isinstance(text, str) and ground.matcher.is_in(text) for text in texts):
        return row._replace(value=None, reason=ground.matcher.without(row.reason))
    return row


# All other files of clawgit's own: logs, settings, displaced or damaged files.

_ASIDE = ".broken-"
"""The part of the name that marks a damaged database which was set aside."""


def _notes_with(ground: Ground) -> list[Path]:
    found = [*files_below(ground.state_home / "connected"), *ground.logs]
    for folder in ground.folders:
        found.extend(filterfalse(partial(_is_elsewhere, folder), files_below(folder)))
    derived = {*chain.from_iterable(map(parts, _databases(ground)))}
    return [*filter(ground.is_in, filterfalse(derived.__contains__, found))]


def _is_elsewhere(folder: Path, file: Path) -> bool:
    """Whether another row of the table clears this file."""
    name = file.relative_to(folder).parts[0]
    return name in _VECTORS or (name.startswith("state.") and _ASIDE not in name)


def _cut_notes(ground: Ground) -> int:
    """Removes the words from each. A damaged database that was set aside is deleted."""
    found = _notes_with(ground)
    for file in found:
        if _ASIDE in file.name:
            clear(file)
        else:
            file.write_bytes(wiped_bytes(file.name, file.read_bytes(), ground.matcher))
    return len(found)


PLACES: tuple[Place, ...] = (
    Place("proposals", lambda ground: len(_waiting(ground)), _drop_waiting),
    Place("chat server", messages_with, _forget_messages),
    Place(
        "state.db",
        _raw_state,
        lambda ground: _forget_rows(ground) if _raw_state(ground) or _log(ground) else 0,
    ),
    Place(
        "log of state.db",
        _log,
        lambda ground: _forget_rows(ground) if _log(ground) else 0,
    ),
    Place("vectors", lambda ground: len(vectors_with(ground)), _drop_vectors),
    Place("indexes", lambda ground: len(_indexes_with(ground)), _clear_indexes),
    Place("what was accepted", _accepted_with, _cut_accepted),
    Place("logs and notes", lambda ground: len(_notes_with(ground)), _cut_notes),
)
