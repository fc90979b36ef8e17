"""What the merge driver works on: the versions of the files that both sides changed, by git's
pipes, and the results that it leaves for its next calls.
"""

import os
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from clawgit.stores.git.staged import StagedPath, edits, output, read_staged

_HEADS = "GITHEAD_"
"""`git merge` names the commit that it merges by a variable of this name."""

_NO_FILE = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
_FILES = ("100644", "100755")


class Trio(NamedTuple):
    """A file that both sides changed. `key` is the three blob ids, one behind the other."""

    path: str
    key: str
    base: bytes
    ours: bytes
    theirs: bytes


def merging(env: Mapping[str, str]) -> Iterator[Trio]:
    """All files that both sides of the present `git merge` changed; none where it is not known.

    After a criss-cross there is no one base, and after a rename no one path: the driver is asked
    for these one by one.
    """
    heads = [name.removeprefix(_HEADS) for name in env if name.startswith(_HEADS)]
    theirs = [head for head in heads if head != _said(env, "rev-parse", "HEAD")]
    if len(theirs) != 1:
        return
    bases = _said(env, "merge-base", "--all", "HEAD", theirs[0]).split()
    if len(bases) != 1:
        return
    mine, other = (
        {row.path: row for row in _changed(env, bases[0], to)} for to in ("HEAD", *theirs)
    )
    both = [path for path in mine if path in other and _is_clash(mine[path], other[path])]
    ours = edits([mine[path] for path in both], env)
    changed = edits([other[path] for path in both], env)
    for left, right in zip(ours, changed, strict=True):
        if left.after and right.after:
            base = left.before.data if left.before else b""
            key = "".join((left.staged.before or _NO_FILE, left.staged.after, right.staged.after))
            yield Trio(left.path, key, base, left.after.data, right.after.data)


def _said(env: Mapping[str, str], *argv: str) -> str:
    return output(("git", *argv), env).decode("ascii", "replace").strip()


def _changed(env: Mapping[str, str], base: str, to: str) -> list[StagedPath]:
    flags = ("-r", "--raw", "-z", "--no-abbrev", "--no-renames")
    return read_staged(output(("git", "diff-tree", *flags, base, to), env))


def _is_clash(mine: StagedPath, other: StagedPath) -> bool:
    is_file = mine.mode in _FILES and other.mode in _FILES
    return is_file and mine.path.lower().endswith(".md") and mine.after != other.after


def keep_result(folder: str, trio: Trio, data: bytes, *, conflict: bool) -> None:
    """Leaves a result for the call of the driver that asks for these three versions."""
    file = f"{folder}/{'marked' if conflict else 'clean'}/{trio.key}/{trio.path}"
    os.makedirs(os.path.dirname(file), exist_ok=True)  # noqa: PTH103, PTH120 - pathlib takes 5 ms
    replace(file, data)


def replace(file: str, data: bytes) -> None:
    """Writes a file: all of it is there, or nothing."""
    with open(f"{file}.new", "wb") as new:  # noqa: PTH123 - pathlib takes 5 ms
        new.write(data)
    os.replace(f"{file}.new", file)  # noqa: PTH105 - as above


def as_stored(path: str, env: Mapping[str, str]) -> bytes:
    """A file of the work tree as git would store it."""
    oid = _said(env, "hash-object", "-w", "--", path)
    return output(("git", "cat-file", "blob", oid), env)
