"""The index of a commit: what its files said then, made in memory for who asks."""

import os
from datetime import date

from clawgit.domain.facts.vector_life import Horizon, VectorSettings
from clawgit.stores.database import opened, writing
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit
from clawgit.stores.index import tables
from clawgit.stores.index.discover import Reach, in_scope
from clawgit.stores.index.index import Freshness, Index, Progress, silent
from clawgit.stores.index.sources import DEFAULT_SOURCES, SourceFile


class PastIndex(Index):
    """The index of a commit, named by its id, which never changes. Files outside the workspace
    have no past.
    """

    def __init__(
        self,
        git: CGit,
        commit: str,
        scope: Reach,
        sources: frozenset[str] = DEFAULT_SOURCES,
        note: str = "",
    ) -> None:
        super().__init__(opened(":memory:"), sources)
        self.commit, self._note = commit, note
        with writing(self._db):
            tables.reset(self._db)
            self._fill(git, scope)
        self._take(tables.files(self._db).values())

    def refresh(self, progress: Progress = silent) -> Freshness:  # noqa: ARG002 - of what changes
        """What is searched; it never changes."""
        return Freshness(self.searched, self.count, indexed_at=self.commit, note=self._note)

    def horizon(self, today: date, rules: VectorSettings) -> Horizon:  # noqa: ARG002 - of today
        """None: what has expired today had not expired then."""
        return Horizon(date.min, date.min)

    def _fill(self, git: CGit, scope: Reach) -> None:
        oids: dict[str, str] = {}
        listed = git.run("ls-tree", "-r", "-z", "--full-tree", self.commit)
        for record in map(os.fsdecode, listed.split(b"\0")):
            if record.startswith("100"):
                about, _, path = record.partition("\t")
                oids[path] = about.split(" ")[2]
        sources = sorted(in_scope(oids, scope).items())
        contents = Batch(git).read(oids[path] for path, _ in sources)
        for (path, source), blob in zip(sources, contents, strict=True):
            data = blob.data if blob else b""
            found = SourceFile(source, len(data), 0, 0, 0)
            tables.put(self._db, path, found, b"", tables.parsed(path, data))
