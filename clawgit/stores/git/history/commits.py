"""The commits of HEAD by change id, alert and time: a table that is derived from history."""

import sqlite3
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from clawgit.domain.change.history import parse_message
from clawgit.stores.database import writing
from clawgit.stores.git.cgit import CGit, CGitError
from clawgit.stores.git.place import RepoPlace, cut_off

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


def update(db: sqlite3.Connection, place: RepoPlace, git: CGit, head: str | None) -> None:
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
        "--encoding=UTF-8", "--no-show-signature", "--end-of-options", revisions, "--",
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
