"""The folders of the XDG specification, and the notes of ours there: what this machine's operator
decided, for all workspaces. A relative folder does not count.
"""

from collections.abc import Mapping
from pathlib import Path

from clawgit.core.disk.plainfile import put_in_place
from clawgit.core.doors import json
from clawgit.core.errors import StorageError


def state_home(env: Mapping[str, str], home: Path) -> Path:
    """The folder for state that is not configuration."""
    return _named(env, "XDG_STATE_HOME") or home / ".local" / "state"


def config_home(env: Mapping[str, str], home: Path) -> Path:
    """The folder for settings."""
    return _named(env, "XDG_CONFIG_HOME") or home / ".config"


def own_note(env: Mapping[str, str], home: Path, name: str) -> Path:
    """A note of ours in the folder for settings."""
    return config_home(env, home) / "clawgit" / name


def keep(note: Path, value: object) -> None:
    """Writes a note as JSON, whole or not at all, readable by its owner only; on disk after it."""
    try:
        note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        note.parent.chmod(0o700)
        put_in_place(note, f"{json.dumps(value, indent=2)}\n".encode(), 0o600, synced=True)
    except OSError as error:
        raise StorageError(
            f"{note} cannot be written: {error.strerror}.",
            hint="Is its folder yours, and writable?",
        ) from error


def _named(env: Mapping[str, str], variable: str) -> Path | None:
    folder = Path(env.get(variable, ""))
    return folder if folder.is_absolute() else None
