"""Reads and changes a few entries of git's index straight in the file, if its format is certain.

Starting C git is a fifth of what a small transaction costs. In versions 2 and 3 of the format each
entry has its whole path, after a header of fixed length. So an entry can be found by its path, and
a path that does not occur has no entry.
"""

import hashlib
import struct
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

_HEAD = struct.Struct(">4sII")
_ENTRY = struct.Struct(">24xI12x20sH")
"""The header: `DIRC`, version, number of entries. An entry: 24 bytes of times and device, mode, 12
bytes of owner and size, object id, flags."""

_EXTENDED = 0x4000
_STAGE = 0x3000
_LENGTH = 0x0FFF
_SKIP_WORKTREE = 0x4000
_ASSUME_VALID_BYTE = 0x80
_EXTENDED_BYTE = 0x40
_SKIP_WORKTREE_BYTE = 0x40
"""The same flags in the first of their two bytes."""

_FIXED = _ENTRY.size
_CHANGED = 8
"""Where in an entry the second stands in which its file was changed."""

_OID = 20
_CHECKSUM = 20
_ALIGNED = 8
"""Entries are padded with 1 to 8 NULs to a multiple of this length."""

_MODES = frozenset({0o100644, 0o100755, 0o120000, 0o160000})
_NOT_ALONE = (b"link", b"sdir")
"""Signatures of the extensions that leave entries out: a split and a sparse index."""


class IndexFileEntry(NamedTuple):
    oid: str
    mode: int
    sparse: bool


class Flagged(NamedTuple):
    """An entry whose file git does not check, because of skip-worktree or assume-unchanged."""

    path: bytes
    oid: str
    mode: int
    skip: bool
    assume: bool


def flagged_entries(index: bytes) -> list[Flagged] | None:
    """The entries that have one of the two bits; None if only C git can tell.

    Each entry is stepped over by its length alone: 4,000 take 2 ms.
    """
    flagged = []
    try:
        spans, at = _spans(index)
        for begin, path, end in spans:
            if index[begin + _FIXED - 2] & (_ASSUME_VALID_BYTE | _EXTENDED_BYTE):
                entry = _flagged(index, begin, path, end)
                if entry.skip or entry.assume:
                    flagged.append(entry)
    except (IndexError, ValueError, struct.error):
        return None
    return flagged if _holds_all(index, at) else None


def _spans(index: bytes) -> tuple[list[tuple[int, int, int]], int]:
    """Where each entry begins, and its path, and where that ends; and where the entries end.
    ValueError for other formats.
    """
    signature, version, count = _HEAD.unpack_from(index)
    if signature != b"DIRC" or version not in (2, 3):
        raise ValueError(version)
    spans, at = [], _HEAD.size
    for _ in range(count):
        # Without calls: this runs for each file of the repository, in a hook too.
        high = index[at + _FIXED - 2]
        length = (high & 0x0F) << 8 | index[at + _FIXED - 1]
        begin = at + _FIXED + (2 if high & _EXTENDED_BYTE else 0)
        end = begin + length if length < _LENGTH else index.index(b"\0", begin)
        spans.append((at, begin, end))
        at = at + (end - at + _ALIGNED) // _ALIGNED * _ALIGNED
    return spans, at


def with_blobs(index: bytes, blobs: Mapping[bytes, tuple[int, str]], written: int) -> bytes | None:
    """The index with other modes and ids at paths that it has, the same as C git writes; None if
    only C git can write it.

    `written` is the second in which the index was written. A file that was changed in that second
    may have changed again unnoticed, so C git compares it before it writes a newer index.
    """
    made, missing = bytearray(index), {*blobs}
    try:
        stamp = written.to_bytes(4, "big")
        spans, at = _spans(index)
        for begin, path, end in spans:
            if index[begin + _CHANGED : begin + _CHANGED + 4] >= stamp:
                return None
            if (name := index[path:end]) in missing:
                missing.remove(name)
                mode, oid = blobs[name]
                *_, flags = _ENTRY.unpack_from(index, begin)
                if flags & ~_LENGTH or mode not in _MODES:
                    return None
                # Without the times and the size of a file: git compares it when it next looks.
                _ENTRY.pack_into(made, begin, mode, bytes.fromhex(oid), flags)
        more = _outdated(index[at:-_CHECKSUM], {*blobs})
    except (IndexError, OverflowError, ValueError, struct.error):
        return None
    # An index that is damaged, or has no checksum, stays as it is.
    if missing or more is None or index[-_CHECKSUM:] != _checksum(index[:-_CHECKSUM]):
        return None
    made[at:] = more
    return bytes(made) + _checksum(made)


def why_damaged(index: bytes) -> str:
    """What is wrong with an index as a whole; "" if nothing is."""
    if not index.startswith(b"DIRC"):
        return "it does not begin as an index does"
    checksum = index[-_CHECKSUM:]
    # With `index.skipHash` git writes zeros in its place, and nothing can be compared.
    if checksum in (_checksum(index[:-_CHECKSUM]), bytes(_CHECKSUM)):
        return ""
    return "its checksum does not fit: it was cut off or changed"


def readable_entries(index: bytes) -> Iterator[tuple[bytes, str]]:
    """Path and object id of the entries of a damaged index, up to the first that is no entry."""
    at = _HEAD.size
    with suppress(struct.error, ValueError):
        while True:
            mode, oid, flags = _ENTRY.unpack_from(index, at)
            begin = at + _FIXED + (2 if flags & _EXTENDED else 0)
            end = index.index(b"\0", begin)
            if mode not in _MODES:
                return
            yield index[begin:end], oid.hex()
            at += (end - at + _ALIGNED) // _ALIGNED * _ALIGNED


def _checksum(index: bytes | bytearray) -> bytes:
    return hashlib.sha1(index, usedforsecurity=False).digest()


def _outdated(extensions: bytes, paths: set[bytes]) -> bytes | None:
    """The extensions, with the trees that hold these paths marked as changed; None if there are
    others than that of the trees.

    Each tree is its name, how many entries and trees it has, and its id, which one that has changed
    lacks; the trees in it follow.
    """
    if not extensions:
        return b""
    name, size = extensions[:4], int.from_bytes(extensions[4:8], "big")
    if name != b"TREE" or len(extensions) != 8 + size:
        return None
    at, above, parts = 8, [(b"", 1)], list[bytes]()
    while at < len(extensions):
        while not above[-1][1]:
            above.pop()
        (parent, left), end = above.pop(), extensions.index(b"\n", at)
        title, _, counts = extensions[at:end].partition(b"\0")
        count, within = map(int, counts.split())
        at = end + 1 + (_OID if count >= 0 else 0)
        folder = parent + title + b"/" if title else b""
        oid = extensions[end + 1 : at]
        if any(path.startswith(folder) for path in paths):
            count, oid = -1, b""
        parts.append(b"%b\0%d %d\n%b" % (title, count, within, oid))
        above += [(parent, left - 1), (folder, within)]
    body = b"".join(parts)
    return name + len(body).to_bytes(4, "big") + body


def _flagged(index: bytes, at: int, begin: int, end: int) -> Flagged:
    """The entry at `at`, whose path goes from `begin` to `end`."""
    high = index[at + _FIXED - 2]
    skip = bool(high & _EXTENDED_BYTE and index[begin - 2] & _SKIP_WORKTREE_BYTE)
    mode, oid, _flags = _ENTRY.unpack_from(index, at)
    return Flagged(index[begin:end], oid.hex(), mode, skip, bool(high & _ASSUME_VALID_BYTE))


def _holds_all(index: bytes, at: int) -> bool:
    """Whether the entries end where we think, and none is elsewhere.

    Extensions follow them, each with its size, and none of these may leave entries out.
    """
    end = len(index) - _CHECKSUM
    while at < end:
        name, size = index[at : at + 4], int.from_bytes(index[at + 4 : at + 8], "big")
        if name in _NOT_ALONE:
            return False
        at += 8 + size
    return at == end


def find_entries(index: bytes, paths: Iterable[bytes]) -> dict[bytes, IndexFileEntry] | None:
    """The entries of those of the paths that the index has; None if only C git can tell."""
    if len(index) < _HEAD.size:
        return None
    signature, version, _ = _HEAD.unpack_from(index)
    if signature != b"DIRC" or version not in (2, 3):
        return None
    if any(name in index for name in _NOT_ALONE):
        return None
    entries = {}
    for path in paths:
        if len(path) >= _LENGTH:
            return None
        matches = list(filter(None, _candidates(index, path)))
        # Bytes elsewhere that look like an entry by chance: C git has to decide.
        if len(matches) > 1:
            return None
        if matches:
            entries[path] = matches[0]
    return entries


def _candidates(index: bytes, path: bytes) -> Iterable[IndexFileEntry | None]:
    at = index.find(path + b"\0")
    while at >= 0:
        yield _entry_before(index, at, len(path), 0) or _entry_before(index, at, len(path), 2)
        at = index.find(path + b"\0", at + 1)


def _entry_before(index: bytes, at: int, length: int, extra: int) -> IndexFileEntry | None:
    """The entry whose path begins at `at`, after `extra` bytes of flags; None if there is none."""
    start = at - _ENTRY.size - extra
    if start < _HEAD.size or (start - _HEAD.size) % _ALIGNED:
        return None
    mode, oid, flags = _ENTRY.unpack_from(index, start)
    if (
        mode not in _MODES
        or flags & _LENGTH != length
        or bool(flags & _EXTENDED) != bool(extra)
        or flags & _STAGE
    ):
        return None
    further = int.from_bytes(index[at - 2 : at], "big") if extra else 0
    return IndexFileEntry(oid.hex(), mode, bool(further & _SKIP_WORKTREE))
