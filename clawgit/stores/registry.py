"""The agents that a user has named, in one small file in the user's configuration folder."""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from clawgit.errors import ConfigError, StorageError
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.plainfile import put_in_place
from clawgit.stores.xdg import config_home

_PATIENCE = 5.0


class NamedAgent(NamedTuple):
    """An agent, and the folder that it lives in."""

    agent: str
    path: Path


def registry_file(home: Path, env: Mapping[str, str]) -> Path:
    """`clawgit/workspaces.json` in the XDG configuration folder."""
    return config_home(env, home) / "clawgit" / "workspaces.json"


def read(file: Path) -> tuple[NamedAgent, ...]:
    """The agents in their order; none without a file. An invalid row is an error with its place."""
    try:
        stored = json.loads(file.read_bytes())
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"{file} cannot be read: {error}.", hint="Fix it; `clawgit workspace add` wrote it."
        ) from error
    rows = stored.get("workspaces") if isinstance(stored, dict) else None
    if not isinstance(rows, list) or not all(map(_is_row, rows)):
        raise ConfigError(
            f"{file} is not a list of workspaces.",
            hint='It holds {"workspaces": [{"agent": "coder", "path": "/…"}]}.',
        )
    return tuple(NamedAgent(row["agent"], Path(row["path"])) for row in rows)


def changed(file: Path, change: Callable[[tuple[NamedAgent, ...]], Iterable[NamedAgent]]) -> None:
    """Replaces the list in one step, under a lock."""
    with workspace_lock(file.with_suffix(".lock"), file.name, _PATIENCE):
        rows = [{"agent": row.agent, "path": os.fspath(row.path)} for row in change(read(file))]
        try:
            put_in_place(file, f"{json.dumps({'workspaces': rows}, indent=2)}\n".encode())
        except OSError as error:
            raise StorageError(
                f"{file} cannot be written: {error.strerror}.", hint="Is its folder writable?"
            ) from error


def _is_row(row: object) -> bool:
    return (
        isinstance(row, dict)
        and isinstance(row.get("agent"), str)
        and isinstance(row.get("path"), str)
        and os.path.isabs(row["path"])  # noqa: PTH117 - nothing but a text is known of it yet
    )
