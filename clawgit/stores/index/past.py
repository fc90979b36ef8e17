"""The index of a commit: what its files said then."""

import hashlib
import os
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path

from clawgit.domain.facts.vector_life import Horizon, VectorSettings
from clawgit.stores.clearing import clear
from clawgit.stores.database import is_damage, opened, writing
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.index import tables
from clawgit.stores.index.discover import Reach, in_scope
from clawgit.stores.index.index import Freshness, Index, Progress, silent
from clawgit.stores.index.live import PATIENCE, open_file
from clawgit.stores.index.sources import DEFAULT_SOURCES, SourceFile

_KEPT = 8
"""How many past commits stay indexed; another one is quickly indexed again."""

Blobs = Mapping[str, tuple[str, str]]
"""The source and the blob of each file."""


class PastIndex(Index):
    """The index of a past commit, which never changes."""

    def __init__(
        self,
        db: sqlite3.Connection,
        sources: frozenset[str],
        commit: str,
        anew: Callable[[], sqlite3.Connection],
    ) -> None:
        super().__init__(db, sources)
        self._commit, self._anew = commit, anew
        self._take(tables.files(db).values())

    def refresh(self, progress: Progress = silent) -> Freshness:
        return super().refresh(progress)._replace(indexed_at=self._commit)

    def _mend(self, error: sqlite3.DatabaseError) -> None:  # noqa: ARG002 - whatever it was
        self.close()
        self._db = self._anew()
        self._take(tables.files(self._db).values())

    def horizon(self, today: date, rules: VectorSettings) -> Horizon:  # noqa: ARG002 - of today
        """None: what has expired today had not expired then."""
        return Horizon(date.min, date.min)


def open_past(
    place: RepoPlace,
    git: CGit,
    commit: str,
    scope: Reach,
    *,
    sources: frozenset[str] = DEFAULT_SOURCES,
) -> PastIndex:
    """The index of a commit, named by its id. Files outside the workspace have no past."""
    blobs = _blobs(git, commit, scope)
    listed = "".join(f"{path}\0{source}\0{oid}\n" for path, (source, oid) in blobs.items())
    key = hashlib.sha256(listed.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    file = place.shared / "past" / f"{key}.db"

    def anew() -> sqlite3.Connection:
        return _filled(opened(":memory:"), git, blobs)

    try:
        db = _filled(open_file(file, PATIENCE), git, blobs)
        os.utime(file)
    except (sqlite3.DatabaseError, OSError) as error:
        if isinstance(error, sqlite3.Error) and is_damage(error):
            clear(file)
        db = anew()
    _forget_oldest(file.parent)
    return PastIndex(db, sources, commit, anew)


def _blobs(git: CGit, commit: str, scope: Reach) -> dict[str, tuple[str, str]]:
    oids: dict[str, str] = {}
    listed = git.run("ls-tree", "-r", "-z", "--full-tree", commit)
    for record in map(os.fsdecode, listed.split(b"\0")):
        if record.startswith("100"):
            about, _, path = record.partition("\t")
            oids[path] = about.split(" ")[2]
    return {path: (source, oids[path]) for path, source in sorted(in_scope(oids, scope).items())}


def _filled(db: sqlite3.Connection, git: CGit, blobs: Blobs) -> sqlite3.Connection:
    """In one transaction, so that tables that exist are complete."""
    try:
        if not tables.is_current(db):
            with writing(db):
                if tables.prepare(db):
                    _fill(db, git, blobs)
    except sqlite3.Error:
        db.close()
        raise
    return db


def _fill(db: sqlite3.Connection, git: CGit, blobs: Blobs) -> None:
    contents = Batch(git).read(oid for _, oid in blobs.values())
    for (path, (source, _)), blob in zip(blobs.items(), contents, strict=True):
        data = blob.data if blob else b""
        found = SourceFile(source, len(data), 0, 0, 0)
        tables.put(db, path, found, b"", tables.parsed(path, data))


def _forget_oldest(folder: Path) -> None:
    with suppress(OSError):
        files = sorted(folder.glob("*.db"), key=lambda file: file.stat().st_mtime, reverse=True)
        for file in files[_KEPT:]:
            clear(file)
