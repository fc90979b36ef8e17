"""What connecting means for each program: for OpenClaw a skill, a hook and an MCP entry, for Claude
Code an MCP entry and three hooks, for Cursor and Codex an MCP entry.
"""

import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.clients.insertion import (
    EnabledHook,
    Insertion,
    JsonHook,
    JsonValue,
    TomlTable,
    WholeFile,
    hooks_are_off,
    runs_all_hooks,
    served_by,
    table_at,
    value_at,
)
from clawgit.errors import ClawgitError, ConflictError, NotFoundError, UsageError
from clawgit.ops.workspace.workspace import Workspace
from clawgit.resources import own_program, resource
from clawgit.stores import openclaw as openclaws
from clawgit.stores.foreign_file import read

SERVER = "clawgit"
SKILL = "skills/clawgit/SKILL.md"
EVENT = "connect event"
_HOOKS: Mapping[str, tuple[str | None, int]] = {
    "SessionStart": ("startup|clear|compact", 20),
    "UserPromptSubmit": (None, 10),
    "Stop": (None, 20),
}
"""Claude Code's name of the event, what it matches, and how many seconds it waits at most."""

_KNOWS_SERVERS = (2026, 4)
"""Older releases do not know the key `mcp`, and do not start if their config has an unknown key."""


class ConnectRequest(NamedTuple):
    """`name` is that of the server, "" for the usual one; `project` is a folder whose own config is
    meant; `removing`: the plan is for `--remove`.
    """

    name: str = ""
    project: Path | None = None
    removing: bool = False


class ClientFile(NamedTuple):
    """A file and what clawgit puts into it.

    `committed`: it is a file of the workspace, written by its transaction.
    """

    path: Path
    parts: Sequence[Insertion]
    committed: bool = False


class ConnectPlan(NamedTuple):
    """What connecting means for one program. Files come in the order in which they are written."""

    client: str
    name: str
    places: Sequence[ClientFile]
    asked: ConnectRequest
    notes: Sequence[str] = ()
    steps: Sequence[str] = ()


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Puts the path in front of the message of an error."""
    try:
        yield
    except ClawgitError as error:
        error.message = f"{path}: {error.message}"
        error.args = (error.message,)
        raise


def claude_code(workspace: Workspace, asked: ConnectRequest) -> ConnectPlan:
    """The project's own files: the server in .mcp.json, the hooks in Claude Code's settings for
    this machine.
    """
    project, name = asked.project or workspace.root, asked.name or SERVER
    if project == workspace.caller.home:
        what = f"{project} is your home folder, not a project."
        raise UsageError(what, hint="Name its folder: --project DIR")
    servers = _json_servers(workspace, asked, project / ".mcp.json", name)
    hooks = ClientFile(project / ".claude" / "settings.local.json", tuple(_hooks(workspace)))
    steps = (f"Start Claude Code in {project}, and allow the server {name} when it asks.",)
    places = (servers, hooks)
    return ConnectPlan("claude-code", name, places, asked, notes=_missing_extra(), steps=steps)


def cursor(workspace: Workspace, asked: ConnectRequest) -> ConnectPlan:
    name, folder = asked.name or SERVER, asked.project or workspace.caller.home
    place = _json_servers(workspace, asked, folder / ".cursor" / "mcp.json", name)
    steps = (f"Turn {name} on in Cursor's MCP settings.",)
    return ConnectPlan("cursor", name, (place,), asked, notes=_missing_extra(), steps=steps)


def codex(workspace: Workspace, asked: ConnectRequest) -> ConnectPlan:
    named = workspace.caller.env.get("CODEX_HOME", "")
    folder = Path(named) if named else workspace.caller.home / ".codex"
    if asked.project:
        folder = asked.project / ".codex"
    file, name = folder / "config.toml", asked.name or SERVER
    keys = ("mcp_servers", name)
    command, *arguments = _server_command(workspace)
    part = TomlTable(keys, {"command": command, "args": arguments})
    with naming(file):
        there = table_at(read(file).text or "", keys)
        parts = _unless_other(workspace, asked, there, name, part)
    steps = ("Restart Codex; /mcp lists its servers.",)
    places = (ClientFile(file, parts),)
    return ConnectPlan("codex", name, places, asked, notes=_missing_extra(), steps=steps)


def _json_servers(workspace: Workspace, asked: ConnectRequest, file: Path, name: str) -> ClientFile:
    keys = ("mcpServers", name)
    command, *arguments = _server_command(workspace)
    part = JsonValue(keys, {"command": command, "args": arguments})
    with naming(file):
        there = value_at(read(file).text or "", keys)
        return ClientFile(file, _unless_other(workspace, asked, there, name, part))


def _hooks(workspace: Workspace) -> Iterator[Insertion]:
    # Exit code 2 would block what the user typed, and no failure of clawgit may do that.
    own = shlex.join([*_own_command(workspace), "-C", str(workspace.root)])
    command = f"{own} {EVENT} || exit 1"
    words = (f" -C {shlex.quote(str(workspace.root))} ", f" {EVENT} ")
    for moment, (matcher, seconds) in _HOOKS.items():
        item: dict[str, object] = {"matcher": matcher} if matcher else {}
        item["hooks"] = [{"type": "command", "command": command, "timeout": seconds}]
        yield JsonHook(("hooks", moment), item, words)


def _own_command(workspace: Workspace) -> tuple[str, ...]:
    """How a program starts this clawgit, from any folder and with any PATH."""
    beside = Path(sys.executable).with_name("clawgit")
    on_path = shutil.which("clawgit", path=workspace.caller.env.get("PATH"))
    if on_path and (not beside.is_file() or Path(on_path).resolve() == beside.resolve()):
        return (str(Path(on_path).absolute()),)
    return (str(beside),) if beside.is_file() else own_program()


def _server_command(workspace: Workspace) -> list[str]:
    return [*_own_command(workspace), "-C", str(workspace.root), "mcp"]


def _unless_other(
    workspace: Workspace, asked: ConnectRequest, entry: object, name: str, part: Insertion
) -> tuple[Insertion, ...]:
    """The part, unless an entry of that name serves another workspace: ConflictError, or nothing to
    remove. An entry that names no workspace is the user's: ours replaces it, `--remove` leaves it.
    """
    other = served_by(entry)
    is_foreign = (
        bool(other) and Path(other).is_dir() and Path(other).resolve() != workspace.root.resolve()
    )
    if asked.removing:
        return () if is_foreign or not other else (part,)
    if is_foreign:
        what = f"{name} serves another workspace, {other}."
        raise ConflictError(what, hint=f"--name {name}-{workspace.root.name}")
    return (part,)


def _missing_extra() -> tuple[str, ...]:
    return () if find_spec("mcp") else ("The server needs an extra: pip install 'clawgit[mcp]'",)


class _Here(NamedTuple):
    """The OpenClaw of this user, the agent whose workspace this is, and the config as text."""

    found: openclaws.OpenClaw
    agent: openclaws.OpenClawAgent
    config: Path
    text: str


def openclaw(workspace: Workspace, asked: ConnectRequest) -> ConnectPlan:
    """The skill first and the config last, so that what it enables exists already."""
    here = _here(workspace)
    is_first = here.agent == _first(here.found)
    name = asked.name or (SERVER if is_first else f"{SERVER}-{here.agent.id}")
    parts: list[Insertion] = [EnabledHook(SERVER)]
    if asked.removing or _knows_servers(here.text):
        command, *arguments = _server_command(workspace)
        entry = {"command": command, "args": arguments, "cwd": str(workspace.root)}
        keys = ("mcp", "servers", name)
        with naming(here.config):
            there = value_at(here.text, keys)
            parts += _unless_other(workspace, asked, there, name, JsonValue(keys, entry))
    skill = WholeFile(_template("skill/SKILL.md"))
    places = (
        ClientFile(workspace.root / SKILL, (skill,), committed=True),
        *_hook_files(workspace, here),
        ClientFile(here.config, parts),
    )
    notes = (*here.found.notes, *_notes(workspace, here))
    steps = ("Restart OpenClaw's gateway, so that it loads the hook: openclaw gateway restart",)
    return ConnectPlan("openclaw", name, places, asked, notes, steps)


def _here(workspace: Workspace) -> _Here:
    caller = workspace.caller
    installation = openclaws.find(caller.home, caller.env)
    if installation is None:
        raise NotFoundError(
            "There is no OpenClaw here.",
            hint="Install it, or name its folder: OPENCLAW_STATE_DIR=… clawgit connect openclaw",
        )
    agent = installation.agent_of(workspace.root)
    if agent is None:
        names = [f"{other.id}: {other.workspace}" for other in installation.agents]
        known = ", ".join(names) or "; ".join(installation.notes)
        raise NotFoundError(
            f"No agent of OpenClaw lives in {workspace.root}.",
            hint=f"clawgit -C DIR connect openclaw. Its agents: {known}",
        )
    config = installation.config_path
    if config is None:
        raise NotFoundError(
            f"OpenClaw has no config in {installation.state} yet.",
            hint="openclaw setup, then run this again",
        )
    text = read(config).text or ""
    with naming(config):
        value_at(text, ())
    return _Here(installation, agent, config, text)


def _first(installation: openclaws.OpenClaw) -> openclaws.OpenClawAgent:
    """OpenClaw's default agent."""
    for agent in installation.agents:
        if agent.scopes and agent.scopes[0][1].get("default") is True:
            return agent
    return installation.agents[0]


def _hook_files(workspace: Workspace, here: _Here) -> Iterator[ClientFile]:
    """The files of the hook.

    OpenClaw looks in its state for hooks of all agents; a file beside ours says which agent has
    which workspace.
    """
    folder = here.found.state / "hooks" / SERVER
    for name in ("HOOK.md", "handler.js"):
        yield ClientFile(folder / name, (WholeFile(_template(f"hook/{name}"), shared=True),))
    command = JsonValue(("command",), [*_own_command(workspace)], shared=True)
    row = JsonValue(("workspaces", here.agent.id), str(workspace.root))
    yield ClientFile(folder / "clawgit.json", (command, row))


def _template(name: str) -> str:
    return (resource("templates") / "openclaw" / name).read_text("utf-8")


def _knows_servers(text: str) -> bool:
    """Whether the release that last wrote the config knows `mcp`.

    A config without a release counts as new.
    """
    version = value_at(text, ("meta", "lastTouchedVersion"))
    match = re.match(r"(\d{4})\.(\d+)\.", str(version))
    return match is None or (int(match[1]), int(match[2])) >= _KNOWS_SERVERS


def _notes(workspace: Workspace, here: _Here) -> Iterator[str]:
    if shutil.which("clawgit", path=workspace.caller.env.get("PATH")) is None:
        yield (
            "clawgit is not on PATH, and the skill calls it by name: OpenClaw leaves the skill "
            "out until it is."
        )
    yield from _missing_extra()
    if not _knows_servers(here.text):
        yield (
            "This OpenClaw does not support MCP servers, so it gets none. Update it, then run this "
            "again."
        )
    if hooks_are_off(here.text):
        yield (
            "hooks.internal.enabled is false: OpenClaw runs no hook, not even clawgit's, until you "
            "set it to true."
        )
    elif runs_all_hooks(here.text):
        yield (
            "OpenClaw runs all its hooks, and so clawgit's; its config does not name it, since "
            "that would turn the others off."
        )


PLANS: Mapping[str, Callable[[Workspace, ConnectRequest], ConnectPlan]] = {
    "openclaw": openclaw,
    "claude-code": claude_code,
    "cursor": cursor,
    "codex": codex,
}
"""Program → its plan."""
