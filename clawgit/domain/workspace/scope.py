"""A scope: the paths of a repository that are clawgit's. No others are read or committed."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from clawgit.language.lazily import lazily

_SPECIAL = lazily(r"[*?\[\\]")
"""Characters that mean something in a pattern."""

_CLASS = lazily(r"(?P<not>[!^]?)(?P<inside>(?:a-z|A-Z|0-9|[\w.,;@ ])+)\]")
"""`[a-z]`, `[!0-9]`, `[abc]`; anything else in brackets is matched literally."""


class _Patterns(NamedTuple):
    patterns: tuple[str, ...]


class Scope(_Patterns):
    """Patterns as in a .gitignore, but for what is included. The last one that fits decides.

    A pattern fits a file by its own path or by that of a folder above it; `!` excludes paths again.
    What no pattern names is not clawgit's: a new kind of file is left alone. Letter case does not
    matter, as on the file systems of macOS and Windows.
    """

    def covers(self, path: str) -> bool:
        """Whether a file of the repository is clawgit's; `path` as in git."""
        return self._covered.fullmatch(path) is not None

    def split(self, paths: Iterable[str]) -> tuple[list[str], list[str]]:
        """The paths inside, and those outside."""
        inside: list[str] = []
        outside: list[str] = []
        for path in paths:
            (inside if self.covers(path) else outside).append(path)
        return inside, outside

    @property
    def pathspecs(self) -> tuple[str, ...]:
        """Pathspecs that cover the scope, and perhaps more: in git their order has no meaning."""
        return tuple(_pathspec(pattern) for pattern in self.patterns if not pattern.startswith("!"))

    @cached_property
    def places(self) -> tuple[str, ...]:
        """The files and folders that contain all of the scope; "" is the top.

        A walk does not enter hidden folders, so one of these is a place by itself.
        """
        places = {_place(pattern) for pattern in self.patterns if not pattern.startswith("!")}
        return tuple(sorted(place for place in places if not _lies_below(place, places)))

    @cached_property
    def _covered(self) -> re.Pattern[str]:
        """All patterns as one: thousands of paths are asked about. Of neighbours that all include,
        or all exclude, the order does not matter.
        """
        regex = "(?!)"
        for excludes, run in groupby(self.patterns, key=lambda pattern: pattern.startswith("!")):
            fits = _regex([pattern.removeprefix("!") for pattern in run])
            regex = f"(?!(?:{fits})\\Z)(?:{regex})" if excludes else f"{fits}|{regex}"
        return re.compile(regex, re.IGNORECASE | re.DOTALL)


EVERYTHING = Scope(("**",))
"""The scope of a store that was opened without settings."""


def escaped(path: str) -> str:
    """A pattern that fits this path alone."""
    return _SPECIAL.sub(r"\\\g<0>", path)


def _place(pattern: str) -> str:
    """The file or folder that contains all that a pattern fits: the pattern up to its first special
    character.
    """
    body = pattern.strip("/")
    if "/" not in body and not pattern.startswith("/"):
        return ""
    names: list[str] = []
    for name in body.split("/"):
        if _SPECIAL.search(name):
            break
        names.append(name)
    return "/".join(names)


def _lies_below(place: str, places: Iterable[str]) -> bool:
    return any(place != other and is_below(place, other) for other in places)


def is_below(path: str, folder: str) -> bool:
    """Whether a walk from a folder comes to a path: it does not enter hidden folders."""
    if path == folder:
        return True
    inside = path if not folder else path.removeprefix(f"{folder}/")
    return (not folder or inside != path) and "/." not in f"/{inside}"


def _regex(patterns: list[str]) -> str:
    """Patterns as one regex for the whole path of a file."""
    anchored, anywhere = ["(?!)"], ["(?!)"]
    for pattern in patterns:
        body = pattern.rstrip("/")
        parts = body.strip("/").split("/")
        names = "".join(_part(parts, at) for at in range(len(parts)))
        below = "/.+" if pattern.endswith("/") else "(?:/.+)?"
        (anchored if "/" in body else anywhere).append(f"{names}{below}")
    return f"(?:{'|'.join(anchored)})|(?:.*/)?(?:{'|'.join(anywhere)})"


def _part(parts: list[str], at: int) -> str:
    """The regex of one name of a pattern, with the slash after it; `**` is any folders."""
    last = at == len(parts) - 1
    if parts[at] == "**":
        return ".+" if last else "(?:.*/)?"
    # `*` stays within one name, as in git, so names are joined by their slashes here.
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
        elif sign == "[" and (match := _CLASS.match(name, at)):
            yield f"(?!/)[{'^' if match['not'] else ''}{match['inside']}]"
            at = match.end()
        elif sign == "\\" and at < len(name):
            yield re.escape(name[at])
            at += 1
        else:
            yield re.escape(sign)


def _pathspec(pattern: str) -> str:
    body = pattern.rstrip("/")
    top = body.lstrip("/") if "/" in body else f"**/{body}"
    return f":(top,icase,glob){top}/**" if pattern.endswith("/") else f":(top,icase,glob){top}"
