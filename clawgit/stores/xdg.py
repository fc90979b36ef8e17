"""The folders of the XDG specification; a relative one does not count."""

from collections.abc import Mapping
from pathlib import Path


def state_home(env: Mapping[str, str], home: Path) -> Path:
    """The folder for state that is not configuration."""
    return _named(env, "XDG_STATE_HOME") or home / ".local" / "state"


def config_home(env: Mapping[str, str], home: Path) -> Path:
    """The folder for settings."""
    return _named(env, "XDG_CONFIG_HOME") or home / ".config"


def _named(env: Mapping[str, str], variable: str) -> Path | None:
    folder = Path(env.get(variable, ""))
    return folder if folder.is_absolute() else None
