"""Finds the programs that a repository would run between disk and blob, and the files they touch.

Git runs `filter.NAME.clean` when it only looks at a file, and `smudge` when it writes one. A driver
in the user's own configuration is the user's; one in the repository's configuration came with the
repository and is turned off. The file would then be stored as it is on disk (git-crypt: in plain
text), so it is neither read nor written.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.git.info import holds_more
from clawgit.git.place import RepoPlace, locate
from clawgit.git.worktree import folders_on_the_way

if TYPE_CHECKING:
    from clawgit.git.cgit import CGit
    from clawgit.git.guards.hardened import Pair

_PROGRAMS = ("clean", "smudge", "process")
_OWN = ("local", "worktree")
_NONE = ("unspecified", "unset", "set")
"""What git says of an attribute that names no filter."""

_TELLING = re.compile(rb"\[(?:filter|include)", re.IGNORECASE)
"""A driver needs this section; it may be in a file that another one includes."""


class Driver(NamedTuple):
    """A filter by its name, and the repository's settings of it: `filter.NAME.clean=PROGRAM`."""

    name: str
    rows: tuple[str, ...]


def may_have_drivers(root: Path) -> bool:
    """Whether the repository's own configuration may name a filter, judged by its files."""
    place = locate(root)
    if place is None:
        return False
    return any(map(_tells, {place.common_dir / "config", place.git_dir / "config.worktree"}))


def local_drivers(listing: bytes, trusted: frozenset[str]) -> tuple[Driver, ...]:
    """The filters that the repository brings, without the accepted ones. A key without a value is
    true, and names no program.

    `listing` is from `git config -z --show-scope --get-regexp ^filter`. A row that the user's own
    configuration has too, letter by letter, is accepted.
    """
    rows = [*rows_of(os.fsdecode(listing))]
    accepted = trusted | {f"{key}={value}" for scope, key, value in rows if scope not in _OWN}
    found: dict[str, list[str]] = {}
    for scope, key, value in rows:
        name, _, what = key.removeprefix("filter.").rpartition(".")
        if scope in _OWN and what in _PROGRAMS and f"{key}={value}" not in accepted:
            found.setdefault(name, []).append(f"{key}={value}")
    return tuple(Driver(name, tuple(dict.fromkeys(lines))) for name, lines in sorted(found.items()))


def off(drivers: Iterable[Driver]) -> "Iterator[Pair]":
    """The rows that turn drivers off: an empty program name runs nothing."""
    for driver in drivers:
        yield from ((f"filter.{driver.name}.{what}", "") for what in _PROGRAMS)
        yield f"filter.{driver.name}.required", "false"


def filtered(git: "CGit", paths: Iterable[str]) -> Mapping[str, str]:
    """Those paths that are under a filter which nobody accepted, with its name.

    Git is asked only if there is one.
    """
    wanted = list(paths)
    names = {driver.name for driver in git.untrusted_filters}
    if not names or not wanted:
        return {}
    answered = {
        path: values["filter"] for path, values in attributes(git, wanted, "filter").items()
    }
    return {path: name for path, name in answered.items() if name in names and name not in _NONE}


def attributes(git: "CGit", paths: Iterable[str], *names: str) -> dict[str, dict[str, str]]:
    """The values of some attributes by path, as git says them: `unspecified`, `unset`, `set`."""
    listed = b"".join(os.fsencode(path) + b"\0" for path in paths)
    answered = git.run("check-attr", "-z", "--stdin", *names, stdin=listed).split(b"\0")
    values: dict[str, dict[str, str]] = {}
    fields = map(os.fsdecode, answered)
    for path, name, value in zip(fields, fields, fields, strict=False):
        values.setdefault(path, {})[name] = value
    return values


def why_filtered(name: str) -> str:
    return (
        f"under the filter `{name}` of this repository's own configuration, which nobody has "
        "trusted"
    )


def _tells(file: Path) -> bool:
    try:
        return _TELLING.search(file.read_bytes()) is not None
    except OSError:
        return False


def rows_of(listing: str) -> Iterator[tuple[str, str, str]]:
    """Scope, key and value: `-z` puts a NUL after the scope, a newline after the key."""
    fields = iter(listing.split("\0"))
    for scope, row in zip(fields, fields, strict=False):
        key, _, value = row.partition("\n")
        yield scope, key, value


_ATTRIBUTES = ("filter", "text", "eol", "crlf", "ident", "working-tree-encoding")
_UNSET = frozenset({"unspecified", "unset"})


class Conversions:
    """Finds files that git stores differently from the disk: by filters, line ends and encodings.

    C git is asked only if a file of attributes exists. `line_ends`: `core.autocrlf` converts every
    text that is not exempt.
    """

    def __init__(
        self, place: RepoPlace, git: "CGit", outer: Sequence[Path], *, line_ends: bool
    ) -> None:
        self._root, self._git, self._line_ends = place.root, git, line_ends
        self._everywhere = (
            place.common_dir / "info" / "attributes", *outer, place.root / ".gitattributes",
        )  # fmt: skip
        self._known: dict[str, bool] = {}

    def converts(self, path: str) -> bool:
        known = self._known.get(path)
        return self._asked([path])[path] if known is None else known

    @contextmanager
    def known_for(self, paths: Iterable[str]) -> Iterator[None]:
        """Inside, these files are known: git is asked about all of them at once.

        For one look only: a later one must see attributes that were added meanwhile.
        """
        self._known = self._asked(paths)
        try:
            yield
        finally:
            self._known = {}

    def _asked(self, paths: Iterable[str]) -> dict[str, bool]:
        answers = dict.fromkeys(paths, False)
        may_be_any = self._line_ends or any(map(holds_more, self._everywhere))
        doubtful = [path for path in answers if may_be_any or self._is_below_attributes(path)]
        told = attributes(self._git, doubtful, *_ATTRIBUTES) if doubtful else {}
        return answers | {path: self._changes(values) for path, values in told.items()}

    def _changes(self, values: Mapping[str, str]) -> bool:
        if self._line_ends and values["text"] != "unset":
            return True
        return any(value not in _UNSET for value in values.values())

    def _is_below_attributes(self, path: str) -> bool:
        folders = folders_on_the_way(self._root, path)
        return any(os.path.exists(f"{folder}/.gitattributes") for folder in folders)  # noqa: PTH110 - asked for each file of a snapshot
