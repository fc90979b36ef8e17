"""Compares two states of the files by C git: the files that differ, by how many lines, and
patches.
"""

import os
import re
from collections.abc import Iterator, Sequence

from clawgit.core import NamedTuple
from clawgit.core.layout import EVERYTHING, Scope
from clawgit.git.cgit import CGit, listed
from clawgit.language.lazily import lazily

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
_SECTION = lazily(r"^(?=diff --git )", re.MULTILINE)
_STATUS = {"A": "added", "D": "deleted", "M": "modified", "T": "retyped", "U": "conflicted"}
_SECTIONS = {"T": 2, "U": 0}
"""How many patches follow for a file, if not one: of another kind of file, or of a conflict."""

SHAPE = (
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
    told = git.run("diff-tree", "-r", *SHAPE, *trees, "--", *limit(path, scope))
    return tuple(kept(parsed(told), path, scope, patch=patch))


def compare_each(
    git: CGit, commits: Sequence[tuple[str, str | None]], path: str | None
) -> dict[str, tuple[FileDiff, ...]]:
    """What each commit changed against the one before it, by one call of git."""
    # The oldest first, and read from the end: no text can hold the id of a later commit.
    asked = listed(f"{commit} {before or ''}" for commit, before in reversed(commits))
    told = git.run(
        "diff-tree", "--stdin", "-r", "--root", "--always", *SHAPE,
        "--", *limit(path, EVERYTHING), stdin=asked,
    )  # fmt: skip
    compared, end = {}, len(told)
    for commit, _ in commits:
        start = told.rindex(commit.encode(), 0, end)
        compared[commit] = tuple(parsed(told[start + len(commit) + 1 : end]))
        end = start
    return compared


def limit(path: str | None, scope: Scope) -> tuple[str, ...]:
    """The pathspecs of what is compared."""
    if path:
        return (f":(literal){path}",)
    return () if scope == EVERYTHING else scope.pathspecs


def kept(
    files: Iterator[FileDiff], path: str | None, scope: Scope, *, patch: bool
) -> Iterator[FileDiff]:
    for file in files:
        if file.path == path or scope.covers(file.path):
            yield file if patch else file._replace(patch="")


def parsed(output: bytes) -> Iterator[FileDiff]:
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
    hunks = (patch.partition("\n@@")[2].partition("\n")[2] for patch in patches)
    lines = [line for hunk in hunks for line in hunk.split("\n")]
    added, removed = (sum(line.startswith(sign) for line in lines) for sign in "+-")
    return added, removed


def _shown(patch: str) -> str:
    """A file with a zero byte is really binary."""
    header, _, _ = patch.partition("\n--- ")
    return f"{header}\nBinary files differ\n" if "\0" in patch else patch
