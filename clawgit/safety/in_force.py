"""The settings in force: what all sources say, as far as it is harmless or was accepted here."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.core.config.kinds import Sourced
from clawgit.core.config.load import ConfigProblem, Loaded, load, set_by_env
from clawgit.core.config.settings import GUARDS, Settings
from clawgit.core.config.trust import DiskFacts, PendingSetting, TrustRow, settled, value_of
from clawgit.core.disk.plainfile import put_in_place, read_plain, text_at
from clawgit.core.layout import scope_in_force
from clawgit.git.info import drive, driven, lines_for
from clawgit.git.place import RepoPlace
from clawgit.safety.own_files import config_name
from clawgit.safety.trust_store import FILTER, TrustError, accepted_rows, facts_of, trust_file
from clawgit.workspace.stores import openclaw

if TYPE_CHECKING:
    from clawgit.workspace.workspace_base import Caller


def config_in_force(place: RepoPlace, caller: "Caller") -> Loaded:
    """The settings in force, and those that wait for the operator."""
    loaded = config_to_judge(place, caller)
    by_env = set_by_env(caller.env)
    if caller.actor.is_operator:
        loaded = _with_typed(loaded, by_env)
    if place.shared.is_dir() and "scope" not in by_env:
        with suppress(OSError):  # it is derived, and a read-only .git does without
            keep_scope(place, loaded.settings)
    return loaded


def unaccepted_config(folder: Path, caller: "Caller") -> Loaded:
    """The settings in force in a folder that is no repository yet, where nothing can have been
    accepted.
    """
    return settled(read_config(folder, caller), (), DiskFacts(lambda _: {}, lambda _: False))


def filters_in_force(place: RepoPlace, caller: "Caller") -> frozenset[str]:
    """The rows of the repository's own git filters that may run, `filter.NAME.clean=PROGRAM` each.
    None of them runs while the store cannot be read.
    """
    try:
        rows = accepted_rows(caller, place)
    except TrustError:
        return frozenset()
    return frozenset(
        line for row in rows if row.kind == FILTER for line in str(row.value).splitlines()
    )


def config_to_judge(place: RepoPlace, caller: "Caller") -> Loaded:
    """As `config_in_force`, but what the operator's environment sets is pending too: he may want to
    accept it for other callers.
    """
    facts = facts_of(place, caller.home)
    rows: tuple[TrustRow, ...] = ()
    trouble: tuple[ConfigProblem, ...] = ()
    try:
        rows = accepted_rows(caller, place)
    except TrustError as error:
        trouble = (ConfigProblem(os.fspath(trust_file(caller)), 0, "", error.message, error.hint),)
    below = None
    if set_by_env(caller.env) & GUARDS.keys():
        rest = {name: text for name, text in caller.env.items() if not name.startswith("CLAWGIT_")}
        written = read_config(place.root, caller._replace(env=rest))
        below = settled(written, rows, facts).settings
    loaded = settled(read_config(place.root, caller), rows, facts, below)
    return loaded._replace(problems=(*trouble, *loaded.problems))


def read_config(root: Path, caller: "Caller") -> Loaded:
    """What all sources say, accepted or not. Errors are in the result; nothing is raised."""
    name = config_name(root)
    text, trouble = _text_of(root / name)
    sourced, notes = openclaw_settings(root, caller)
    loaded = load(text, env=caller.env, openclaw=sourced, file=name)
    return loaded._replace(problems=(*trouble, *loaded.problems), notes=(*notes, *loaded.notes))


def openclaw_settings(
    root: Path, caller: "Caller"
) -> tuple[Mapping[str, Sourced], tuple[str, ...]]:
    """The values of our keys in the config of the OpenClaw whose workspace `root` is, and notes on
    parts that were not read.
    """
    installation = openclaw.find(caller)
    if installation is None:
        return {}, ()
    return openclaw.settings_for(installation, root), installation.notes


def summary(pending: Sequence[PendingSetting]) -> str:
    names = ", ".join(setting.key for setting in pending)
    if len(pending) == 1:
        return f"{names} does not take effect yet: {pending[0].why}"
    return f"{len(pending)} settings do not take effect until the operator accepts them: {names}"


def _with_typed(loaded: Loaded, typed: frozenset[str]) -> Loaded:
    """Puts the pending settings that the operator typed in force."""
    allowed = {s.key: value_of(s) for s in loaded.pending if s.key in typed}
    settings = loaded.settings._replace(**allowed)  # type: ignore[arg-type] # each value is one of its own field
    pending = tuple(setting for setting in loaded.pending if setting.key not in allowed)
    return loaded._replace(settings=settings, pending=pending)


def _text_of(path: Path) -> tuple[str, tuple[ConfigProblem, ...]]:
    try:
        return read_plain(path).decode("utf-8"), ()
    except FileNotFoundError:
        return "", ()
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        message, hint = "this is not UTF-8 text", "Save the file as UTF-8."
        return "", (ConfigProblem(f"{path.name}:{line}", line, "", message, hint),)
    except OSError as error:
        return "", (ConfigProblem(path.name, 0, "", f"it cannot be read: {error.strerror}"),)


def keep_scope(place: RepoPlace, settings: Settings) -> None:
    """Writes the scope: as pathspecs for the shell, as settings for Python, and as attributes if
    the merge driver is installed. All have the scope in force, not that of CONFIG.md, which the
    operator may not have accepted.
    """
    name = config_name(place.root)
    config = f"{place.root}/{name}"
    scope = scope_in_force(settings.layout, settings.patterns, name)
    rows = "\n".join((settings.layout, *settings.patterns, "", text_at(config)))
    lines = lines_for(scope)
    if driven(place) not in ((), lines):
        drive(place, lines)
    for kept, text in (("pathspecs", "\n".join((*scope.pathspecs, ""))), ("scope", rows)):
        file = f"{place.shared}/{kept}"
        # The shell ignores a file that is older than CONFIG.md, even if it says the same.
        if text_at(file) != text or _changed(file) < _changed(config):
            put_in_place(file, text.encode())


def _changed(name: str) -> int:
    try:
        return os.stat(name).st_mtime_ns  # noqa: PTH116 - asked at each call of a server
    except OSError:
        return 0
