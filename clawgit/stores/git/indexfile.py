"""Reads git's index straight from its file, where its format is certain: a process of C git costs a
fifth of a small transaction.

In versions 2 and 3 of the format each entry has its whole path, after a header of fixed length.
"""

import hashlib
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from clawgit.errors import DamagedError
from clawgit.stores.git.cgit import CGit

_HEAD = struct.Struct(">4sII")
_ENTRY = struct.Struct(">24xI12x20sH")
"""The header: `DIRC`, version, number of entries. An entry: 24 bytes of times and device, mode, 12
bytes of owner and size, object id, flags."""

_EXTENDED, _ASSUME_VALID, _STAGE = 0x4000, 0x8000, 0x3000
_SKIP_WORKTREE = 0x4000
"""In the second flags, which an extended entry has."""

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
        yield IndexFileEntry(index[begin:end], oid.hex(), mode, flags & _STAGE, skip, assume)
        at += (end - at + _ALIGNED) // _ALIGNED * _ALIGNED
    # Extensions follow, each with its size; none of them may leave entries out.
    while at < len(index) - _CHECKSUM:
        if index[at : at + 4] in _NOT_ALONE:
            raise ValueError(index[at : at + 4])
        at += 8 + int.from_bytes(index[at + 4 : at + 8], "big")


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
    checksum = hashlib.sha1(index[:-_CHECKSUM], usedforsecurity=False).digest()
    # With `index.skipHash` git writes zeros in its place, and nothing can be compared.
    if index[-_CHECKSUM:] in (checksum, bytes(_CHECKSUM)):
        return ""
    return "its checksum does not fit: it was cut off or changed"


def _listed(git: CGit) -> Iterator[IndexFileEntry]:
    for record in map(os.fsdecode, git.run("ls-files", "-z", "-s", "-v").split(b"\0")):
        head, tab, path = record.partition("\t")
        if tab:
            # `S` is skip-worktree; a small letter is assume-unchanged.
            tag, mode, oid, stage = head.split(" ")
            is_skipped, is_assumed = tag.upper() == "S", tag.islower()
            name = os.fsencode(path)
            yield IndexFileEntry(name, oid, int(mode, 8), int(stage), is_skipped, is_assumed)
