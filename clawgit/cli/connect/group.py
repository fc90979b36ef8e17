"""`connect`: connects OpenClaw, Claude Code, Cursor and Codex to clawgit, and disconnects them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from clawgit.cli import output
from clawgit.cli.command import command
from clawgit.cli.opening import workspace
from clawgit.cli.options import dry_run_option, together
from clawgit.cli.output import dim, notes, shown
from clawgit.errors import UsageError
from clawgit.ops.clients import plans
from clawgit.ops.clients.connect import (
    Connected,
    Connection,
    Connections,
    Touched,
    connections,
    disconnect,
)
from clawgit.ops.clients.connect import connect as put_in
from clawgit.ops.clients.plans import ConnectPlan, ConnectRequest
from clawgit.ops.workspace.workspace import Workspace

_MOST_SHOWN = 15
"""How many lines of a new file --dry-run shows. A longer file is copied from the package."""

_NEW_LINE = "\n+"
"""How an added line begins in a diff; the diff's own heading has one as well."""


def state() -> None:
    """The programs that are connected: what `connect` shows when it is called alone."""
    with workspace() as opened:
        listing = Connections(connections(opened))
        output.emit(listing, _connections_text)


_client_options = together(
    dry_run_option,
    click.option(
        "--name", default="", metavar="NAME", help="Name of the server there.  [default: clawgit]"
    ),
    click.option("--remove", is_flag=True, help="Remove it again; what you edited since stays."),
)
_project_option = click.option(
    "--project", metavar="DIR", help="The project whose own config to change."
)


@command("openclaw")
@_client_options
def openclaw(**typed: Any) -> None:
    """Give OpenClaw the skill, the hook and the server.

    Comments and layout of its config stay as they are. The agent is the one that uses this
    workspace.

    Example: clawgit -C ~/.openclaw/workspace connect openclaw --dry-run
    """
    _run(plans.openclaw, **typed)


@command("claude-code")
@_client_options
@_project_option
def claude_code(**typed: Any) -> None:
    """Give Claude Code the MCP server and hooks.

    In the project that --project names, or else in the workspace. The hooks load memory into a new
    session, store the messages, and remind the agent to save what matters before it forgets.

    Example: clawgit connect claude-code --project ~/code/shop
    """
    _run(plans.claude_code, **typed)


@command("cursor")
@_client_options
@_project_option
def cursor(**typed: Any) -> None:
    """Give Cursor the MCP server, for all projects or for one.

    Example: clawgit connect cursor --dry-run
    """
    _run(plans.cursor, **typed)


@command("codex")
@_client_options
@_project_option
def codex(**typed: Any) -> None:
    """Give Codex the MCP server, for all projects or for one.

    Example: clawgit connect codex --dry-run
    """
    _run(plans.codex, **typed)


def _run(
    plan: Callable[[Workspace, ConnectRequest], ConnectPlan], *, name: str, remove: bool,
    dry_run: bool, project: str | None = None,
) -> None:  # fmt: skip
    asked = ConnectRequest(name, _project_folder(project), remove)
    with workspace() as opened:
        change = disconnect if remove else put_in
        output.emit(change(opened, plan(opened, asked), dry_run=dry_run), _connected_text)


def _project_folder(project: str | None) -> Path | None:
    if not project:
        return None
    folder = Path(project).expanduser().absolute()
    if not folder.is_dir():
        raise UsageError(
            f"{folder} is not a folder.", hint="Name the project's folder: --project DIR"
        )
    return folder


def _connected_text(done: Connected) -> str:
    rows = [row for file in done.files for row in _file_rows(file, dry_run=done.dry_run)]
    rows = rows or [f"no change needed for {done.client}"]
    rows += notes(done.notes)
    rows += [] if done.dry_run else [f"next: {shown(step)}" for step in done.steps]
    return "\n".join(rows)


def _file_rows(file: Touched, *, dry_run: bool) -> list[str]:
    if not file.diff:
        return []
    is_new = file.action == "added"
    if not dry_run:
        backup = ""
        if file.backup and not is_new:
            backup = dim(f"  backup: {shown(file.backup)}")
        return [f"{file.action} {shown(file.path)}{backup}"]
    lines = file.diff.count(_NEW_LINE) - 1
    if is_new and lines > _MOST_SHOWN:
        return [f"would add {shown(file.path)}, {lines} lines"]
    return [output.colored_diff(shown(file.diff))]


def _connections_text(listing: Connections) -> str:
    rows = [_connection_text(connection) for connection in listing.connections]
    return "\n".join(rows) or dim("no program is connected to this workspace")


def _connection_text(connection: Connection) -> str:
    where = f" in {shown(str(connection.project))}" if connection.project else ""
    return f"connected: {connection.client}{where}  {dim(shown(connection.command))}"
