"""Finds edits that git is told to overlook, by the content of the files.

Two bits of an index entry hide a file, `skip-worktree` and `assume-unchanged`. With one of them set
on SOUL.md, the file can be edited and no `git status` shows it. A sparse checkout sets the first
too, but there the file is absent.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.change.ids import blob_id
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.indexfile import IndexFileEntry, index_entries
from clawgit.stores.git.place import locate
from clawgit.stores.plainfile import open_plain

SKIP = "skip-worktree"
ASSUME = "assume-unchanged"
_REGULAR = 0o100000
_KIND = 0o170000


class Hidden(NamedTuple):
    """A Markdown file with one of the two bits.

    `edited`: the disk differs from the index; `gone`: there is no such file.
    """

    path: str
    bit: str
    edited: bool
    gone: bool = False

    @property
    def remedy(self) -> str:
        return f"git update-index --no-{self.bit} '{self.path}'"


def hidden_files(git: CGit, only: Iterable[str] | None = None) -> tuple[Hidden, ...]:
    """The hidden Markdown files, or those of them that are named.

    A file that a sparse checkout left out is not hidden.
    """
    entries = _hidden_entries(git, None if only is None else frozenset(only))
    gone = {path for path in entries if not os.path.lexists(git.root / path)}
    there = {path: entry.oid for path, entry in entries.items() if path not in gone}
    edited = gone | _differing(git, there)
    return tuple(
        Hidden(path, SKIP if entry.skip else ASSUME, path in edited, path in gone)
        for path, entry in sorted(entries.items())
    )


def _hidden_entries(git: CGit, names: frozenset[str] | None) -> dict[str, IndexFileEntry]:
    place = locate(git.root)
    listed = index_entries(git, place.git_dir / "index") if place else ()
    flagged = {os.fsdecode(entry.path): entry for entry in listed if entry.skip or entry.assume}
    named = flagged.keys() if names is None else flagged.keys() & names
    return {path: flagged[path] for path in named if _is_hidden(git.root, flagged[path])}


def _differing(git: CGit, blobs: Mapping[str, str]) -> frozenset[str]:
    """Those files whose content differs from their blobs.

    Git is asked only if the bytes differ: line ends may be different on disk.
    """
    unlike = [path for path, oid in blobs.items() if _blob_id(git.root / path) != oid]
    kept = _as_git_keeps_them(git, unlike)
    return frozenset(path for path in unlike if kept.get(path) != blobs[path])


def _as_git_keeps_them(git: CGit, paths: Iterable[str]) -> dict[str, str]:
    """The blobs that git would make of the files; without paths that are no file."""
    # `hash-object` takes one path per line.
    plain = [path for path in paths if "\n" not in path and (git.root / path).is_file()]
    if not plain:
        return {}
    names = b"".join(os.fsencode(path) + b"\n" for path in plain)
    oids = git.run("hash-object", "--stdin-paths", stdin=names).decode("ascii").split()
    return dict(zip(plain, oids, strict=True))


def _is_hidden(root: Path, entry: IndexFileEntry) -> bool:
    """Whether an entry is a Markdown file, and not left out by a sparse checkout."""
    is_text = entry.mode & _KIND == _REGULAR and entry.path.lower().endswith(b".md")
    return is_text and not (entry.skip and not os.path.lexists(root / os.fsdecode(entry.path)))


def _blob_id(file: Path) -> str:
    """The id of the blob that a file would be, "" if it cannot be read."""
    try:
        if file.is_symlink():
            data = b""
        else:
            with open_plain(file) as opened:
                data = opened.read()
    except OSError:
        return ""
    return blob_id(data)
