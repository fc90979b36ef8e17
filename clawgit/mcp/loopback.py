"""MCP over HTTP, for this machine alone: bound to 127.0.0.1, with a token, closed to pages of other
hosts.
"""

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

from clawgit.errors import StorageError, UsageError
from clawgit.mcp.desk import Front
from clawgit.mcp.server import Counter, server_of
from clawgit.mcp.stdio import LONGEST

HOST = "127.0.0.1"
PATH = "/mcp"
TOKEN = "CLAWGIT_MCP_TOKEN"  # noqa: S105 - the name of a variable
_FILE = "mcp.token"
_SHORTEST = 16
_LAST_ANSWERS = 5

_Message = MutableMapping[str, Any]
_App = Callable[
    [_Message, Callable[[], Awaitable[_Message]], Callable[[_Message], Awaitable[None]]],
    Awaitable[None],
]


def serve_http(front: Front, folder: Path, port: int, ready: Callable[[str, str], None]) -> None:
    """Answers until SIGTERM or SIGINT. `ready` hears the address, and where the token is to be
    found.
    """
    token, where = token_in(folder, front.caller.env.get(TOKEN, ""))
    with closing(_door(port)) as door:
        bound = int(door.getsockname()[1])
        asyncio.run(
            _serve(front, door, bound, token, lambda: ready(f"http://{HOST}:{bound}{PATH}", where))
        )


def token_in(folder: Path, named: str = "") -> tuple[str, str]:
    """The token, and where it is to be found: what the environment says, else a file that only its
    owner reads, made where it is missing.
    """
    if named:
        if len(named) < _SHORTEST:
            raise UsageError(
                f"{TOKEN} is too short.", hint=f"{_SHORTEST} characters are the least."
            )
        return named, TOKEN
    file = folder / _FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as made:
                made.write(secrets.token_urlsafe(32) + "\n")
        found = file.read_text("utf-8").strip()
    except OSError as error:
        raise StorageError(
            f"{file} cannot be made: {error.strerror or error}.", hint=f"Set {TOKEN}."
        ) from error
    if len(found) < _SHORTEST:
        raise UsageError(f"{file} holds no token.", hint=f"rm '{file}', and another is made.")
    return found, str(file)


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
            max_request_body_size=LONGEST,
        )
        config = uvicorn.Config(
            guarded(app, token), log_config=None, log_level="warning", access_log=False,
            lifespan="on",
            timeout_graceful_shutdown=_LAST_ANSWERS,
        )  # fmt: skip
        server = _Server(config, ready)
        loop = asyncio.get_running_loop()
        for name in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(name, server.end)
        await server.serve([door])


class _Server(uvicorn.Server):
    """Leaves signals to us: by itself it would raise them anew at its end, and so end as one that
    was killed.
    """

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def end(self) -> None:
        self.should_exit = True


def guarded(app: _App, token: str) -> _App:
    """An app that answers only those who bring the token."""
    expected = f"Bearer {token}".encode()

    async def answer(
        scope: _Message,
        receive: Callable[[], Awaitable[_Message]],
        send: Callable[[_Message], Awaitable[None]],
    ) -> None:
        brought = next(
            (value for name, value in scope.get("headers", ()) if name == b"authorization"), b""
        )
        if scope["type"] == "lifespan" or compare_digest(brought, expected):
            await app(scope, receive, send)
            return
        headers = [
            (b"www-authenticate", b'Bearer realm="clawgit"'),
            (b"content-type", b"application/json"),
        ]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        body = (
            b'{"error": {"kind": "unauthorized", "message": "This server wants its token.", '
            b'"hint": "docs/mcp.md"}}'
        )
        await send({"type": "http.response.body", "body": body})

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
