"""The agents that a user has named, in one small file in the user's configuration folder."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from clawgit.errors import ConfigError, StorageError
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.plainfile import put_in_place
from clawgit.stores.xdg import config_home

_PATIENCE = 5.0


def registry_file(home: Path, env: Mapping[str, str]) -> Path:
    """`clawgit/workspaces.json` in the XDG configuration folder: the folder of each agent."""
    return config_home(env, home) / "clawgit" / "workspaces.json"


def read(file: Path) -> dict[str, str]:
    """The agents in their order; none without a file. What is no such list is an error."""
    try:
        stored = json.loads(file.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise _unreadable(file, f"it cannot be read: {error}") from error
    if not isinstance(stored, dict):
        raise _unreadable(file, "it is not a list of agents")
    for agent, path in stored.items():
        if not isinstance(path, str) or not path.startswith("/"):
            raise _unreadable(file, f"the folder of {agent} is not an absolute path")
    return stored


def add(file: Path, agent: str, folder: Path) -> None:
    """Puts an agent at the end of the list. In one step, and under a lock: two at once stay two."""
    with workspace_lock(file.with_suffix(".lock"), file.name, _PATIENCE):
        agents = read(file)
        agents.pop(agent, None)
        text = json.dumps({**agents, agent: os.fspath(folder)}, indent=2)
        try:
            put_in_place(file, f"{text}\n".encode())
        except OSError as error:
            raise StorageError(
                f"{file} cannot be written: {error.strerror}.", hint="Is its folder writable?"
            ) from error


def _unreadable(file: Path, why: str) -> ConfigError:
    return ConfigError(f"{file}: {why}.", hint='It holds {"coder": "/…", …}: fix it by hand.')
