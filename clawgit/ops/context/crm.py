"""Profiles of people whom a message names, from the folder, program or server `crm_source`."""

import os
import shlex
from time import monotonic

from clawgit.domain.context.outside import Profile, entities, named_in, profile, profiles_in
from clawgit.domain.search.names import other_names
from clawgit.errors import ClawgitError, UsageError
from clawgit.ops.context.files import Files
from clawgit.ops.search.search import groups_of
from clawgit.ops.workspace.reach import expanded, reach_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.index.discover import discover
from clawgit.stores.outside import Limits, from_program, from_server
from clawgit.values import NamedTuple

LIMITS = Limits()
MOST_PROFILES = 20
_LARGEST = 64 * 1024
_COMMAND = "command:"


class Profiles(NamedTuple):
    """The profiles, and what went wrong.

    Nothing here raises: a context can be made without them.
    """

    found: tuple[Profile, ...] = ()
    note: str = ""


def profiles(
    workspace: Workspace,
    files: Files,
    message: str,
    *,
    session: str = "",
    past: bool = False,
    limits: Limits = LIMITS,
) -> Profiles:
    """The profiles for a message; none without a slot, a source and a message."""
    settings = workspace.config.settings
    source = settings.crm_source.strip()
    if not (source and settings.crm_tokens and message.strip()):
        return Profiles()
    try:
        if _is_folder(workspace, source):
            return _from_folder(workspace, files, message, past=past, limits=limits)
        if past:
            return Profiles(note=f"crm_source {source} has no history, so it was not asked")
        names = entities(message, other_names(message, groups_of(workspace)))
        question = {
            "message": message,
            "session": session,
            "names": names,
            "tokens": settings.crm_tokens,
        }
        return Profiles(tuple(_asked(workspace, source, question, limits))[:MOST_PROFILES])
    except ClawgitError as error:
        return Profiles(note=f"no profiles: {error.message} {error.hint}".rstrip())


def _asked(
    workspace: Workspace, source: str, question: dict[str, object], limits: Limits
) -> list[Profile]:
    if source.startswith(("http://", "https://")):
        return profiles_in(from_server(source, question, limits), source)
    try:
        first, *rest = shlex.split(source.removeprefix(_COMMAND))
    except ValueError as error:
        raise UsageError(f"crm_source {source!r} is not a command.", hint=HINT) from error
    program = os.path.normpath(expanded(workspace, first)) if os.sep in first else first
    answer = from_program([program, *rest], question, workspace.root, workspace.caller.env, limits)
    return profiles_in(answer, first)


def _from_folder(
    workspace: Workspace, files: Files, message: str, *, past: bool, limits: Limits
) -> Profiles:
    """The profiles in a folder: each Markdown file is one.

    A large folder is read for a limited time.
    """
    folder = os.path.relpath(
        expanded(workspace, workspace.config.settings.crm_source.strip()), workspace.root
    )
    inside = not folder.startswith("..")
    if past and not inside:
        return Profiles(
            note=f"crm_source {folder} is outside the workspace and has no history: nothing was "
            "read"
        )
    paths = files.below(folder) if inside else _outside(workspace, folder)
    until, known, note = monotonic() + limits.seconds, [], ""
    for at, path in enumerate(paths):
        if monotonic() > until:
            note = (
                f"only {at} of {len(paths)} profiles in {folder} were read in {limits.seconds:g} s"
            )
            break
        text = files.text(path) if inside else _glance(path)
        if len(text) <= _LARGEST:
            known.append(profile(path, text))
        else:
            note = f"{path} is too large for a profile: over {_LARGEST // 1024} KiB"
    aliases = other_names(message, groups_of(workspace))
    return Profiles(tuple(named_in(message, known, aliases))[:MOST_PROFILES], note)


def _outside(workspace: Workspace, folder: str) -> list[str]:
    full = os.path.normpath(workspace.root / folder)
    found = discover(reach_of(workspace)._replace(extra=(full,)))
    return [path for path in found if path.startswith(f"{full}{os.sep}")]


def _glance(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123 - a path that was found just now
            return file.read(_LARGEST + 1)
    except OSError:
        return ""


def _is_folder(workspace: Workspace, source: str) -> bool:
    if source.startswith((_COMMAND, "http://", "https://")):
        return False
    # Before Python 3.14, `Path.is_dir` raises if a name is too long, as a command may be, or if a
    # folder above may not be entered.
    return os.path.isdir(expanded(workspace, source))  # noqa: PTH112


HINT = "crm_source is a folder, a command with its arguments, or an http:// address."
