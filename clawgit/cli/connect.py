"""`connect`: connects OpenClaw, Claude Code, Cursor and Codex to clawgit, and disconnects them.
`mcp`: what they call.
"""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clawgit import surroundings
from clawgit.cli import output
from clawgit.cli.command import Answer, command, dry_run_option, option
from clawgit.cli.command_table import load
from clawgit.cli.opening import caller, clock, find_start, standard_input, workspace
from clawgit.cli.output import dim, notes
from clawgit.errors import ClawgitError, MissingExtraError, UsageError

if TYPE_CHECKING:
    from clawgit.ops.clients.connect import Connected, Connection, Connections, Touched

_CLIENTS = ("openclaw", "claude-code", "cursor", "codex")
_EVENT = "event"
"""`connect event`: what a hook of Claude Code calls, with its event on standard input. Nothing that
it does not need is loaded: the user waits for it at each prompt."""

_ANSWERS = {
    "SessionStart": "clawgit.ops.clients.turns:started",
    "UserPromptSubmit": "clawgit.ops.clients.events:prompted",
    "Stop": "clawgit.ops.clients.turns:stopped",
}

_MOST_SHOWN = 15
"""How many lines of a new file --dry-run shows. A longer file is copied from the package."""

_NEW_LINE = "\n+"
"""How an added line begins in a diff; the diff's own heading has one as well."""


@command("connect")
@click.argument(
    "client", required=False, type=click.Choice([*_CLIENTS, _EVENT]), metavar="[CLIENT]"
)
@option("--project DIR", "The project whose own config to change.", default=None)
@option("--name NAME", "Name of the server there.  [default: clawgit]")
@option("--remove", "Remove it again; what you edited since stays.")
@dry_run_option
def connect(
    client: str | None, project: str | None, name: str, remove: bool, dry_run: bool
) -> Answer | int:
    """Connect OpenClaw, Claude Code, Cursor or Codex to clawgit.

    CLIENT is openclaw, claude-code, cursor or codex; without it, what is connected is listed. A few
    files are written: --dry-run shows them first, --remove removes them again.

    Example: clawgit connect openclaw --dry-run
    """
    if client == _EVENT:
        return _answer_event()
    if project and client == "openclaw":
        raise UsageError("OpenClaw has no projects.", hint="Leave out --project.")
    folder = _project_folder(project) if project else None
    with workspace() as opened:
        if client is None:
            return load("clawgit.ops.clients.connect:listing")(opened), _connections_text
        asked = load("clawgit.ops.clients.connect:Connection")(client, str(folder or ""), name)
        change = load("clawgit.ops.clients.connect:connect")
        return change(opened, asked, removing=remove, dry_run=dry_run), _connected_text


def _answer_event() -> int:
    """Answers a hook of Claude Code; events that are not known with nothing."""
    try:
        event = load("clawgit.ops.clients.events:event_in")(standard_input())
        where = _ANSWERS.get(str(event.get("hook_event_name")))
        session = f"claude-code:{event.get('session_id') or 'unknown'}"
        with workspace() as opened:
            if where and (answer := load(where)(opened, session, event)):
                output.line(answer)
    except ClawgitError as error:
        # Not the error's own code: with 2, a hook of Claude Code stops the user's message.
        return min(output.fail(error, as_json=False), 1)
    return 0


def _project_folder(project: str) -> Path:
    folder = Path(project).expanduser().absolute()
    if not folder.is_dir():
        raise UsageError(
            f"{folder} is not a folder.", hint="Name the project's folder: --project DIR"
        )
    return folder


def _connected_text(done: "Connected") -> str:
    rows = [_file_text(file, dry_run=done.dry_run) for file in done.files if file.diff]
    rows = rows or [f"no change needed for {done.client}"]
    rows += notes(done.notes)
    rows += [] if done.dry_run else [f"next: {step}" for step in done.steps]
    return "\n".join(rows)


def _file_text(file: "Touched", *, dry_run: bool) -> str:
    is_new = file.action == "added"
    if not dry_run:
        backup = f"  backup: {file.backup}" if file.backup and not is_new else ""
        return f"{file.action} {file.path}{dim(backup)}"
    lines = file.diff.count(_NEW_LINE) - 1
    if is_new and lines > _MOST_SHOWN:
        return f"would add {file.path}, {lines} lines"
    return output.colored_diff(file.diff)


def _connections_text(listing: "Connections") -> str:
    rows = map(_connection_text, listing.connections)
    return "\n".join(rows) or dim("no program is connected to this workspace")


def _connection_text(row: "Connection") -> str:
    where = f" in {row.project}" if row.project else ""
    to_remove = load("clawgit.ops.clients.connect:command_to_remove")(row)
    return f"connected: {row.client}{where}  {dim(to_remove)}"


@command()
def mcp() -> None:
    """Offer this memory to other agents as tools, over MCP.

    An MCP client starts this command and talks over its standard input and output.

    Example: openclaw mcp set clawgit
    '{"command":"clawgit","args":["mcp"],"cwd":"/path/to/workspace"}'
    """
    if not find_spec("mcp"):
        raise MissingExtraError(
            "The MCP server needs the mcp package.", hint="pip install 'clawgit[mcp]'"
        )
    asker = caller()
    start = find_start(asker)
    if sys.stdin.isatty():
        output.note(
            "An agent's MCP client starts this and talks to it here; Ctrl-C ends it. See "
            "docs/mcp.md."
        )
    front = load("clawgit.mcp.worker:Front")(
        start, asker, clock(), output.jsonable, output.keep_bug
    )
    surroundings.look_often()
    load("clawgit.mcp.server:serve_stdio")(front)
