"""What connecting means for OpenClaw: a skill in the workspace, a hook in its state, and both
enabled in its config.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.clients.insertion import (
    EnabledHook,
    Insertion,
    JsonValue,
    WholeFile,
    hooks_are_off,
    runs_all_hooks,
)
from clawgit.domain.clients.json5edit import MISSING, refuse_broken, value_at
from clawgit.errors import NotFoundError
from clawgit.ops.clients.connect import ClientFile, ConnectPlan, naming
from clawgit.ops.clients.connect_clients import (
    SERVER,
    ConnectRequest,
    missing_extra,
    own_command,
    server_command,
    unless_other,
)
from clawgit.ops.workspace.workspace import Workspace
from clawgit.resources import resource
from clawgit.stores import openclaw
from clawgit.stores.foreign_file import read

SKILL = "skills/clawgit/SKILL.md"
_KNOWS_SERVERS = (2026, 4)
"""Older releases do not know the key `mcp`, and do not start if their config has an unknown key."""


class _Here(NamedTuple):
    """The OpenClaw of this user, the agent whose workspace this is, and the config as text."""

    found: openclaw.OpenClaw
    agent: openclaw.OpenClawAgent
    is_first: bool
    config: Path
    text: str


def plan(workspace: Workspace, asked: ConnectRequest) -> ConnectPlan:
    """The skill first and the config last, so that what it enables exists already."""
    here = _here(workspace)
    name = asked.name or (SERVER if here.is_first else f"{SERVER}-{here.agent.id}")
    skill = ClientFile(
        workspace.root / SKILL, (WholeFile(_template("skill/SKILL.md")),), committed=True
    )
    places, notes = [skill], [*here.found.notes, *_not_on_path(workspace)]
    places += _hook_files(workspace, here)
    parts: list[Insertion] = [EnabledHook(SERVER)]
    if asked.removing or _knows_servers(here.text):
        keys = ("mcp", "servers", name)
        with naming(here.config):
            server = JsonValue(keys, _entry(workspace))
            parts += unless_other(workspace, asked, value_at(here.text, keys), name, server)
    places.append(ClientFile(here.config, parts))
    steps = ("Restart OpenClaw's gateway, so that it loads the hook: openclaw gateway restart",)
    return ConnectPlan("openclaw", name, places, (*notes, *_notes(here)), steps)


def _here(workspace: Workspace) -> _Here:
    caller = workspace.caller
    installation = openclaw.find(caller.home, caller.env)
    if installation is None:
        raise NotFoundError(
            "There is no OpenClaw here.",
            hint="Install it, or name its folder: OPENCLAW_STATE_DIR=… clawgit connect openclaw",
        )
    agent = installation.agent_of(workspace.root)
    if agent is None:
        known = ", ".join(
            f"{other.id}: {other.workspace}" for other in installation.agents
        ) or "; ".join(installation.notes)
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
        refuse_broken(text)
    return _Here(installation, agent, agent == _first(installation), config, text)


def _first(installation: openclaw.OpenClaw) -> openclaw.OpenClawAgent:
    """OpenClaw's default agent."""
    marked = (
        agent
        for agent in installation.agents
        if agent.scopes and agent.scopes[0][1].get("default") is True
    )
    return next(marked, installation.agents[0])


def _hook_files(workspace: Workspace, here: _Here) -> Iterator[ClientFile]:
    """The files of the hook.

    OpenClaw looks in its state for hooks of all agents; a file beside ours says which agent has
    which workspace.
    """
    folder = here.found.state / "hooks" / SERVER
    for name in ("HOOK.md", "handler.js"):
        yield ClientFile(folder / name, (WholeFile(_template(f"hook/{name}"), shared=True),))
    command = JsonValue(("command",), [*own_command(workspace.caller.env)], shared=True)
    yield ClientFile(
        folder / "clawgit.json",
        (command, JsonValue(("workspaces", here.agent.id), str(workspace.root))),
    )


def _entry(workspace: Workspace) -> dict[str, object]:
    command, *arguments = server_command(workspace)
    return {"command": command, "args": arguments, "cwd": str(workspace.root)}


def _template(name: str) -> str:
    return (resource("templates") / "openclaw" / name).read_text("utf-8")


def _knows_servers(text: str) -> bool:
    """Whether the release that last wrote the config knows `mcp`.

    A config without a release counts as new.
    """
    version = value_at(text, ("meta", "lastTouchedVersion"))
    match = re.match(r"(\d{4})\.(\d+)\.", str(version))
    return match is None or (int(match[1]), int(match[2])) >= _KNOWS_SERVERS


def _not_on_path(workspace: Workspace) -> Iterator[str]:
    if shutil.which("clawgit", path=workspace.caller.env.get("PATH")) is None:
        yield (
            "clawgit is not on PATH, and the skill calls it by name: OpenClaw leaves the skill "
            "out until it is."
        )


def _notes(here: _Here) -> Iterator[str]:
    yield from missing_extra()
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
    if value_at(here.text, ("mcp", "$include")) is not MISSING:
        yield "mcp includes another file; the server is added beside that include."
