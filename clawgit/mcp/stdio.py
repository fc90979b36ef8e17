"""MCP over standard input and output."""

import asyncio
import os
import signal
import stat

from mcp.server.stdio import stdio_server

from clawgit.errors import UsageError
from clawgit.mcp.server import Counter, server_of
from clawgit.mcp.worker import Front


def serve_stdio(front: Front) -> None:
    """Answers until standard input ends, SIGTERM or SIGINT."""
    for descriptor, name in ((0, "input"), (1, "output")):
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UsageError(
                f"Standard {name} is a file; an MCP client talks over pipes.",
                hint="clawgit mcp --http, or a pipe",
            )
    try:
        asyncio.run(_serve(front))
    except* BrokenPipeError:
        pass  # the client is gone, and what it asked for is done


async def _serve(front: Front) -> None:
    async with Counter(front) as counter, stdio_server() as (heard, says):
        loop = asyncio.get_running_loop()
        for name in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(name, _end, counter)
        server = server_of(counter)
        await server.run(heard, says, server.create_initialization_options())


def _end(counter: Counter) -> None:
    counter.close()
    # The thread that reads waits for the client, and an orderly end would wait for the thread.
    os._exit(0)
