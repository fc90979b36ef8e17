"""Streams from C git what commits brought in: their messages and the lines that they added."""

import os
import re
from collections.abc import Generator, Iterable, Iterator
from itertools import groupby
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
    return _inside(_parts(running.lines()), scope)


def _inside(parts: Generator[Added], scope: Scope) -> Generator[Added]:
    """The parts that the scope covers: git's pathspecs match more. Closing it stops git too."""
    try:
        for part in parts:
            if part.path == MESSAGE or scope.covers(part.path):
                yield part
    finally:
        parts.close()


class _Place(NamedTuple):
    """Where a line of git's output is. `signs` stand before a line of a hunk, one for each parent;
    0 outside of a hunk, where a message is indented by one.
    """

    commit: str = ""
    parents: tuple[str, ...] = ()
    path: str = MESSAGE
    number: int = 1
    signs: int = 0
    in_patch: bool = False


def _parts(lines: Iterable[bytes]) -> Generator[Added]:
    for (commit, path), rows in groupby(_rows(lines), lambda row: (row[0].commit, row[0].path)):
        texts, numbers, size = list[bytes](), list[int](), 0
        parents = tuple[str, ...]()
        for place, text in rows:
            parents, size = place.parents, size + len(text)
            texts.append(text)
            numbers.append(place.number)
            if size > _CHUNK:
                yield Added(commit, parents, path, text_of(b"".join(texts)), tuple(numbers))
                texts, numbers, size = [], [], 0
        if texts:
            yield Added(commit, parents, path, text_of(b"".join(texts)), tuple(numbers))


def _rows(lines: Iterable[bytes]) -> Iterator[tuple[_Place, bytes]]:
    """Each line of a message, and each that a commit added.

    In a hunk every line begins with a sign, so no text of a file can look like a header.
    """
    place = _Place()
    for line in lines:
        is_text = line[:1] in b"+- \\" if place.signs else line[:1] == b" " and not place.in_patch
        if not is_text:
            place = _after_header(place, line)
            continue
        signs = line[: place.signs]
        # A line that a side lacks, or git's remark that the last line has no end.
        if b"-" in signs or b"\\" in signs:
            continue
        if b" " not in signs:
            yield place, line[place.signs or 1 :]
        place = place._replace(number=place.number + 1)


def _after_header(place: _Place, line: bytes) -> _Place:
    if line.startswith(b"commit "):
        _, commit, *parents = line.decode().split()
        return _Place(commit, tuple(parents))
    if line.startswith(b"diff "):
        return place._replace(number=1, signs=0, in_patch=True)
    if hunk := _HUNK.match(line):
        return place._replace(number=int(hunk[2]), signs=len(hunk[1]) - 1)
    if line.startswith(b"+++ ") and not place.signs:
        name = line[4:].rstrip(b"\t\n").strip(b'"').decode("utf-8", "replace")
        return place._replace(path=name.removeprefix("b/"))
    return place
