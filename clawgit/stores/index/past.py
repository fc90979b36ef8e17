"""The index of a commit: what its files said then, from the lists of their blobs."""

import hashlib
import os
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from clawgit.domain.facts.vector_life import Horizon
from clawgit.stores.clearing import clear
from clawgit.stores.database import is_damage, writing
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.index import live, opening, shelf
from clawgit.stores.index.discover import Reach, in_scope
from clawgit.stores.index.opening import IndexFiles
from clawgit.stores.index.reading import IndexReader
from clawgit.stores.index.searching import PATIENCE, Answer, Freshness
from clawgit.stores.index.shelf import Chunking
from clawgit.stores.index.sources import DEFAULT_SOURCES, SourceFile

_KEPT = 8
"""How many past commits stay indexed; another one is quickly indexed again."""


class PastIndex(IndexReader):
    """The index of a past commit, which never changes."""

    def __init__(
        self,
        db: sqlite3.Connection,
        sources: frozenset[str],
        commit: str,
        anew: Callable[[], sqlite3.Connection],
    ) -> None:
        super().__init__(db, sources)
        self._commit = commit
        self._anew = anew
        self._pin()

    def asked(self, question: Callable[[IndexReader], Answer]) -> Answer:
        """The answer to a question.

        If it meets a damaged page, the index is built again from git.
        """
        try:
            return question(self)
        except sqlite3.DatabaseError:
            self.close()
            self._db = self._anew()
            self._pin()
        return question(self)

    def live(self, horizon: Horizon | None = None) -> tuple[list[range], bytes]:  # noqa: ARG002 - of today
        """With every text: what has expired today had not expired then."""
        return super().live()

    def _pin(self) -> None:
        self._db.execute("BEGIN")
        self._take(live.files(self._db))

    def refresh(self) -> Freshness:
        return Freshness(len(self._files), self.count, changed=0, behind=0, indexed_at=self._commit)


def open_past(
    place: RepoPlace,
    git: CGit,
    commit: str,
    scope: Reach,
    chunking: Chunking = Chunking(),  # noqa: B008 - an immutable value
    *,
    sources: frozenset[str] = DEFAULT_SOURCES,
) -> PastIndex:
    """The index of a commit, named by its id. Files outside the workspace have no past."""
    blobs = _blobs(git, commit, scope)
    listed = "".join(f"{path}\0{source}\0{oid}\n" for path, (source, oid) in blobs.items())
    key = hashlib.sha256(f"{chunking}\n{listed}".encode("utf-8", "surrogateescape")).hexdigest()[
        :32
    ]
    file = place.shared / "past" / f"{key}.db"

    def anew() -> sqlite3.Connection:
        return _filled(opening.open_memory(), git, blobs, chunking)

    try:
        db = _filled(
            opening.open_files(IndexFiles(file, place.shared / "index.db"), PATIENCE),
            git,
            blobs,
            chunking,
        )
        os.utime(file)
    except (sqlite3.DatabaseError, OSError) as error:
        if isinstance(error, sqlite3.Error) and is_damage(error):
            clear(file)
        db = anew()
    _forget_oldest(file.parent)
    return PastIndex(db, sources, commit, anew)


def _blobs(git: CGit, commit: str, scope: Reach) -> dict[str, tuple[str, str]]:
    """Source and blob of each file in scope."""
    oids: dict[str, str] = {}
    for record in map(
        os.fsdecode, git.run("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")
    ):
        if record.startswith("100"):
            about, _, path = record.partition("\t")
            oids[path] = about.split(" ")[2]
    return {path: (source, oids[path]) for path, source in sorted(in_scope(oids, scope).items())}


def _filled(
    db: sqlite3.Connection, git: CGit, blobs: Mapping[str, tuple[str, str]], chunking: Chunking
) -> sqlite3.Connection:
    try:
        _fill(db, git, blobs, chunking)
    except sqlite3.Error:
        db.close()
        raise
    return db


def _fill(
    db: sqlite3.Connection, git: CGit, blobs: Mapping[str, tuple[str, str]], chunking: Chunking
) -> None:
    """In one transaction, so that tables that exist are complete."""
    if live.is_current(db, chunking):
        return
    with writing(db):
        if live.is_current(db, chunking):
            return
        live.prepare(db, chunking)
        kept = shelf.find(db, {bytes.fromhex(oid) for _, oid in blobs.values()}, chunking)
        missing = dict.fromkeys(oid for _, oid in blobs.values() if bytes.fromhex(oid) not in kept)
        for oid, blob in zip(missing, Batch(git).read(missing), strict=True):
            data = blob.data if blob else b""
            kept[bytes.fromhex(oid)], _ = shelf.add(db, bytes.fromhex(oid), data, chunking)
        for path, (source, oid) in blobs.items():
            live.put(db, path, SourceFile(source, 0, 0, 0, 0), kept[bytes.fromhex(oid)], None, None)


def _forget_oldest(folder: Path) -> None:
    with suppress(OSError):
        files = sorted(folder.glob("*.db"), key=lambda file: file.stat().st_mtime, reverse=True)
        for file in files[_KEPT:]:
            clear(file)
