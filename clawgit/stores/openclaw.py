"""Reads OpenClaw's state: where its files are, its agents, and the settings that we use too."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from clawgit.config import Sourced
from clawgit.domain.workspace.limits import INJECTED, LARGEST_FILE
from clawgit.doors import json5

_CONFIG = "openclaw.json"
_IDENTITY = tuple(name for name in INJECTED if name != "MEMORY.md")
_NO_PATH = re.compile(r"\0|\$\{\w+\}")
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
    try:
        is_there = path.is_file()
        config = _read_config(path, notes) if is_there else {}
    except OSError as error:
        notes.append(f"{path} is not read: {_in_a_line(error)}")
        return OpenClaw(state, None, (), tuple(notes))
    agents = tuple(_agents(config or {}, state, home, notes))
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


def _read_config(path: Path, notes: list[str]) -> Mapping[str, object] | None:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise ValueError("it has over 2 MiB")  # noqa: TRY301 - one note for all that is wrong
        config = _parsed(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        notes.append(f"{path} is not read: {_in_a_line(error)}")
        return None
    if not isinstance(config, dict):
        notes.append(f"{path} is not read: it holds no keys")
        return None
    if "$include" in config:
        notes.append(f"{path}: what it includes is not read")
    return config


def _parsed(text: str) -> object:
    with suppress(ValueError):
        return json.loads(text)
    return json5.loads(text)


def _in_a_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


def _agents(
    config: Mapping[str, object], state: Path, home: Path, notes: list[str]
) -> Iterator[OpenClawAgent]:
    general = _mapping(_at(config, "agents.defaults"))
    shared = _workspace_in(general, home, "agents.defaults.workspace", notes)
    listed = list(_listed(config, notes)) or [("main", "agents.main.", {})]
    # OpenClaw's default agent is the one marked so, else the first.
    main = next((name for name, _, part in listed if part.get("default") is True), listed[0][0])
    for name, scope, part in listed:
        own = _workspace_in(part, home, f"{scope}workspace", notes)
        usual = shared or state / "workspace"
        if name != main:
            usual = shared / name if shared else state / f"workspace-{name}"
        scopes = ((scope, part), ("agents.defaults.", general), ("", config))
        yield OpenClawAgent(name, own or usual, state / "agents" / name, scopes)


def _listed(
    config: Mapping[str, object], notes: list[str]
) -> Iterator[tuple[str, str, Mapping[str, object]]]:
    """Id, scope and config of each agent: of a list, or by their ids."""
    agents = _mapping(config.get("agents"))
    rows = agents.get("list")
    named = [
        (part.get("id"), f"agents.list[{part.get('id')}].", part)
        for part in (rows if isinstance(rows, list) else ())
        if isinstance(part, Mapping)
    ]
    entries = _mapping(agents.get("entries"))
    named += [(name, f"agents.entries.{name}.", _mapping(part)) for name, part in entries.items()]
    seen: set[str] = set()
    for name, scope, part in named:
        if not isinstance(name, str) or not re.fullmatch(_NAME, name):
            notes.append("an agent is skipped: its id is not a plain name")
        elif name not in seen:
            seen.add(name)
            yield name, scope, part


def _workspace_in(
    part: Mapping[str, object], home: Path, origin: str, notes: list[str]
) -> Path | None:
    value = part.get("workspace")
    if value is None:
        return None
    if isinstance(value, str) and value and not _NO_PATH.search(value):
        return _expanded(value, home)
    notes.append(f"{origin} is skipped: it is not a plain path")
    return None


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
