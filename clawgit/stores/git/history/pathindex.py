"""Fills the history index: its tables, and one `git log` for what they lack."""

import os
import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

from clawgit.domain.change.history import parse_message
from clawgit.stores.database import writing
from clawgit.stores.git.cgit import CGit, CGitError
from clawgit.stores.git.place import RepoPlace, cut_off

NO_BLOB = bytes(20)

_VERSION = 3
_TABLES = ("stamp", "tips", "hidden", "commits", "names", "touches", "ids")
_SCHEMA = """
CREATE TABLE path_stamp (stamp TEXT NOT NULL);
CREATE TABLE path_tips (worktree TEXT PRIMARY KEY, oid TEXT) WITHOUT ROWID;
CREATE TABLE path_hidden (worktree TEXT, commit_id INTEGER, PRIMARY KEY (worktree, commit_id))
WITHOUT ROWID;
CREATE TABLE path_commits (
    id INTEGER PRIMARY KEY, oid BLOB NOT NULL UNIQUE, rank INTEGER NOT NULL, time INTEGER NOT NULL,
    alert INTEGER NOT NULL
);
CREATE INDEX path_commits_rank ON path_commits (rank DESC, oid);
CREATE INDEX path_commits_alert ON path_commits (rank DESC, oid) WHERE alert = 1;
CREATE TABLE path_names (id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE);
CREATE TABLE path_touches (
    path INTEGER, rank INTEGER, commit_id INTEGER, before BLOB NOT NULL, after BLOB NOT NULL,
    PRIMARY KEY (path, rank DESC, commit_id)
) WITHOUT ROWID;
CREATE INDEX path_touches_commit ON path_touches (commit_id);
CREATE TABLE path_ids (ident TEXT, commit_id INTEGER, PRIMARY KEY (ident, commit_id)) WITHOUT ROWID;
"""
# `rank` is a commit's time, raised above its parents' if clocks went backwards, so the
# order depends only on history, not on when it was indexed. `path_hidden` are commits that a
# worktree's HEAD does not reach; mostly there are none.


def worktree_key(place: RepoPlace) -> str:
    """A worktree's git directory, relative to the shared one: `.` for the main one.

    It stays valid if the repository moves.
    """
    return os.path.relpath(place.git_dir, place.common_dir)


def update(db: sqlite3.Connection, place: RepoPlace, git: CGit, head: str | None) -> None:
    """Updates the index to a worktree's HEAD: one lookup if it is up to date."""
    stamp, worktree = _stamp(place), worktree_key(place)
    if _is_current(db, stamp, worktree, head):
        return
    with writing(db):
        if _is_current(db, stamp, worktree, head):
            return
        if _stamp_of(db) != stamp:
            _reset(db, stamp)
        _forget_gone_worktrees(db, place)
        try:
            _Step(db, git, worktree).to(head)
        except CGitError:
            # An old tip was pruned, or is no commit any more: the index must be built again.
            _reset(db, stamp)
            _Step(db, git, worktree).to(head)


def _stamp(place: RepoPlace) -> str:
    """What the whole index depends on: its format, and where a shallow clone was cut off."""
    return f"{_VERSION}\n{cut_off(place)}"


def _stamp_of(db: sqlite3.Connection) -> str | None:
    try:
        row = db.execute("SELECT stamp FROM path_stamp").fetchone()
    except sqlite3.OperationalError as error:
        if "no such" in str(error):
            return None
        raise
    return str(row[0]) if row else None


def _is_current(db: sqlite3.Connection, stamp: str, worktree: str, head: str | None) -> bool:
    if _stamp_of(db) != stamp:
        return False
    row = db.execute("SELECT oid FROM path_tips WHERE worktree = ?", (worktree,)).fetchone()
    return row is not None and row[0] == head


def _reset(db: sqlite3.Connection, stamp: str) -> None:
    for table in _TABLES:
        db.execute(f"DROP TABLE IF EXISTS path_{table}")
    for statement in _SCHEMA.split(";"):
        db.execute(statement)
    db.execute("INSERT INTO path_stamp VALUES (?)", (stamp,))


def _forget_gone_worktrees(db: sqlite3.Connection, place: RepoPlace) -> None:
    for (name,) in db.execute("SELECT worktree FROM path_tips").fetchall():
        if not (place.common_dir / name).is_dir():
            db.execute("DELETE FROM path_tips WHERE worktree = ?", (name,))
            db.execute("DELETE FROM path_hidden WHERE worktree = ?", (name,))


class _Step:
    """One worktree's way from the HEAD it was indexed at to the one it has now."""

    def __init__(self, db: sqlite3.Connection, git: CGit, worktree: str) -> None:
        self._db = db
        self._git = git
        self._worktree = worktree
        self._names: dict[bytes, int] = {}

    def to(self, head: str | None) -> None:
        tip = self._tip()
        if head is None:
            self._hide_all()
        elif tip != head:
            self._read(head, tip)
        self._db.execute("INSERT OR REPLACE INTO path_tips VALUES (?, ?)", (self._worktree, head))

    def _tip(self) -> str | None:
        """The commit up to which this worktree was indexed; a new worktree starts from
        another's.
        """
        row = self._db.execute(
            "SELECT oid FROM path_tips WHERE worktree = ?", (self._worktree,)
        ).fetchone()
        if row is not None:
            return str(row[0]) if row[0] else None
        other = self._db.execute(
            "SELECT worktree, oid FROM path_tips WHERE oid IS NOT NULL"
        ).fetchone()
        if other is None:
            self._hide_all()
            return None
        self._db.execute(
            "INSERT OR IGNORE INTO path_hidden SELECT ?, commit_id FROM path_hidden WHERE "
            "worktree = ?",
            (self._worktree, other[0]),
        )
        return str(other[1])

    def _hide_all(self) -> None:
        self._db.execute(
            "INSERT OR IGNORE INTO path_hidden SELECT ?, id FROM path_commits", (self._worktree,)
        )

    def _read(self, head: str, tip: str | None) -> None:
        """Adds or shows what only HEAD reaches, and hides what only the old tip reaches."""
        others = [
            row[0]
            for row in self._db.execute("SELECT worktree FROM path_tips")
            if row[0] != self._worktree
        ]
        for record in _log(self._git, head, tip):
            here = (self._worktree, self._id_of(record.oid))
            if record.side == b"<":
                self._db.execute("INSERT OR IGNORE INTO path_hidden VALUES (?, ?)", here)
            elif here[1] is not None:
                self._db.execute(
                    "DELETE FROM path_hidden WHERE worktree = ? AND commit_id = ?", here
                )
            else:
                added = self._add(record)
                self._db.executemany(
                    "INSERT INTO path_hidden VALUES (?, ?)", [(name, added) for name in others]
                )

    def _add(self, record: "_Record") -> int:
        message = parse_message(record.body.decode("utf-8", "replace"))
        rank = max([record.time, *(self._rank_of(parent) + 1 for parent in record.parents)])
        commit = self._db.execute(
            "INSERT INTO path_commits (oid, rank, time, alert) VALUES (?, ?, ?, ?)",
            (record.oid, rank, record.time, bool(message.alerts)),
        ).lastrowid
        self._db.executemany(
            "INSERT INTO path_ids VALUES (?, ?)", [(ident, commit) for ident in message.ids]
        )
        self._db.executemany(
            "INSERT OR REPLACE INTO path_touches VALUES (?, ?, ?, ?, ?)",
            [
                (self._name(path), rank, commit, before, after)
                for path, before, after in record.touches
            ],
        )
        return commit or 0

    def _id_of(self, oid: bytes) -> int | None:
        row = self._db.execute("SELECT id FROM path_commits WHERE oid = ?", (oid,)).fetchone()
        return int(row[0]) if row else None

    def _rank_of(self, oid: bytes) -> int:
        """A parent's rank; 0 for one that a shallow clone lacks."""
        row = self._db.execute("SELECT rank FROM path_commits WHERE oid = ?", (oid,)).fetchone()
        return int(row[0]) if row else 0

    def _name(self, path: bytes) -> int:
        if path not in self._names:
            self._db.execute("INSERT OR IGNORE INTO path_names (path) VALUES (?)", (path,))
            self._names[path] = self._db.execute(
                "SELECT id FROM path_names WHERE path = ?", (path,)
            ).fetchone()[0]
        return self._names[path]


class _Record(NamedTuple):
    """A commit in the output of `git log`.

    `side` is `<` if only the old tip reaches it, `>` if only the new one does; a touch is a path,
    the blobs of all parents in a row, and its own.
    """

    side: bytes
    oid: bytes
    parents: tuple[bytes, ...]
    time: int
    body: bytes
    touches: list[tuple[bytes, bytes, bytes]]


def _log(git: CGit, head: str, tip: str | None) -> Iterator[_Record]:
    """What differs between two tips, parents first.

    Settings that would change git's answer are overridden.
    """
    output = git.run(
        *(
            "-c",
            "log.showRoot=true",
            "log",
            "--raw",
            "-z",
            "-c",
            "--no-abbrev",
            "--no-renames",
            "--no-relative",
        ),
        *("--no-ext-diff", "--no-color", "--no-show-signature", "--encoding=UTF-8", "-O/dev/null"),
        *("--topo-order", "--reverse", "--left-right", "--format=%m%H%x00%P%x00%ct%x00%B%x00"),
        *("--end-of-options", f"{tip}...{head}" if tip else head, "--"),
    )
    return _records(_tokens(output))


def _tokens(output: bytes) -> Iterator[bytes]:
    start = 0
    while (end := output.find(b"\0", start)) >= 0:
        yield output[start:end]
        start = end + 1


def _records(tokens: Iterator[bytes]) -> Iterator[_Record]:
    record: _Record | None = None
    touches: list[tuple[bytes, bytes, bytes]] = []
    for token in tokens:
        head = token.lstrip(b"\n")
        if head.startswith(b":"):
            touches.append(_touch(head, next(tokens)))
        elif head:
            if record is not None:
                yield record
            parents = tuple(bytes.fromhex(name.decode()) for name in next(tokens).split())
            touches = []
            oid = bytes.fromhex(head[1:].decode())
            record = _Record(head[:1], oid, parents, int(next(tokens)), next(tokens), touches)
    if record is not None:
        yield record


def _touch(head: bytes, path: bytes) -> tuple[bytes, bytes, bytes]:
    """One raw line: `:` for each parent, then modes and blobs (one more than parents), status."""
    parents = len(head) - len(head.lstrip(b":"))
    fields = head[parents:].split(b" ")
    modes, blobs = fields[: parents + 1], fields[parents + 1 : 2 * parents + 2]
    oids = [
        bytes.fromhex(blob.decode()) if mode.startswith(_FILE) else NO_BLOB
        for mode, blob in zip(modes, blobs, strict=True)
    ]
    return path, b"".join(oids[:-1]), oids[-1]


_FILE = b"100"
"""How the mode of a plain file begins; a link or a submodule has no text."""
