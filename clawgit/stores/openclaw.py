"""Reads OpenClaw's state: where its files are, its agents, and the settings that we use too."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from clawgit.config import Sourced
from clawgit.domain.clients import json5text
from clawgit.doors import yaml
from clawgit.stores.database import opened

Era: TypeAlias = Literal["E1/E2", "E3", "unknown"]
"""E1 and E2 are the same in everything that we read; “unknown” is an OpenClaw without any session
yet."""

_CONFIG_NAMES = ("openclaw.json", "clawdbot.json", "clawdbot.yaml")
_IDENTITY = (
    "AGENTS.md",
    "SOUL.md",
    "TOOLS.md",
    "IDENTITY.md",
    "USER.md",
    "HEARTBEAT.md",
    "BOOTSTRAP.md",
)
_LARGEST = 2 * 1024 * 1024
_E3_SCHEMA = 4
_MODEL = r"[A-Za-z0-9][\w.-]{0,63}/[A-Za-z0-9][\w.:/@-]{0,127}"
_NAME = r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"


class OpenClawAgent(NamedTuple):
    """One agent. `scopes` are the parts of the config about it, the most specific first."""

    id: str
    workspace: Path
    state: Path
    scopes: tuple[tuple[str, Mapping[str, object]], ...] = ()


class OpenClaw(NamedTuple):
    """An OpenClaw on this machine.

    `notes` say what could not be read; that is no error. `unread`: its config could not be read at
    all, and its agents are guessed.
    """

    state: Path
    config_path: Path | None
    agents: tuple[OpenClawAgent, ...]
    notes: tuple[str, ...]
    unread: bool = False

    def agent_of(self, workspace: Path) -> OpenClawAgent | None:
        """The agent whose workspace is exactly this folder."""
        root = workspace.resolve()
        return next((agent for agent in self.agents if agent.workspace.resolve() == root), None)


class WorkspaceState(NamedTuple):
    """Whether OpenClaw has set up a folder, by what, and whether its bootstrap has not run yet."""

    signs: tuple[str, ...]
    ritual_pending: bool

    @property
    def is_set_up(self) -> bool:
        return bool(self.signs)


def find(home: Path, env: Mapping[str, str]) -> OpenClaw | None:
    """The OpenClaw of this user, None if there is none.

    Only names in `env` that OpenClaw itself reads count.
    """
    state = state_in(home, env)
    if state is None:
        return None
    try:
        return _found(state, home, env)
    except OSError as error:
        return OpenClaw(
            state, None, (), (f"{state} is not read: {_in_a_line(error)}",), unread=True
        )


def state_in(home: Path, env: Mapping[str, str]) -> Path | None:
    """The folder of OpenClaw's state; None without one."""
    return next((path for path in _state_dirs(home, env) if path.is_dir()), None)


def config_places(home: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    """Each folder and file whose presence or content decides what `find` returns."""
    named = env.get("OPENCLAW_CONFIG_PATH", "")
    states = tuple(_state_dirs(home, env))
    files = (
        [_expanded(named, home)]
        if named
        else [state / name for state in states for name in _CONFIG_NAMES]
    )
    return (*states, *files)


def _found(state: Path, home: Path, env: Mapping[str, str]) -> OpenClaw:
    notes: list[str] = []
    named = env.get("OPENCLAW_CONFIG_PATH", "")
    places = [_expanded(named, home)] if named else [state / name for name in _CONFIG_NAMES]
    path = next((place for place in places if place.is_file()), None)
    config = _read_config(path, notes) if path else {}
    agents = tuple(_agents(config or {}, state, home, notes))
    return OpenClaw(state, path, agents, tuple(notes), unread=config is None)


def era_of(openclaw: OpenClaw) -> Era:
    """Which generation of OpenClaw wrote this state.

    A database that cannot be read counts for nothing.
    """
    # Also the folders of agents that the config does not name: any of them shows the generation.
    on_disk = sorted((openclaw.state / "agents").glob("*/"))
    folders = dict.fromkeys((*(agent.state for agent in openclaw.agents), *on_disk))
    databases = [folder / "agent" / "openclaw-agent.sqlite" for folder in folders]
    # The database first: a state from an older release may still have session files.
    if any(path.is_file() and _schema(path) >= _E3_SCHEMA for path in databases):
        return "E3"
    return (
        "E1/E2"
        if any((folder / "sessions" / "sessions.json").is_file() for folder in folders)
        else "unknown"
    )


def settings_for(openclaw: OpenClaw, workspace: Path) -> tuple[dict[str, Sourced], tuple[str, ...]]:
    """Our settings, as OpenClaw's config has them for an agent, and notes on what was skipped.

    Nothing for a folder that is not an agent's workspace.
    """
    agent = openclaw.agent_of(workspace)
    if agent is None or openclaw.config_path is None:
        return {}, ()
    settings: dict[str, Sourced] = {}
    notes: list[str] = []
    for dotted, key, convert in _SAME_MEANING:
        setting = _said(agent, dotted)
        # Two settings may map to one key: the first in the table with a usable value counts.
        if key in settings or setting is None:
            continue
        origin = f"{openclaw.config_path.name}: {setting.origin}"
        try:
            value = convert(_resolved(setting.value))
        except ValueError as error:
            notes.append(f"{origin} is skipped: {error}")
            continue
        if value is not None:
            settings[key] = Sourced(value, origin)
    if "embedder" not in settings:
        # A model's name or an address is valid only for the embedder that it was chosen for.
        for key in ("embedder_model", "embedder_url"):
            settings.pop(key, None)
    return settings, tuple(notes)


def model_of(agent: OpenClawAgent) -> str:
    """The model of an agent, as `provider/name`; "" if the config names none."""
    for _, part in agent.scopes:
        value = part.get("model")
        named = value.get("primary") if isinstance(value, Mapping) else value
        if isinstance(named, str) and re.fullmatch(_MODEL, named):
            return named
    return ""


def workspace_state(root: Path) -> WorkspaceState:
    """Whether OpenClaw has set up this workspace, by its state folder or an identity file."""
    signs = [".openclaw"] * (root / ".openclaw").is_dir()
    signs += [name for name in _IDENTITY if (root / name).is_file()]
    return WorkspaceState(tuple(signs), ritual_pending=(root / "BOOTSTRAP.md").is_file())


def _state_dirs(home: Path, env: Mapping[str, str]) -> Iterator[Path]:
    for name in ("OPENCLAW_STATE_DIR", "CLAWDBOT_STATE_DIR"):
        if env.get(name):
            yield _expanded(env[name], home)
            return
    profile = env.get("OPENCLAW_PROFILE", "")
    if profile != "default" and re.fullmatch(_NAME, profile):
        yield home / f".openclaw-{profile}"
        return
    yield home / ".openclaw"
    yield home / ".clawdbot"


def _expanded(path: str, home: Path) -> Path:
    return home / path[2:] if path == "~" or path.startswith("~/") else home / path


def _read_config(path: Path, notes: list[str]) -> Mapping[str, object] | None:
    try:
        if path.stat().st_size > _LARGEST:
            notes.append(f"{path} is not read: it has over 2 MiB")
            return None
        config = _parsed(path.read_text(encoding="utf-8"), path.suffix)
    except (OSError, ValueError, RecursionError) as error:
        notes.append(f"{path} is not read: {_in_a_line(error)}")
        return None
    if not isinstance(config, dict):
        notes.append(f"{path} is not read: it holds no keys")
        return None
    if "$include" in config:
        notes.append(f"{path}: what it includes is not read")
    return config


def _parsed(text: str, suffix: str) -> object:
    if suffix == ".yaml":
        try:
            return yaml.safe_load(text)
        except yaml.MarkedYAMLError as error:
            # Not str(error): it quotes the line, which may hold a key.
            place = f" on line {error.problem_mark.line + 1}" if error.problem_mark else ""
            raise ValueError(f"{error.problem}{place}") from error
        except yaml.YAMLError as error:
            raise ValueError("it has a character that YAML does not allow") from error
    for plainer in (text, _as_json(text)):
        try:
            return json.loads(plainer)
        except ValueError:
            continue
    # The last resort: it takes 15 ms per kilobyte.
    return json5text.loads(text)


def _as_json(text: str) -> str:
    """JSON5 without comments, trailing commas and bare keys, which is all that most files use."""
    string = r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\''
    bare = re.sub(
        rf"({string})|//[^\n]*|/\*.*?\*/", lambda match: match[1] or " ", text, flags=re.DOTALL
    )
    return re.sub(
        rf"({string})|,(?=\s*[}}\]])|([A-Za-z_$][\w$]*)(?=\s*:)",
        lambda match: match[1] or (f'"{match[2]}"' if match[2] else ""),
        bare,
    )


def _in_a_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


def _agents(
    config: Mapping[str, object], state: Path, home: Path, notes: list[str]
) -> Iterator[OpenClawAgent]:
    general = (
        ("agents.defaults.", _mapping(_at(config, "agents.defaults"))),
        ("agent.", _mapping(config.get("agent"))),
    )
    shared = (_workspace_in(part, home, f"{scope}workspace", notes) for scope, part in general)
    home_of_main = next(filter(None, shared), None)
    listed = list(_listed(config, notes)) or [("main", "agents.main.", {})]
    for at, (name, scope, part) in enumerate(listed):
        own = _workspace_in(part, home, f"{scope}workspace", notes)
        workspace = own or _default_workspace(
            name, home_of_main, state, home, is_main=_is_main(listed, at)
        )
        yield OpenClawAgent(
            name, workspace, state / "agents" / name, ((scope, part), *general, ("", config))
        )


def _listed(
    config: Mapping[str, object], notes: list[str]
) -> Iterator[tuple[str, str, Mapping[str, object]]]:
    """Id, scope and config of each agent, in the notation of each era."""
    agents = _mapping(config.get("agents"))
    entries = _mapping(agents.get("entries"))
    older = {
        name: part for name, part in agents.items() if name not in {"defaults", "list", "entries"}
    }
    rows = agents.get("list")
    named = [(part.get("id"), f"agents.list[{part.get('id')}].", part) for part in _mappings(rows)]
    named += [(name, f"agents.entries.{name}.", _mapping(part)) for name, part in entries.items()]
    named += [
        (name, f"agents.{name}.", part) for name, part in older.items() if isinstance(part, Mapping)
    ]
    seen: set[str] = set()
    for name, scope, part in named:
        if not isinstance(name, str) or not re.fullmatch(_NAME, name):
            notes.append("an agent is skipped: its id is not a plain name")
        elif name not in seen:
            seen.add(name)
            yield name, scope, part


def _is_main(listed: list[tuple[str, str, Mapping[str, object]]], at: int) -> bool:
    """OpenClaw's default agent is the one marked so, else the first."""
    marked = [index for index, (_, _, part) in enumerate(listed) if part.get("default") is True]
    return at == (marked or [0])[0]


def _default_workspace(
    name: str, home_of_main: Path | None, state: Path, home: Path, *, is_main: bool
) -> Path:
    if is_main:
        oldest = home / "clawd"
        return home_of_main or (oldest if state.name == ".clawdbot" else state / "workspace")
    return home_of_main / name if home_of_main else state / f"workspace-{name}"


def _workspace_in(
    part: Mapping[str, object], home: Path, origin: str, notes: list[str]
) -> Path | None:
    value = part.get("workspace")
    if value is None:
        return None
    try:
        path = _resolved(value)
        if not isinstance(path, str) or not path or "\0" in path:
            raise ValueError("it is not a path")  # noqa: TRY301 - one note for all that is wrong with it
    except ValueError as error:
        notes.append(f"{origin} is skipped: {error}")
        return None
    return _expanded(path, home)


def _schema(path: Path) -> int:
    # Without a WAL the file is final; immutable=1 stops SQLite from making files next to it.
    final = "" if path.with_name(f"{path.name}-wal").exists() else "&immutable=1"
    try:
        with closing(opened(f"{path.absolute().as_uri()}?mode=ro{final}")) as database:
            return int(database.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error:
        return 0


def _said(agent: OpenClawAgent, dotted: str) -> Sourced | None:
    """The value from the most specific scope that has it."""
    for scope, part in agent.scopes:
        value = _at(part, dotted)
        if value is not None:
            return Sourced(value, scope + dotted)
    return None


def _resolved(value: object) -> object:
    if isinstance(value, str) and re.search(r"\$\{\w+\}", value):
        raise ValueError("it depends on an environment variable of OpenClaw's")
    return value


def _at(part: Mapping[str, object], dotted: str) -> object:
    value: object = part
    for name in dotted.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _mappings(value: object) -> list[Mapping[str, object]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _same(value: object) -> object:
    return value


def _embedder(value: object) -> object:
    if value in ("local", "auto"):
        return None
    if value not in ("openai", "gemini", "voyage", "ollama"):
        raise ValueError("clawgit has no such embedder, and keeps its own")
    return value


def _pruning(value: object) -> object:
    if value not in ("off", "cache-ttl"):
        raise ValueError("clawgit prunes by cache-ttl or not at all")
    return value


def _seconds(value: object) -> object:
    """A number of seconds, or a span such as `5m`. A bare number in quotes is seconds too."""
    match = (
        re.fullmatch(r"(\d{1,9})(ms|s|m|h|d|)", str(value)) if not isinstance(value, bool) else None
    )
    if match is None:
        raise ValueError("it is not a span of time")
    milliseconds = {"ms": 1, "s": 1000, "": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}[
        match[2]
    ]
    return int(match[1]) * milliseconds // 1000


_SAME_MEANING: tuple[tuple[str, str, Callable[[object], object]], ...] = (
    ("memorySearch.provider", "embedder", _embedder),
    ("memorySearch.model", "embedder_model", _same),
    ("memorySearch.remote.baseUrl", "embedder_url", _same),
    ("memorySearch.chunking.tokens", "chunk_tokens", _same),
    ("memorySearch.chunking.overlap", "chunk_overlap", _same),
    ("memorySearch.extraPaths", "extra_paths", _same),
    ("memorySearch.query.maxResults", "max_results", _same),
    ("memorySearch.query.minScore", "min_score", _same),
    ("memorySearch.query.hybrid.vectorWeight", "vector_weight", _same),
    ("memorySearch.query.hybrid.textWeight", "keyword_weight", _same),
    ("memorySearch.query.hybrid.mmr.enabled", "mmr", _same),
    ("memorySearch.query.hybrid.temporalDecay.enabled", "temporal_decay", _same),
    ("memorySearch.query.hybrid.temporalDecay.halfLifeDays", "half_life_days", _same),
    ("compaction.reserveTokensFloor", "reserve_tokens_floor", _same),
    ("compaction.memoryFlush.enabled", "memory_flush", _same),
    ("compaction.memoryFlush.softThresholdTokens", "soft_threshold_tokens", _same),
    ("compaction.memoryFlush.prompt", "memory_flush_prompt", _same),
    ("compaction.memoryFlush.systemPrompt", "memory_flush_system_prompt", _same),
    ("contextPruning.mode", "pruning", _pruning),
    ("contextPruning.ttl", "prune_ttl_seconds", _seconds),
    ("contextPruning.keepLastAssistants", "prune_keep_assistants", _same),
    ("contextPruning.softTrim.maxChars", "prune_soft_chars", _same),
    ("contextPruning.softTrim.headChars", "prune_head_chars", _same),
    ("contextPruning.softTrim.tailChars", "prune_tail_chars", _same),
    ("contextPruning.hardClear.enabled", "prune_hard_clear", _same),
    ("contextPruning.hardClear.placeholder", "prune_placeholder", _same),
    ("userTimezone", "timezone", _same),
    # clawdbot.yaml, at its top or under the agent
    ("memory.embeddingProvider", "embedder", _embedder),
    ("memory.embeddingModel", "embedder_model", _same),
    ("memory.chunkSize", "chunk_tokens", _same),
    ("memory.chunkOverlap", "chunk_overlap", _same),
    ("memory.searchWeights.vector", "vector_weight", _same),
    ("memory.searchWeights.keyword", "keyword_weight", _same),
)
"""OpenClaw's key, our key, and the conversion. The first that is set wins."""
