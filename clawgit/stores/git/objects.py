"""Blobs, trees and commits: reads them at any revision, and builds new ones."""

import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

from clawgit.domain.change.history import Commit, parse_message
from clawgit.doors import pygit2
from clawgit.errors import DamagedError, PathRefusedError, StorageError
from clawgit.stores.failures import DAMAGE_HINT
from clawgit.stores.git.gitindex import Blob
from clawgit.stores.plainfile import sync_all

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


def read_blob(repo: "pygit2.Repository", blob: Blob | None) -> bytes | None:
    return None if blob is None else repo.odb.read(blob.oid)[1]


def refuse_cut_off(objects: Path, oid: str) -> bool:
    """Raises for a loose object whose file ends too early, as after a power cut; libgit2 1.9 hangs
    when it reads one. False if it is no loose object.
    """
    return sum(1 for _ in _inflated(objects, oid)) > 0


def loose_folders(objects: Path, oid: str) -> list[str]:
    """The subtrees of a tree, if it is a loose object; raises if its file ends too early.

    The subtrees of a packed tree are packed too: git packs whole commits.
    """
    data = b"".join(_inflated(objects, oid))
    # Most folders have only files, and there may be thousands of folders.
    if b"40000 " not in data:
        return []
    rows = _TREE_ROW.finditer(data, data.find(b"\0") + 1)
    return [row["oid"].hex() for row in rows if row["mode"] == b"40000"]


def _inflated(objects: Path, oid: str) -> Iterator[bytes]:
    try:
        with open(f"{objects}/{oid[:2]}/{oid[2:]}", "rb") as file:  # noqa: PTH123 - asked for each file
            data = file.read()
    except OSError:
        return  # in a pack, missing, or not ours to read: libgit2 says which
    inflating = zlib.decompressobj()
    try:
        while data:
            yield inflating.decompress(data, _A_CHUNK)
            data = inflating.unconsumed_tail
    except zlib.error:
        return  # libgit2 notices other damage by itself
    if not inflating.eof:
        raise DamagedError(
            f"The repository is damaged: git's file for the object {oid[:10]} is cut off.",
            hint=DAMAGE_HINT,
        )


_TREE_ROW = re.compile(rb"(?P<mode>[0-7]+) [^\0]+\0(?P<oid>.{20})", re.DOTALL)
_A_CHUNK = 1 << 20


def changed_paths(old: "pygit2.Tree | None", new: "pygit2.Tree | None") -> list[str]:
    """The files that differ between two trees, either of which may be absent."""
    if old is not None and new is not None:
        diff = old.diff_to_tree(new)
    elif new is not None:
        diff = new.diff_to_tree(swap=True)
    elif old is not None:
        diff = old.diff_to_tree()
    else:
        return []
    return sorted(
        {delta.new_file.path for delta in diff.deltas}
        | {delta.old_file.path for delta in diff.deltas}
    )


def files_of(tree: "pygit2.Tree") -> Iterator[tuple[str, Blob]]:
    """Every file of a tree with its path, in git's order."""
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
            yield f"{prefix}{entry.name}", Blob(str(entry.id), int(entry.filemode))


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

    def has(self, data: bytes) -> bool:
        """Whether git has a text, or there is none."""
        oid = str(pygit2.hash(data))
        return not data or (self._is_whole(oid) and oid in self.raw)

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
        folders = dict.fromkeys(f"{self._folder}/{oid[:2]}" for oid in self._unsynced)
        files = [f"{self._folder}/{oid[:2]}/{oid[2:]}" for oid in self._unsynced]
        # Files before their folders: a disk that keeps a journal has written both by then.
        for paths in (files, folders):
            sync_all(paths)
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
        _set_file(builder, name, blob)
    for name, inner in below.items():
        _set_folder(objects, builder, tree, name, inner)
    return objects.stored(builder.write)


def _set_file(builder: "pygit2.TreeBuilder", name: str, blob: Blob | None) -> None:
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
    built = write_tree(objects, old, inner)
    if str(built) != _EMPTY:
        builder.insert(name, built, TREE)
    elif builder.get(name) is not None:
        builder.remove(name)


def commit_value(commit: "pygit2.Commit") -> Commit:
    """A commit of git's as a value of ours."""
    zone = timezone(timedelta(minutes=commit.commit_time_offset))
    return Commit(
        sha=str(commit.id),
        parents=tuple(str(parent) for parent in commit.parent_ids),
        time=datetime.fromtimestamp(commit.commit_time, UTC).astimezone(zone),
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
