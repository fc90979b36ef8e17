"""The process behind the page: one address of this machine, one port, one workspace."""

import asyncio
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from clawgit.doors import concurrent
from clawgit.errors import UsageError
from clawgit.web.app import Site, application
from clawgit.web.asking import Asker, Run
from clawgit.web.fence import Fence
from clawgit.web.sessions import Sessions

_HOST = "127.0.0.1"
_NAMES = ("127.0.0.1", "localhost")
_PATIENCE = 10.0
"""Seconds in which a connection must have sent the head of a request."""

_MOST_AT_ONCE = 400
_LONGEST_HEAD = 16 * 1024
_BACKLOG = 128


class Front(NamedTuple):
    """What the command line passes in.

    `run` runs a command. `ready` is told how to make a new address, once the server listens.
    `tell_code` shows a code on its terminal; None for a page that only reads.
    """

    run: Run
    clock: Callable[[], datetime]
    ready: Callable[[Callable[[], str]], None]
    tell_code: Callable[[str], None] | None
    keep_bug: Callable[[Exception], str]


def serve(front: Front, port: int) -> None:
    """Serves the page until it is told to stop. Port 0 takes a free one."""
    with _listening(port) as door, concurrent.futures.ThreadPoolExecutor(1, "page") as worker:
        port = door.getsockname()[1]
        sessions = Sessions(front.clock)
        site = Site(
            secrets.token_urlsafe(16), Asker(front.run), sessions, front.clock, front.tell_code,
            front.keep_bug,
        )  # fmt: skip
        app = Fence(application(site, worker), {f"{name}:{port}" for name in _NAMES})
        config = uvicorn.Config(
            app, http=_Patient, ws="none", lifespan="off", log_config=None, access_log=False,
            server_header=False, proxy_headers=False, limit_concurrency=_MOST_AT_ONCE,
            timeout_keep_alive=5, timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=_LONGEST_HEAD,
        )  # fmt: skip
        front.ready(lambda: f"http://{_HOST}:{port}/in/{sessions.new_address()}")
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run([door])


def _listening(port: int) -> socket.socket:
    door = socket.socket(socket.AF_INET)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((_HOST, port))
        door.listen(_BACKLOG)  # before anybody is told the address
    except OSError as error:
        door.close()
        raise UsageError(
            f"Port {port} cannot be used: {error.strerror}.", hint="clawgit page --port 0"
        ) from error
    return door


class _Patient(H11Protocol):
    """A connection that says nothing is closed. uvicorn itself waits for as long as it takes."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(_PATIENCE, self._close_if_silent)

    def _close_if_silent(self) -> None:
        if getattr(self, "cycle", None) is None:
            self.transport.abort()
