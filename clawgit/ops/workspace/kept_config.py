"""The settings in force, read from a cache so that most calls need no YAML.

An agent can write to the cache, `settings.json`. So it holds only what was written; what is in
force is decided at each start.
"""

import json
import os
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING
from zlib import crc32

from clawgit import __version__
from clawgit.config.kinds import plain
from clawgit.config.load import Loaded, Sourced, load, restored, set_by_env
from clawgit.config.settings import GUARDS, Settings
from clawgit.config.trust import DiskFacts, PendingSetting, TrustRow, digest, settled
from clawgit.config.written import CONFIG_FILE, ConfigProblem
from clawgit.domain.change.actors import OPERATOR
from clawgit.ops.workspace.config_file import config_name
from clawgit.ops.workspace.kept_scope import keep_scope
from clawgit.stores import openclaw
from clawgit.stores.clearing import clear_the_way
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.plainfile import put_in_place, read_plain
from clawgit.stores.trust import TrustError, accepted_filters, accepted_rows, facts_of, trust_file

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace_base import Caller


NO_SOURCES: Mapping[str, Sourced] = MappingProxyType({})


def kept_config(place: RepoPlace, caller: "Caller") -> Loaded:
    """The settings in force, and those that wait for the operator."""
    loaded = _in_force(_written(place, caller), place, caller, own=caller.actor == OPERATOR)
    by_env = {key for key, origin in loaded.origins.items() if origin.startswith("env ")}
    if place.shared.is_dir() and not by_env & {"layout", "scope"}:
        with suppress(OSError):  # it is derived, and a read-only .git does without
            keep_scope(place, loaded.settings)
    return loaded


def unaccepted_config(folder: Path, caller: "Caller") -> Loaded:
    """The settings in force in a folder that is no repository yet, where nothing can have been
    accepted.
    """
    written = read_config(folder, caller)
    nothing = DiskFacts(lambda _: {}, lambda _: False)
    settings, pending = settled(written.settings, written.origins, (), nothing)
    return written._replace(settings=settings, pending=pending)


def filters_in_force(place: RepoPlace, caller: "Caller") -> frozenset[str]:
    """The rows of the repository's own git filters that may run."""
    return accepted_filters(trust_file(caller.home, caller.env), place)


def config_to_judge(place: RepoPlace, caller: "Caller") -> Loaded:
    """As `kept_config`, but what the operator's environment sets is pending too: he may want to
    accept it for other callers.
    """
    return _in_force(_written(place, caller), place, caller, own=False)


def _in_force(written: Loaded, place: RepoPlace, caller: "Caller", *, own: bool) -> Loaded:
    """With `own`, the environment is the operator's, and what it sets counts for this call."""
    facts = facts_of(place, caller.home)
    rows, trouble = _accepted(place, caller)
    typed = set_by_env(caller.env) & GUARDS.keys()
    below = _without_env(place, caller) if typed else None
    settings, pending = settled(written.settings, written.origins, rows, facts, below)
    loaded = written._replace(
        settings=settings, pending=pending, problems=(*trouble, *written.problems)
    )
    return _with_typed(loaded, written.settings, typed) if own else loaded


def _with_typed(loaded: Loaded, written: Settings, typed: AbstractSet[str]) -> Loaded:
    """Puts the pending settings that the operator typed in force, with their written values."""
    allowed = {
        setting.key: getattr(written, setting.key)
        for setting in loaded.pending
        if setting.key in typed
    }
    return loaded._replace(
        settings=loaded.settings._replace(**allowed),
        pending=tuple(setting for setting in loaded.pending if setting.key not in typed),
    )


def _without_env(place: RepoPlace, caller: "Caller") -> Settings:
    """The settings as they would be without the environment."""
    rest = {name: value for name, value in caller.env.items() if not name.startswith("CLAWGIT_")}
    return kept_config(place, caller._replace(env=rest)).settings


def _accepted(
    place: RepoPlace, caller: "Caller"
) -> tuple[tuple[TrustRow, ...], tuple[ConfigProblem, ...]]:
    file = trust_file(caller.home, caller.env)
    try:
        return accepted_rows(file, place), ()
    except TrustError as error:
        return (), (ConfigProblem(os.fspath(file), 0, "", error.message, error.hint),)


def _written(place: RepoPlace, caller: "Caller") -> Loaded:
    """What all sources say, from the cache if none of the sources has changed.

    What the environment sets is never cached: it may be a password, and holds for one call only.
    """
    file, sources = place.shared / "settings.json", _sources(place.root, caller)
    by_env = set_by_env(caller.env)
    if not by_env and (kept := _read(file, sources)):
        return kept
    loaded = read_config(place.root, caller)
    if not by_env and place.shared.is_dir():
        with suppress(OSError):  # it is derived, and a read-only .git does without
            _write(file, sources, loaded)
    return loaded


def _sources(root: Path, caller: "Caller") -> list[object]:
    """The stamps of everything that the settings are read from, as JSON."""
    try:
        written = read_plain(root / config_name(root)).decode("utf-8", "surrogateescape")
    except OSError as error:
        written = str(error)
    seen = [
        [os.fspath(path), _stamp(path)] for path in openclaw.config_places(caller.home, caller.env)
    ]
    return [__version__, os.fspath(root), seen, written]


def _stamp(path: Path) -> list[int]:
    """What identifies the content of a file. For a folder only its existence counts."""
    try:
        status = path.stat()
    except OSError:
        return []
    # With size and inode: an edit may happen in the same tick of the clock, or preserve the time.
    return [0] if path.is_dir() else [status.st_mtime_ns, status.st_size, status.st_ino]


def _read(file: Path, sources: list[object]) -> Loaded | None:
    try:
        read_from, loaded = _recorded(read_plain(file))
    except OSError:
        return None
    return loaded if read_from == sources else None


@lru_cache(maxsize=4)  # a server asks at each call; the key is the file's bytes
def _recorded(data: bytes) -> tuple[object, Loaded | None]:
    """The sources of the cached settings, and the settings; None if the cache is invalid."""
    checksum, _, text = data.partition(b"\n")
    if checksum != _checksum(text):
        return None, None  # a flipped bit must not change a setting
    try:
        kept = json.loads(text)
        problems = tuple(ConfigProblem(*problem) for problem in kept["problems"])
        loaded = restored(kept["values"], kept["origins"], problems, tuple(kept["notes"]))
        return kept["sources"], loaded
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError):
        return None, None  # somebody else wrote it, so CONFIG.md counts


def _write(file: Path, sources: list[object], loaded: Loaded) -> None:
    record = {
        "sources": sources,
        "values": {name: plain(getattr(loaded.settings, name)) for name in loaded.origins},
        "origins": dict(loaded.origins),
        "problems": loaded.problems,
        "notes": loaded.notes,
    }
    text = json.dumps(record).encode()
    # A folder of that name would make the rename fail at each call.
    clear_the_way(file)
    put_in_place(file, _checksum(text) + b"\n" + text, 0o600)


def _checksum(text: bytes) -> bytes:
    return b"%08x" % crc32(text)


def read_config(root: Path, caller: "Caller") -> Loaded:
    """What all sources say, accepted or not. Errors are in the result; nothing is raised."""
    name = config_name(root)
    text, trouble = _text_of(root / name)
    sourced, notes = openclaw_settings(root, caller)
    loaded = load(text, env=caller.env, openclaw=sourced)
    loaded = loaded._replace(problems=(*trouble, *loaded.problems), notes=(*notes, *loaded.notes))
    return loaded if name == CONFIG_FILE else _under(name, loaded)


def _under(name: str, loaded: Loaded) -> Loaded:
    """The same, with messages that use the second name of the settings file."""
    problems = (
        problem._replace(where=problem.where.replace(CONFIG_FILE, name, 1))
        for problem in loaded.problems
    )
    origins = {
        key: origin.replace(f"{CONFIG_FILE}:", f"{name}:", 1)
        for key, origin in loaded.origins.items()
    }
    return loaded._replace(problems=tuple(problems), origins=origins)


def openclaw_settings(
    root: Path, caller: "Caller"
) -> tuple[Mapping[str, Sourced], tuple[str, ...]]:
    """The values of our keys in the config of the OpenClaw whose workspace `root` is, and notes on
    parts that were not read.
    """
    installation = openclaw.find(caller.home, caller.env)
    if installation is None:
        return NO_SOURCES, ()
    sourced, notes = openclaw.settings_for(installation, root)
    return sourced, (*installation.notes, *notes)


def _text_of(path: Path) -> tuple[str, tuple[ConfigProblem, ...]]:
    try:
        return read_plain(path).decode("utf-8"), ()
    except FileNotFoundError:
        return "", ()
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        message = "this is not UTF-8 text"
        return "", (
            ConfigProblem(f"{CONFIG_FILE}:{line}", line, "", message, "Save the file as UTF-8."),
        )
    except OSError as error:
        return "", (ConfigProblem(CONFIG_FILE, 0, "", f"it cannot be read: {error.strerror}"),)


def news(place: RepoPlace, pending: Sequence[PendingSetting]) -> str:
    """One line about the pending settings, "" if there are none or it was printed before."""
    if not pending:
        return ""
    known = place.private / "pending-told"
    seen = digest([[setting.key, setting.value] for setting in pending])
    try:
        if known.read_text("ascii") == seen:
            return ""
    except (OSError, ValueError):
        pass
    if known.parent.is_dir():
        # If this cannot be recorded, the line is printed again, which does no harm.
        with suppress(OSError):
            known.write_text(seen, "ascii")
    return f"{summary(pending)}. `clawgit trust` shows what each would do."


def summary(pending: Sequence[PendingSetting]) -> str:
    names = ", ".join(setting.key for setting in pending)
    if len(pending) == 1:
        return f"{names} does not take effect yet: {pending[0].why}"
    return f"{len(pending)} settings do not take effect until the operator accepts them: {names}"
