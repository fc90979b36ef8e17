"""What connecting means for Claude Code, Cursor and Codex: an MCP entry, and for Claude Code three
hooks.
"""

import shlex
import shutil
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.clients.insertion import Insertion, JsonHook, JsonValue, TomlTable, served_by
from clawgit.domain.clients.json5edit import value_at
from clawgit.domain.clients.toml_tables import table_at
from clawgit.errors import ConflictError, UsageError
from clawgit.ops.clients.connect import ClientFile, ConnectPlan, naming
from clawgit.ops.workspace.workspace import Workspace
from clawgit.resources import own_program
from clawgit.stores.foreign_file import read

SERVER = "clawgit"
EVENT = "connect event"
_HOOKS: Mapping[str, tuple[str | None, int]] = {
    "SessionStart": ("startup|clear|compact", 20),
    "UserPromptSubmit": (None, 10),
    "Stop": (None, 20),
}
"""Claude Code's name of the event, what it matches, and how many seconds it waits at most."""


class ConnectRequest(NamedTuple):
    """`name` is that of the server, "" for the usual one; `project` is a folder whose own config is
    meant; `removing`: the plan is for `--remove`.
    """

    name: str = ""
    project: Path | None = None
    removing: bool = False


def claude_code(workspace: Workspace, asked: ConnectRequest) -> ConnectPlan:
    """The project's own files: the server in .mcp.json, the hooks in Claude Code's settings for
    this machine.
    """
    project, name = _project(workspace, asked), asked.name or SERVER
    servers = _json_servers(workspace, asked, project / ".mcp.json", name)
    hooks = ClientFile(project / ".claude" / "settings.local.json", tuple(_hooks(workspace)))
    steps = (f"Start Claude Code in {project}, and allow the server {name} when it asks.",)
    return ConnectPlan("claude-code", name, (servers, hooks), notes=missing_extra(), steps=steps)


def cursor(workspace: Workspace, asked: ConnectRequest) -> ConnectPlan:
    name = asked.name or SERVER
    place = _json_servers(
        workspace, asked, (asked.project or workspace.caller.home) / ".cursor" / "mcp.json", name
    )
    return ConnectPlan(
        "cursor",
        name,
        (place,),
        notes=missing_extra(),
        steps=(f"Turn {name} on in Cursor's MCP settings.",),
    )


def codex(workspace: Workspace, asked: ConnectRequest) -> ConnectPlan:
    named = workspace.caller.env.get("CODEX_HOME", "")
    folder = Path(named) if named else workspace.caller.home / ".codex"
    if asked.project:
        folder = asked.project / ".codex"
    file, name = folder / "config.toml", asked.name or SERVER
    keys = ("mcp_servers", name)
    command, *arguments = server_command(workspace)
    part = TomlTable(keys, {"command": command, "args": arguments})
    with naming(file):
        parts = unless_other(workspace, asked, table_at(read(file).text or "", keys), name, part)
    steps = ("Restart Codex; /mcp lists its servers.",)
    return ConnectPlan(
        "codex", name, (ClientFile(file, parts),), notes=missing_extra(), steps=steps
    )


def own_command(env: Mapping[str, str]) -> tuple[str, ...]:
    """How a program starts this clawgit, from any folder and with any PATH."""
    beside = Path(sys.executable).with_name("clawgit")
    on_path = shutil.which("clawgit", path=env.get("PATH"))
    if on_path and (not beside.is_file() or Path(on_path).resolve() == beside.resolve()):
        return (str(Path(on_path).absolute()),)
    return (str(beside),) if beside.is_file() else own_program()


def server_command(workspace: Workspace) -> list[str]:
    return [*own_command(workspace.caller.env), "-C", str(workspace.root), "mcp"]


def unless_other(
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
        raise ConflictError(
            f"{name} serves another workspace, {other}.",
            hint=f"--name {name}-{workspace.root.name}",
        )
    return (part,)


def missing_extra() -> tuple[str, ...]:
    return () if find_spec("mcp") else ("The server needs an extra: pip install 'clawgit[mcp]'",)


def _json_servers(workspace: Workspace, asked: ConnectRequest, file: Path, name: str) -> ClientFile:
    keys = ("mcpServers", name)
    command, *arguments = server_command(workspace)
    part = JsonValue(keys, {"command": command, "args": arguments})
    with naming(file):
        return ClientFile(
            file, unless_other(workspace, asked, value_at(read(file).text or "", keys), name, part)
        )


def _hooks(workspace: Workspace) -> list[Insertion]:
    # Exit code 2 would block what the user typed, and no failure of clawgit may do that.
    own = shlex.join([*own_command(workspace.caller.env), "-C", str(workspace.root)])
    command = f"{own} {EVENT} || exit 1"
    words = (f" -C {shlex.quote(str(workspace.root))} ", f" {EVENT} ")
    insertions: list[Insertion] = []
    for moment, (matcher, seconds) in _HOOKS.items():
        item: dict[str, object] = {"matcher": matcher} if matcher else {}
        item["hooks"] = [{"type": "command", "command": command, "timeout": seconds}]
        insertions.append(JsonHook(("hooks", moment), item, words))
    return insertions


def _project(workspace: Workspace, asked: ConnectRequest) -> Path:
    project = asked.project or workspace.root
    if project == workspace.caller.home:
        raise UsageError(
            f"{project} is your home folder, not a project.", hint="Name its folder: --project DIR"
        )
    return project
