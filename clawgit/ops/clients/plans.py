"""What connecting means for each program: for OpenClaw a skill, a hook and an MCP entry, for Claude
Code an MCP entry and three hooks, for Cursor and Codex an MCP entry.
"""

import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from clawgit.errors import ClawgitError, NotFoundError, UsageError
from clawgit.ops.clients.insertion import (
    SWITCH,
    Edit,
    EnabledHook,
    Entry,
    JsonHook,
    at,
    config_in,
)
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


class ConnectRequest(NamedTuple):
    """`name` is that of the server, "" for the usual one; `project` is a folder whose own config is
    meant.
    """

    name: str = ""
    project: Path | None = None


class ClientFile(NamedTuple):
    """A file and what clawgit puts into it: edits of a config, or the whole `text`.

    `committed`: it is a file of the workspace, written by its transaction.
    """

    path: Path
    edits: Sequence[Edit] = ()
    text: str | None = None
    committed: bool = False

    @property
    def is_toml(self) -> bool:
        return self.path.suffix == ".toml"


class ConnectPlan(NamedTuple):
    """What connecting means for one program. Files come in the order in which they are written.

    `own`: what is taken out again, where that is not all since other workspaces need the rest.
    """

    client: str
    name: str
    places: Sequence[ClientFile]
    asked: ConnectRequest
    steps: Sequence[str]
    notes: Sequence[str] = ()
    own: Sequence[ClientFile] = ()


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
    places = (
        ClientFile(project / ".mcp.json", (_server(workspace, "mcpServers", name),)),
        ClientFile(project / ".claude" / "settings.local.json", tuple(_hooks(workspace))),
    )
    step = f"Start Claude Code in {project}, and allow the server {name} when it asks."
    return ConnectPlan("claude-code", name, places, asked, (step,))


def cursor(workspace: Workspace, asked: ConnectRequest) -> ConnectPlan:
    name, folder = asked.name or SERVER, asked.project or workspace.caller.home
    server = _server(workspace, "mcpServers", name)
    places = (ClientFile(folder / ".cursor" / "mcp.json", (server,)),)
    return ConnectPlan("cursor", name, places, asked, (f"Turn {name} on in its MCP settings.",))


def codex(workspace: Workspace, asked: ConnectRequest) -> ConnectPlan:
    name, named = asked.name or SERVER, workspace.caller.env.get("CODEX_HOME", "")
    folder = (asked.project or workspace.caller.home) / ".codex"
    if named and not asked.project:
        folder = Path(named)
    places = (ClientFile(folder / "config.toml", (_server(workspace, "mcp_servers", name),)),)
    return ConnectPlan("codex", name, places, asked, ("Restart Codex; /mcp lists its servers.",))


def openclaw(workspace: Workspace, asked: ConnectRequest) -> ConnectPlan:
    """The skill first and the config last, so that what it enables exists already."""
    found, agent, config = _here(workspace)
    name = asked.name or (SERVER if agent == found.agents[0] else f"{SERVER}-{agent.id}")
    with naming(config):
        root = config_in(read(config).text or "")
    server = _server(workspace, "mcp", "servers", name, cwd=str(workspace.root))
    notes = [*found.notes]
    if at(root, SWITCH) is False:
        notes.append("hooks.internal.enabled is false, so OpenClaw runs no hook.")
    if shutil.which("clawgit", path=workspace.caller.env.get("PATH")) is None:
        notes.append("clawgit is not on PATH; OpenClaw leaves its skill out until it is.")
    # OpenClaw looks in its state for hooks of all agents; a file beside ours says which agent has
    # which workspace.
    hook = found.state / "hooks" / SERVER
    rows, row = hook / "clawgit.json", Entry(("workspaces", agent.id), str(workspace.root))
    skill = ClientFile(workspace.root / SKILL, text=_template("skill/SKILL.md"), committed=True)
    places = (
        skill,
        ClientFile(hook / "HOOK.md", text=_template("hook/HOOK.md")),
        ClientFile(hook / "handler.js", text=_template("hook/handler.js")),
        ClientFile(rows, (Entry(("command",), [*_own_command()]), row)),
        ClientFile(config, (EnabledHook(SERVER), server)),
    )
    own: Sequence[ClientFile] = places
    if _serves_others(rows, agent.id):
        own = (skill, ClientFile(rows, (row,)), ClientFile(config, (server,)))
    step = "Restart OpenClaw's gateway, so that it loads the hook: openclaw gateway restart"
    return ConnectPlan("openclaw", name, places, asked, (step,), notes, own)


def _serves_others(rows: Path, own: str) -> bool:
    """Whether the hook serves another agent, whose workspace is there."""
    with naming(rows):
        workspaces = at(config_in(read(rows).text or ""), ("workspaces",))
    return isinstance(workspaces, dict) and any(
        agent != own and isinstance(folder, str) and Path(folder).is_dir()
        for agent, folder in workspaces.items()
    )


def missing_extra() -> tuple[str, ...]:
    return () if find_spec("mcp") else ("The server needs an extra: pip install 'clawgit[mcp]'",)


def _server(workspace: Workspace, *keys: str, **more: str) -> Entry:
    command, *arguments = [*_own_command(), "-C", str(workspace.root), "mcp"]
    value = {"command": command, "args": arguments, **more}
    return Entry(keys, value, is_other=partial(_is_other, workspace.root))


def _is_other(root: Path, folder: str) -> bool:
    """Whether this folder is there, and not the workspace."""
    return Path(folder).is_dir() and Path(folder).resolve() != root.resolve()


def _hooks(workspace: Workspace) -> Iterator[JsonHook]:
    # Exit code 2 would block what the user typed, and no failure of clawgit may do that.
    own = shlex.join([*_own_command(), "-C", str(workspace.root)])
    command = f"{own} {EVENT} || exit 1"
    words = (f" -C {shlex.quote(str(workspace.root))} ", f" {EVENT} ")
    for moment, (matcher, seconds) in _HOOKS.items():
        item: dict[str, object] = {"matcher": matcher} if matcher else {}
        item["hooks"] = [{"type": "command", "command": command, "timeout": seconds}]
        yield JsonHook(("hooks", moment), item, words)


def _own_command() -> tuple[str, ...]:
    """How a program starts this clawgit, from any folder and with any PATH."""
    beside = Path(sys.executable).with_name("clawgit")
    return (str(beside),) if beside.is_file() else own_program()


def _here(workspace: Workspace) -> tuple[openclaws.OpenClaw, openclaws.OpenClawAgent, Path]:
    """The OpenClaw of this user, the agent whose workspace this is, and the config."""
    installation = openclaws.find(workspace.caller.home, workspace.caller.env)
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
    if installation.config_path is None:
        raise NotFoundError(
            f"OpenClaw has no config in {installation.state} yet.",
            hint="openclaw setup, then run this again",
        )
    return installation, agent, installation.config_path


def _template(name: str) -> str:
    return (resource("templates") / "openclaw" / name).read_text("utf-8")


PLANS: Mapping[str, Callable[[Workspace, ConnectRequest], ConnectPlan]] = {
    "openclaw": openclaw,
    "claude-code": claude_code,
    "cursor": cursor,
    "codex": codex,
}
"""Program → its plan."""
