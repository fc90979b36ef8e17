"""Git's own index: its lock, a few of its entries, and its update by C git on a private copy."""

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from clawgit.doors import shutil
from clawgit.errors import BusyError
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.indexfile import index_entries, with_blobs
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.plainfile import sync

_MARK = "clawgit "
"""How the text of our own `index.lock` begins."""


class Blob(NamedTuple):
    """What a tree or the index has at a path."""

    oid: str
    mode: int


class IndexEntry(NamedTuple):
    blob: Blob
    sparse: bool
    """Excluded by a sparse checkout: its absence on disk is no deletion."""


Mark = tuple[int, int, int] | None
"""Changes whenever the index file does; None if there is no index yet."""


class IndexEntries(NamedTuple):
    """The index entries of the requested paths, as of `mark`."""

    entries: Mapping[str, IndexEntry]
    conflicted: bool
    mark: Mark

    def blob(self, path: str) -> Blob | None:
        entry = self.entries.get(path)
        return entry.blob if entry else None


_NEXT = "index.next"


class GitIndex:
    def __init__(self, place: RepoPlace, git: CGit) -> None:
        self._file = place.git_dir / "index"
        self._lock = place.git_dir / "index.lock"
        self._folder = place.private
        self._private = self._folder / _NEXT
        self._git = git
        self._held = False

    def read(self, paths: Sequence[str]) -> IndexEntries:
        """The entries of `paths`, and whether any path of the index is in conflict."""
        # The mark before the entries, so that `unchanged_since` notices a change in between. Taken
        # afterwards, it would be that of a newer index.
        mark, wanted = self._mark(), {*map(os.fsencode, paths)}
        listed = index_entries(self._git, self._file)
        entries = {
            os.fsdecode(entry.path): IndexEntry(Blob(entry.oid, entry.mode), entry.skip)
            for entry in listed
            if entry.path in wanted
        }
        return IndexEntries(entries, any(entry.stage for entry in listed), mark)

    def unchanged_since(self, mark: Mark) -> bool:
        return self._mark() == mark

    def lock(self, oid: str, timeout: float) -> None:
        """Takes `index.lock` with our mark in it.

        It is a link that leads nowhere, since its text is made with its name: neither a reader nor
        a power cut finds it empty. An empty lock could be git's, and would never be removed.
        """
        deadline = time.monotonic() + timeout
        while True:
            try:
                self._lock.symlink_to(f"{_MARK}{os.getpid()} {oid}")
            except FileExistsError:
                if time.monotonic() >= deadline:
                    raise BusyError(
                        f"Another git process has held {self._lock} for {timeout:g} s.",
                        hint="Wait for it to finish; `clawgit doctor` says whether it is alive, "
                        "and what to do if it is not.",
                    ) from None
                time.sleep(0.005)
            else:
                return

    @contextmanager
    def held(self, timeout: float) -> Iterator[None]:
        """Stops git from committing while the block runs.

        A lock that a dead process of ours left is taken over without a gap: git must not see the
        files before they are complete.
        """
        if self._held:
            yield
            return
        if not self.lock_is_ours():
            self.lock("", timeout)
        self._held = True
        try:
            yield
        finally:
            self._held = False
            self.unlock()

    def unlock(self) -> None:
        # Never another's lock: its git relies on being the only writer.
        if self.lock_is_ours():
            self._lock.unlink(missing_ok=True)

    def lock_is_ours(self) -> bool:
        return has_our_mark(self._lock)

    @contextmanager
    def preparing(
        self, changes: Mapping[str, Blob | None], sparse: Iterable[str] = ()
    ) -> Iterator[None]:
        """Updates the given paths in a private copy while the block runs; the disk is not read."""
        self.discard()
        # A unique name: the `update-index` of a killed writer may still run, and could replace this
        # copy with its entries or half of ours.
        self._private = self._folder / f"{_NEXT}.{os.getpid()}-{os.urandom(4).hex()}"
        # A copy, since C git writes a whole index: for the real one it would need index.lock, which
        # we hold, and a crash would leave a change staged that was not committed.
        if self._file.exists():
            if self._patched(changes):
                yield
                return
            # With its time: git looks closer at files that were changed in the same second. In a
            # newer index it would take such an edit for none, for ever.
            shutil.copy2(self._file, self._private)
        last_added = sorted(changes.items(), key=lambda change: (change[1] is not None, change[0]))
        lines = b"".join(
            _info_line(path, blob) for path, blob in last_added
        )  # a file may become a folder
        child = self._git.start(
            "update-index", "-z", "--index-info", stdin=lines, index=self._private
        )
        try:
            yield
        finally:
            child.finish()
        if hidden := [path for path in sparse if changes.get(path)]:
            names = b"".join(os.fsencode(path) + b"\0" for path in hidden)
            self._git.run(
                "update-index", "-z", "--skip-worktree", "--stdin", stdin=names, index=self._private
            )

    def _patched(self, changes: Mapping[str, Blob | None]) -> bool:
        """Whether the private copy was made without C git: mostly files only change."""
        blobs = {os.fsencode(path): (blob.mode, blob.oid) for path, blob in changes.items() if blob}
        status, made = self._file.stat(), None
        if len(blobs) == len(changes):
            made = with_blobs(self._file.read_bytes(), blobs, int(status.st_mtime))
        if made is not None:
            self._private.write_bytes(made)
            self._private.chmod(status.st_mode & 0o777)
        return made is not None

    def publish(self) -> None:
        """Makes the private copy git's index; the lock must be ours."""
        # By rename: a reader sees the old index or the new one, never a part. Synced before: with
        # an empty index, after a power cut, no git does anything here.
        sync(self._private)
        self._private.replace(self._file)

    def discard(self) -> None:
        for stray in self._folder.glob(f"{_NEXT}*"):
            stray.unlink(missing_ok=True)

    def _mark(self) -> Mark:
        try:
            status = self._file.stat()
        except FileNotFoundError:
            return None
        # The inode too: git replaces the file, and two writes may fall into one tick of the clock.
        return status.st_mtime_ns, status.st_size, status.st_ino


def has_our_mark(lock: Path) -> bool:
    """Whether clawgit made an `index.lock`."""
    try:
        return str(lock.readlink()).startswith(_MARK)
    except OSError:
        return False


def _info_line(path: str, blob: Blob | None) -> bytes:
    head = f"{blob.mode:o} {blob.oid} 0" if blob else f"0 {'0' * 40} 0"
    return f"{head}\t".encode() + os.fsencode(path) + b"\0"
