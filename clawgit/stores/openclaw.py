"""Reads OpenClaw's state: where its files are, its agents, and the settings that we use too."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from clawgit.config import Sourced
from clawgit.doors import json5

_CONFIG = "openclaw.json"
_IDENTITY = (
    "AGENTS.md",
    "SOUL.md",
    "TOOLS.md",
    "IDENTITY.md",
    "USER.md",
    "HEARTBEAT.md",
    "BOOTSTRAP.md",
)
_NO_PATH = re.compile(r"\0|\$\{\w+\}")
_LARGEST = 2 * 1024 * 1024
_NAME = r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"


class OpenClawAgent(NamedTuple):
    """One agent. `scopes` are the parts of the config about it, the most specific first."""

    id: str
    workspace: Path
    state: Path
    scopes: tuple[tuple[str, Mapping[str, object]], ...] = ()


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


def find(home: Path, env: Mapping[str, str]) -> OpenClaw | None:
    """The OpenClaw of this user, None if there is none.

    Only names in `env` that OpenClaw itself reads count.
    """
    state = state_in(home, env)
    if state is None:
        return None
    notes: list[str] = []
    path = _config_path(home, env)
    config: Mapping[str, object] = {}
    is_there = False
    try:
        is_there = path.is_file()
        config = _read_config(path) if is_there else {}
    except (OSError, ValueError, RecursionError) as error:
        notes.append(f"{path} is not read: {_in_a_line(error)}")
    if "$include" in config:
        notes.append(f"{path}: what it includes is not read")
    agents = tuple(_agents(config, state, home))
    return OpenClaw(state, path if is_there else None, agents, tuple(notes))


def state_in(home: Path, env: Mapping[str, str]) -> Path | None:
    """The folder of OpenClaw's state; None without one."""
    state = _state_dir(home, env)
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
            value = _at(part, name)
            if value is not None:
                settings.setdefault(key, Sourced(value, f"{_CONFIG}: {scope}{name}"))
    return settings


def is_set_up(root: Path) -> bool:
    """Whether OpenClaw has set up this workspace, by its state folder or an identity file."""
    return (root / ".openclaw").is_dir() or any((root / name).is_file() for name in _IDENTITY)


def _state_dir(home: Path, env: Mapping[str, str]) -> Path:
    if named := env.get("OPENCLAW_STATE_DIR"):
        return _expanded(named, home)
    profile = env.get("OPENCLAW_PROFILE", "")
    if profile != "default" and re.fullmatch(_NAME, profile):
        return home / f".openclaw-{profile}"
    return home / ".openclaw"


def _config_path(home: Path, env: Mapping[str, str]) -> Path:
    named = env.get("OPENCLAW_CONFIG_PATH", "")
    return _expanded(named, home) if named else _state_dir(home, env) / _CONFIG


def _expanded(path: str, home: Path) -> Path:
    return home / path[2:] if path == "~" or path.startswith("~/") else home / path


def _read_config(path: Path) -> Mapping[str, object]:
    if path.stat().st_size > _LARGEST:
        raise ValueError("it has over 2 MiB")
    text = path.read_text(encoding="utf-8")
    try:
        config = json.loads(text)
    except ValueError:
        config = json5.loads(text)
    if not isinstance(config, dict):
        raise ValueError("it holds no keys")  # noqa: TRY004 - a note like any other
    return config


def _in_a_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


def _agents(config: Mapping[str, object], state: Path, home: Path) -> Iterator[OpenClawAgent]:
    general = _mapping(_at(config, "agents.defaults"))
    shared = _workspace_in(general, home)
    listed = _listed(config) or {"main": ("agents.main.", {})}
    # OpenClaw's default agent is the one marked so, else the first.
    marked = (name for name, (_, part) in listed.items() if part.get("default") is True)
    main = next(marked, next(iter(listed)))
    for name, (scope, part) in listed.items():
        folder = "workspace" if name == main else f"workspace-{name}"
        usual = state / folder
        if shared:
            usual = shared if name == main else shared / name
        own = _workspace_in(part, home)
        scopes = ((scope, part), ("agents.defaults.", general), ("", config))
        yield OpenClawAgent(name, own or usual, state / "agents" / name, scopes)


def _listed(config: Mapping[str, object]) -> dict[str, tuple[str, Mapping[str, object]]]:
    """Scope and config of each agent, by its id: of a list, or of a table. The first of an id
    counts, and one that is no plain name is none.
    """
    agents = _mapping(config.get("agents"))
    rows = agents.get("list")
    named = [
        (part.get("id"), f"agents.list[{part.get('id')}].", part)
        for part in (rows if isinstance(rows, list) else ())
        if isinstance(part, Mapping)
    ]
    entries = _mapping(agents.get("entries"))
    named += [(name, f"agents.entries.{name}.", _mapping(part)) for name, part in entries.items()]
    found: dict[str, tuple[str, Mapping[str, object]]] = {}
    for name, scope, part in named:
        if isinstance(name, str) and re.fullmatch(_NAME, name):
            found.setdefault(name, (scope, part))
    return found


def _workspace_in(part: Mapping[str, object], home: Path) -> Path | None:
    value = part.get("workspace")
    is_plain = isinstance(value, str) and value and not _NO_PATH.search(value)
    return _expanded(str(value), home) if is_plain else None


def _at(part: Mapping[str, object], dotted: str) -> object:
    value: object = part
    for name in dotted.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


_SAME_MEANING = (
    ("extra_paths", "memorySearch.extraPaths"),
    ("max_results", "memorySearch.query.maxResults"),
    ("min_score", "memorySearch.query.minScore"),
    ("timezone", "userTimezone"),
)
"""Our key, and the one of OpenClaw that says it."""
