"""Reads git's index straight from its file, and changes entries there, where its format is certain:
a process of C git costs a fifth of a small transaction.

In versions 2 and 3 of the format each entry has its whole path, after a header of fixed length.
"""

import hashlib
import os
import struct
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from clawgit.errors import DamagedError
from clawgit.stores.git.cgit import CGit

_HEAD = struct.Struct(">4sII")
_ENTRY = struct.Struct(">24xI12x20sH")
"""The header: `DIRC`, version, number of entries. An entry: 24 bytes of times and device, mode, 12
bytes of owner and size, object id, flags."""

_EXTENDED, _ASSUME_VALID, _STAGE = 0x4000, 0x8000, 0x3000
_LENGTH = 0x0FFF
_SKIP_WORKTREE = 0x4000
"""In the second flags, which an extended entry has."""

_CHANGED = 8
"""Where in an entry the second stands in which its file was changed."""

_LARGEST = 256 * 1024
"""Bytes of an index up to which a change here is faster than a process of C git."""

_CHECKSUM = 20
_ALIGNED = 8
"""Entries are padded with 1 to 8 NULs to a multiple of this length."""

_MODES = frozenset({0o100644, 0o100755, 0o120000, 0o160000})
_NOT_ALONE = (b"link", b"sdir")
"""Signatures of the extensions that leave entries out: a split and a sparse index."""

INDEX_HINT = (
    "`clawgit doctor --fix` rebuilds it from HEAD: no file and no commit is changed, and what only "
    "it had staged is saved."
)


class IndexFileEntry(NamedTuple):
    """An entry. With `skip` (skip-worktree) or `assume` (assume-unchanged) git does not check the
    file; with a stage other than 0 it is one side of a conflict.
    """

    path: bytes
    oid: str
    mode: int
    stage: int
    skip: bool
    assume: bool
    at: int = 0
    end: int = 0
    """Where it begins and ends in the file; 0 if C git has read it."""


def index_entries(git: CGit, file: Path) -> list[IndexFileEntry]:
    """All entries of an index, by C git if it is split, sparse, or of a newer version."""
    index = sound_index(file)
    try:
        return [*entries_of(index)] if index else []
    except (ValueError, struct.error):
        return [*_listed(git)]


def entries_of(index: bytes) -> Iterator[IndexFileEntry]:
    """The entries in the bytes of an index, up to the first that is no entry: there it raises
    ValueError or struct.error, as for other formats.
    """
    signature, version, count = _HEAD.unpack_from(index)
    if signature != b"DIRC" or version not in (2, 3):
        raise ValueError(version)
    at = _HEAD.size
    for _ in range(count):
        mode, oid, flags = _ENTRY.unpack_from(index, at)
        begin, more = at + _ENTRY.size, 0
        if flags & _EXTENDED:
            more = int.from_bytes(index[begin : begin + 2], "big")
            begin += 2
        end = index.index(b"\0", begin)
        if mode not in _MODES:
            raise ValueError(mode)
        skip, assume = bool(more & _SKIP_WORKTREE), bool(flags & _ASSUME_VALID)
        path, after = index[begin:end], at + (end - at + _ALIGNED) // _ALIGNED * _ALIGNED
        yield IndexFileEntry(path, oid.hex(), mode, flags & _STAGE, skip, assume, at, after)
        at = after
    # Extensions follow, each with its size; none of them may leave entries out.
    while at < len(index) - _CHECKSUM:
        if index[at : at + 4] in _NOT_ALONE:
            raise ValueError(index[at : at + 4])
        at += 8 + int.from_bytes(index[at + 4 : at + 8], "big")


def with_blobs(index: bytes, blobs: Mapping[bytes, tuple[int, str]], written: int) -> bytes | None:
    """The index with other modes and ids at paths that it has; None if C git must write it.

    `written` is the second in which the index was written. A file that was changed in that second
    may have changed again unnoticed, so C git compares it before it writes a newer index.
    """
    entries = _alone(index)
    if entries is None or _last_change(index, entries.values()) >= written:
        return None
    # An index that is damaged, or has no checksum, stays as it is.
    if index[-_CHECKSUM:] != _checksum(index[:-_CHECKSUM]):
        return None
    made, end = bytearray(index), max((entry.end for entry in entries.values()), default=_HEAD.size)
    for path, (mode, oid) in blobs.items():
        flags = _ENTRY.unpack_from(index, entries[path].at)[2] if path in entries else _EXTENDED
        if flags & ~_LENGTH or mode not in _MODES:
            return None
        # Without the times and the size of a file: git compares it when it next looks.
        _ENTRY.pack_into(made, entries[path].at, mode, bytes.fromhex(oid), flags)
    # The ids of the folders are left out, which git works out again; all else C git must keep.
    more = index[end:-_CHECKSUM]
    if more and (more[:4] != b"TREE" or len(more) != 8 + int.from_bytes(more[4:8], "big")):
        return None
    del made[end:]
    return bytes(made) + _checksum(made)


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


def _alone(index: bytes) -> dict[bytes, IndexFileEntry] | None:
    """The entries by their paths; None if C git must read them, or is faster."""
    try:
        return None if len(index) > _LARGEST else {entry.path: entry for entry in entries_of(index)}
    except (ValueError, struct.error):
        return None


def _last_change(index: bytes, entries: Iterable[IndexFileEntry]) -> int:
    """The second in which the newest of the files was changed."""
    seconds = (index[entry.at + _CHANGED : entry.at + _CHANGED + 4] for entry in entries)
    return int.from_bytes(max(seconds, default=b""), "big")


def _checksum(index: bytes | bytearray) -> bytes:
    return hashlib.sha1(index, usedforsecurity=False).digest()


def _listed(git: CGit) -> Iterator[IndexFileEntry]:
    for record in map(os.fsdecode, git.run("ls-files", "-z", "-s", "-v").split(b"\0")):
        head, tab, path = record.partition("\t")
        if tab:
            # `S` is skip-worktree; a small letter is assume-unchanged.
            tag, mode, oid, stage = head.split(" ")
            is_skipped, is_assumed = tag.upper() == "S", tag.islower()
            name = os.fsencode(path)
            yield IndexFileEntry(name, oid, int(mode, 8), int(stage), is_skipped, is_assumed)
