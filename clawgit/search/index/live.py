"""The index of a worktree: opens it, brings it up to date before a question, makes it again if it
is damaged, and reports its state.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from clawgit.core import NamedTuple
from clawgit.core.disk.database import (
    LOCKED,
    clear,
    clear_the_way,
    is_damage,
    opened,
    primary_code,
    writing,
)
from clawgit.core.disk.plainfile import is_hard_link, open_plain, part_of
from clawgit.core.errors import PathRefusedError, counted, first_of
from clawgit.git.batch import Batch
from clawgit.git.cgit import CGit
from clawgit.git.place import RepoPlace, head_of
from clawgit.git.worktree import read_part
from clawgit.search.answer import noted
from clawgit.search.index import tables
from clawgit.search.index.index import Freshness, Index, Progress, of_files, of_tables, silent
from clawgit.workspace.discover import (
    DEFAULT_SOURCES,
    EXTRA,
    Reach,
    SourceFile,
    discover,
    found_as,
    in_scope,
    walked,
)
from clawgit.workspace.reach import reach_of
from clawgit.workspace.workspace import Workspace

Answer = TypeVar("Answer")

PATIENCE = 2.0
"""Seconds for which a question waits while another process indexes; then it uses what is there."""

# With a write-ahead log, searches go on reading while an update is written. The page cache, in KiB,
# is used only as needed: a first build writes all over its file.
_SETTINGS = ("journal_mode = WAL", "synchronous = NORMAL", "cache_size = -16384")

_TICK = 2_000_000_000
"""The coarsest clock of a file system, in nanoseconds: within one tick, a file can change without a
new time."""

_ANEW = -1
"""A time that no file has, so that the file must be read again."""

_BATCH_BYTES = 4 << 20
_BATCH_FILES = 5_000


def file_of(place: RepoPlace) -> Path:
    return place.private / "search.db"


def as_it_stands(file: Path) -> Index | None:
    """An index as it was written last, read only; None if there is none, or a damaged one."""
    with suppress(sqlite3.Error):
        db = _connected(file, "ro", PATIENCE)
        if tables.is_current(db):
            return of_tables(db, DEFAULT_SOURCES)
        db.close()
    return None


def behind(index: Index, scope: Reach) -> int:
    """How many files differ from what an index holds. One that is only to be looked at again, since
    it was read within a tick of its last change, does not.
    """
    known, found = index.every_file(), discover(scope)
    again = {path for path, file in known.items() if file.found.ctime == _ANEW}
    found |= {path: found[path]._replace(ctime=_ANEW) for path in again & found.keys()}
    return len(_changes(known, found))


class IndexState(NamedTuple):
    """The search index as it is on disk.

    `behind` files differ from it; the next search reads them. `indexed_at` is the commit of HEAD.
    """

    state: str = "not built yet; the first search builds it"
    files: int = 0
    items: int = 0
    behind: int = 0
    indexed_at: str = ""
    bytes: int = 0


def index_state(workspace: Workspace) -> IndexState:
    """The state of the index. Reads only."""
    file = file_of(workspace.place)
    index = as_it_stands(file)
    if index is None:
        return IndexState()
    with index:
        late = behind(index, reach_of(workspace))
    said = f"{index.count:,} items in {index.searched:,} files"
    if late:
        said += f", {counted(late, 'file')} behind; the next search indexes them"
    head = head_of(workspace.place)
    return IndexState(said, index.searched, index.count, late, head, file.stat().st_size)


class LiveIndex(Index):
    """The open index of a worktree. `refresh` it before asking. One that cannot be written is built
    in memory, which is slower but answers the same.
    """

    def __init__(
        self,
        place: RepoPlace,
        scope: Reach,
        sources: frozenset[str] = DEFAULT_SOURCES,
        patience: float = PATIENCE,
    ) -> None:
        self._place, self._scope, self._patience = place, scope, patience
        self._file, self._note, self._version = file_of(place), "", -1
        super().__init__(self._opened(), sources)

    def refresh(self, progress: Progress = silent, *, anew: bool = False) -> Freshness:
        """Looks at all files, and reads those that changed, or all `anew`. After damage, it does so
        in a new file, at last in memory.
        """
        for _ in range(2):
            try:
                return self._caught_up(progress, anew=anew)
            except sqlite3.DatabaseError as error:
                self._start_over(error)
        self._start_over()
        return self._caught_up(progress)

    def asked(self, question: "Callable[[Index], Answer]") -> Answer:
        """The answer to a question; if it meets a damaged page, the index is made good first."""
        try:
            return question(self)
        except sqlite3.DatabaseError as error:
            self._start_over(error)
        self.refresh()
        return question(self)

    def _caught_up(self, progress: Progress, *, anew: bool = False) -> Freshness:
        note, changed, seen = self._note, 0, walked(self._scope)
        found = {path: file for path, file in seen.items() if file}
        self._pin()
        ahead = _changes(self.every_file(), found)
        if anew or ahead or not tables.is_current(self._db):
            try:
                changed = self._written(found, progress, anew=anew)
            except sqlite3.OperationalError as error:
                if primary_code(error) not in LOCKED:
                    raise
                note = "another process is indexing"
            self._pin()
            ahead = _changes(self.every_file(), found)
        unread = [*self._unread(seen.keys() - found.keys())]
        note, late = noted(note, first_of(unread, 2, "; ")) or "", len(ahead) + len(unread)
        return Freshness(self.searched, self.count, changed, late, head_of(self._place), note)

    def _unread(self, missed: Iterable[str]) -> Iterator[str]:
        """Why the index lacks some paths, or what they hold, and what would help."""
        for path in sorted(missed):
            if self._scope.source(path) in self._sources and not self._is_name(path):
                try:
                    read_part(self._scope.root, path)
                except PathRefusedError as error:
                    yield f"not searched: {error.with_hint}"
        for file in self._shown:
            if file.is_garbled:
                yield f"not all of {file.path} is text: clawgit doctor"

    def _is_name(self, path: str) -> bool:
        """Whether a path is one more name of a file of the index."""
        root = self._scope.root
        return (root / path).resolve() in map(root.joinpath, self.every_file())

    def _written(self, found: dict[str, SourceFile], progress: Progress, *, anew: bool) -> int:
        """Brings the tables to what was found; returns how many files have other items.

        Each batch is one transaction: others can read in between, and a kill -9 costs one batch.
        """
        db, done, changed, left, self._version = self._db, 0, 0, 1, -1
        db.execute("COMMIT")
        while left:
            with writing(db):
                if anew or not tables.is_current(db):
                    tables.reset(db)
                    anew = False
                # Another process may have written since; its work is not done twice.
                known = tables.files(db)
                todo = _changes(known, found)
                batch = [*_batch_of(todo, found)]
                changed += self._taken_in(batch, found, known)
            done, left = done + len(batch), len(todo) - len(batch)
            progress(done, done + left)
        return changed

    def _taken_in(
        self, batch: Iterable[str], found: dict[str, SourceFile], known: Mapping[str, tables.File]
    ) -> int:
        """Stores what these files hold now; returns how many have other items.

        Afterwards `found` says how the files were when they were read.
        """
        db, gone, new = self._db, list[tables.File](), list[tuple[str, SourceFile, bytes, bytes]]()
        for path in batch:
            old, seen = known.get(path), found.pop(path, None)
            if seen and (read := _read(self._scope.root, path, seen)):
                found[path], data = read
                stamp = tables.stamp_of(data)
                if old and (old.stamp, old.found.source) == (stamp, seen.source):
                    tables.touch(db, old, found[path])
                    continue
                new.append((path, found[path], stamp, data))
            if old:
                gone.append(old)
        # By rising ids, those that go first: FTS writes out all that it holds where an id falls.
        for file in sorted(gone, key=lambda file: file.first):
            tables.drop(db, file)
        for path, seen, stamp, data in new:
            tables.put(db, path, seen, stamp, tables.parsed(path, data))
        return len({file.path for file in gone}.union(path for path, *_ in new))

    def _pin(self) -> None:
        """From here on the connection sees one moment of the file, until it is pinned again."""
        if self._db.in_transaction:
            self._db.execute("COMMIT")
        self._db.execute("BEGIN")
        # It changes when another connection writes.
        [version] = self._db.execute("PRAGMA data_version").fetchone()
        if self._version != version:
            self._take(tables.files(self._db).values())
            self._version = version

    def _start_over(self, error: sqlite3.Error | None = None) -> None:
        """After damage with a new file; after anything else in memory."""
        self.close()
        self._version = -1
        is_torn = error is not None and is_damage(error)
        if is_torn:
            with suppress(OSError):
                clear(self._file)
        self._db = self._opened() if is_torn else self._in_memory()

    def _opened(self) -> sqlite3.Connection:
        """The index, a new one in place of a damaged one; in memory if it cannot be written."""
        for _ in range(2):
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                clear_the_way(self._file)
                return _connected(self._file, "rwc", self._patience, *_SETTINGS)
            except (sqlite3.DatabaseError, OSError) as error:
                if is_damage(error):
                    with suppress(OSError):
                        clear(self._file)
        return self._in_memory()

    def _in_memory(self) -> sqlite3.Connection:
        self._note = "the index cannot be written; it was built in memory for this answer"
        return opened(":memory:")


def live_index(workspace: Workspace, sources: frozenset[str] = DEFAULT_SOURCES) -> LiveIndex:
    """The index of a workspace, to be refreshed and asked."""
    return LiveIndex(workspace.place, reach_of(workspace), sources)


def _connected(file: Path, mode: str, patience: float, *settings: str) -> sqlite3.Connection:
    """A connection that has read its file: SQLite opens one at the first query."""
    db = opened(f"{file.absolute().as_uri()}?mode={mode}", patience)
    try:
        for setting in (*settings, "schema_version"):
            db.execute(f"PRAGMA {setting}").fetchall()
    except sqlite3.Error:
        db.close()
        raise
    return db


def _changes(known: Mapping[str, tables.File], found: Mapping[str, SourceFile]) -> list[str]:
    """The paths at which the index differs from what was found: those that are gone first."""
    gone = [path for path in known if path not in found]
    new = [path for path, seen in found.items() if path not in known or known[path].found != seen]
    return gone + sorted(new)


def _batch_of(paths: Sequence[str], found: Mapping[str, SourceFile]) -> Iterator[str]:
    """As many of these as are read in one transaction."""
    room = _BATCH_BYTES
    for path in paths[:_BATCH_FILES]:
        yield path
        room -= found[path].size if path in found else 0
        if room < 0:
            return


def _read(root: Path, path: str, found: SourceFile) -> tuple[SourceFile, bytes] | None:
    """A file as it was read, with its status before; None if it is gone or cannot be read.

    If it may change again within the same tick, it is read again next time.
    """
    # A file that became a link since it was found could lead outside. Only paths in
    # `extra_paths` may be links.
    is_extra = found.source == EXTRA
    try:
        with open_plain(os.path.realpath(root / path) if is_extra else root / path) as opened:
            # The status of the open file, before it is read: a change in between then shows
            # next time. If it were taken afterwards, that change would count as read.
            status, now = os.fstat(opened.fileno()), time.time_ns()
            if is_hard_link(status):
                return None
            data = part_of(opened.fileno())
    except OSError:
        return None
    read, is_fresh = found_as(found.source, status), abs(now - status.st_ctime_ns) <= _TICK
    return read._replace(ctime=_ANEW) if is_fresh else read, data


def of_commit(
    git: CGit, commit: str, scope: Reach, sources: frozenset[str] = DEFAULT_SOURCES
) -> Index:
    """An index in memory of what the files of a commit said. Files outside of the workspace have no
    past.
    """
    oids: dict[str, str] = {}
    listed = git.run("ls-tree", "-r", "-z", "--full-tree", commit)
    for record in map(os.fsdecode, listed.split(b"\0")):
        if record.startswith("100"):
            about, _, path = record.partition("\t")
            oids[path] = about.split(" ")[2]
    named = sorted(in_scope(oids, scope).items())
    blobs = Batch(git).read(oids[path] for path, _ in named)
    contents = (blob.data if blob else b"" for blob in blobs)
    index = of_files(
        (
            (path, SourceFile(source, len(data), 0, 0, 0), tables.parsed(path, data))
            for (path, source), data in zip(named, contents, strict=True)
        ),
        sources,
    )
    index.commit = commit
    return index
