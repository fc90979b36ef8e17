"""History by path, as git tells it, and by change id, alert and time, from a table of its commits
that is derived: if it is deleted, it is built again.
"""

import os
import sqlite3
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from functools import cached_property
from itertools import islice
from posixpath import normpath
from typing import Any, NamedTuple

from clawgit.domain.change.history import parse_message
from clawgit.stores.database import clear_the_way, discard_damaged, is_damage, opened, writing
from clawgit.stores.git.cgit import CGit, CGitError
from clawgit.stores.git.place import NO_OBJECT, RepoPlace, cut_off

_PATIENCE = 10.0
_FILE = "100"
"""How the mode of a plain file begins; a link or a submodule has no text."""

_LOG = (
    *("--literal-pathspecs", "-c", "log.showRoot=true", "log", "--full-history", "--raw", "-c"),
    *("--no-abbrev", "--no-renames", "--no-relative"),
    *("--no-color", "-O/dev/null", "--format=%H"),
)
"""What each commit made of which file; of a merge, where it differs from all parents. A path is
itself, no pattern. Settings that would change git's answer are overridden."""


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
    """History as seen from the HEAD passed to `refresh`; the newest comes first.

    If the table's file cannot be used (read-only, locked for long), one is built in memory: slower,
    but as correct. So it is with `anew`, for callers that must not trust a file.
    """

    def __init__(
        self, place: RepoPlace, git: CGit, *, patience: float = _PATIENCE, anew: bool = False
    ) -> None:
        self.git = git
        self.head: str | None = None
        self._place = place
        self._patience = patience
        self._anew = anew
        self._file = place.private / "index.db"
        self._db: sqlite3.Connection | None = None

    def refresh(self, head: str | None) -> None:
        """Moves to this HEAD. Call it before asking."""
        self.close()
        self.head = head

    def commits(
        self, path: str | None = None, limit: int | None = None, since: int | None = None
    ) -> list[str]:
        """The commits that touch a file, or anything below a folder; all of them without a path.
        With `since`, those from this time on, and what came after them.
        """
        if path is None:
            return self._oids("rank >= ?", _EVER if since is None else since, limit)
        is_outside = f"{normpath(path)}/".startswith(("../", "/"))
        if self.head is None or is_outside:
            return []
        with closing(self._touching(path.rstrip("/"))) as oids:
            recent = None if since is None else {*self.commits(since=since)}
            wanted = (oid for oid in oids if recent is None or oid in recent)
            return [*islice(wanted, limit)]

    def versions(self, path: str) -> Versions:
        if self.head is None:
            return Versions()
        made = self._made(self.head, "--", path)
        return Versions(version for version in made if version.path == path)

    def paths(self, oids: Iterable[str]) -> dict[str, list[str]]:
        """The files that commits touch; of a merge, those that differ from every parent."""
        touched: dict[str, list[str]] = {oid: [] for oid in oids}
        listed = "".join(f"{oid}\n" for oid in touched).encode()
        # Without a revision, git would begin at HEAD.
        made = self._made("--no-walk=unsorted", "--stdin", stdin=listed) if listed else ()
        for version in made:
            touched[version.oid].append(version.path)
        return touched

    def by_change_id(self, ident: str) -> list[str]:
        """The commits that carry a change id: several after a cherry-pick."""
        return self._oids("oid IN (SELECT oid FROM ids WHERE ident = ?)", ident)

    def change_ids(self) -> list[str]:
        """Every change id, for suggestions after a typo."""
        return [row[0] for row in self._rows("SELECT DISTINCT ident FROM ids")]

    def with_alerts(self) -> list[str]:
        return self._oids("alert = ?", 1)

    def last_before(self, timestamp: int) -> str | None:
        """The newest commit at or before a time."""
        return next(iter(self._oids("time <= ?", timestamp, 1)), None)

    def first(self, path: str | None = None) -> str | None:
        """The oldest commit; with a path, the oldest that has this file."""
        if path is None:
            row = self._rows("SELECT oid FROM commits ORDER BY rank, oid LIMIT 1")
            return row[0][0] if row else None
        return next((one.oid for one in reversed(self.versions(path)) if one.after), None)

    def time_of(self, oid: str) -> int:
        """When a commit was made."""
        [row] = self._rows("SELECT time FROM commits WHERE oid = ?", oid)
        return int(row[0])

    def newest_first(self, oids: Iterable[str]) -> list[str]:
        """The same commits in the order of history, each once."""
        query = "SELECT rank FROM commits WHERE oid = ?"
        ranks = {oid: self._rows(query, oid) for oid in oids}
        return sorted(ranks, key=lambda oid: ranks[oid], reverse=True)

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def _touching(self, path: str) -> Generator[str]:
        """The commits of a path, as git finds them. It also lists merges that only took a side."""
        oid = ""
        for line in self.git.start(*_LOG, f"{self.head}", "--", path).lines():
            if not line.startswith(b":"):
                oid = line.decode().strip() or oid
            elif oid:
                yield oid
                oid = ""

    def _made(self, *args: str, stdin: bytes = b"") -> Iterator[Version]:
        fields = iter(self.git.run(*_LOG, "-z", *args, stdin=stdin).split(b"\0"))
        oid = ""
        for field in fields:
            told = field.decode().strip("\n")
            if told.startswith(":"):
                yield _version(oid, told, os.fsdecode(next(fields)))
            elif told:
                oid = told

    def _oids(  # only ever given constants of this module
        self, condition: str, value: str | int, limit: int | None = None
    ) -> list[str]:
        query = f"SELECT oid FROM commits WHERE {condition} ORDER BY rank DESC, oid LIMIT ?"  # noqa: S608
        return [oid for (oid,) in self._rows(query, value, -1 if limit is None else limit)]

    def _rows(self, query: str, *values: str | int) -> list[Any]:
        """The answer of the table. If a page turns out to be damaged, it is built again."""
        try:
            return self._opened().execute(query, values).fetchall()
        except (sqlite3.DatabaseError, OSError) as error:
            self._start_over(error)
            return self._opened().execute(query, values).fetchall()

    def _opened(self) -> sqlite3.Connection:
        """The table as it is at this HEAD."""
        if self._db is None:
            if self._anew:
                self._db = opened(":memory:")
            else:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                clear_the_way(self._file)
                self._db = opened(self._file.absolute().as_uri(), self._patience)
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = NORMAL")
            _update(self._db, self._place, self.git, self.head)
        return self._db

    def _start_over(self, error: Exception) -> None:
        """After damage with a new file; if that fails, or after anything else, in memory."""
        self.close()
        if is_damage(error) and discard_damaged(self._file, self._patience):
            try:
                self._opened()
            except (sqlite3.DatabaseError, OSError):
                self.close()
        self._anew = self._db is None


_EVER = -(2**63)


def _version(oid: str, told: str, path: str) -> Version:
    """One raw line: `:` for each parent, then modes and blobs (one more than parents), status."""
    parents = len(told) - len(told.lstrip(":"))
    fields = told[parents:].split(" ")
    modes, oids = fields[: parents + 1], fields[parents + 1 : 2 * parents + 2]
    *before, after = (
        blob if mode.startswith(_FILE) and blob != NO_OBJECT else None
        for mode, blob in zip(modes, oids, strict=True)
    )
    return Version(oid, path, tuple(before), after)


_VERSION = "4"
_SCHEMA = """
CREATE TABLE stamp (made_for TEXT NOT NULL, head TEXT);
CREATE TABLE commits (
    oid TEXT PRIMARY KEY, rank INTEGER NOT NULL, time INTEGER NOT NULL, alert INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX commits_rank ON commits (rank DESC, oid);
CREATE INDEX commits_alert ON commits (rank DESC, oid) WHERE alert = 1;
CREATE TABLE ids (ident TEXT, oid TEXT, PRIMARY KEY (ident, oid)) WITHOUT ROWID;
"""
# `rank` is a commit's time, raised above its parents' if clocks went backwards, so the
# order depends only on history, not on when it was indexed.


class _Told(NamedTuple):
    oid: str
    parents: list[str]
    time: int
    message: str


def _update(db: sqlite3.Connection, place: RepoPlace, git: CGit, head: str | None) -> None:
    """Brings the table to HEAD: one lookup if it is up to date."""
    # What the whole table depends on: its format, and where a shallow clone was cut off.
    made_for = f"{_VERSION}\n{cut_off(place)}"
    if _stamp(db) == (made_for, head):
        return
    with writing(db):
        known, tip = _stamp(db)
        if (known, tip) == (made_for, head):
            return
        told = _since(git, tip, head) if known == made_for and tip and head else None
        if told is None:
            _reset(db)
            told = _log(git, head) if head else iter(())
        _add(db, told)
        db.execute("DELETE FROM stamp")
        db.execute("INSERT INTO stamp VALUES (?, ?)", (made_for, head))


def _stamp(db: sqlite3.Connection) -> tuple[str, str | None]:
    try:
        row = db.execute("SELECT made_for, head FROM stamp").fetchone()
    except sqlite3.OperationalError as error:
        if "no such" not in str(error):
            raise
        row = None
    return row or ("", None)


def _reset(db: sqlite3.Connection) -> None:
    tables = "SELECT name FROM sqlite_master WHERE type = 'table'"
    for (name,) in db.execute(tables).fetchall():
        db.execute(f'DROP TABLE "{name}"')
    for statement in _SCHEMA.split(";"):
        db.execute(statement)


def _since(git: CGit, tip: str, head: str) -> Iterator[_Told] | None:
    """What came after a commit; None if history was rewritten since, or git has deleted it."""
    try:
        is_rewritten = git.run("rev-list", "-n", "1", tip, f"^{head}", "--")
    except CGitError:
        return None
    return None if is_rewritten else _log(git, f"{tip}..{head}")


def _log(git: CGit, revisions: str) -> Iterator[_Told]:
    """The commits of a range, parents first."""
    listed = git.text(
        "log", "--topo-order", "--reverse", "-z", "--format=%H%x00%P%x00%ct%x00%B", "--no-color",
        "--encoding=UTF-8", "--end-of-options", revisions, "--",
    )  # fmt: skip
    fields = iter(listed.split("\0"))
    for oid, parents, time, message in zip(fields, fields, fields, fields, strict=False):
        yield _Told(oid, parents.split(), int(time), message)


def _add(db: sqlite3.Connection, told: Iterable[_Told]) -> None:
    for one in told:
        message = parse_message(one.message)
        rank = max([one.time, *(_rank_of(db, parent) + 1 for parent in one.parents)])
        row = one.oid, rank, one.time, bool(message.alerts)
        db.execute("INSERT INTO commits VALUES (?, ?, ?, ?)", row)
        ids = [(ident, one.oid) for ident in message.ids]
        db.executemany("INSERT OR IGNORE INTO ids VALUES (?, ?)", ids)


def _rank_of(db: sqlite3.Connection, oid: str) -> int:
    """A parent's rank; 0 for one that a shallow clone lacks."""
    row = db.execute("SELECT rank FROM commits WHERE oid = ?", (oid,)).fetchone()
    return int(row[0]) if row else 0
