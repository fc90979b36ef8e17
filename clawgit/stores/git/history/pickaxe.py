"""Finds the commits that took a line with certain words away, by C git's pickaxe."""

import codecs
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from clawgit.domain.change.lines import normal
from clawgit.stores.git.cgit import CGit

_PLAIN = (
    *("--no-renames", "--text", "--no-color", "--no-relative"),
    *("--src-prefix=a/", "--dst-prefix=b/"),
)
"""Options under which a patch looks the same, whatever the user has configured."""

_MARKDOWN = ":(icase)*.md"
_GAP = "([[:space:]]*<!--[^>]*>|[[:space:]]+#[^[:space:]]+)*[[:space:]]+"


class Removed(NamedTuple):
    """Lines in a row of a file that a commit took away."""

    oid: str
    path: str
    lines: tuple[str, ...]


def pattern_of(words: str) -> str:
    """An extended regular expression for words on one line, with any spaces, tags or comments
    between them.
    """
    return _GAP.join("".join(map(_sign, word)) for word in words.split())


def removed_lines(git: CGit, head: str, *, pattern: str) -> Iterator[Removed]:
    """What each commit that a commit reaches took away, newest first, but for merges.

    `pattern` is an extended regular expression that a changed line matches; ASCII letters match in
    either case. Slow: it reads history back to the last lines that are taken.
    """
    history = git.start(
        *("-c", "core.quotePath=false", "log", "-p", "-U0", "-a", "--format=%x00%H"),
        *(*_PLAIN, "-i", "-E", f"-G{pattern}", head, "--", _MARKDOWN),
    )
    rows = _rows(map(normal, history.lines()))
    for (oid, path, _), lines in groupby(rows, itemgetter(0)):
        yield Removed(oid, path, tuple(line for _, line in lines))


def _rows(lines: Iterable[str]) -> Iterator[tuple[tuple[str, str, int], str]]:
    """Each line that was taken away, with its commit, its file and the number of its hunk."""
    oid = path = ""
    hunk, is_heading = 0, True
    for line in lines:
        if line.startswith("\0"):
            oid = line[1:].strip()
        elif line.startswith("diff --git "):
            is_heading = True
        elif line.startswith("@@ "):
            # After it, a line that starts with `---` is text too.
            hunk, is_heading = hunk + 1, False
        elif is_heading and line.startswith("--- "):
            path = _path(line)
        elif not is_heading and line.startswith("-"):
            yield (oid, path, hunk), line[1:].removesuffix("\n")


def _path(line: str) -> str:
    """The name after `---`; "" if the file did not exist."""
    name = line[len("--- ") :].rstrip("\n\t")
    if name.startswith('"') and name.endswith('"'):
        escaped, _ = codecs.escape_decode(name[1:-1].encode("utf-8", "surrogateescape"))
        name = escaped.decode("utf-8", "surrogateescape")
    return "" if name == "/dev/null" else name[2:]


def _sign(sign: str) -> str:
    # Git compares bytes: beyond ASCII, it cannot match small letters with capitals.
    if not sign.isascii():
        cases = sorted({sign, sign.lower(), sign.upper()})
        return f"({'|'.join(cases)})" if len(cases) > 1 else sign
    return (
        sign
        if sign.isalnum() or sign in "_-"
        else f"[{sign}]"
        if sign not in "^\\"
        else f"\\{sign}"
    )
