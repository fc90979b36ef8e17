"""Reads the file that `external_context_source` names.

Anybody may have written it, so it is checked.
"""

import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

from clawgit.errors import ClawgitError
from clawgit.ops.context.files import Files
from clawgit.ops.workspace.reach import fence_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.values import NamedTuple

LARGEST = 1024 * 1024


class External(NamedTuple):
    """`why` says how old it is; `note` what is wrong with it (then there is mostly no text)."""

    source: str = ""
    text: str = ""
    why: str = ""
    note: str = ""


class _UnfitError(ClawgitError):
    """A file that cannot be shown; raised and caught in this module."""


def external(workspace: Workspace, files: Files, *, past: bool = False) -> External:
    """Reads the file. A relative path starts at the workspace, and may not lead out of it."""
    settings = workspace.config.settings
    named = settings.external_context_source.strip()
    if not (named and settings.external_context_budget):
        return External()
    try:
        if named.startswith(("/", "~/")):
            return _from_elsewhere(workspace, named, past=past)
        return _from_here(workspace, files, named, past=past)
    except _UnfitError as error:
        return External(named, note=f"no external context: {error.message}")


def _from_here(workspace: Workspace, files: Files, named: str, *, past: bool) -> External:
    path = os.path.normpath(named)
    if path.startswith(".."):
        raise _UnfitError(f"{named} leads out of the workspace; name it by its absolute path")
    file = workspace.root / path
    if not past:
        _must_be_fit(file, named, follow=False)
    text = files.text(path)
    if not text.strip():
        raise _UnfitError(f"{named} is empty" if not past else f"{named} did not exist then")
    shown = _as_text(text.encode(), named)
    if past:
        return External(path, shown, "as of then")
    return External(path, shown, *_age(workspace, file, path))


def _from_elsewhere(workspace: Workspace, named: str, *, past: bool) -> External:
    if past:
        raise _UnfitError(f"{named} is outside the workspace and has no history")
    file = workspace.caller.home / named[2:] if named.startswith("~/") else Path(named)
    _must_be_fit(file, named, follow=True)
    fence = fence_of(workspace)
    if fence.shuts(file) or fence.owns(file.stat()):
        raise _UnfitError(
            f"{named} belongs to another agent, and allow_paths does not name its workspace"
        )
    try:
        with file.open("rb") as opened:
            text = _as_text(opened.read(LARGEST + 1), named)
    except OSError as error:
        raise _UnfitError(f"{named} cannot be read: {error.strerror}") from error
    return External(named, text, *_age(workspace, file, named))


def _must_be_fit(file: Path, named: str, *, follow: bool) -> None:
    try:
        status = file.stat(follow_symlinks=follow)
    except OSError as error:
        raise _UnfitError(f"{named} cannot be read: {error.strerror}") from error
    if not stat.S_ISREG(status.st_mode):
        raise _UnfitError(f"{named} is not a regular file")
    if status.st_size > LARGEST:
        raise _UnfitError(f"{named} has {status.st_size:,} bytes; at most {LARGEST:,} are read")


def _as_text(found: bytes, named: str) -> str:
    try:
        text = found.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _UnfitError(f"{named} is not UTF-8 text") from error
    if "\0" in text or "\ufffd" in text:
        raise _UnfitError(f"{named} is not text")
    if not text.strip():
        raise _UnfitError(f"{named} is empty")
    return text


def _age(workspace: Workspace, file: Path, named: str) -> tuple[str, str]:
    """When the file was written; and a note if that is too long ago to count as recent."""
    written = datetime.fromtimestamp(file.stat().st_mtime, UTC).astimezone(workspace.zone)
    hours = workspace.config.settings.memory_retention_hours
    why = f"written {written:%Y-%m-%d %H:%M}"
    if workspace.now - written > timedelta(hours=hours):
        return why, f"{named} is stale: {why}, more than {hours} hours ago"
    return why, ""
