"""Reads OpenClaw's state: where its files are, its agents, and the settings that we use too."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clawgit.core import NamedTuple
from clawgit.core.config.kinds import Sourced
from clawgit.core.doors import json, json5
from clawgit.core.limits import INJECTED, LARGEST_FILE

if TYPE_CHECKING:
    from clawgit.workspace.workspace_base import Caller

_CONFIG = "openclaw.json"
_IDENTITY = tuple(name for name in INJECTED if name != "MEMORY.md")
_NO_PATH = re.compile(r"\0|\$\{\w+\}")
_NAME = r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"


class OpenClawAgent(NamedTuple):
    """One agent. `scopes` are the parts of the config about it, the most specific first."""

    id: str
    workspace: Path
    state: Path
    scopes: tuple[tuple[str, Mapping[str, object]], ...]


class OpenClaw(NamedTuple):
    """An OpenClaw on this machine. `notes` say what could not be read; that is no error."""

    state: Path
    config_path: Path | None
    agents: tuple[OpenClawAgent, ...]
    notes: tuple[str, ...]

    def agent_of(self, workspace: Path) -> OpenClawAgent | None:
        """The agent whose workspace is exactly this folder."""
        root = workspace.resolve()
        return next((agent for agent in self.agents if agent.workspace.resolve() == root), None)


def find(caller: "Caller") -> OpenClaw | None:
    """The OpenClaw of this user, None if there is none.

    Only names in the environment that OpenClaw itself reads count.
    """
    state, home = state_of(caller), caller.home
    if state is None:
        return None
    named = caller.env.get("OPENCLAW_CONFIG_PATH", "")
    path, notes = _expanded(named, home) if named else state / _CONFIG, list[str]()
    config: Mapping[str, object] = {}
    try:
        is_there = path.is_file()
        config = _read_config(path) if is_there else {}
    except (OSError, ValueError, RecursionError) as error:
        said = " ".join(str(error).split())[:200] or type(error).__name__
        notes.append(f"{path} is not read: {said}")
    if "$include" in config:
        notes.append(f"{path}: what it includes is not read")
    return OpenClaw(
        state, path if is_there else None, tuple(_agents(config, state, home)), tuple(notes)
    )


def agent_in(root: Path, caller: "Caller") -> OpenClawAgent | None:
    """The agent of this user's OpenClaw whose workspace is exactly this folder."""
    found = find(caller)
    return found.agent_of(root) if found else None


def state_of(caller: "Caller") -> Path | None:
    """The folder of OpenClaw's state; None without one."""
    home, env = caller.home, caller.env
    named, profile = env.get("OPENCLAW_STATE_DIR"), env.get("OPENCLAW_PROFILE", "")
    state = home / ".openclaw"
    if named:
        state = _expanded(named, home)
    elif profile != "default" and re.fullmatch(_NAME, profile):
        state = home / f".openclaw-{profile}"
    return state if state.is_dir() else None


def settings_for(openclaw: OpenClaw, workspace: Path) -> Mapping[str, Sourced]:
    """Our settings, as OpenClaw's config has them for an agent; nothing for a folder that is not
    an agent's workspace.
    """
    settings: dict[str, Sourced] = {}
    agent = openclaw.agent_of(workspace)
    scopes = agent.scopes if agent and openclaw.config_path else ()
    for key, name in _SAME_MEANING:
        for scope, part in scopes:
            value = at(part, name.split("."))
            if value is not None:
                settings.setdefault(key, Sourced(value, f"{_CONFIG}: {scope}{name}"))
    return settings


def is_set_up(root: Path) -> bool:
    """Whether OpenClaw has set up this workspace, by its state folder or an identity file."""
    return (root / ".openclaw").is_dir() or any((root / name).is_file() for name in _IDENTITY)


def _expanded(path: str, home: Path) -> Path:
    return home / path[2:] if path == "~" or path.startswith("~/") else home / path


def _read_config(path: Path) -> Mapping[str, object]:
    """ValueError if it is too large, or holds no keys."""
    if path.stat().st_size > LARGEST_FILE:
        raise ValueError("it has over 2 MiB")
    text, config = path.read_text(encoding="utf-8"), None
    with suppress(ValueError):
        config = json.loads(text)
    if config is None:
        config = json5.loads(text)
    if not isinstance(config, dict):
        raise ValueError("it holds no keys")  # noqa: TRY004 - a wrong file, like the others
    return config


def _parts(agents: Mapping[str, object]) -> Iterator[tuple[str, str, Mapping[str, object]]]:
    """Id, scope and config of each agent whose id is a plain name: of a list, or by their ids."""
    listed = agents.get("list")
    rows = listed if isinstance(listed, list) else []
    named = [(str(_mapping(row).get("id") or ""), "list[{}].", row) for row in rows]
    entries = _mapping(agents.get("entries"))
    named += [(name, "entries.{}.", part) for name, part in entries.items()]
    for name, where, part in named:
        if re.fullmatch(_NAME, name):
            yield name, f"agents.{where.format(name)}", _mapping(part)


def _agents(config: Mapping[str, object], state: Path, home: Path) -> Iterator[OpenClawAgent]:
    """The agents; one whose id is no plain name is none."""
    general = _mapping(at(config, ("agents", "defaults")))
    known: dict[str, tuple[str, Mapping[str, object]]] = {}
    for name, scope, part in _parts(_mapping(config.get("agents"))):
        known.setdefault(name, (scope, part))
    known = known or {"main": ("agents.main.", {})}
    # OpenClaw's default agent is the one marked so, else the first.
    marked = (name for name, (_, part) in known.items() if part.get("default") is True)
    main, shared = next(marked, next(iter(known))), _workspace_in(general, home)
    for name, (scope, part) in known.items():
        usual = shared or state / "workspace"
        if name != main:
            usual = shared / name if shared else state / f"workspace-{name}"
        own = _workspace_in(part, home) or usual
        scopes = ((scope, part), ("agents.defaults.", general), ("", config))
        yield OpenClawAgent(name, own, state / "agents" / name, scopes)


def _workspace_in(part: Mapping[str, object], home: Path) -> Path | None:
    """The folder that a part of the config names, if it is a plain path."""
    value = part.get("workspace")
    is_plain = isinstance(value, str) and value and not _NO_PATH.search(value)
    return _expanded(str(value), home) if is_plain else None


def at(root: object, keys: Sequence[str], default: object = None) -> Any:
    """The value there."""
    for key in keys:
        if not isinstance(root, Mapping) or key not in root:
            return default
        root = root[key]
    return root


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


_SAME_MEANING = (
    ("extra_paths", "memorySearch.extraPaths"),
    ("max_results", "memorySearch.query.maxResults"),
    ("min_score", "memorySearch.query.minScore"),
    ("timezone", "userTimezone"),
)
"""Our key, and the one of OpenClaw that says it."""
