"""MCP over HTTP, only for this machine: on 127.0.0.1, with a token, closed to other origins."""

import asyncio
import os
import secrets
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import closing, contextmanager, suppress
from hmac import compare_digest
from pathlib import Path
from typing import Any

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from uvicorn.protocols.http.h11_impl import H11Protocol

from clawgit.errors import StorageError, UsageError
from clawgit.mcp.server import Counter, server_of
from clawgit.mcp.worker import Front

HOST = "127.0.0.1"
PATH = "/mcp"
TOKEN = "CLAWGIT_MCP_TOKEN"  # noqa: S105 - the name of a variable
_FILE = "mcp.token"
_SHORTEST = 16
"""Characters of a token; a shorter one could be guessed."""

_LONGEST = 16 * 1024 * 1024
"""Bytes of one message; a longer one is refused and never parsed."""

_LAST_ANSWERS = 5
"""Seconds for answers in progress when the server is stopped."""

_TOKEN_SECONDS = 10.0
"""How long a connection may be open without having shown the token."""

_MOST_STRANGERS = 64
_AT_ONCE = 8
_BACKLOG = 64
"""How many connections may have shown no token, are accepted before others are served, and wait. A
process may have a thousand files open, and some systems allow only 256."""

_REFUSAL_HEADERS = [
    (b"www-authenticate", b'Bearer realm="clawgit"'),
    (b"content-type", b"application/json"),
]
_REFUSAL = (
    b'{"error": {"kind": "unauthorized", "message": "This server needs its token.", '
    b'"hint": "docs/mcp.md"}}'
)

_Message = MutableMapping[str, Any]
_App = Callable[
    [_Message, Callable[[], Awaitable[_Message]], Callable[[_Message], Awaitable[None]]],
    Awaitable[None],
]


def serve_http(front: Front, folder: Path, port: int, ready: Callable[[str, str], None]) -> None:
    """Answers until SIGTERM or SIGINT. `ready` gets the address, and where the token is."""
    token, where = token_in(folder, front.caller.env.get(TOKEN, ""))
    with closing(_door(port)) as door:
        bound = int(door.getsockname()[1])
        asyncio.run(
            _serve(front, door, bound, token, lambda: ready(f"http://{HOST}:{bound}{PATH}", where))
        )


def token_in(folder: Path, named: str = "") -> tuple[str, str]:
    """The token, and where it is: in the environment, else in a file that only its owner can read.

    The file is made if it is missing.
    """
    if named:
        if len(named) < _SHORTEST:
            raise UsageError(f"{TOKEN} is too short.", hint=f"Use at least {_SHORTEST} characters.")
        return named, TOKEN
    file = folder / _FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # O_EXCL: of two servers that start together, one makes the token and both read it.
        with suppress(FileExistsError):
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as made:
                made.write(secrets.token_urlsafe(32) + "\n")
        token = file.read_text("utf-8").strip()
    except OSError as error:
        raise StorageError(
            f"{file} cannot be made: {error.strerror or error}.", hint=f"Set {TOKEN}."
        ) from error
    if len(token) < _SHORTEST:
        raise UsageError(
            f"{file} has no token in it.", hint=f"rm '{file}', and start again: a new one is made."
        )
    return token, str(file)


async def _serve(
    front: Front, door: socket.socket, port: int, token: str, ready: Callable[[], None]
) -> None:
    hosts = [f"{name}:{port}" for name in (HOST, "localhost")]
    guard = TransportSecuritySettings(
        allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
    )
    async with Counter(front) as counter:
        app = server_of(counter).streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,
            transport_security=guard,
            max_request_body_size=_LONGEST,
        )
        config = uvicorn.Config(
            guarded(app, token),
            log_config=None,
            log_level="warning",
            access_log=False,
            lifespan="on",
            http=_Connection,
            backlog=_AT_ONCE,
            # Any web page may open a WebSocket to us, and none speaks MCP.
            ws="none",
            # No proxy stands before us, so nobody's word on where a request comes from counts.
            proxy_headers=False,
            timeout_graceful_shutdown=_LAST_ANSWERS,
        )
        server = _Server(config, ready)
        loop = asyncio.get_running_loop()
        for name in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(name, server.end)
        await server.serve([door])


class _Connection(H11Protocol):
    """A connection, closed unless it shows the token in time; of too many that have not, the
    oldest goes. Else whoever can connect could use up the files that this process may have open.
    """

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.app_state = {**self.app_state, "connection": self}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.deadline = self.loop.call_later(_TOKEN_SECONDS, transport.abort)
        ours = (one for one in self.connections if isinstance(one, _Connection))
        strangers = [one for one in ours if not one.deadline.cancelled()]
        if len(strangers) > _MOST_STRANGERS:
            oldest = min(strangers, key=lambda one: one.deadline.when())
            oldest.deadline.cancel()
            oldest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.deadline.cancel()
        super().connection_lost(exc)


class _Server(uvicorn.Server):
    """A server that leaves signals to us.

    uvicorn would raise the signal again at its end, and the process would count as killed.
    """

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        # The event loop used `_AT_ONCE` as the length of the queue too, so it is set again.
        for door in sockets or ():
            door.listen(_BACKLOG)
        self._ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def end(self) -> None:
        self.should_exit = True


def guarded(app: _App, token: str) -> _App:
    """The app behind a check for the token; a request without it gets 401."""
    expected = f"Bearer {token}".encode()

    async def answer(
        scope: _Message,
        receive: Callable[[], Awaitable[_Message]],
        send: Callable[[_Message], Awaitable[None]],
    ) -> None:
        headers = dict(reversed(scope.get("headers", ())))  # of several, the first one counts
        given = headers.get(b"authorization", b"")
        if scope["type"] == "lifespan":
            await app(scope, receive, send)
            return
        if compare_digest(given, expected):
            scope["state"]["connection"].deadline.cancel()
            await app(scope, receive, send)
            return
        refusal = {"type": "http.response.start", "status": 401, "headers": _REFUSAL_HEADERS}
        await send(refusal)
        await send({"type": "http.response.body", "body": _REFUSAL})

    return answer


def _door(port: int) -> socket.socket:
    door = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((HOST, port))
    except OSError as error:
        door.close()
        raise UsageError(
            f"Port {port} is taken: {error.strerror or error}.", hint="--port 0 takes a free one."
        ) from error
    door.listen()
    return door
