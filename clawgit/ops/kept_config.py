"""The settings as they were last read, kept beside the index: what most commands need of YAML, without loading it."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from clawgit import __version__
from clawgit.config.kinds import plain
from clawgit.config.load import Loaded, restored, set_by_env
from clawgit.config.written import Problem
from clawgit.ops.workspace import config_name
from clawgit.stores.git.gitdir import RepoPlace

if TYPE_CHECKING:
    from clawgit.ops.workspace import Caller


def kept_config(place: RepoPlace, caller: "Caller") -> Loaded:
    """What `load_config` says: from the file it was kept in, while nothing that it was read from has changed.

    What the environment sets is never kept: it may be a password, and is gone with the next call.
    """
    file, sources = place.shared / "settings.json", _sources(place.root, caller)
    by_env = set_by_env(caller.env)
    if not by_env and (kept := _read(file, sources)):
        return kept
    from clawgit.ops.config import load_config  # noqa: PLC0415 - YAML takes 14 ms to load

    loaded = load_config(place.root, caller)
    if place.shared.is_dir():
        with suppress(OSError):  # it is derived, and a read-only .git does without
            if not by_env:
                _write(file, sources, loaded)
            if not {"layout", "scope"} & {key for key, origin in loaded.origins.items() if origin.startswith("env ")}:
                _write_pathspecs(file.with_name("pathspecs"), place.root / config_name(place.root), loaded)
    return loaded


def _sources(root: Path, caller: "Caller") -> list[object]:
    """All that the settings are read from, as JSON has it."""
    from clawgit.stores.openclaw import config_places  # noqa: PLC0415 - only who asks for settings needs it

    try:
        written = (root / config_name(root)).read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        written = str(error)
    seen = [[os.fspath(path), _stamp(path)] for path in config_places(caller.home, caller.env)]
    return [__version__, os.fspath(root), seen, written]


def _stamp(path: Path) -> list[int]:
    """Of a folder it only matters that it is there."""
    try:
        found = path.stat()
    except OSError:
        return []
    return [0] if path.is_dir() else [found.st_mtime_ns, found.st_size, found.st_ino]


def _read(file: Path, sources: list[object]) -> Loaded | None:
    try:
        checksum, _, text = file.read_bytes().partition(b"\n")
        kept = json.loads(text)
    except (OSError, ValueError):
        return None
    if checksum != _checksum(text):
        return None  # a setting is no place for a flipped bit
    if not isinstance(kept, dict) or kept.get("sources") != sources:
        return None
    problems = tuple(Problem(*problem) for problem in kept["problems"])
    return restored(kept["values"], kept["origins"], problems, tuple(kept["notes"]))


def _write_pathspecs(file: Path, config: Path, loaded: Loaded) -> None:
    """The scope, as git's hooks need it before Python starts. They leave one alone that is older than the settings."""
    from clawgit.domain.layout import scope_in_force  # noqa: PLC0415 - written only after a change

    settings = loaded.settings
    scope = scope_in_force(settings.layout, settings.scope, config.name)
    text = "".join(f"{pathspec}\n" for pathspec in scope.pathspecs)
    fresh = file.is_file() and (not config.is_file() or file.stat().st_mtime_ns >= config.stat().st_mtime_ns)
    if not (fresh and file.read_text("utf-8") == text):
        new = file.with_name(f"{file.name}.{os.getpid()}")
        new.write_text(text, "utf-8")
        new.replace(file)


def _write(file: Path, sources: list[object], loaded: Loaded) -> None:
    told = {
        "sources": sources,
        "values": {name: plain(getattr(loaded.settings, name)) for name in loaded.origins},
        "origins": dict(loaded.origins),
        "problems": loaded.problems,
        "notes": loaded.notes,
    }
    from threading import get_native_id  # noqa: PLC0415 - written only after a change; a server reads in two threads

    from clawgit.stores.database import clear_the_way  # noqa: PLC0415 - SQLite is not needed to read the settings

    new = file.with_name(f"{file.name}.{get_native_id()}")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    text = json.dumps(told).encode()
    with os.fdopen(descriptor, "wb") as target:
        target.write(_checksum(text) + b"\n" + text)
    clear_the_way(file)
    new.replace(file)


def _checksum(text: bytes) -> bytes:
    return b"%08x" % crc32(text)
