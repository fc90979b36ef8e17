"""`connect`: connects OpenClaw, Claude Code, Cursor and Codex to clawgit, and disconnects them."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from clawgit.cli import output
from clawgit.cli.command import command
from clawgit.cli.given import options
from clawgit.cli.opening import workspace
from clawgit.cli.options import dry_run_option, together
from clawgit.cli.output import dim, notes, shown
from clawgit.errors import UsageError
from clawgit.ops.clients import connect_model as models
from clawgit.ops.clients.connect import Connected, ConnectPlan, Touched, disconnect
from clawgit.ops.clients.connect import connect as put_in
from clawgit.ops.clients.connect_clients import ConnectRequest
from clawgit.ops.clients.connect_clients import claude_code as plan_claude_code
from clawgit.ops.clients.connect_clients import codex as plan_codex
from clawgit.ops.clients.connect_clients import cursor as plan_cursor
from clawgit.ops.clients.connect_openclaw import plan as plan_openclaw
from clawgit.ops.clients.connections import Connection, Connections, connections
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
    click.option(
        "--model", default="", metavar="NAME", help="The language model for the agents, or `none`."
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
    _run(plan_openclaw, **typed)


@command("claude-code")
@_client_options
@_project_option
def claude_code(**typed: Any) -> None:
    """Give Claude Code the MCP server and hooks.

    In the project that --project names, or else in the workspace. The hooks load memory into a new
    session, store the messages, and remind the agent to save what matters before it forgets.

    Example: clawgit connect claude-code --project ~/code/shop
    """
    _run(plan_claude_code, **typed)


@command("cursor")
@_client_options
@_project_option
def cursor(**typed: Any) -> None:
    """Give Cursor the MCP server, for all projects or for one.

    Example: clawgit connect cursor --dry-run
    """
    _run(plan_cursor, **typed)


@command("codex")
@_client_options
@_project_option
def codex(**typed: Any) -> None:
    """Give Codex the MCP server, for all projects or for one.

    Example: clawgit connect codex --dry-run
    """
    _run(plan_codex, **typed)


def _run(
    plan: Callable[[Workspace, ConnectRequest], ConnectPlan], *, name: str, model: str,
    remove: bool, dry_run: bool, project: str | None = None,
) -> None:  # fmt: skip

    if remove and model:
        raise UsageError("--remove removes the model as well.", hint="Leave out --model.")
    folder = _project_folder(project)
    with workspace() as opened:
        if remove:
            planned = plan(opened, ConnectRequest(name, folder, remove))
            done = disconnect(opened, planned, dry_run=dry_run)
            done = models.without_model(opened, done, dry_run=dry_run)
        else:
            chosen = _chosen_model(opened, model, dry_run=dry_run)
            planned = plan(opened, ConnectRequest(name, folder, remove))
            done = put_in(opened, planned, dry_run=dry_run)
            if chosen:
                done = models.with_model(opened, done, chosen, dry_run=dry_run)
        output.emit(done, _connected_text)


def _project_folder(project: str | None) -> Path | None:
    if not project:
        return None
    folder = Path(project).expanduser().absolute()
    if not folder.is_dir():
        raise UsageError(
            f"{folder} is not a folder.", hint="Name the project's folder: --project DIR"
        )
    return folder


def _chosen_model(opened: Workspace, named: str, *, dry_run: bool) -> str:
    """The model that --model names, else the one the user picks; "" for none."""
    if named == models.NONE:
        return ""
    if named:
        models.refuse_model(opened, named)
        return named
    if dry_run or options().as_json or not sys.stdin.isatty():
        return ""
    offered = models.offer(opened)
    return _picked(offered) if offered else ""


def _picked(offered: models.ModelOffer) -> str:
    """Asks at the terminal which model to use; anything but a number of the list means none."""
    output.line(
        "A language model is available. The agents would send it messages, and check each answer "
        "against them:"
    )
    for number, model in enumerate(offered.models, 1):
        output.line(f"  {number}  {shown(model.model)}  {dim(shown(model.what))}")
    limit = f"at most {offered.daily_tokens:,} tokens a day"
    choice = click.prompt(
        f"Use one, {limit}? Its number, or Enter for none", default="", show_default=False
    )
    number = int(choice) if choice.isdecimal() else 0
    if not 1 <= number <= len(offered.models):
        return ""
    return offered.models[number - 1].model


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
