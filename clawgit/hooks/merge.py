"""merge: the merge driver, which git calls for each file of memory that both sides changed."""

import os
from collections.abc import Mapping, Sequence

from clawgit.core.disk.plainfile import put_in_place
from clawgit.git.staged import output
from clawgit.history.rules.memory import merge_memory

_MARKED = 10
"""The exit code for a result with git's marks."""

_NOT_OURS = 2
_MARK = "7"
_FORMS = ("filter", "ident", "working-tree-encoding")
_UNSET = frozenset({b"unspecified", b"unset"})


def run(arguments: Sequence[str]) -> int:
    """Writes the result over the file that holds ours, in one step.

    The arguments: the files that hold base, ours and theirs, the file's name in the repository, the
    length of git's marks, and git's index.
    """
    *files, path, length, index = arguments
    base, ours, theirs = map(_read, files)
    joined = merge_memory(path, base, ours, theirs)
    if joined.conflict and length != _MARK:
        return _NOT_OURS
    if not joined.conflict and _is_newer(path, index):
        # Git wrote its index after the files that it is about to replace, and does not look at them
        # again: what an editor saved since would be overwritten.
        saved = merge_memory(path, ours, joined.data or b"", as_stored(path, ours, os.environ))
        joined = joined if saved.conflict else saved
    put_in_place(files[1], joined.data or b"")
    return _MARKED if joined.conflict else 0


def as_stored(path: str, ours: bytes, env: Mapping[str, str]) -> bytes:
    """A file of the work tree as git would store it, with the line ends of our version.

    If git stores it in another form than on disk, our version: we run no program that a repository
    names, and a file that git encrypts must not be stored as it is on disk.
    """
    asked = output(("git", "check-attr", "-z", *_FORMS, "--", path), env).split(b"\0")
    if not {*asked[2::3]} <= _UNSET:
        return ours
    data = _read(path)
    return data if b"\r\n" in ours else data.replace(b"\r\n", b"\n")


def _is_newer(path: str, index: str) -> bool:
    try:
        return os.stat(path).st_mtime_ns > os.stat(index).st_mtime_ns  # noqa: PTH116 - see below
    except OSError:
        return False


def _read(name: str) -> bytes:
    with open(name, "rb") as file:  # noqa: PTH123 - pathlib takes 5 ms to load
        return file.read()
