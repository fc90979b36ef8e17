"""A scope: which paths of a repository are clawgit's. Nothing outside of it is read, judged or
committed.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

LONGEST_PATTERN = 200
"""Long enough for any path that somebody types; a regex of more could take its time."""


_PLAIN_FOLDER = re.compile(r"[A-Za-z0-9._ -]+/")

_AT_THE_TOP = re.compile(r"/[A-Za-z0-9._ -]+")

_WHOLE_FOLDER = re.compile(r"/([A-Za-z0-9._ -]+/)\*\*/\*\.md")

_CLASS = re.compile(r"(?P<not>[!^]?)(?P<inside>(?:a-z|A-Z|0-9|[\w.,;@ ])+)\]")
"""`[a-z]`, `[!0-9]`, `[abc]`; anything odder is taken letter by letter."""


class _Run(NamedTuple):
    """Patterns that stand beside each other and say the same: take these paths, or leave them.
    `folders` are plain names such as node_modules, which are looked up: a regex would search each
    path for them.
    """

    takes: bool
    folders: frozenset[str]
    matches: re.Pattern[str] | None

    def fits(self, path: str, folders: list[str]) -> bool:
        if not self.folders.isdisjoint(folders):
            return True
        return self.matches is not None and self.matches.fullmatch(path) is not None


class Scope:
    """Patterns as in a .gitignore, but they say what is in. The last one that fits a path decides.

    A pattern fits a file by its own path or by that of a folder above it; `!` takes paths out
    again. Letter case does not matter, as it does not on half of all disks.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self.patterns = tuple(patterns)
        self._known: dict[str, bool] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scope) and self.patterns == other.patterns

    def __hash__(self) -> int:
        return hash(self.patterns)

    def __repr__(self) -> str:
        return f"Scope({list(self.patterns)})"

    def covers(self, path: str) -> bool:
        """Whether a file of the repository is clawgit's; `path` is as git names it."""
        if path.startswith(self._whole) and path.endswith(".md"):
            folder = path.rpartition("/")[0]
            if folder not in self._known:
                self._known[folder] = self._judged(path)
            return self._known[folder]
        return self._judged(path)

    def _judged(self, path: str) -> bool:
        folders = path.lower().split("/")[:-1]
        for run in self._runs:
            if run.fits(path, folders):
                return run.takes
        return False

    def split(self, paths: Iterable[str]) -> tuple[list[str], list[str]]:
        """The paths inside, and those outside."""
        inside: list[str] = []
        outside: list[str] = []
        for path in paths:
            (inside if self.covers(path) else outside).append(path)
        return inside, outside

    @property
    def pathspecs(self) -> tuple[str, ...]:
        """What git can narrow a question by: all that the scope covers, and perhaps more, since git
        knows no order.
        """
        return tuple(_pathspec(pattern) for pattern in self.patterns if not pattern.startswith("!"))

    @cached_property
    def _whole(self) -> tuple[str, ...]:
        """The folders whose Markdown is all in, or all out, with its folder: of thousands of daily
        notes one is judged. None are known where a later pattern could tell one file of a folder
        from another.
        """
        first_out = next(
            (at for at, one in enumerate(self.patterns) if one.startswith("!")), len(self.patterns)
        )
        later = self.patterns[first_out:]
        if not all(
            _PLAIN_FOLDER.fullmatch(one.removeprefix("!")) or _AT_THE_TOP.fullmatch(one)
            for one in later
        ):
            return ()
        return tuple(
            found[1] for one in self.patterns[:first_out] if (found := _WHOLE_FOLDER.fullmatch(one))
        )

    @cached_property
    def _runs(self) -> tuple[_Run, ...]:
        """Last pattern first, since the last one decides."""
        runs = groupby(reversed(self.patterns), key=lambda pattern: not pattern.startswith("!"))
        return tuple(
            _run([pattern.removeprefix("!") for pattern in group], takes=takes)
            for takes, group in runs
        )


EVERYTHING = Scope(("**",))
"""A store that was opened without settings looks at all there is."""


def _run(patterns: list[str], *, takes: bool) -> _Run:
    folders = frozenset(
        pattern[:-1].lower() for pattern in patterns if _PLAIN_FOLDER.fullmatch(pattern)
    )
    others = [pattern for pattern in patterns if not _PLAIN_FOLDER.fullmatch(pattern)]
    told = "|".join(map(_regex, others))
    return _Run(takes, folders, re.compile(told, re.IGNORECASE | re.DOTALL) if others else None)


def _regex(pattern: str) -> str:
    """One pattern as a regex for the whole path of a file."""
    folder = pattern.endswith("/")
    body = pattern.rstrip("/")
    anchored = "/" in body
    parts = body.strip("/").split("/")
    told = "".join(_part(parts, at) for at in range(len(parts)))
    above = "" if anchored else "(?:.*/)?"
    below = "/.+" if folder else "(?:/.+)?"
    return f"{above}{told}{below}"


def _part(parts: list[str], at: int) -> str:
    """One name of a pattern, with the slash before the next one. `**` stands for any number of
    folders.
    """
    last = at == len(parts) - 1
    if parts[at] == "**":
        return ".+" if last else "(?:.*/)?"
    return "".join(_signs(parts[at])) + ("" if last else "/")


def _signs(name: str) -> Iterator[str]:
    at = 0
    while at < len(name):
        sign = name[at]
        at += 1
        if sign == "*":
            yield "[^/]*"
        elif sign == "?":
            yield "[^/]"
        elif sign == "[" and (found := _CLASS.match(name, at)):
            yield f"(?!/)[{'^' if found['not'] else ''}{found['inside']}]"
            at = found.end()
        elif sign == "\\" and at < len(name):
            yield re.escape(name[at])
            at += 1
        else:
            yield re.escape(sign)


def _pathspec(pattern: str) -> str:
    body = pattern.rstrip("/")
    top = body.lstrip("/") if "/" in body else f"**/{body}"
    return f":(top,icase,glob){top}/**" if pattern.endswith("/") else f":(top,icase,glob){top}"
