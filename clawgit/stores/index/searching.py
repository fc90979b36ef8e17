"""The live index: opens it, updates it before a question, and rebuilds it if it is damaged."""

import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from heapq import nlargest
from typing import NamedTuple, TypeVar

from clawgit.domain.facts.vector_life import VectorSettings
from clawgit.domain.workspace.seen import folder_of
from clawgit.stores.database import is_damage, writing
from clawgit.stores.git.place import RepoPlace, head_of
from clawgit.stores.index import live, opening, refreshing, shelf
from clawgit.stores.index.discover import Reach, discover
from clawgit.stores.index.listing import TornError
from clawgit.stores.index.live import ANEW, File
from clawgit.stores.index.reading import IndexReader
from clawgit.stores.index.refreshing import Aim, Progress, Standing
from clawgit.stores.index.shelf import Chunking
from clawgit.stores.index.sources import DEFAULT_SOURCES, EXTRA, SourceFile

_MOST_GLANCED = 64
"""This many files, and this many folders. In a memory of fewer, only the first file of a folder
that had none is missed."""

Times = Mapping[str, int]
"""The time of each folder, in nanoseconds."""

_TOP = ""
_GONE = -1


class Watched(NamedTuple):
    """The top folder and those of all files, and the files that changed last."""

    folders: frozenset[str]
    files: Sequence[File]


class Stamp(NamedTuple):
    """The name of a file, and what it was when it was read. `follows`: where a link leads."""

    name: bytes
    follows: bool
    size: int
    mtime: int
    ctime: int
    inode: int

    def holds(self) -> bool:
        try:
            now = os.stat(self.name) if self.follows else os.lstat(self.name)  # noqa: PTH116 - hundreds at each question
        except OSError:
            return False
        if self.ctime not in (ANEW, now.st_ctime_ns):
            return False
        return (self.size, self.mtime, self.inode) == (now.st_size, now.st_mtime_ns, now.st_ino)


class Glance(NamedTuple):
    """The files that changed last, as they were read, and the times of the folders that did.

    A folder changes when a file in it is made, deleted, renamed or replaced, as most editors save.
    What is written in place does not change it, but was mostly written not long ago, too.
    """

    files: Sequence[Stamp] = ()
    folders: Sequence[tuple[bytes, int]] = ()

    def holds(self) -> bool:
        """Whether all is as it was."""
        return all(stamp.holds() for stamp in self.files) and all(
            _time_of(folder) == time for folder, time in self.folders
        )


def watched(files: Sequence[File]) -> Watched:
    folders = {_TOP, *(folder_of(file.path) for file in files)}
    return Watched(frozenset(folders), nlargest(_MOST_GLANCED, files, key=_changed))


def times_of(root: str, folders: Iterable[str]) -> Times:
    """To be asked before a look at the files: what changes meanwhile shows at the next glance."""
    return {folder: _time_of(_named(root, folder)) for folder in folders}


def glanced(root: str, now: Watched, before: Times) -> Glance:
    """What a look has found, with the times from before it."""
    times = {**before, **times_of(root, now.folders - before.keys())}
    newest = nlargest(_MOST_GLANCED, times, key=times.__getitem__)
    return Glance(
        [stamp_of(root, file) for file in now.files],
        [(_named(root, folder), times[folder]) for folder in newest],
    )


def stamp_of(root: str, file: File) -> Stamp:
    source, *seen = file.found
    return Stamp(_named(root, file.path), source == EXTRA, *seen)


def _named(root: str, path: str) -> bytes:
    """Its name for the system, encoded once; an extra path is whole already."""
    return os.fsencode(os.path.join(root, path))  # noqa: PTH118 - thousands at each look


def _changed(file: File) -> float:
    """When a file changed; those come first that were read within a tick of their change."""
    return float("inf") if file.found.ctime == ANEW else file.found.ctime


def _time_of(folder: bytes) -> int:
    try:
        return os.stat(folder).st_mtime_ns  # noqa: PTH116 - see `Stamp`
    except OSError:
        return _GONE


Answer = TypeVar("Answer")
Work = Callable[[sqlite3.Connection, Aim, Progress, Standing], tuple[int, Standing]]

PATIENCE = 2.0
"""Seconds for which a question waits while another process indexes; then it uses what is there."""


class Freshness(NamedTuple):
    """What is searched: `files` with `items`.

    `changed` files were read just now, and `behind` are not in the index yet. `indexed_at` is the
    commit of HEAD, "" before the first. `note` says what was unusual.
    """

    files: int
    items: int
    changed: int
    behind: int
    indexed_at: str
    note: str = ""


def silent(_done: int, _all: int) -> None:
    """The progress report of a caller who wants none."""


def open_index(
    place: RepoPlace,
    scope: Reach,
    chunking: Chunking = Chunking(),  # noqa: B008 - an immutable value
    *,
    sources: frozenset[str] = DEFAULT_SOURCES,
    patience: float = PATIENCE,
) -> "SearchIndex":
    """The index of a worktree. `refresh` it before asking."""
    return SearchIndex(place, scope, chunking, sources, patience)


def peek(place: RepoPlace, files: Mapping[str, SourceFile], chunking: Chunking) -> Freshness | None:
    """How far the index is behind these files, read only; None if there is none."""
    try:
        db = opening.open_unwritable(opening.files_of(place), PATIENCE)
    except sqlite3.Error:
        return None
    try:
        known = refreshing.standing(db).files
        fresh = live.is_current(db, chunking)
    except sqlite3.DatabaseError:
        return None
    finally:
        db.close()
    behind = len(live.changes(known, files)) if fresh else len(files)
    shown = [file for file in known.values() if file.found.source in DEFAULT_SOURCES]
    items = sum(file.items for file in shown)
    return Freshness(len(shown), items, 0, behind, head_of(place)) if known or fresh else None


class SearchIndex(IndexReader):
    """The open index; one that cannot be written is read as it is, or built in memory, which is
    slower but answers the same.
    """

    def __init__(
        self,
        place: RepoPlace,
        scope: Reach,
        chunking: Chunking,
        sources: frozenset[str],
        patience: float,
    ) -> None:
        self._place, self._scope, self._chunking, self._patience = place, scope, chunking, patience
        self._paths = opening.files_of(place)
        self._note = ""
        self._standing: Standing | None = None
        self._glance: Glance | None = None
        self._watched: Watched | None = None
        self._glances = False
        super().__init__(self._opened(), sources)

    def refresh(self, progress: Progress = silent) -> Freshness:
        """Looks at all files, and reads those that changed."""
        return self._brought(refreshing.catch_up, progress)

    def glances(self) -> bool:
        """Whether nothing that changed last has changed since `refresh`: not as sure as a look at
        all files, and much faster. The first time it cannot know: most processes look once.
        """
        self._glances = True
        return self._glance is not None and self._glance.holds()

    def is_as_read(self, paths: Iterable[str]) -> bool:
        """Whether these files are what was read of them."""
        files = self._standing.files if self._standing else {}
        root = str(self._scope.root)
        return all(path in files and stamp_of(root, files[path]).holds() for path in paths)

    def rebuild(self, progress: Progress = silent) -> Freshness:
        """Reads everything again; questions meanwhile are answered by the old index."""
        return self._brought(refreshing.rebuild, progress)

    def learn(self, contents: Sequence[bytes], today: date, rules: VectorSettings) -> list[int]:
        """Reads what files will hold soon; returns the ids of their texts, but of those that keep
        no vector.

        Once the files hold it, the next `refresh` finds all of it there.
        """
        try:
            return self._learnt(contents, today, rules)
        except sqlite3.DatabaseError as error:
            self._start_over(error)
        return self._learnt(contents, today, rules)

    def _learnt(self, contents: Sequence[bytes], today: date, rules: VectorSettings) -> list[int]:
        if self._db.in_transaction:
            self._db.execute("COMMIT")
        with writing(self._db):
            live.prepare(self._db, self._chunking)
            horizon = self.horizon(today, rules)
            ids = shelf.learn(self._db, contents, self._chunking, horizon)
        # The connection does not notice what it wrote itself.
        self._standing = None
        self._pin()
        return ids

    def shrink(self) -> int:
        """Deletes the texts that no file of this worktree has any more; returns how many.

        Another worktree reads its files again when needed.
        """
        held = self.texts_held()
        unheld = int(
            self._db.execute("SELECT count(*) FROM shared.text_texts").fetchone()[0]
        ) - len(held)
        if unheld > 0:
            self.rebuild()
            self._db.execute("COMMIT")
            opening.vacuum(self._db)
            self._pin()
        return max(unheld, 0)

    def asked(self, question: Callable[[IndexReader], Answer]) -> Answer:
        """The answer to a question.

        If it meets a damaged page, the index is built again first.
        """
        try:
            return question(self)
        except TornError:
            self.rebuild()
        except sqlite3.DatabaseError as error:
            self._start_over(error)
            self.refresh()
        return question(self)

    def _brought(self, work: Work, progress: Progress) -> Freshness:
        try:
            return self._caught_up(work, progress)
        except TornError:
            work = refreshing.rebuild
        except sqlite3.DatabaseError as error:
            self._start_over(error)
        try:
            return self._caught_up(work, progress)
        except sqlite3.DatabaseError as error:
            self._start_over(error, in_memory=True)
        return self._caught_up(refreshing.catch_up, progress)

    def _caught_up(self, work: Work, progress: Progress) -> Freshness:
        known = self._pin()
        times = times_of(str(self._scope.root), self._watch().folders) if self._glances else {}
        aim = Aim(self._scope.root, discover(self._scope), self._chunking)
        changed, note = 0, self._note
        ahead = live.changes(known.files, aim.found)
        if work is refreshing.rebuild or ahead or not live.is_current(self._db, self._chunking):
            self._db.execute("COMMIT")
            try:
                changed, self._standing = work(self._db, aim, progress, known)
                self._take(self._standing.files.values())
            except sqlite3.OperationalError as error:
                if not opening.is_busy(error):
                    raise
                self._standing, note = None, "another process is indexing"
            known = self._pin()
            ahead = live.changes(known.files, aim.found)
        if self._glances:
            self._glance = glanced(str(self._scope.root), self._watch(), times)
        return Freshness(self.searched, self.count, changed, len(ahead), head_of(self._place), note)

    def _take(self, files: Iterable[File]) -> None:
        super()._take(files)
        self._watched = None

    def _watch(self) -> Watched:
        if self._watched is None:
            self._watched = watched(self._files)
        return self._watched

    def _pin(self) -> Standing:
        """From here on the connection sees one moment of both files, until it is pinned again."""
        if self._db.in_transaction:
            self._db.execute("COMMIT")
        self._db.execute("BEGIN")
        if self._standing is None or self._standing.version != refreshing.version(self._db):
            self._standing = refreshing.standing(self._db)
            self._take(self._standing.files.values())
        return self._standing

    def _opened(self) -> sqlite3.Connection:
        try:
            return opening.open_files(self._paths, self._patience)
        except (sqlite3.DatabaseError, OSError) as error:
            return self._opened_instead(error)

    def _opened_instead(self, error: Exception) -> sqlite3.Connection:
        """Replaces damaged files; files that cannot be written are read as they are."""
        try:
            if isinstance(error, sqlite3.Error) and is_damage(error):
                opening.discard(self._paths, self._patience)
                return opening.open_files(self._paths, self._patience)
            return opening.open_unwritable(self._paths, self._patience)
        except (sqlite3.DatabaseError, OSError):
            return self._in_memory()

    def _start_over(self, error: sqlite3.Error, *, in_memory: bool = False) -> None:
        self.close()
        self._standing = None
        damaged = is_damage(error) and not in_memory
        self._db = self._opened_instead(error) if damaged else self._in_memory()

    def _in_memory(self) -> sqlite3.Connection:
        self._note = "the index cannot be written; it was built in memory for this answer"
        return opening.open_memory()
