"""Reads lines of a memory file, on disk or at a revision, for instance those of a search hit."""

import os
from typing import TypedDict

from clawgit.core.disk.plainfile import part_at
from clawgit.core.errors import UsageError, counted
from clawgit.core.layout import Searched
from clawgit.core.markdown.decoding import text_of
from clawgit.core.markdown.scan import lines_of
from clawgit.git.batch import Batch
from clawgit.git.rules.lines import place_of
from clawgit.git.worktree import read_file
from clawgit.history.log import state
from clawgit.safety.masking import lines_for_caller
from clawgit.workspace.discover import EXTRA, discover, in_scope, source_of
from clawgit.workspace.reach import reach_of
from clawgit.workspace.workspace import Workspace

Lines = TypedDict("Lines", {"path": str, "text": str, "from": int, "lines": int, "note": str})
"""`lines` is the number of lines in `text`, starting at line `from`. It is smaller than requested
if the file ends. `note`: how this differs from the state that was asked for, if it does."""


def lines(
    workspace: Workspace, path: str, first: int = 1, count: int | None = None, at: str | None = None
) -> Lines:
    """Lines of a file that search covers, on disk or `at` a revision. A missing file has none.

    For a day before all history they are those of its first state. Line ends become newlines;
    bytes that are no text become the replacement character. A file that ends before them is a
    UsageError.
    """
    name = _named(workspace, path, at)
    data, note = _then(workspace, name, at) if at else (_now(workspace, name), "")
    text = text_of(data).replace("\r\n", "\n")
    every = lines_of(lines_for_caller(workspace, text))
    found = every[first - 1 :][:count]
    if every and not found:
        raise UsageError(
            f"{name} has {counted(len(every), 'line')}: there is no line {first:,}.",
            hint="Begin at an earlier line, or leave the line out to read the whole file.",
        )
    return {"path": name, "text": "".join(found), "from": first, "lines": len(found), "note": note}


def asked_lines(
    workspace: Workspace, name: str, first: int = 1, count: int | None = None
) -> tuple[str, int, int | None]:
    """The path, the first line and how many, where a name says them itself, as `MEMORY.md:9` does;
    what is asked for beside it wins.
    """
    place = None if os.path.lexists(workspace.root / name) else place_of(name)
    if place is None or not place.line:
        return name, first, count
    if first > 1:
        return place.path, first, count
    return place.path, place.line, count or max(1, place.last - place.line + 1)


def _named(workspace: Workspace, path: str, at: str | None) -> str:
    """The path as search returns it: relative to the workspace, or absolute if outside of it."""
    full = os.path.normpath(workspace.root / path)
    name = os.path.relpath(full, workspace.root)
    reach = reach_of(workspace)
    # A file of memory may not be written yet; any other file that does not exist is a wrong name.
    is_memory = bool(in_scope({name}, reach._replace(layout=Searched())))
    is_note = (
        not is_memory and bool(at or os.path.lexists(full)) and name in in_scope({name}, reach)
    )
    if "\0" in name or not (is_memory or is_note):
        raise UsageError(
            f"{path!r} is not a file of memory.",
            hint="Name a file as `clawgit memory search` shows it.",
        )
    return full if name.startswith("../") else name


def _now(workspace: Workspace, name: str) -> bytes | None:
    found = None if source_of(name) else discover(reach_of(workspace)).get(name)
    if found and found.source == EXTRA:
        return part_at(workspace.root / name)
    if not (found or source_of(name)):
        return None
    return read_file(workspace.root, name).data


def _then(workspace: Workspace, name: str, at: str) -> tuple[bytes | None, str]:
    if name.startswith("/"):
        raise UsageError(
            f"{name} is outside the workspace, which has no history of it.", hint="Leave --at out."
        )
    oid, note = state(workspace, at, path=name)
    # As an argument: a name may have several lines, which a batch takes for several names.
    blob = workspace.cgit.text("rev-parse", "-q", "--verify", f"{oid}:{name}", ok=(0, 1)).strip()
    return Batch(workspace.cgit).data(blob) if blob else None, note
