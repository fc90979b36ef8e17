"""Compares two states of the files by C git: the files that differ, by how many lines, and
patches.
"""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from clawgit.core.disk.plainfile import is_hard_link
from clawgit.core.layout import EVERYTHING, Scope
from clawgit.git.cgit import CGit
from clawgit.git.dirt import flagged_rows, index_with
from clawgit.git.guards.filters import filtered
from clawgit.git.place import RepoPlace
from clawgit.language.lazily import lazily

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
_NEW = b"H 100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 0\t"
"""A new file is listed as an empty one."""

_SECTION = lazily(r"^(?=diff --git )", re.MULTILINE)
_STATUS = {"A": "added", "D": "deleted", "M": "modified", "T": "retyped", "U": "conflicted"}
_SECTIONS = {"T": 2, "U": 0}
"""How many patches follow for a file, if not one: of another kind of file, or of a conflict."""

_SHAPE = (
    *("--raw", "--patch", "--text", "-z", "--no-renames", "--no-color", "--no-relative"),
    *("-O/dev/null", "--src-prefix=a/", "--dst-prefix=b/"),
    *("--submodule=short", "--ignore-submodules=dirty"),
)
"""As text, since an attribute of the repository may call Markdown binary."""


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
    scope: Scope = EVERYTHING,
) -> tuple[FileDiff, ...]:
    """The files that differ between two commits; None is the empty history.

    Those of the scope only, but for the file that `path` names.
    """
    trees = (old or EMPTY_TREE, new or EMPTY_TREE)
    told = git.run("diff-tree", "-r", *_SHAPE, *trees, "--", *_limit(path, scope))
    return tuple(_kept(_parsed(told), path, scope, patch=patch))


def compare_each(
    git: CGit, commits: Sequence[tuple[str, str | None]], path: str | None = None
) -> dict[str, tuple[FileDiff, ...]]:
    """What each commit changed against the one before it, by one call of git."""
    # The oldest first, and read from the end: no text can hold the id of a later commit.
    asked = "".join(f"{commit} {before or ''}\n" for commit, before in reversed(commits))
    told = git.run(
        "diff-tree", "--stdin", "-r", "--root", "--always", *_SHAPE,
        "--", *_limit(path, EVERYTHING), stdin=asked.encode(),
    )  # fmt: skip
    compared, end = {}, len(told)
    for commit, _ in commits:
        start = told.rindex(commit.encode(), 0, end)
        compared[commit] = tuple(_parsed(told[start + len(commit) + 1 : end]))
        end = start
    return compared


def compare_disk(
    place: RepoPlace,
    git: CGit,
    old: str | None,
    path: str | None = None,
    *,
    patch: bool = True,
    scope: Scope = EVERYTHING,
) -> tuple[FileDiff, ...]:
    """The files on disk that differ from a commit, new Markdown files among them."""
    new = git.run("ls-files", "--others", "--exclude-standard", "-z", "--", ":(icase)*.md")
    rows = [_NEW + path for path in new.split(b"\0") if path]
    with index_with(git, [*flagged_rows(git).values(), *rows]) as index:
        limit = _limit(path, scope)
        told = git.run("diff", *_SHAPE, old or EMPTY_TREE, "--", *limit, index=index)
    differing = [*_kept(_parsed(told), path, scope, patch=patch)]
    left = filtered(git, (file.path for file in differing))
    return tuple(
        file
        for file in differing
        if file.path not in left and not _is_hard_link(place.root / file.path)
    )


def _limit(path: str | None, scope: Scope) -> tuple[str, ...]:
    """The pathspecs of what is compared."""
    if path:
        return (f":(literal){path}",)
    return () if scope == EVERYTHING else scope.pathspecs


def _kept(
    files: Iterator[FileDiff], path: str | None, scope: Scope, *, patch: bool
) -> Iterator[FileDiff]:
    for file in files:
        if file.path == path or scope.covers(file.path):
            yield file if patch else file._replace(patch="")


def _is_hard_link(file: Path) -> bool:
    try:
        return is_hard_link(file.lstat())
    except OSError:
        return False


def _parsed(output: bytes) -> Iterator[FileDiff]:
    """Reads raw records, then the patches in the same order.

    In a patch every line of text begins with a sign: only a header starts with `diff`.
    """
    statuses: list[tuple[str, str]] = []
    tokens = iter(output.split(b"\0"))
    rest = b""
    for token in tokens:
        if token.startswith(b":"):
            statuses.append((os.fsdecode(next(tokens)), token[-1:].decode()))
        elif token:
            rest = b"\0".join([token, *tokens])
    sections = iter(_SECTION.split(rest.decode("utf-8", "replace"))[1:])
    for path, status in statuses:
        patches = [next(sections, "") for _ in range(_SECTIONS.get(status, 1))]
        told = _STATUS.get(status, "modified")
        yield FileDiff(path, told, *_counted(patches), "".join(map(_shown, patches)))


def _counted(patches: list[str]) -> tuple[int | None, int | None]:
    """How many lines were added, and removed."""
    if any("\0" in patch for patch in patches):
        return None, None
    lines = [line for patch in patches for line in _hunks(patch).split("\n")]
    added, removed = (sum(line.startswith(sign) for line in lines) for sign in "+-")
    return added, removed


def _hunks(patch: str) -> str:
    return patch.partition("\n@@")[2].partition("\n")[2]


def _shown(patch: str) -> str:
    """A file with a zero byte is really binary."""
    header, _, _ = patch.partition("\n--- ")
    return f"{header}\nBinary files differ\n" if "\0" in patch else patch
