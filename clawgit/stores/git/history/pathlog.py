"""The index path → commits. It is derived from history: if it is deleted, it is built again."""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from clawgit.stores.clearing import clear_the_way
from clawgit.stores.database import discard_damaged, is_damage, opened
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.history import pathindex
from clawgit.stores.git.place import RepoPlace

_PATIENCE = 10.0
_MANY = 500


class Version(NamedTuple):
    """What one commit made of one file, which had the name `path` then.

    `before` has its blob in each parent, `after` the one in the commit; None where the file did not
    exist.
    """

    oid: str
    path: str
    before: tuple[str | None, ...]
    after: str | None


class Versions(tuple[Version, ...]):  # noqa: SLOT001 - it keeps what it works out
    """The versions of a file, newest first, one for each commit, including those of merged
    branches.
    """

    def place(self, version: Version) -> int:
        """Its number: a larger one is older."""
        return self._places[version.oid]

    def made_by(self, oid: str) -> Version | None:
        """The version of a commit."""
        place = self._places.get(oid)
        return None if place is None else self[place]

    def older(self, version: Version) -> Iterator[Version]:
        """The versions right before one: one, or several for a merge."""
        at = self.place(version)
        for blob in dict.fromkeys(filter(None, version.before)):
            position = next((place for place in self._leaving.get(blob, ()) if place > at), None)
            if position is not None:
                yield self[position]

    def leaving(self, blob: str) -> list[Version]:
        """The versions that left the file with this content, newest first."""
        return [self[place] for place in self._leaving.get(blob, ())]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {version.oid: place for place, version in enumerate(self)}

    @cached_property
    def _leaving(self) -> dict[str, list[int]]:
        """Blob → the places of the versions that left it."""
        places: dict[str, list[int]] = {}
        for place, version in enumerate(self):
            if version.after:
                places.setdefault(version.after, []).append(place)
        return places


class PathLog:
    """History by path, id, alert and time, as seen from the HEAD passed to `refresh`.

    The newest comes first. If the shared index cannot be used (read-only, locked for long), one is
    built in memory: slower, but as correct. So it is with `anew`, for callers that must not trust a
    file.
    """

    def __init__(
        self, place: RepoPlace, git: CGit, *, patience: float = _PATIENCE, anew: bool = False
    ) -> None:
        self.git = git
        self.head: str | None = None
        self._place = place
        self._patience = patience
        self._anew = anew
        self._worktree = pathindex.worktree_key(place)
        self._file = place.shared / "index.db"
        self._db: sqlite3.Connection | None = None

    def refresh(self, head: str | None) -> None:
        """Updates the index to HEAD, also after a rewrite. Call it before asking."""
        self.head = head
        try:
            self._open()
        except (sqlite3.DatabaseError, OSError) as error:
            self._start_over(error)

    def commits(
        self, path: str | None = None, limit: int | None = None, since: int | None = None
    ) -> list[str]:
        """The commits that touch a file, or anything below a folder; all of them without a path.
        With `since`, those from this time on, and what came after them.
        """
        recent, time = ("", ()) if since is None else ("c.rank >= ? AND", (since,))
        if path is None:
            return self._oids("path_commits c", recent, time, limit)
        names = [row[0] for row in self._rows(_BELOW, _range(path))]
        if len(names) > _MANY:
            chosen, values = f"t.path IN ({_BELOW}) AND", _range(path)
        else:
            chosen, values = f"t.path IN ({','.join('?' * len(names))}) AND", tuple(names)
        tables = "path_touches t JOIN path_commits c ON c.id = t.commit_id"
        return self._oids(
            tables, f"{chosen} {recent}", (*values, *time), limit, rank="t.rank",
            once=len(names) > 1,
        )  # fmt: skip

    def versions(self, path: str) -> Versions:
        rows = self._rows(_TOUCHES, (os.fsencode(path), self._worktree))
        return Versions(_version(path, *row) for row in rows)

    def paths(self, oid: str) -> list[str]:
        """The files that a commit touches; for a merge, those that differ from every parent."""
        return sorted(os.fsdecode(row[0]) for row in self._rows(_PATHS, (bytes.fromhex(oid),)))

    def versions_since(self, timestamp: int) -> list[Version]:
        """What commits since a time made of each file, oldest first."""
        rows = self._rows(_SINCE, (timestamp, timestamp, self._worktree))
        return [_version(os.fsdecode(path), *row) for path, *row in rows]

    def by_change_id(self, ident: str) -> list[str]:
        """The commits that carry a change id: several after a cherry-pick."""
        return self._oids(
            "path_ids i JOIN path_commits c ON c.id = i.commit_id",
            "i.ident = ? AND",
            (ident,),
            None,
        )

    def change_ids(self) -> list[str]:
        """Every change id in the index, for suggestions after a typo."""
        return [row[0] for row in self._rows("SELECT DISTINCT ident FROM path_ids", ())]

    def with_alerts(self) -> list[str]:
        return self._oids("path_commits c", "c.alert = 1 AND", (), None)

    def last_before(self, timestamp: int) -> str | None:
        """The newest commit at or before a time."""
        return next(iter(self._oids("path_commits c", "c.time <= ? AND", (timestamp,), 1)), None)

    def first(self, path: str | None = None) -> str | None:
        """The oldest commit; with a path, the oldest that has this file."""
        if path is None:
            return next(iter(self._oids("path_commits c", "", (), 1, order="ASC")), None)
        return next((one.oid for one in reversed(self.versions(path)) if one.after), None)

    def time_of(self, oid: str) -> int:
        """When a commit was made."""
        query = "SELECT time FROM path_commits WHERE oid = ?"
        [row] = self._rows(query, (bytes.fromhex(oid),))
        return int(row[0])

    def newest_first(self, oids: Iterable[str]) -> list[str]:
        """The same commits in the order of history, each once."""
        query = "SELECT rank FROM path_commits WHERE oid = ?"
        ranks = {oid: self._rows(query, (bytes.fromhex(oid),)) for oid in oids}
        return sorted(ranks, key=lambda oid: ranks[oid], reverse=True)

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def _oids(  # only ever given constants of this module
        self,
        tables: str,
        condition: str,
        values: tuple[Any, ...],
        limit: int | None,
        *,
        rank: str = "c.rank",
        once: bool = False,
        order: str = "DESC",
    ) -> list[str]:
        select = "SELECT DISTINCT" if once else "SELECT"
        rows = self._rows(
            f"{select} c.oid, {rank} FROM {tables} WHERE {condition} {_VISIBLE} ORDER BY {rank} "
            f"{order}, c.oid LIMIT ?",
            (*values, self._worktree, -1 if limit is None else limit),
        )
        return [row[0].hex() for row in rows]

    def _rows(self, query: str, values: Sequence[Any]) -> list[Any]:
        """The answer to a query. If a page turns out to be damaged, the index is built again."""
        try:
            return self._connection().execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            self._start_over(error)
            return self._connection().execute(query, values).fetchall()

    def _connection(self) -> sqlite3.Connection:
        if self._db is None:
            self.refresh(self.head)
        assert self._db is not None  # noqa: S101 - refresh leaves one open, in memory if need be
        return self._db

    def _open(self) -> None:
        if self._anew:
            self._db = self._db or opened(":memory:")
        elif self._db is None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            clear_the_way(self._file)
            self._db = opened(self._file.absolute().as_uri(), self._patience)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
        pathindex.update(self._db, self._place, self.git, self.head)

    def _start_over(self, error: Exception) -> None:
        self.close()
        if is_damage(error) and discard_damaged(self._file, self._patience):
            try:
                self._open()
            except (sqlite3.DatabaseError, OSError):
                self.close()
            else:
                return
        self._db = opened(":memory:")
        pathindex.update(self._db, self._place, self.git, self.head)


_BELOW = "SELECT id FROM path_names WHERE path = ? OR (path >= ? AND path < ?)"
_VISIBLE = "NOT EXISTS (SELECT 1 FROM path_hidden h WHERE h.worktree = ? AND h.commit_id = c.id)"
_TOUCHES = f"""
SELECT c.oid, t.before, t.after FROM path_names n
JOIN path_touches t ON t.path = n.id JOIN path_commits c ON c.id = t.commit_id
WHERE n.path = ? AND {_VISIBLE} ORDER BY t.rank DESC, c.oid
"""  # noqa: S608 - made of constants
_SINCE = f"""
SELECT n.path, c.oid, t.before, t.after FROM path_commits c
JOIN path_touches t ON t.commit_id = c.id JOIN path_names n ON n.id = t.path
WHERE c.rank >= ? AND c.time >= ? AND {_VISIBLE} ORDER BY c.rank, c.oid, n.path
"""  # noqa: S608 - made of constants; a commit's rank is never below its time
_PATHS = """
SELECT n.path FROM path_commits c
JOIN path_touches t ON t.commit_id = c.id JOIN path_names n ON n.id = t.path WHERE c.oid = ?
"""


def _range(path: str) -> tuple[bytes, bytes, bytes]:
    """A path, and the bounds of everything below it as a folder (`0` comes right after `/`)."""
    name = os.fsencode(path.rstrip("/"))
    return name, name + b"/", name + b"0"


def _version(path: str, oid: bytes, before: bytes, after: bytes) -> Version:
    return Version(oid.hex(), path, _split(before), _split(after)[0])


def _split(blobs: bytes) -> tuple[str | None, ...]:
    parts = (blobs[at : at + 20] for at in range(0, len(blobs), 20))
    return tuple(None if part == pathindex.NO_BLOB else part.hex() for part in parts)
