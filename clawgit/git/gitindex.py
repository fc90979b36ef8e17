"""Git's own index: read by libgit2, and changed on a private copy under git's lock.

A process of C git would cost a fifth of a small transaction. A split or a sparse index leaves
entries out, so libgit2 refuses it.
"""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from clawgit.core import NamedTuple
from clawgit.core.disk.plainfile import sync
from clawgit.core.doors import hashlib, pygit2
from clawgit.core.errors import (
    BusyError,
    ClawgitError,
    DamagedError,
    StorageError,
    UnsupportedRepoError,
)
from clawgit.git.lock import MARK, has_our_mark
from clawgit.git.place import RepoPlace
from clawgit.git.worktree import leads_away

_CHECKSUM = 20
_PATIENCE = 10.0
"""Seconds to wait for another git process."""

INDEX_HINT = (
    "`clawgit doctor --fix` rebuilds it from HEAD: no file and no commit is changed, and what only "
    "it had staged is saved."
)


class Blob(NamedTuple):
    """What a tree or the index has at a path."""

    oid: str
    mode: int


Mark = tuple[int, int, int] | None
"""Changes whenever the index file does; None if there is no index yet."""


class IndexEntries(NamedTuple):
    """The index entries of the requested paths, as of `mark`."""

    blobs: Mapping[str, Blob]
    conflicted: bool
    mark: Mark


class GitIndex:
    """The index of one worktree."""

    def __init__(self, place: RepoPlace) -> None:
        self._file = place.git_dir / "index"
        self._lock = place.git_dir / "index.lock"
        self._private = place.private / "index.next"
        self._held = False

    def read(self, paths: Sequence[str]) -> IndexEntries:
        """The entries of `paths`, and whether any path of the index is in conflict."""
        # The mark before the entries, so that `land` notices a change in between. Taken
        # afterwards, it would be that of a newer index.
        mark = self.mark()
        try:
            index = pygit2.index_in(f"{self._file}")
        except pygit2.GitError as error:
            raise unreadable(str(error)) from error
        found = {path: index[path] for path in paths if _has(index, path)}
        blobs = {path: Blob(str(entry.id), int(entry.mode)) for path, entry in found.items()}
        return IndexEntries(blobs, index.conflicts is not None, mark)

    def lock(self, oid: str, timeout: float) -> None:
        """Takes `index.lock` with our mark in it.

        It is a link that leads nowhere, since its text is made with its name: neither a reader nor
        a power cut finds it empty. An empty lock could be git's, and would never be removed.
        """
        deadline = time.monotonic() + timeout
        while True:
            try:
                self._lock.symlink_to(f"{MARK}{os.getpid()} {oid}")
            except FileExistsError:
                if time.monotonic() >= deadline:
                    raise BusyError(
                        f"Another git process has held {self._lock} for {timeout:g} s.",
                        hint="Wait for it to finish; `clawgit doctor` says whether it is alive, "
                        "and what to do if it is not.",
                    ) from None
                time.sleep(0.005)
            else:
                self._held = True
                return

    @contextmanager
    def held(self, timeout: float = _PATIENCE) -> Iterator[None]:
        """Stops git from committing while the block runs.

        A lock that a dead process of ours left is taken over without a gap: git must not see the
        files before they are complete.
        """
        if self._held:
            yield
            return
        if not has_our_mark(self._lock):
            self.lock("", timeout)
        self._held = True
        try:
            yield
        finally:
            self.unlock()

    def unlock(self) -> None:
        self._held = False
        # Never another's lock: its git relies on being the only writer.
        if has_our_mark(self._lock):
            self._lock.unlink(missing_ok=True)

    def prepare(self, changes: Mapping[str, Blob | None]) -> None:
        """Makes a private copy with other entries at the given paths; no other file is read.

        A copy, since a crash in the real one would leave a change staged that was not committed.
        """
        # A kill -9 may have left the lock of libgit2 beside an older copy.
        self.discard()
        mark = self.mark()
        if mark:
            self._private.write_bytes(self._file.read_bytes())
        index = pygit2.index_in(f"{self._private}")
        for path in changes:
            if _has(index, path):
                index.remove(path)
        for path, blob in changes.items():
            # A change that was cut off may be somebody's forgery.
            if blob and not leads_away(path):
                # A file where the index has a folder: C git makes no tree of one that has both.
                index.remove_directory(path)
                oid, mode = pygit2.Oid(hex=blob.oid), cast("pygit2.enums.FileMode", blob.mode)
                index.add(pygit2.IndexEntry(path, oid, mode))
        written = mark[0] // 1_000_000_000 if mark else 0
        for entry in pygit2.entries(index):
            # A file that was changed in the second in which the index was written may have changed
            # again unnoticed: git compares it as long as the index is not newer, and ours is. With
            # no size, git compares it when it next looks, as it does with our own entries.
            if entry.mtime.seconds >= written:
                entry.file_size = 0
        try:
            index.write()
        except pygit2.GitError as error:  # of a full disk, libgit2 does not always say so
            raise StorageError(
                "The disk is full: git's index could not be written.",
                hint="Free some space and run the command again; nothing is lost.",
            ) from error
        if mark:
            self._private.chmod(self._file.stat().st_mode & 0o777)

    def put_back(self, lost: Mapping[str, Blob], mark: Mark) -> None:
        """Gives the index entries again that it has lost, unless it has changed since `mark`."""
        with self.held():
            if self.mark() == mark:
                self.prepare(lost)
                self.publish()

    def publish(self) -> None:
        """Makes the private copy git's index; the lock must be ours."""
        # By rename: a reader sees the old index or the new one, never a part. Synced before: with
        # an empty index, after a power cut, no git does anything here.
        sync(self._private)
        self._private.replace(self._file)

    def discard(self) -> None:
        for file in (self._private, self._private.with_name(f"{self._private.name}.lock")):
            file.unlink(missing_ok=True)

    def mark(self) -> Mark:
        try:
            status = self._file.stat()
        except FileNotFoundError:
            return None
        # The inode too: git replaces the file, and two writes may fall into one tick of the clock.
        return status.st_mtime_ns, status.st_size, status.st_ino


def _has(index: "pygit2.Index", path: str) -> bool:
    """Whether the index has an entry at a path which is not in conflict."""
    try:
        return index[path] is not None
    except KeyError:
        return False


def unreadable(why: str) -> ClawgitError:
    if "mandatory extension" not in why:
        return DamagedError(f"git's index is damaged: {why}.", hint=INDEX_HINT)
    is_split = "link" in why
    return UnsupportedRepoError(
        "git's index leaves entries out: it is split or sparse.",
        hint=f"git {'update-index --no-split-index' if is_split else 'sparse-checkout disable'}",
    )


def refuse_damaged(file: Path) -> None:
    """Raises if git's index is damaged: C git reads half an index as one that deletes the other
    half.
    """
    try:
        index = file.read_bytes()
    except FileNotFoundError:
        return
    except OSError as error:
        raise unreadable(str(error.strerror)) from error
    if not index.startswith(b"DIRC"):
        raise unreadable("it does not begin as an index does")
    # With `index.skipHash` git writes zeros in its place, and nothing can be compared.
    sums = (hashlib.sha1(index[:-_CHECKSUM], usedforsecurity=False).digest(), bytes(_CHECKSUM))
    if index[-_CHECKSUM:] not in sums:
        raise unreadable("its checksum does not fit: it was cut off or changed")
