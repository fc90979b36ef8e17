"""`clawgit mcp`."""

import sys
from importlib.util import find_spec

from clawgit import garbage
from clawgit.cli import output
from clawgit.cli.command import command
from clawgit.cli.loading import load
from clawgit.cli.opening import caller, clock, find_start
from clawgit.errors import MissingExtraError


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
    garbage.look_often()
    load("clawgit.mcp.server:serve_stdio")(front)
