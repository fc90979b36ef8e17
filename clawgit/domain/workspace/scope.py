"""A scope: the paths of a repository that are clawgit's. No others are read or committed."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from clawgit.language.lazily import lazily

_PLAIN_FOLDER = lazily(r"[A-Za-z0-9._ -]+/")

_AT_THE_TOP = lazily(r"/[A-Za-z0-9._ -]+")

_WHOLE_FOLDER = lazily(r"/([A-Za-z0-9._ -]+/)\*\*/\*\.md")

_SPECIAL = lazily(r"[*?\[\\]")
"""Characters that mean something in a pattern."""

_CLASS = lazily(r"(?P<not>[!^]?)(?P<inside>(?:a-z|A-Z|0-9|[\w.,;@ ])+)\]")
"""`[a-z]`, `[!0-9]`, `[abc]`; anything else in brackets is matched literally."""


class _Run(NamedTuple):
    """Neighbouring patterns that all include, or all exclude.

    `folders` are plain names such as node_modules. Looking these up is faster than a regex.
    """

    takes: bool
    folders: frozenset[str]
    matches: re.Pattern[str] | None

    def fits(self, path: str, folders: list[str]) -> bool:
        if not self.folders.isdisjoint(folders):
            return True
        return self.matches is not None and self.matches.fullmatch(path) is not None


class Scope:
    """Patterns as in a .gitignore, but for what is included. The last one that fits decides.

    A pattern fits a file by its own path or by that of a folder above it; `!` excludes paths again.
    Letter case does not matter, as on the file systems of macOS and Windows.
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
        """Whether a file of the repository is clawgit's; `path` as in git."""
        if path.startswith(self._whole) and path.endswith(".md"):
            folder = path[: path.rfind("/")]
            known = self._known.get(folder)
            if known is None:
                known = self._known[folder] = self._judged(path)
            return known
        return self._judged(path)

    def _judged(self, path: str) -> bool:
        folders = path.lower().split("/")[:-1]
        # From the last pattern to the first, so the first that fits decides.
        for run in self._runs:
            if run.fits(path, folders):
                return run.takes
        # What no pattern names is not clawgit's: a new kind of file is left alone.
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
    def _whole(self) -> tuple[str, ...]:
        """The folders whose Markdown is decided by its folder alone.

        Of thousands of daily notes only one has to be judged. There are no such folders if a later
        pattern could treat files of one folder differently.
        """
        excluding = (at for at, pattern in enumerate(self.patterns) if pattern.startswith("!"))
        first_out = next(excluding, len(self.patterns))
        if not all(map(_treats_folders_alike, self.patterns[first_out:])):
            return ()
        matches = map(_WHOLE_FOLDER.fullmatch, self.patterns[:first_out])
        return tuple(match[1] for match in matches if match)

    @cached_property
    def _runs(self) -> tuple[_Run, ...]:
        """Last pattern first, since the last one decides."""
        runs = groupby(reversed(self.patterns), key=lambda pattern: not pattern.startswith("!"))
        return tuple(
            _run([pattern.removeprefix("!") for pattern in group], takes=takes)
            for takes, group in runs
        )


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


def _treats_folders_alike(pattern: str) -> bool:
    """Whether a pattern cannot fit only some of the files in a folder below the top level."""
    is_folder = _PLAIN_FOLDER.fullmatch(pattern.removeprefix("!")) is not None
    return is_folder or _AT_THE_TOP.fullmatch(pattern) is not None


def _run(patterns: list[str], *, takes: bool) -> _Run:
    folders = frozenset(
        pattern[:-1].lower() for pattern in patterns if _PLAIN_FOLDER.fullmatch(pattern)
    )
    others = [pattern for pattern in patterns if not _PLAIN_FOLDER.fullmatch(pattern)]
    if not others:
        return _Run(takes, folders, None)
    regex = "|".join(map(_regex, others))
    return _Run(takes, folders, re.compile(regex, re.IGNORECASE | re.DOTALL))


def _regex(pattern: str) -> str:
    """One pattern as a regex for the whole path of a file."""
    folder = pattern.endswith("/")
    body = pattern.rstrip("/")
    anchored = "/" in body
    parts = body.strip("/").split("/")
    names = "".join(_part(parts, at) for at in range(len(parts)))
    above = "" if anchored else "(?:.*/)?"
    below = "/.+" if folder else "(?:/.+)?"
    return f"{above}{names}{below}"


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
