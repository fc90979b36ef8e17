"""Finds what OpenClaw would cut or refuse: it injects an agent's identity files only up to a
limit.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.domain.workspace.limits import (
    ALL_CHARACTERS,
    FILE_CHARACTERS,
    INJECTED,
    LARGEST_FILE,
)
from clawgit.stores.plainfile import part_at

if TYPE_CHECKING:
    from clawgit.domain.workspace.layout import Layout
    from clawgit.domain.workspace.scope import Scope


class Oversize(NamedTuple):
    """A file over a limit. `path` is "" if all injected files together are too large."""

    path: str
    what: str
    fix: str


def oversize(root: Path, paths: Iterable[str], covers: Callable[[str], bool]) -> list[Oversize]:
    """The files over a limit. Injected files in scope are measured even if `paths` lacks them."""
    injected = tuple(filter(covers, INJECTED))
    bytes_of = {path: _bytes(root / path) for path in {*injected, *paths}}
    large = [
        Oversize(
            path,
            f"{path} has {size / 1048576:.1f} MiB; OpenClaw refuses it, and clawgit reads its "
            "first 2 MiB",
            "Split it by topic.",
        )
        for path, size in sorted(bytes_of.items())
        if size > LARGEST_FILE
    ]
    characters = {path: len(part_at(root / path).decode("utf-8", "replace")) for path in injected}
    cut = [
        Oversize(
            path,
            f"{path} has {count:,} characters; OpenClaw cuts the middle out beyond "
            f"{FILE_CHARACTERS:,}",
            f"Move detail from {path} into files under memory/.",
        )
        for path, count in characters.items()
        if count > FILE_CHARACTERS and bytes_of[path] <= LARGEST_FILE
    ]
    total = sum(characters.values())
    if total > ALL_CHARACTERS:
        what = (
            f"the injected files have {total:,} characters together; OpenClaw cuts beyond "
            f"{ALL_CHARACTERS:,}"
        )
        longest = max(characters, key=lambda path: characters[path])
        cut.append(Oversize("", what, f"Begin with {longest}, the longest."))
    return large + cut


def injected_by(layout: "Layout", scope: "Scope") -> Callable[[str], bool]:
    """Which files OpenClaw injects into a session, if this is an OpenClaw workspace."""
    return scope.covers if layout.name == "openclaw" else lambda _path: False


def _bytes(file: Path) -> int:
    try:
        return file.lstat().st_size
    except OSError:
        return 0
