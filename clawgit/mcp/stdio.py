"""MCP over standard input and output."""

import asyncio
import os
import signal
import stat
from typing import Any

import anyio
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest

from clawgit.errors import UsageError
from clawgit.mcp.server import Counter, server_of
from clawgit.mcp.worker import Front

_LAST_ANSWERS = 10.0
"""Seconds for the answers that are still due when the client closes its end."""


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
        server, due = server_of(counter), _Due()
        into, asked = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        told, answers = anyio.create_memory_object_stream[SessionMessage](0)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(due.hear, heard, into)
            tasks.start_soon(due.say, answers, says)
            await server.run(asked, told, server.create_initialization_options())


class _Due:
    """The requests that wait for an answer.

    The library drops them where its input ends; so it is told of the end when they are answered. A
    client that sends no more may still read, and what it asked for may be written already.
    """

    def __init__(self) -> None:
        self._due = set[Any]()
        self._fewer = asyncio.Event()

    async def hear(self, heard: Any, into: Any) -> None:
        async with into:
            async for item in heard:
                message = getattr(item, "message", None)
                if isinstance(message, JSONRPCRequest):
                    self._due.add(message.id)
                await into.send(item)
            with anyio.move_on_after(_LAST_ANSWERS):
                while self._due:
                    self._fewer.clear()
                    await self._fewer.wait()

    async def say(self, answers: Any, says: Any) -> None:
        async with says:
            async for item in answers:
                await says.send(item)
                self._due.discard(getattr(item.message, "id", None))
                self._fewer.set()


def _end(counter: Counter) -> None:
    counter.close()
    # The thread that reads waits for the client, and an orderly end would wait for the thread.
    os._exit(0)
