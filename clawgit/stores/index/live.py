"""The index of a worktree: opens it, brings it up to date before a question, and rebuilds it if it
is damaged.
"""

import sqlite3
from contextlib import nullcontext, suppress
from pathlib import Path

from clawgit.stores.clearing import clear, clear_the_way
from clawgit.stores.database import is_damage, opened, primary_code, writing
from clawgit.stores.git.place import RepoPlace, head_of
from clawgit.stores.index import freshness, tables
from clawgit.stores.index.discover import Reach, discover
from clawgit.stores.index.index import Freshness, Index, Progress, of_tables, silent
from clawgit.stores.index.sources import DEFAULT_SOURCES, SOURCES, SourceFile

PATIENCE = 2.0
"""Seconds for which a question waits while another process indexes; then it uses what is there."""

_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})

_CACHE = -16_384
"""SQLite's page cache in KiB, used only as needed: a first build writes all over its file."""


def file_of(place: RepoPlace) -> Path:
    return place.private / "search.db"


def open_index(
    place: RepoPlace,
    scope: Reach,
    *,
    sources: frozenset[str] = DEFAULT_SOURCES,
    patience: float = PATIENCE,
) -> "LiveIndex":
    """The index of a worktree. `refresh` it before asking."""
    return LiveIndex(place, scope, sources, patience)


def as_it_stands(file: Path, sources: frozenset[str] = frozenset(SOURCES)) -> Index | None:
    """An index as it was written last, read only; None if there is none, or a damaged one."""
    with suppress(sqlite3.Error):
        db = open_unwritable(file)
        if tables.is_current(db):
            return of_tables(db, sources)
        db.close()
    return None


def peek(place: RepoPlace, scope: Reach) -> Freshness | None:
    """How far the index is behind the files, read only; None if there is none."""
    index = as_it_stands(file_of(place), DEFAULT_SOURCES)
    if index is None:
        return None
    with index:
        behind = len(freshness.changes(index.every_file(), discover(scope)))
        return Freshness(index.searched, index.count, behind=behind, indexed_at=head_of(place))


class LiveIndex(Index):
    """The open index; one that cannot be written is read as it is, or built in memory, which is
    slower but answers the same.
    """

    def __init__(
        self, place: RepoPlace, scope: Reach, sources: frozenset[str], patience: float
    ) -> None:
        self._place, self._scope, self._patience = place, scope, patience
        self._note = ""
        self._version = -1
        super().__init__(self._opened(), sources)

    def refresh(self, progress: Progress = silent) -> Freshness:
        """Looks at all files, and reads those that changed."""
        return self._mended(progress)

    def rebuild(self, progress: Progress = silent) -> Freshness:
        """Reads everything again; questions meanwhile are answered by the old index."""
        return self._mended(progress, anew=True)

    def _mend(self, error: sqlite3.DatabaseError) -> None:
        self._start_over(error)
        self.refresh()

    def _mended(self, progress: Progress, *, anew: bool = False) -> Freshness:
        """Brings the index up to date; after damage in a new file, at last in memory."""
        for _ in range(2):
            try:
                return self._caught_up(progress, anew=anew)
            except sqlite3.DatabaseError as error:
                self._start_over(error)
        self._start_over()
        return self._caught_up(progress)

    def _caught_up(self, progress: Progress, *, anew: bool = False) -> Freshness:
        note, changed = self._note, 0
        self._pin()
        found = discover(self._scope)
        ahead = freshness.changes(self.every_file(), found)
        if anew or ahead or not tables.is_current(self._db):
            try:
                changed = self._written(found, progress, anew=anew)
            except sqlite3.OperationalError as error:
                if primary_code(error) not in _BUSY:
                    raise
                note = "another process is indexing"
            self._pin()
            ahead = freshness.changes(self.every_file(), found)
        head = head_of(self._place)
        return Freshness(self.searched, self.count, changed, len(ahead), head, note)

    def _written(self, found: dict[str, SourceFile], progress: Progress, *, anew: bool) -> int:
        """Brings the tables to what was found; returns how many files have other items.

        A rebuild is one transaction: others are answered by the old index meanwhile. Else each
        batch is one: others can read in between, and a kill -9 costs one batch at most.
        """
        db, known, version, self._version = self._db, self.every_file(), self._version, -1
        done, changed, moved = 0, 0, anew
        db.execute("COMMIT")
        with writing(db) if anew else nullcontext():
            if anew:
                tables.reset(db)
                known, version = {}, freshness.version(db)
            left = True
            while left:
                with nullcontext() if anew else writing(db):
                    # Another process may have written since; its work is not done twice.
                    if tables.prepare(db) or version != freshness.version(db):
                        known, version, moved = tables.files(db), freshness.version(db), True
                    todo = freshness.changes(known, found)
                    batch = [*freshness.batch_of(todo, found)]
                    changed += freshness.take_in(db, self._scope.root, batch, found, known)
                done, left = done + len(batch), len(batch) < len(todo)
                progress(done, done + len(todo) - len(batch))
        self._version = version
        self._take(known.values(), anew=moved or changed > 0)
        return changed

    def _pin(self) -> None:
        """From here on the connection sees one moment of the file, until it is pinned again."""
        if self._db.in_transaction:
            self._db.execute("COMMIT")
        self._db.execute("BEGIN")
        version = freshness.version(self._db)
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
                clear(file_of(self._place))
        self._db = self._opened() if is_torn else self._in_memory()

    def _opened(self) -> sqlite3.Connection:
        """The index, a new one in place of a damaged one; for reading if it cannot be written."""
        file = file_of(self._place)
        for attempt in (open_file, open_file, open_unwritable):
            try:
                return attempt(file, self._patience)
            except (sqlite3.DatabaseError, OSError) as error:
                if is_damage(error):
                    with suppress(OSError):
                        clear(file)
        return self._in_memory()

    def _in_memory(self) -> sqlite3.Connection:
        self._note = "the index cannot be written; it was built in memory for this answer"
        return opened(":memory:")


def open_file(file: Path, patience: float = PATIENCE) -> sqlite3.Connection:
    """Opens an index for writing; makes a missing one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    clear_the_way(file)
    # With a write-ahead log, searches go on reading while an update is written.
    settings = ("journal_mode = WAL", "synchronous = NORMAL", f"cache_size = {_CACHE}")
    return _with(file, "mode=rwc", patience, *(f"PRAGMA {setting}" for setting in settings))


def open_unwritable(file: Path, patience: float = PATIENCE) -> sqlite3.Connection:
    """Opens an index for reading.

    If SQLite cannot even make its shared-memory file, nobody else can write, so the file is read
    as it is, unless a log has changes that are not in it yet.
    """
    # SQLite opens a file at the first query, so there is one here.
    first = "SELECT count(*) FROM sqlite_master"
    try:
        return _with(file, "mode=ro", patience, first)
    except sqlite3.OperationalError:
        log = file.with_name(f"{file.name}-wal")
        if log.exists() and log.stat().st_size:
            raise
        return _with(file, "mode=ro&immutable=1", patience, first)


def _with(file: Path, options: str, patience: float, *first: str) -> sqlite3.Connection:
    """A connection that has answered its first statements."""
    db = opened(f"{file.absolute().as_uri()}?{options}", patience)
    try:
        for statement in first:
            db.execute(statement).fetchall()
    except sqlite3.Error:
        db.close()
        raise
    return db
