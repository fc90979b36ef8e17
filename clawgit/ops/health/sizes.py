"""Finds what OpenClaw would cut or refuse: it injects an agent's identity files only up to a
limit.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

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


def oversize(
    root: Path, paths: Iterable[str], injected: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Each limit that is passed, and what to do."""
    for path in sorted({*injected, *paths}):
        if (size := _bytes(root / path)) > LARGEST_FILE:
            mib = f"{size / 1048576:.1f} MiB"
            what = f"{path} has {mib}; OpenClaw refuses it, and clawgit reads its first 2 MiB"
            yield what, "Split it by topic."
    lengths = {path: len(part_at(root / path).decode("utf-8", "replace")) for path in injected}
    for path, count in lengths.items():
        if count > FILE_CHARACTERS:
            cut = f"OpenClaw cuts the middle out beyond {FILE_CHARACTERS:,}"
            fix = f"Move detail from {path} into files under memory/."
            yield f"{path} has {count:,} characters; {cut}", fix
    if (total := sum(lengths.values())) > ALL_CHARACTERS:
        what = f"the injected files have {total:,} characters together"
        longest = max(lengths, key=lambda path: lengths[path])
        cut = f"OpenClaw cuts beyond {ALL_CHARACTERS:,}"
        yield f"{what}; {cut}", f"Begin with {longest}, the longest."


def injected_in(layout: "Layout", scope: "Scope") -> tuple[str, ...]:
    """The files that OpenClaw injects into a session, if this is an OpenClaw workspace."""
    return tuple(filter(scope.covers, INJECTED)) if layout.name == "openclaw" else ()


def _bytes(file: Path) -> int:
    try:
        return file.lstat().st_size
    except OSError:
        return 0
