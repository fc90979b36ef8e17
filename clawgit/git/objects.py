"""Blobs, trees and commits: reads them at any revision, and builds new ones."""

import os
import re
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from clawgit.core.disk.failures import is_locked
from clawgit.core.disk.plainfile import sync_with_folders
from clawgit.core.doors import pygit2
from clawgit.core.errors import DAMAGE_HINT, DamagedError, PathRefusedError, StorageError
from clawgit.git.gitindex import Blob
from clawgit.git.place import RepoPlace
from clawgit.git.rules.history import LATEST, Commit, parse_message

Changes = Mapping[str, Blob | None]
"""Path → its new blob; None deletes the file."""

_WRITE_ATTEMPTS = 9
_EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
TREE = 0o040000
LINK = 0o120000
SUBMODULE = 0o160000


def blob_at(tree: "pygit2.Tree | None", path: str) -> Blob | None:
    """The file at a path of a tree; None if there is none, or a folder, a link or a submodule."""
    if tree is None:
        return None
    try:
        entry = tree[path]
    except KeyError:
        return None
    if entry.filemode in (TREE, LINK, SUBMODULE):
        return None
    return Blob(str(entry.id), int(entry.filemode))


def is_link(tree: "pygit2.Tree | None", path: str) -> bool:
    """Whether a tree has a link or a submodule there."""
    try:
        return tree is not None and tree[path].filemode in (LINK, SUBMODULE)
    except KeyError:
        return False


def loose_folders(objects: Path, oid: str) -> list[str]:
    """The subtrees of a tree, if it is a loose object; raises if the file of a loose object ends
    too early.

    The subtrees of a packed tree are packed too: git packs whole commits.
    """
    data = _inflated(objects, oid)
    # Most folders have only files, and there may be thousands of folders.
    if not data.startswith(b"tree ") or b"40000 " not in data:
        return []
    rows = _TREE_ROW.finditer(data, data.find(b"\0") + 1)
    return [row["oid"].hex() for row in rows if row["mode"] == b"40000"]


def _inflated(objects: Path, oid: str) -> bytes:
    try:
        with open(f"{objects}/{oid[:2]}/{oid[2:]}", "rb") as file:  # noqa: PTH123 - asked for each file
            data = file.read()
    except OSError:
        return b""  # in a pack, missing, or not ours to read: libgit2 says which
    inflating = zlib.decompressobj()
    try:
        inflated = inflating.decompress(data)
    except zlib.error:
        return b""  # libgit2 notices other damage by itself
    if not inflating.eof:
        raise DamagedError(
            f"The repository is damaged: git's file for the object {oid[:10]} is cut off.",
            hint=DAMAGE_HINT,
        )
    return inflated


_TREE_ROW = re.compile(rb"(?P<mode>[0-7]+) [^\0]+\0(?P<oid>.{20})", re.DOTALL)


def changed_paths(old: "pygit2.Tree | None", new: "pygit2.Tree | None") -> list[str]:
    """The files that differ between two trees, either of which may be absent."""
    one, other = (new, old) if old is None else (old, new)
    if one is None:
        return []
    diff = one.diff_to_tree() if other is None else one.diff_to_tree(other)
    return sorted({file.path for each in diff.deltas for file in (each.old_file, each.new_file)})


def files_of(tree: "pygit2.Tree") -> Iterator[str]:
    """The path of every file of a tree, in git's order."""
    # No recursion: git can store thousands of nested folders.
    open_folders = [("", iter(tree))]
    while open_folders:
        prefix, entries = open_folders[-1]
        entry = next(entries, None)
        if entry is None:
            open_folders.pop()
        elif isinstance(entry, pygit2.Tree):
            open_folders.append((f"{prefix}{entry.name}/", iter(entry)))
        elif entry.filemode not in (LINK, SUBMODULE):
            yield f"{prefix}{entry.name}"


class NewObjects:
    """Writes objects, and syncs them all at once, before a reference names any of them."""

    def __init__(self, raw: "pygit2.Repository", folder: str) -> None:
        self.raw, self._folder = raw, folder
        self._unsynced: set[str] = set()

    def stored(self, write: "Callable[[], pygit2.Oid]") -> "pygit2.Oid":
        """The id of a new object that certainly exists.

        A running `git gc` removes empty object folders while libgit2 writes into one; and on a full
        disk libgit2 was seen to report success and store nothing.
        """
        for _ in range(_WRITE_ATTEMPTS):
            try:
                oid = write()
            except OSError as error:
                if "No such file" not in str(error):
                    raise
            else:
                if not self._is_whole(str(oid)):
                    # A power cut has emptied it. Git would take it for written.
                    self._file(str(oid)).unlink(missing_ok=True)
                elif oid in self.raw:
                    # One that was there too: a crash may have come before its sync.
                    self._unsynced.add(str(oid))
                    return oid
        raise StorageError(
            "The disk is full: git kept no new object.", hint="Free some space and run this again."
        )

    def _is_whole(self, oid: str) -> bool:
        """Whether a loose object can be read; libgit2 1.9 hangs on one that is cut off."""
        try:
            zlib.decompress(self._file(oid).read_bytes())
        except FileNotFoundError:
            return True  # it is in a pack, if anywhere
        except zlib.error:
            return False
        return True

    def _file(self, oid: str) -> Path:
        return Path(self._folder, oid[:2], oid[2:])

    def sync(self) -> None:
        """Waits until all new objects are on the disk for good."""
        sync_with_folders([*map(self._file, self._unsynced)])
        self._unsynced.clear()


def write_tree(objects: NewObjects, tree: "pygit2.Tree | None", changes: Changes) -> "pygit2.Oid":
    """A tree like `tree` with the changes made; only changed folders are built again."""
    here: dict[str, Blob | None] = {}
    below: dict[str, dict[str, Blob | None]] = {}
    for path, blob in changes.items():
        name, slash, rest = path.partition("/")
        if slash:
            below.setdefault(name, {})[rest] = blob
        else:
            here[name] = blob
    make = objects.raw.TreeBuilder
    builder = make(tree) if tree is not None else make()
    for name, blob in here.items():
        _set(builder, name, blob)
    for name, inner in below.items():
        # Not where a file takes the folder's place: what was in the folder goes with it.
        if here.get(name) is None or any(inner.values()):
            _set_folder(objects, builder, tree, name, inner)
    return objects.stored(builder.write)


def _set(builder: "pygit2.TreeBuilder", name: str, blob: Blob | None) -> None:
    if blob is not None:
        builder.insert(name, pygit2.Oid(hex=blob.oid), blob.mode)
    elif builder.get(name) is not None:
        builder.remove(name)


def _set_folder(
    objects: NewObjects,
    builder: "pygit2.TreeBuilder",
    tree: "pygit2.Tree | None",
    name: str,
    inner: Changes,
) -> None:
    old = tree[name] if tree is not None and name in tree else None
    if old is not None and not isinstance(old, pygit2.Tree):
        if not any(inner.values()):
            return
        if old.filemode == SUBMODULE:
            raise PathRefusedError(
                f"{name} is a submodule.", hint=f"Work in it: clawgit -C {name} …"
            )
        old = None
    built = str(write_tree(objects, old, inner))
    _set(builder, name, None if built == _EMPTY else Blob(built, TREE))


def commit_value(commit: "pygit2.Commit") -> Commit:
    """A commit of git's as a value of ours."""
    zone = timezone(timedelta(minutes=commit.commit_time_offset))
    seconds = min(commit.commit_time, int(LATEST.timestamp()))
    return Commit(
        sha=str(commit.id),
        parents=tuple(str(parent) for parent in commit.parent_ids),
        time=datetime.fromtimestamp(seconds, UTC).astimezone(zone),
        author=commit.author.name,
        message=parse_message(commit.message),
    )


def signature(name: str, email: str, when: datetime) -> "pygit2.Signature":
    """A signature that git accepts, whatever characters the name has."""
    offset = when.utcoffset() or timedelta()
    clean = "".join(" " if char in "<>\n\0" else char for char in name).strip() or "unknown"
    address = "".join(char for char in email if char not in "<>\n\0 ") or "unknown@clawgit.invalid"
    return pygit2.Signature(
        clean, address, int(when.timestamp()), int(offset.total_seconds() // 60)
    )


_PATIENCE = 1.0
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


def patiently(change: Callable[[], Any], ours: Path | None = None) -> Any:
    """Retries a change for a moment, since `git gc` or `git fetch` may lock refs; C git waits
    too.

    `ours` is the lock of a ref that only we write, one of us at a time: if it outlasts the moment,
    whoever took it is dead, and it goes.
    """
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            return change()
        except (OSError, pygit2.GitError) as error:
            if not is_locked(error):
                raise
            if time.monotonic() < deadline:
                time.sleep(0.005)
            elif ours is None:
                raise
            else:
                ours.unlink(missing_ok=True)
                ours = None


def file_of(place: RepoPlace, name: str) -> Path:
    """The file of a reference, or of its log. Each worktree has a HEAD of its own."""
    is_own = name in ("HEAD", "logs/HEAD")
    return (place.git_dir if is_own else place.common_dir) / name


def move(file: Path, oid: str, may_move: Callable[[], bool]) -> bool:
    """Writes a commit into a reference's file; False if it may not move after all.

    Its content is on the disk then, and its name once the folder is synced. FileExistsError while
    another git holds the reference.
    """
    lock = file.with_name(f"{file.name}.lock")
    descriptor = _opened(lock, _CREATE)
    try:
        with os.fdopen(descriptor, "wb", buffering=0) as opened:
            opened.write(f"{oid}\n".encode())
            # Before it has its name: a power cut must not leave a reference that is empty.
            os.fsync(descriptor)
        if not may_move():
            lock.unlink()
            return False
        _clear_the_way(file)
        lock.replace(file)
    except BaseException:
        lock.unlink(missing_ok=True)
        raise
    return True


def log_line(old: str, new: str, user: tuple[str, str], note: str) -> str:
    """A line of a reference's log."""
    name, email = user
    return f"{old} {new} {name} <{email}> {int(time.time())} {time.strftime('%z')}\t{note}\n"


def append(log: Path, line: str) -> None:
    _clear_the_way(log)
    with os.fdopen(_opened(log, _APPEND), "ab", buffering=0) as opened:
        opened.write(line.encode("utf-8", "surrogateescape"))


def _clear_the_way(file: Path) -> None:
    """Removes the empty folders that git leaves where branches were deleted."""
    if file.is_dir():
        for folder, _, _ in os.walk(file, topdown=False):
            with suppress(OSError):
                Path(folder).rmdir()


def _opened(file: Path, flags: int) -> int:
    try:
        return os.open(file, flags, 0o666)
    except FileNotFoundError:
        file.parent.mkdir(parents=True, exist_ok=True)
        return os.open(file, flags, 0o666)
