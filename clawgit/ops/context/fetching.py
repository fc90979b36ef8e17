"""Fetches what a context shows from the operator's own systems."""

import os
import shlex
import stat
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.context.outside import (
    Profile,
    entities,
    harmless,
    named_in,
    profile,
    profiles_in,
)
from clawgit.domain.safety.injection import findings
from clawgit.errors import ClawgitError, UsageError
from clawgit.ops.context.asking import Brought, ContextRequest, asks_outside
from clawgit.ops.context.files import Files
from clawgit.ops.workspace.reach import expanded, fence_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.program import Limits, from_program

LARGEST = 1024 * 1024
"""Bytes of the file that are read; a larger one is not shown."""

LIMITS = Limits()
MOST_PROFILES = 20
_LARGEST_PROFILE = 64 * 1024
_COMMAND = "command:"
HINT = "crm_source is a folder, or a command with its arguments."


class Profiles(NamedTuple):
    """The profiles, and what went wrong.

    Nothing here raises: a context can be made without them.
    """

    found: tuple[Profile, ...] = ()
    note: str = ""


class External(NamedTuple):
    """A file of another system.

    `why` says how old it is. `note` says what is wrong; then there is mostly no text.
    """

    source: str = ""
    text: str = ""
    why: str = ""
    note: str = ""


class _UnfitError(ClawgitError):
    """A file that cannot be shown; raised and caught in this module."""


def fetch(workspace: Workspace, asking: ContextRequest) -> Brought:
    """Asks the operator's own systems, for a few seconds at most.

    They return the profiles of people whom a message names, and the file of another system.
    """
    if not asks_outside(workspace, asking):
        return Brought()
    if asking.at:
        return Brought(notes=("other systems have no past, so none of them was asked",))
    files = Files(workspace)
    known = profiles(workspace, files, asking.question, session=asking.session)
    other = external(workspace, files)
    texts = [*((each.source, each.text) for each in known.found), (other.source, other.text)]
    held = (_held(source, text) for source, text in texts)
    notes = (known.note, other.note, *files.notes, *held)
    return Brought(known.found, (other.source, other.text, other.why), tuple(filter(None, notes)))


def _held(source: str, text: str) -> str:
    """A note about text that looks like an injection, which the context leaves out."""
    held = (
        f"{source}, line {finding.line}: {finding.reason} ({finding.kind}); it is withheld"
        for finding in findings("", harmless(text))
        if finding.hold
    )
    return next(held, "")


def external(workspace: Workspace, files: Files) -> External:
    """Reads the file. A relative path starts at the workspace, and may not lead out of it."""
    settings = workspace.config.settings
    named = settings.external_context_source.strip()
    if not (named and settings.external_context_budget):
        return External()
    try:
        return _external(workspace, files, named)
    except OSError as error:
        note = f"{named} cannot be read: {error.strerror}"
    except _UnfitError as error:
        note = error.message
    return External(named, note=f"no external context: {note}")


def _external(workspace: Workspace, files: Files, named: str) -> External:
    is_elsewhere = named.startswith(("/", "~/"))
    path = named if is_elsewhere else os.path.normpath(named)
    if path.startswith(".."):
        raise _UnfitError(f"{named} leads out of the workspace; name it by its absolute path")
    file = Path(expanded(workspace, path))
    status = file.stat(follow_symlinks=is_elsewhere)
    _must_be_fit(status, named)
    fence = fence_of(workspace)
    if is_elsewhere and (fence.shuts(file) or fence.owns(status)):
        raise _UnfitError(
            f"{named} belongs to another agent, and allow_paths does not name its workspace"
        )
    # A file of the workspace is read as git's work tree is: no link on the way is followed.
    found = _head(file) if is_elsewhere else files.text(path).encode()
    return External(path, _as_text(found, named), *_age(workspace, status.st_mtime, named))


def _must_be_fit(status: os.stat_result, named: str) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise _UnfitError(f"{named} is not a regular file")
    if status.st_size > LARGEST:
        raise _UnfitError(f"{named} has {status.st_size:,} bytes; at most {LARGEST:,} are read")


def _as_text(found: bytes, named: str) -> str:
    text = found.decode("utf-8", "replace")
    if "\0" in text or "\ufffd" in text:
        raise _UnfitError(f"{named} is not text")
    if not text.strip():
        raise _UnfitError(f"{named} is empty")
    return text


def _age(workspace: Workspace, time: float, named: str) -> tuple[str, str]:
    """When the file was written; and a note if that is too long ago to count as recent."""
    written = datetime.fromtimestamp(time, UTC).astimezone(workspace.zone)
    hours = workspace.config.settings.memory_retention_hours
    why = f"written {written:%Y-%m-%d %H:%M}"
    if workspace.now - written > timedelta(hours=hours):
        return why, f"{named} is stale: {why}, more than {hours} hours ago"
    return why, ""


def profiles(
    workspace: Workspace,
    files: Files,
    message: str,
    *,
    session: str = "",
    limits: Limits = LIMITS,
) -> Profiles:
    """The profiles for a message; none without a slot, a source and a message."""
    settings = workspace.config.settings
    source = settings.crm_source.strip()
    if not (source and settings.crm_tokens and message.strip()):
        return Profiles()
    try:
        if _is_folder(workspace, source):
            return _from_folder(workspace, files, message)
        question = {
            "message": message,
            "session": session,
            "names": entities(message),
            "tokens": settings.crm_tokens,
        }
        return Profiles(tuple(_asked(workspace, source, question, limits))[:MOST_PROFILES])
    except ClawgitError as error:
        return Profiles(note=f"no profiles: {error.message} {error.hint}".rstrip())


def _asked(
    workspace: Workspace, source: str, question: dict[str, object], limits: Limits
) -> list[Profile]:
    try:
        first, *rest = shlex.split(source.removeprefix(_COMMAND))
    except ValueError as error:
        raise UsageError(f"crm_source {source!r} is not a command.", hint=HINT) from error
    program = os.path.normpath(expanded(workspace, first)) if os.sep in first else first
    answer = from_program([program, *rest], question, workspace.root, workspace.caller.env, limits)
    return profiles_in(answer, first)


def _from_folder(workspace: Workspace, files: Files, message: str) -> Profiles:
    """The profiles in a folder: each Markdown file is one."""
    full = expanded(workspace, workspace.config.settings.crm_source.strip())
    folder = os.path.relpath(full, workspace.root)
    is_outside = folder.startswith("..")
    read = _glance if is_outside else files.text
    place = os.path.normpath(full) if is_outside else folder
    return _named({path: read(path) for path in files.below(place)}, message)


def _named(texts: Mapping[str, str], message: str) -> Profiles:
    """The profiles that a message names, of files by their paths."""
    large = [path for path, text in texts.items() if len(text) > _LARGEST_PROFILE]
    known = [profile(path, text) for path, text in texts.items() if path not in large]
    note = ""
    if large:
        note = f"{large[0]} is too large for a profile: over {_LARGEST_PROFILE // 1024} KiB"
    return Profiles(tuple(named_in(message, known))[:MOST_PROFILES], note)


def _head(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(LARGEST)


def _glance(path: str) -> str:
    try:
        return _head(Path(path)).decode("utf-8", "replace")
    except OSError:
        return ""


def _is_folder(workspace: Workspace, source: str) -> bool:
    if source.startswith(_COMMAND):
        return False
    # Before Python 3.14, `Path.is_dir` raises if a name is too long, as a command may be, or if a
    # folder above may not be entered.
    return os.path.isdir(expanded(workspace, source))  # noqa: PTH112
