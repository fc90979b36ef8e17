"""Git's own index: read straight from its file, and changed on a private copy under git's lock.

A process of C git would cost a fifth of a small transaction. In versions 2 to 4 of the format each
entry has its path after a header of fixed length. A split or a sparse index leaves entries out, and
is refused.
"""

import os
import struct
import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from clawgit.core.disk.plainfile import sync
from clawgit.core.doors import hashlib
from clawgit.core.errors import BusyError, DamagedError, UnsupportedRepoError
from clawgit.git.place import RepoPlace

_HEAD = struct.Struct(">4sII")
_ENTRY = struct.Struct(">24xI12x20sH")
"""The header: `DIRC`, version, number of entries. An entry: 24 bytes of times and device, mode, 12
bytes of owner and size, object id, flags."""

_EXTENDED, _ASSUME_VALID, _STAGE = 0x4000, 0x8000, 0x3000
_LENGTH = 0x0FFF
_SKIP_WORKTREE = 0x4000
"""In the second flags, which an extended entry has."""

_TIMES, _CHANGED = 16, 8
"""How many bytes of an entry are times, and where the second is in which its file was changed."""

_COMPRESSED = 4
"""The version in which a path is what it adds to the one before."""

_CHECKSUM = 20
_ALIGNED = 8
"""Entries are padded with 1 to 8 NULs to a multiple of this length."""

_MODES = frozenset({0o100644, 0o100755, 0o120000, 0o160000})
_FOLDER = 0o040000
"""In a sparse index a folder stands for its files."""

_SPLIT = b"link"
"""The extension that names another file with the rest of the entries."""

_MARK = "clawgit "
"""How the text of our own `index.lock` begins."""

INDEX_HINT = (
    "`clawgit doctor --fix` rebuilds it from HEAD: no file and no commit is changed, and what only "
    "it had staged is saved."
)


class Blob(NamedTuple):
    """What a tree or the index has at a path."""

    oid: str
    mode: int


class IndexFileEntry(NamedTuple):
    """An entry. With `skip` (skip-worktree) or `assume` (assume-unchanged) git does not check the
    file; with a stage other than 0 it is one side of a conflict. `head`: all of it but the path.
    """

    path: bytes
    oid: str
    mode: int
    stage: int
    skip: bool
    assume: bool
    head: bytes


Mark = tuple[int, int, int] | None
"""Changes whenever the index file does; None if there is no index yet."""


class IndexEntries(NamedTuple):
    """The index entries of the requested paths, as of `mark`."""

    blobs: Mapping[str, Blob]
    conflicted: bool
    mark: Mark

    def blob(self, path: str) -> Blob | None:
        return self.blobs.get(path)


class GitIndex:
    """The index of one worktree."""

    def __init__(self, place: RepoPlace) -> None:
        self._file = place.git_dir / "index"
        self._lock = place.git_dir / "index.lock"
        self._private = place.private / "index.next"
        self._held = False
        self._known: tuple[Mark, list[IndexFileEntry]] = (None, [])

    def read(self, paths: Sequence[str]) -> IndexEntries:
        """The entries of `paths`, and whether any path of the index is in conflict."""
        # The mark before the entries, so that `unchanged_since` notices a change in between. Taken
        # afterwards, it would be that of a newer index.
        mark, wanted = self._mark(), {*map(os.fsencode, paths)}
        listed = index_entries(self._file)
        self._known = mark, listed
        blobs = {
            os.fsdecode(entry.path): Blob(entry.oid, entry.mode)
            for entry in listed
            if entry.path in wanted
        }
        return IndexEntries(blobs, any(entry.stage for entry in listed), mark)

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
                self._held = True
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
            self.unlock()

    def unlock(self) -> None:
        self._held = False
        # Never another's lock: its git relies on being the only writer.
        if self.lock_is_ours():
            self._lock.unlink(missing_ok=True)

    def lock_is_ours(self) -> bool:
        return has_our_mark(self._lock)

    def prepare(self, changes: Mapping[str, Blob | None]) -> None:
        """Makes a private copy with other entries at the given paths; no other file is read.

        A copy, since a crash in the real one would leave a change staged that was not committed.
        """
        (mark, listed), now = self._known, self._mark()
        if mark != now:
            listed = index_entries(self._file)
        written = now[0] // 1_000_000_000 if now else 0
        blobs = {os.fsencode(path): blob for path, blob in changes.items()}
        self._private.write_bytes(with_blobs(listed, blobs, written))
        if now:
            self._private.chmod(self._file.stat().st_mode & 0o777)

    def publish(self) -> None:
        """Makes the private copy git's index; the lock must be ours."""
        # By rename: a reader sees the old index or the new one, never a part. Synced before: with
        # an empty index, after a power cut, no git does anything here.
        sync(self._private)
        self._private.replace(self._file)

    def discard(self) -> None:
        self._private.unlink(missing_ok=True)

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


def index_entries(file: Path) -> list[IndexFileEntry]:
    """All entries of an index; raises if it is damaged, or of a form that leaves entries out."""
    index = sound_index(file)
    try:
        return [*entries_of(index)] if index else []
    except (ValueError, struct.error) as error:
        raise DamagedError(f"git's index is damaged: {error}.", hint=INDEX_HINT) from error


def entries_of(index: bytes) -> Iterator[IndexFileEntry]:
    """The entries in the bytes of an index, up to the first that is no entry: there it raises
    ValueError or struct.error.
    """
    signature, version, count = _HEAD.unpack_from(index)
    if signature != b"DIRC" or version not in (2, 3, _COMPRESSED):
        raise ValueError(f"nobody knows its version {version}")
    at, path = _HEAD.size, b""
    for _ in range(count):
        mode, oid, flags = _ENTRY.unpack_from(index, at)
        begin, more, kept = at + _ENTRY.size, 0, 0
        if flags & _EXTENDED:
            more = int.from_bytes(index[begin : begin + 2], "big")
            begin += 2
        head = index[at:begin]
        if version == _COMPRESSED:
            cut, begin = _number(index, begin)
            kept = len(path) - cut
        end = index.index(b"\0", begin)
        if mode == _FOLDER:
            raise _parted("git sparse-checkout disable")
        if mode not in _MODES:
            raise ValueError(f"an entry has the mode {mode:o}")
        path = path[:kept] + index[begin:end]
        skip, assume = bool(more & _SKIP_WORKTREE), bool(flags & _ASSUME_VALID)
        yield IndexFileEntry(path, oid.hex(), mode, flags & _STAGE, skip, assume, head)
        padded = at + (end - at + _ALIGNED) // _ALIGNED * _ALIGNED
        at = end + 1 if version == _COMPRESSED else padded
    # Extensions follow, each with its size.
    while at < len(index) - _CHECKSUM:
        if index[at : at + 4] == _SPLIT:
            raise _parted("git update-index --no-split-index")
        at += 8 + int.from_bytes(index[at + 4 : at + 8], "big")


def _parted(remedy: str) -> UnsupportedRepoError:
    return UnsupportedRepoError(
        "git's index leaves entries out: it is split or sparse.", hint=remedy
    )


def _number(index: bytes, at: int) -> tuple[int, int]:
    """A number of variable length, and where it ends."""
    number = index[at] & 0x7F
    while index[at] & 0x80:
        at += 1
        number = (number + 1 << 7) + (index[at] & 0x7F)
    return number, at + 1


def with_blobs(
    listed: Iterable[IndexFileEntry], blobs: Mapping[bytes, Blob | None], written: int
) -> bytes:
    """An index of these entries with other blobs at these paths; None takes an entry out.

    `written` is the second in which the index was written. A file that was changed in that second
    may have changed again unnoticed; without its times, git compares it when it next looks. So it
    does with our own entries. The extensions are left out: git works them out again.
    """
    heads = dict[tuple[bytes, int], bytes]()
    for entry in listed:
        if entry.path in blobs:
            continue
        changed = int.from_bytes(entry.head[_CHANGED : _CHANGED + 4], "big")
        known = entry.head if changed < written else bytes(_TIMES) + entry.head[_TIMES:]
        heads[entry.path, entry.stage] = known
    for path, blob in blobs.items():
        if blob:
            oid, length = bytes.fromhex(blob.oid), min(len(path), _LENGTH)
            heads[path, 0] = _ENTRY.pack(blob.mode, oid, length)
    order = _one_kind_each(sorted(heads), {path for path, blob in blobs.items() if blob})
    version = 3 if any(len(heads[key]) > _ENTRY.size for key in order) else 2
    made = bytearray(_HEAD.pack(b"DIRC", version, len(order)))
    for path, stage in order:
        row = heads[path, stage] + path
        made += row + bytes(_ALIGNED - len(row) % _ALIGNED)
    return bytes(made) + _checksum(made)


def _one_kind_each(order: list[tuple[bytes, int]], added: set[bytes]) -> list[tuple[bytes, int]]:
    """Without what stands in the way of the added: a file where they have a folder, and a folder
    where they have a file. C git makes no tree of an index that has both.
    """
    gone = set[tuple[bytes, int]]()
    for path in added:
        parts = path.split(b"/")
        gone.update((b"/".join(parts[:end]), 0) for end in range(1, len(parts)))
        gone.update(key for key in _inside(order, path + b"/") if key[0] not in added)
    return order if gone.isdisjoint(order) else [key for key in order if key not in gone]


def _inside(order: list[tuple[bytes, int]], folder: bytes) -> Iterator[tuple[bytes, int]]:
    """The entries of a folder that are in no conflict."""
    for at in range(bisect_left(order, (folder, 0)), len(order)):
        if not order[at][0].startswith(folder):
            return
        if order[at][1] == 0:
            yield order[at]


def sound_index(file: Path) -> bytes:
    """The bytes of git's index, b"" if there is none yet.

    Raises if they are damaged: C git reads half an index as one that deletes the other half.
    """
    try:
        index = file.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        index, why = b"", str(error.strerror)
    else:
        why = why_damaged(index)
    if why:
        raise DamagedError(f"git's index is damaged: {why}.", hint=INDEX_HINT)
    return index


def why_damaged(index: bytes) -> str:
    """What is wrong with an index as a whole; "" if nothing is."""
    if not index.startswith(b"DIRC"):
        return "it does not begin as an index does"
    # With `index.skipHash` git writes zeros in its place, and nothing can be compared.
    if index[-_CHECKSUM:] in (_checksum(index[:-_CHECKSUM]), bytes(_CHECKSUM)):
        return ""
    return "its checksum does not fit: it was cut off or changed"


def _checksum(index: bytes | bytearray) -> bytes:
    return hashlib.sha1(index, usedforsecurity=False).digest()
