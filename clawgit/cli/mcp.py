"""`clawgit mcp`."""

import sys
from importlib.util import find_spec

import click

from clawgit import garbage
from clawgit.cli import output
from clawgit.cli.command import command
from clawgit.cli.loading import load
from clawgit.cli.opening import caller, clock, find_start, workspace
from clawgit.errors import MissingExtraError
from clawgit.mcp.worker import Front

_PORT = 7420


@command()
@click.option(
    "--http", "over_http", is_flag=True, help="Listen on 127.0.0.1 instead of standard input."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=_PORT,
    show_default=True,
    help="The port for --http; 0 takes a free one.",
)
def mcp(over_http: bool, port: int) -> None:
    """Offer this memory to other agents as tools, over MCP.

    An MCP client starts this command and talks over its standard input and output. With --http it
    listens on a port instead, and asks for a token: that of CLAWGIT_MCP_TOKEN, or else that of the
    file that it names at its start.

    Example: openclaw mcp set clawgit
    '{"command":"clawgit","args":["mcp"],"cwd":"/path/to/workspace"}'
    """
    if not find_spec("mcp"):
        raise MissingExtraError(
            "The MCP server needs the mcp package.", hint="pip install 'clawgit[mcp]'"
        )
    asker = caller()
    front = Front(find_start(asker), asker, clock(), output.jsonable, output.keep_bug)
    garbage.look_often()
    if over_http:
        with workspace() as ws:
            # Not in `.git`: whoever prepared that would know the token.
            copies = load("clawgit.stores.state_copies:repository_copies")
            folder = copies(ws.place, asker.env, asker.home).folder
        load("clawgit.mcp.loopback:serve_http")(front, folder, port, _listening)
        return
    if sys.stdin.isatty():
        output.note(
            "An agent's MCP client starts this and talks to it here; Ctrl-C ends it. See "
            "docs/mcp.md."
        )
    load("clawgit.mcp.stdio:serve_stdio")(front)


def _listening(address: str, where: str) -> None:
    output.note(f"answering on {address}, with the token from {where}; Ctrl-C ends it")
