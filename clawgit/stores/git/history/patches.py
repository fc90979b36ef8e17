"""Compares two states of the files by C git: the files that differ, by how many lines, and
patches.
"""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from clawgit.doors import shutil, tempfile
from clawgit.language.lazily import lazily
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.guards.filters import filtered
from clawgit.stores.git.guards.hidden import hidden_files
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.hardlinks import leads_outside

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
_EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
_MARKDOWN = lazily(r"\.md$", re.IGNORECASE)
_SECTION = lazily(r"^(?=diff --git )", re.MULTILINE)
_STATUS = {"A": "added", "D": "deleted", "M": "modified", "T": "retyped", "U": "conflicted"}
_AT_ONCE = 500
"""How many paths are passed to git in one call."""

Covers = Callable[[str], bool]
_PLAIN = (
    *("--no-renames", "--no-color", "--no-relative", "-O/dev/null", "-z"),
    *("--src-prefix=a/", "--dst-prefix=b/", "--submodule=short", "--ignore-submodules=dirty"),
)

_SHAPE = ("--raw", "--numstat")


class FileDiff(NamedTuple):
    """One file that differs. `added` and `removed` count lines, None for a binary file."""

    path: str
    status: str
    added: int | None
    removed: int | None
    patch: str


def compare(
    git: CGit,
    old: str | None,
    new: str | None,
    path: str | None = None,
    *,
    patch: bool = True,
    covers: Covers | None = None,
) -> tuple[FileDiff, ...]:
    """The files that differ between two commits; None is the empty history.

    With `covers`, only those that it accepts, and the file that `path` names: no other is read.
    """
    arguments = ("diff-tree", "-r", old or EMPTY_TREE, new or EMPTY_TREE)
    return _compared(git, arguments, path, covers, patch=patch)


def compare_each(
    git: CGit, commits: Sequence[tuple[str, str | None]], path: str | None = None
) -> dict[str, tuple[FileDiff, ...]]:
    """What each commit changed against the one before it, by one call of git."""
    # The oldest first, and read from the end: no text can hold the id of a later commit.
    asked = "".join(f"{commit} {before or ''}\n" for commit, before in reversed(commits))
    told = git.run(
        "--literal-pathspecs", "diff-tree", "--stdin", "-r", "--root", "--always", *_PLAIN,
        *_SHAPE, "--patch", "--", *filter(None, [path]), stdin=asked.encode(),
    )  # fmt: skip
    compared, end = {}, len(told)
    for commit, before in commits:
        start = told.rindex(commit.encode(), 0, end)
        files = tuple(_parsed(told[start + len(commit) + 1 : end]))
        if any(map(_called_binary, files)):
            files = compare(git, before, commit, path)
        compared[commit], end = files, start
    return compared


def compare_disk(
    place: RepoPlace,
    git: CGit,
    old: str | None,
    path: str | None = None,
    *,
    patch: bool = True,
    covers: Covers | None = None,
) -> tuple[FileDiff, ...]:
    """The files on disk that differ from a commit, new Markdown files among them."""
    with _index_that_hides_nothing(place, git) as index:
        arguments = ("diff", old or EMPTY_TREE)
        differing = _compared(git, arguments, path, covers, patch=patch, index=index)
    left = filtered(git, (file.path for file in differing))
    return tuple(
        file
        for file in differing
        if file.path not in left and not _leads_outside(place.root, file.path)
    )


def _leads_outside(root: Path, path: str) -> bool:
    try:
        return leads_outside(root, (root / path).lstat())
    except OSError:
        return False


def _compared(
    git: CGit,
    arguments: tuple[str, ...],
    path: str | None,
    covers: Covers | None,
    *,
    patch: bool,
    index: Path | None = None,
) -> tuple[FileDiff, ...]:
    shape = (*_SHAPE, *(("--patch",) if patch else ()))
    limit = [path] if path else []
    if covers is None:
        return tuple(_asked(git, arguments, shape, limit, index))
    limit = [name for name in _names(git, arguments, limit, index) if covers(name) or name == path]
    files: list[FileDiff] = []
    for start in range(0, len(limit), _AT_ONCE):
        files += _asked(git, arguments, shape, limit[start : start + _AT_ONCE], index)
    return tuple(files)


def _names(
    git: CGit, arguments: tuple[str, ...], limit: list[str], index: Path | None
) -> Iterator[str]:
    """The files that may differ, by trees and index: no blob is read, since a partial clone may not
    have them. `git diff` would read the blobs of all files that look edited; `git diff-index` lists
    a few too many.
    """
    command, *revisions = arguments
    plumbing = "diff-index" if command == "diff" else command
    for file in _asked(git, (plumbing, *revisions), ("--raw",), limit, index):
        yield file.path


def _asked(
    git: CGit,
    arguments: tuple[str, ...],
    shape: tuple[str, ...],
    limit: list[str],
    index: Path | None,
) -> Iterator[FileDiff]:
    """What git answers about the files of `limit`, or about all.

    An attribute of the repository may call Markdown binary, and git then shows nothing of it.
    """
    command, *revisions = arguments

    def answered(shape: tuple[str, ...], limit: list[str]) -> list[FileDiff]:
        options = (*_PLAIN, *shape, *revisions)
        output = git.run("--literal-pathspecs", command, *options, "--", *limit, index=index)
        return list(_parsed(output))

    files = answered(shape, limit)
    called = [file.path for file in files if _called_binary(file)]
    if not called or "--numstat" not in shape:
        yield from files
        return
    read = {file.path: file for file in answered((*shape, "--patch", "--text"), called)}
    # A file with a zero byte is really binary.
    texts = {path: _counted(file) for path, file in read.items() if "\0" not in file.patch}
    for file in files:
        text = texts.get(file.path, file)
        yield text if "--patch" in shape else text._replace(patch="")


def _called_binary(file: FileDiff) -> bool:
    return file.added is None and _MARKDOWN.search(file.path) is not None


def _counted(file: FileDiff) -> FileDiff:
    """The diff of a file with its lines counted, which git did not do because an attribute calls it
    binary.
    """
    lines = file.patch.partition("\n@@")[2].split("\n")[1:]
    added, removed = (sum(line.startswith(sign) for line in lines) for sign in "+-")
    return file._replace(added=added, removed=removed)


@contextmanager
def _index_that_hides_nothing(place: RepoPlace, git: CGit) -> Iterator[Path | None]:
    """A temporary index that also lists new files, as empty ones, and in which no bit hides an
    edit.
    """
    new = git.run("ls-files", "--others", "--exclude-standard", "-z", "--", ":(icase)*.md")
    hidden = [file.path for file in hidden_files(git) if file.edited]
    if not new and not hidden:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="clawgit-") as folder:
        copy = Path(folder) / "index"
        if (place.git_dir / "index").exists():
            # With its time, by which git knows which files it must look at more closely.
            shutil.copy2(place.git_dir / "index", copy)
        empty = _EMPTY_BLOB.encode()
        lines = b"".join(b"100644 %s 0\t%s\0" % (empty, name) for name in new.split(b"\0") if name)
        if hidden:
            # Added again, the entries have no bits, and none of the times and sizes by which git
            # takes a file for unchanged: an edit of the same length within a clock tick would be
            # missed.
            lines += git.run("--literal-pathspecs", "ls-files", "-s", "-z", "--", *hidden)
        git.run("update-index", "-z", "--index-info", stdin=lines, index=copy)
        yield copy


def _parsed(output: bytes) -> Iterator[FileDiff]:
    """Reads raw records, then line counts, then the patches in the same order.

    In a patch every line of text begins with a sign: only a header starts with `diff`.
    """
    statuses: list[tuple[str, str]] = []
    counts: dict[str, tuple[int | None, int | None]] = {}
    tokens = iter(output.split(b"\0"))
    rest = b""
    for token in tokens:
        if token.startswith(b":"):
            statuses.append((os.fsdecode(next(tokens)), token[-1:].decode()))
        elif token[:1] and token[:1] in b"0123456789-":
            added, removed, name = token.split(b"\t", 2)
            counts[os.fsdecode(name)] = (_count(added), _count(removed))
        elif token:
            rest = b"\0".join([token, *tokens])
    sections = iter(_SECTION.split(rest.decode("utf-8", "replace"))[1:])
    for path, status in statuses:
        patches = [next(sections, "") for _ in range({"T": 2, "U": 0}.get(status, 1))]
        yield FileDiff(
            path, _STATUS.get(status, "modified"), *counts.get(path, (None, None)), "".join(patches)
        )


def _count(text: bytes) -> int | None:
    return None if text == b"-" else int(text)
