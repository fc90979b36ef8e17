"""The agents that a user has named, in one small file in the user's configuration folder."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from clawgit.errors import ConfigError
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.xdg import keep, own_note

_PATIENCE = 5.0


def registry_file(home: Path, env: Mapping[str, str]) -> Path:
    """`clawgit/workspaces.json` in the XDG configuration folder: the folder of each agent."""
    return own_note(env, home, "workspaces.json")


def read(file: Path) -> dict[str, str]:
    """The agents in their order; none without a file. What is no such list is an error."""
    try:
        stored = json.loads(file.read_bytes())
        if not all(path.startswith("/") for path in stored.values()):
            raise ValueError("a folder in it is not an absolute path")  # noqa: TRY301 - one error
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError) as error:
        raise ConfigError(
            f"{file}: it cannot be read: {error}.", hint='It holds {"coder": "/…", …}: fix it.'
        ) from error
    return stored  # type: ignore[no-any-return] # as was looked at


def add(file: Path, agent: str, folder: Path) -> None:
    """Puts an agent at the end of the list. In one step, and under a lock: two at once stay two."""
    with workspace_lock(file.with_suffix(".lock"), file.name, _PATIENCE):
        agents = read(file)
        agents.pop(agent, None)
        keep(file, {**agents, agent: os.fspath(folder)})
