"""Edits at which git has been told not to look: compared by what the files hold, not by what the
index says of them.

Two bits of an index entry hide a file, `skip-worktree` and `assume-unchanged`. Whoever sets one on
SOUL.md can edit it and no `git status` tells. A sparse checkout sets the first too, but there the
file is absent.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.indexfile import Flagged, flagged_entries
from clawgit.stores.git.place import locate

SKIP = "skip-worktree"
ASSUME = "assume-unchanged"
_REGULAR = 0o100000
_KIND = 0o170000


class Hidden(NamedTuple):
    """A file of Markdown that bears such a bit. `edited`: what lies on disk differs from the index;
    `gone`: it is not there at all.
    """

    path: str
    bit: str
    edited: bool
    gone: bool = False

    @property
    def remedy(self) -> str:
        return f"git update-index --no-{self.bit} '{self.path}'"


def hidden_files(git: CGit, only: Iterable[str] | None = None) -> tuple[Hidden, ...]:
    """The Markdown files of the work tree, or those named, that git is told not to look at. What a
    sparse checkout left out is none of them.
    """
    wanted = None if only is None else frozenset(only)
    flagged = [entry for entry in _flagged(git) if _is_text(entry) and _is_wanted(entry, wanted)]
    there = {os.fsdecode(entry.path): entry for entry in flagged if not _left_out(git.root, entry)}
    gone = {path for path in there if not os.path.lexists(git.root / path)}
    edited = differing(git, {path: entry.oid for path, entry in there.items() if path not in gone})
    return tuple(
        Hidden(path, SKIP if entry.skip else ASSUME, path in gone or path in edited, path in gone)
        for path, entry in sorted(there.items())
    )


def differing(git: CGit, blobs: Mapping[str, str]) -> frozenset[str]:
    """Of these files and the blobs that git keeps of them, those that hold something else. Git is
    asked only where the bytes differ, since lines may end otherwise on disk.
    """
    unlike = [path for path, oid in blobs.items() if _blob_id(git.root / path) != oid]
    if not unlike:
        return frozenset()
    usual = [path for path in unlike if "\n" not in path and (git.root / path).is_file()]
    named = b"".join(os.fsencode(path) + b"\n" for path in usual)
    kept = git.run("hash-object", "--stdin-paths", stdin=named).decode("ascii").split()
    same = {path for path, oid in zip(usual, kept, strict=True) if blobs[path] == oid}
    return frozenset(unlike) - same


def _flagged(git: CGit) -> list[Flagged]:
    place = locate(git.root)
    if place is None:
        return []
    try:
        index = (place.git_dir / "index").read_bytes()
    except OSError:
        return []
    read = flagged_entries(index)
    return list(_asked(git)) if read is None else read


def _asked(git: CGit) -> Iterator[Flagged]:
    """The same by C git, where the index is split, sparse, or of a newer form. A small letter is
    assume-unchanged.
    """
    tags = git.run("ls-files", "-z", "-v")
    marked = {
        record[2:]: record[:1] for record in tags.split(b"\0") if record and (record[:1] != b"H")
    }
    flagged = {path: tag for path, tag in marked.items() if tag.upper() == b"S" or tag.islower()}
    if not flagged:
        return
    for record in git.run("ls-files", "-z", "-s").split(b"\0"):
        head, _, path = record.partition(b"\t")
        if path in flagged:
            mode, oid, _stage = head.split(b" ")
            tag = flagged[path]
            yield Flagged(
                path, oid.decode("ascii"), int(mode, 8), tag.upper() == b"S", tag.islower()
            )


def _is_text(entry: Flagged) -> bool:
    return entry.mode & _KIND == _REGULAR and entry.path.lower().endswith(b".md")


def _is_wanted(entry: Flagged, wanted: frozenset[str] | None) -> bool:
    return wanted is None or os.fsdecode(entry.path) in wanted


def _left_out(root: Path, entry: Flagged) -> bool:
    return entry.skip and not os.path.lexists(root / os.fsdecode(entry.path))


def _blob_id(file: Path) -> str:
    """The name that git has for what a file holds, "" where it cannot be read."""
    try:
        data = b"" if file.is_symlink() else file.read_bytes()
    except OSError:
        return ""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
