"""Streams from C git what commits brought in: their messages and the lines that they added."""

import os
import re
from collections.abc import Generator, Iterable
from typing import NamedTuple

from clawgit.domain.markdown.decoding import text_of
from clawgit.domain.workspace.scope import EVERYTHING, Scope
from clawgit.stores.git.cgit import CGit

MESSAGE = ""
"""The path that stands for a commit's message."""

_CHUNK = 1 << 18
"""A file is read in parts of about this many bytes, so that a large one does not fill memory."""

_AS_PUSHED = ("-c", "core.quotePath=false", "-c", "diff.suppressBlankEmpty=false")
_SHAPE = (
    *("--format=commit %H %P%n%w(0,1,1)%B", "--encoding=UTF-8", "--no-notes", "--no-decorate"),
    *("--patch", "--text", "--unified=0", "--inter-hunk-context=0", "--cc", "--no-renames"),
    *("--no-color", "--no-relative", "-O/dev/null", "--src-prefix=a/", "--dst-prefix=b/"),
    *("--submodule=short", "--ignore-submodules=all", "--root"),
)
_HUNK = re.compile(rb"(@@+) .*?\+(\d+)(?:,\d+)? @@")


class Added(NamedTuple):
    """Some lines that a commit added to a file, with their numbers, or its message.

    A large file comes in several parts.
    """

    commit: str
    parents: tuple[str, ...]
    path: str
    text: str
    lines: tuple[int, ...]


def touches(git: CGit, revisions: Iterable[str], scope: Scope) -> bool:
    """Whether any commit of a revision range touches a path of the scope."""
    if scope == EVERYTHING:
        return True
    listed = "".join(f"{revision}\n" for revision in revisions).encode()
    shape = ("--format=", "--name-only", "-z", "-m", "--no-renames", "--full-history")
    paths = git.run("log", *shape, "--stdin", "--", *scope.pathspecs, stdin=listed)
    return any(scope.covers(os.fsdecode(path)) for path in paths.split(b"\0") if path)


def added(git: CGit, revisions: Iterable[str], scope: Scope = EVERYTHING) -> Generator[Added]:
    """Everything that the commits of a revision range brought in, parents first.

    Each commit begins with its message. Read from the object store, so no replacement, attribute or
    filter hides a line. For a merge, the lines that no parent has. With a scope, only commits that
    touch it, and only those as parents.
    """
    listed = "".join(f"{revision}\n" for revision in revisions).encode()
    narrowed = (
        () if scope == EVERYTHING else ("--full-history", "--parents", "--", *scope.pathspecs)
    )
    running = git.start(
        *_AS_PUSHED, "log", "--reverse", "--topo-order", *_SHAPE, "--stdin", *narrowed, stdin=listed
    )
    return _inside(_Reader().read(running.lines()), scope)


def _inside(parts: Generator[Added], scope: Scope) -> Generator[Added]:
    """The parts that the scope covers: git's pathspecs match more. Closing it stops git too."""
    try:
        for part in parts:
            if part.path == MESSAGE or scope.covers(part.path):
                yield part
    finally:
        parts.close()


class _Reader:
    """Parses git's output.

    In a hunk every line begins with a sign, so no text of a file can look like a header.
    """

    def __init__(self) -> None:
        self._commit, self._parents, self._path = "", tuple[str, ...](), MESSAGE
        self._texts: list[bytes] = []
        self._numbers: list[int] = []
        self._number, self._size, self._in_patch = 1, 0, False
        self._signs = 0
        """The signs before a line of the hunk, one for each parent; 0 outside of a hunk."""

    def read(self, lines: Iterable[bytes]) -> Generator[Added]:
        for line in lines:
            if line.startswith((b"commit ", b"diff ")) and self._texts:
                yield self._taken()
            self._line(line)
            if self._signs and self._size > _CHUNK:
                yield self._taken()
        if self._texts:
            yield self._taken()

    def _line(self, line: bytes) -> None:
        if self._signs and line[:1] in b"+- \\":
            self._in_hunk(line)
        elif not self._in_patch and line[:1] == b" ":
            self._keep(line[1:])  # of the message, which git indents by one
        elif line.startswith((b"commit ", b"diff ")):
            self._begin(line)
        else:
            self._header(line)

    def _begin(self, line: bytes) -> None:
        self._signs, self._in_patch, self._number = 0, line.startswith(b"diff "), 1
        if not self._in_patch:
            _, self._commit, *parents = line.decode().split()
            self._parents, self._path = tuple(parents), MESSAGE

    def _header(self, line: bytes) -> None:
        if hunk := _HUNK.match(line):
            self._signs, self._number = len(hunk[1]) - 1, int(hunk[2])
        elif line.startswith(b"+++ ") and not self._signs:
            self._path = (
                line[4:].rstrip(b"\t\n").strip(b'"').decode("utf-8", "replace").removeprefix("b/")
            )

    def _in_hunk(self, line: bytes) -> None:
        signs = line[: self._signs]
        if b"-" in signs or signs[:1] == b"\\":
            return
        if b" " not in signs:
            self._keep(line[self._signs :])
        else:
            self._number += 1

    def _keep(self, line: bytes) -> None:
        self._texts.append(line)
        self._numbers.append(self._number)
        self._number += 1
        self._size += len(line)

    def _taken(self) -> Added:
        text = text_of(b"".join(self._texts))
        added_lines = Added(self._commit, self._parents, self._path, text, tuple(self._numbers))
        self._texts, self._numbers, self._size = [], [], 0
        return added_lines
