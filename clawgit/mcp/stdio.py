"""MCP over standard input and output: one message per line, and nothing else on standard output."""

import asyncio
import os
import signal
import stat
import sys
from collections.abc import AsyncIterator
from typing import IO, Any

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from clawgit.errors import UsageError
from clawgit.mcp.server import Counter, server_of
from clawgit.mcp.worker import Front

LONGEST = 16 * 1024 * 1024
"""Bytes of one message; a longer one is refused and never parsed."""

_CANCELLED = "notifications/cancelled"
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
    asyncio.run(_serve(front))


async def _serve(front: Front) -> None:
    async with Counter(front) as counter:
        line = await _Line.opened()
        server = server_of(counter)
        async with anyio.create_task_group() as tasks:
            loop = asyncio.get_running_loop()
            for name in (signal.SIGTERM, signal.SIGINT):
                loop.add_signal_handler(name, tasks.cancel_scope.cancel)
            tasks.start_soon(line.read)
            tasks.start_soon(line.write)
            await server.run(line.heard, line.says, server.create_initialization_options())


class _Line:
    """The line to a client as two streams of messages, and the requests that wait for an answer."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._told, self.heard = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        self.says, self._said = anyio.create_memory_object_stream[SessionMessage](0)
        self._owed: set[str | int | None] = set()
        self._paid = asyncio.Event()

    @classmethod
    async def opened(cls) -> "_Line":
        reader = asyncio.StreamReader(LONGEST)
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(os.dup(0), "rb", 0)
        )
        transport, protocol = await loop.connect_write_pipe(
            asyncio.streams.FlowControlMixin, _protocol_only()
        )
        transport.set_write_buffer_limits(0)  # so that drain() returns only after all was written
        return cls(reader, asyncio.StreamWriter(transport, protocol, None, loop))

    async def read(self) -> None:
        async with self._told:
            async for line in _lines(self._reader):
                if line is None:
                    await self._refuse(INVALID_REQUEST, f"a message has at most {LONGEST:,} bytes")
                elif line.strip():
                    await self._take(line)
            # The client sends no more, but may still read: it gets the answers that are due.
            with anyio.move_on_after(_LAST_ANSWERS):
                while self._owed:
                    self._paid.clear()
                    await self._paid.wait()

    async def write(self) -> None:
        async with self._said:
            async for told in self._said:
                message = told.message
                await self._put(message)
                self._settle(getattr(message, "id", None))

    async def _take(self, line: bytes) -> None:
        try:
            message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValidationError as error:
            kinds = {problem["type"] for problem in error.errors(include_input=False)}
            if "json_invalid" in kinds:
                await self._refuse(PARSE_ERROR, "this is not JSON")
            else:
                await self._refuse(INVALID_REQUEST, "this is not a JSON-RPC message")
            return
        if isinstance(message, JSONRPCRequest):
            self._owed.add(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == _CANCELLED:
            # A cancelled request gets no answer, so none is due any more.
            ident = (message.params or {}).get("requestId")
            self._settle(ident if isinstance(ident, (str, int)) else None)
        await self._told.send(SessionMessage(message))

    def _settle(self, ident: str | int | None) -> None:
        self._owed.discard(ident)
        self._paid.set()

    async def _refuse(self, code: int, why: str) -> None:
        await self._put(
            JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=code, message=why))
        )

    async def _put(self, message: Any) -> None:
        """Writes a message. If the client is gone, the reader is told that its input has ended."""
        try:
            self._writer.write(
                message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
            )
            await self._writer.drain()
        except ConnectionError:
            self._reader.feed_eof()
            self._owed.clear()
            self._paid.set()


async def _lines(reader: asyncio.StreamReader) -> AsyncIterator[bytes | None]:
    """Each line, or None for one that was too long and was skipped."""
    is_long = False
    while True:
        try:
            line = await reader.readuntil(b"\n")
        except asyncio.IncompleteReadError as error:
            if error.partial:
                yield None if is_long else error.partial
            return
        except asyncio.LimitOverrunError as error:
            await reader.readexactly(error.consumed)
            is_long = True
            continue
        yield None if is_long else line
        is_long = False


def _protocol_only() -> IO[bytes]:
    """Standard output, for the protocol only.

    Anything else in this process, a library or a child, writes to standard error from now on, and
    reads an empty standard input instead of the client's messages.
    """
    sys.stdout.flush()
    wire = os.fdopen(os.dup(1), "wb", 0)
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return wire
