"""Finds the commits that changed a line with certain words, by C git's pickaxe."""

import codecs
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from clawgit.domain.change.lines import normal
from clawgit.language.lazily import lazily
from clawgit.stores.git.cgit import CGit

_PLAIN = (
    "--no-renames", "--text", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative",
    "--no-show-signature",
    "--src-prefix=a/", "--dst-prefix=b/",
)  # fmt: skip
"""Options under which a patch looks the same, whatever the user has configured."""

_MARKDOWN = ":(icase)*.md"
_GAP = "([[:space:]]*<!--[^>]*>|[[:space:]]+#[^[:space:]]+)*[[:space:]]+"
_HUNK = lazily(r"@@ -[0-9]+(?:,[0-9]+)? \+(?P<new>[0-9]+)")


class Hunk(NamedTuple):
    """Lines of a file that a commit took away, and those that it put in their place.

    `line` is the number of the first one after the commit.
    """

    oid: str
    path: str
    removed: tuple[str, ...]
    added: tuple[str, ...]
    line: int = 0


def pattern_of(words: str) -> str:
    """An extended regular expression for words on one line, with any spaces, tags or comments
    between them.
    """
    return _GAP.join("".join(map(_sign, word)) for word in words.split())


def changed_lines(git: CGit, head: str, *paths: str, pattern: str = "") -> Iterator[Hunk]:
    """The hunks of each commit that a commit reaches, newest first, but for merges.

    `pattern` is an extended regular expression that a changed line matches; ASCII letters match in
    either case. Slow: it reads history back to the last hunk that is taken.
    """
    wanted = ("-i", "-E", f"-G{pattern}") if pattern else ()
    history = git.start(
        *("-c", "core.quotePath=false", "log", "-p", "-U0", "-a", "--format=%x00%H"),
        *(*_PLAIN, *wanted, head, "--", *(paths or (_MARKDOWN,))),
    )
    return _hunks(history.lines())


def _hunks(lines: Iterable[bytes]) -> Iterator[Hunk]:
    """The hunks in the output of `git log -p -U0 --format=%x00%H` and of its relatives."""
    patch = _Patch()
    for data in lines:
        line = normal(data)
        if patch.takes(line):
            continue
        yield from patch.ended()
        patch.begin(line)
    yield from patch.ended()


class _Patch:
    """The hunk that is being read, and its place."""

    def __init__(self) -> None:
        self._here = Hunk("", "", (), ())
        self._sides: dict[str, list[str]] = {"-": [], "+": []}
        self._is_heading = True

    def takes(self, line: str) -> bool:
        """Whether a line is text of the hunk.

        After its header, a line that starts with `---` is text too.
        """
        side = None if self._is_heading else self._sides.get(line[:1])
        if side is None:
            return False
        side.append(line[1:].removesuffix("\n"))
        return True

    def ended(self) -> Iterator[Hunk]:
        if any(self._sides.values()):
            removed, added = map(tuple, self._sides.values())
            self._sides = {"-": [], "+": []}
            yield self._here._replace(removed=removed, added=added)

    def begin(self, line: str) -> None:
        """Reads a header line: of a commit, a file, or a hunk."""
        if line.startswith("\0"):
            self._here = self._here._replace(oid=line[1:].strip())
        elif line.startswith("diff --git "):
            self._is_heading = True
        elif self._is_heading and line.startswith(("--- ", "+++ ")):
            self._here = self._here._replace(path=_path(line) or self._here.path)
        elif place := _HUNK.match(line):
            self._is_heading = False
            self._here = self._here._replace(line=int(place["new"]))


def _path(line: str) -> str:
    """The name after `---` or `+++`; "" if the file does not exist on this side."""
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
