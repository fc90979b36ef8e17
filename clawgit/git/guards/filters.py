"""Finds the programs that a repository would run between disk and blob, and the files they touch.

Git runs `filter.NAME.clean` when it only looks at a file, and `smudge` when it writes one. A driver
in the user's own configuration is the user's; one in the repository's configuration came with the
repository and is turned off. The file would then be stored as it is on disk (git-crypt: in plain
text), so it is neither read nor written.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.git.place import locate

if TYPE_CHECKING:
    from clawgit.git.cgit import CGit
    from clawgit.git.guards.hardened import Pair

_PROGRAMS = ("clean", "smudge", "process")
_OWN = ("local", "worktree")
_NONE = ("unspecified", "unset", "set")
"""What git says of an attribute that names no filter."""

_TELLING = re.compile(rb"\[(?:filter|include)", re.IGNORECASE)
"""A driver needs this section; it may be in a file that another one includes."""


Driver = tuple[str, tuple[str, ...]]
"""A filter by its name, and the repository's settings of it: `filter.NAME.clean=PROGRAM`."""


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
    return tuple((name, tuple(dict.fromkeys(lines))) for name, lines in sorted(found.items()))


def off(drivers: Iterable[Driver]) -> "Iterator[Pair]":
    """The rows that turn drivers off: an empty program name runs nothing."""
    for name, _ in drivers:
        yield from ((f"filter.{name}.{what}", "") for what in _PROGRAMS)
        yield f"filter.{name}.required", "false"


def filtered(git: "CGit", paths: Iterable[str]) -> Mapping[str, str]:
    """Those paths that are under a filter which nobody accepted, with its name.

    Git is asked only if there is one.
    """
    wanted = list(paths)
    names = {name for name, _ in git.untrusted_filters}
    if not names or not wanted:
        return {}
    listed = b"".join(os.fsencode(path) + b"\0" for path in wanted)
    told = git.run("check-attr", "-z", "--stdin", "filter", stdin=listed).split(b"\0")
    answered = map(os.fsdecode, told)
    rows = zip(answered, answered, answered, strict=False)
    return {path: name for path, _, name in rows if name in names and name not in _NONE}


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
