"""The process behind the page: one address of this machine, one port, one workspace."""

import asyncio
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from clawgit.doors import concurrent
from clawgit.errors import UsageError
from clawgit.web.app import Site, application
from clawgit.web.asking import Asker, Run
from clawgit.web.fence import Fence
from clawgit.web.sessions import Sessions

_HOST = "127.0.0.1"
_NAMES = ("127.0.0.1", "localhost")
_PATIENCE = 10.0
"""Seconds in which a connection must have sent the next request, or taken some of an answer."""

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
        hosts = {f"{name}:{port}" for name in _NAMES}
        app = Fence(application(site, worker), hosts)
        config = uvicorn.Config(
            app, http=_Patient, ws="none", lifespan="off", log_config=None, log_level="critical",
            access_log=False, server_header=False, proxy_headers=False, timeout_keep_alive=5,
            limit_concurrency=_MOST_AT_ONCE, timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=_LONGEST_HEAD,
        )  # fmt: skip

        def at_the_terminal() -> str:
            sessions.operator_is_here()
            return f"http://{_HOST}:{port}/in/{sessions.new_address()}"

        front.ready(at_the_terminal)
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
    """A connection on which nothing moves is closed: uvicorn itself waits for as long as it takes
    for a head, for the rest of a body that nobody read, and for a reader who reads nothing.
    """

    _end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) >= _MOST_AT_ONCE:
            # Those who have said nothing go first, so that nobody keeps others out by silence.
            silent = (each for each in self.connections if getattr(each, "cycle", None) is None)
            next((each for each in silent if each is not self), self).transport.abort()
        self._wait()

    def on_response_complete(self) -> None:
        self._wait()
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._wait()

    def _wait(self) -> None:
        if self._end:
            self._end.cancel()
        untaken = self.transport.get_write_buffer_size()
        self._end = self.loop.call_later(_PATIENCE, self._close_if_still, self.cycle, untaken)

    def _close_if_still(self, last: object, untaken: int) -> None:
        """An answer may take long to be made; what is around it may not."""
        left = self.transport.get_write_buffer_size()
        if self.cycle is not last or (self._is_answering() and not left):
            return
        if 0 < left < untaken:
            self._wait()
        else:
            self.transport.abort()

    def _is_answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete
