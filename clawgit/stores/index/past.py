"""The index of a commit: what its files said then."""

import hashlib
import os
from contextlib import suppress
from datetime import date
from functools import cached_property
from pathlib import Path

from clawgit.domain.facts.vector_life import Horizon, VectorSettings
from clawgit.stores.clearing import clear
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.index.discover import Reach, in_scope
from clawgit.stores.index.live import LiveIndex
from clawgit.stores.index.sources import DEFAULT_SOURCES, SourceFile

_KEPT = 8
"""How many past commits stay indexed; another one is quickly indexed again."""


class _Committed:
    """The files of a commit. Those outside the workspace have no past."""

    def __init__(self, git: CGit, commit: str, scope: Reach) -> None:
        self._git, self.commit = git, commit
        self._oids, sizes = dict[str, str](), dict[str, int]()
        listed = git.run("ls-tree", "-r", "-z", "-l", "--full-tree", commit)
        for record in map(os.fsdecode, listed.split(b"\0")):
            if record.startswith("100"):
                about, _, path = record.partition("\t")
                _, _, self._oids[path], size = about.split()
                sizes[path] = int(size)
        sources = sorted(in_scope(self._oids, scope).items())
        self._found = {path: SourceFile(source, sizes[path], 0, 0, 0) for path, source in sources}

    @property
    def key(self) -> str:
        """The same for commits whose files are the same."""
        rows = (
            f"{path}\0{file.source}\0{self._oids[path]}\n" for path, file in self.found().items()
        )
        return hashlib.sha256("".join(rows).encode("utf-8", "surrogateescape")).hexdigest()[:32]

    def found(self) -> dict[str, SourceFile]:
        return {**self._found}

    def read(self, path: str, found: SourceFile) -> tuple[SourceFile, bytes]:
        return found, self._contents[path]

    @cached_property
    def _contents(self) -> dict[str, bytes]:
        blobs = Batch(self._git).read(map(self._oids.__getitem__, self._found))
        data = (blob.data if blob else b"" for blob in blobs)
        return dict(zip(self._found, data, strict=True))


class PastIndex(LiveIndex):
    """The index of a commit, whose files never change."""

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
    """The index of a commit, named by its id. `refresh` it before asking."""
    files = _Committed(git, commit, scope)
    file = place.shared / "past" / f"{files.key}.db"
    index = PastIndex(file, files, sources)
    index.commit = commit
    with suppress(OSError):
        os.utime(file)
        _forget_oldest(file.parent)
    return index


def _forget_oldest(folder: Path) -> None:
    files = sorted(folder.glob("*.db"), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in files[_KEPT:]:
        clear(file)
