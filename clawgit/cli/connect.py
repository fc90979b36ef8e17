"""`connect`: connects OpenClaw, Claude Code, Cursor and Codex to clawgit, and disconnects them."""

from typing import Any

import click

from clawgit.cli import output
from clawgit.cli.command import command, dry_run_option
from clawgit.cli.loading import load
from clawgit.cli.opening import standard_input, workspace
from clawgit.errors import ClawgitError

_CLIENTS = ("openclaw", "claude-code", "cursor", "codex")
_EVENT = "event"
"""`connect event`: what a hook of Claude Code calls, with its event on standard input."""


@command("connect")
@click.argument(
    "client", required=False, type=click.Choice([*_CLIENTS, _EVENT]), metavar="[CLIENT]"
)
@click.option("--project", metavar="DIR", help="The project whose own config to change.")
@click.option(
    "--name", default="", metavar="NAME", help="Name of the server there.  [default: clawgit]"
)
@click.option("--remove", is_flag=True, help="Remove it again; what you edited since stays.")
@dry_run_option
def connect(**typed: Any) -> int:
    """Connect OpenClaw, Claude Code, Cursor or Codex to clawgit.

    CLIENT is openclaw, claude-code, cursor or codex; without it, what is connected is listed. A few
    files are written: --dry-run shows them first, --remove removes them again.

    Example: clawgit connect openclaw --dry-run
    """
    if typed["client"] == _EVENT:
        return _answer_event()
    load("connecting:connect")(load("connecting:Typed")(**typed))
    return 0


def _answer_event() -> int:
    try:
        hook_event = load("clawgit.ops.clients.connect_events:event_in")(standard_input())
        with workspace() as opened:
            if answer := load("clawgit.ops.clients.connect_events:answer_to")(opened, hook_event):
                output.line(answer)
    except ClawgitError as error:
        # Not the error's own code: with 2, a hook of Claude Code stops the user's message.
        return min(output.fail(error, as_json=False), 1)
    return 0
