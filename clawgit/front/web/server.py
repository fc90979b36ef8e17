"""The process behind the page: one address of this machine, one port, one workspace."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from clawgit.core.doors import concurrent
from clawgit.core.errors import ClawgitError, UsageError
from clawgit.front.web.app import Desk
from clawgit.front.web.asking import Asker, Run
from clawgit.front.web.sessions import LONGEST_HEAD, Fence, Sessions

_HOST = "127.0.0.1"
_PATIENCE = 10.0
"""Seconds in which a connection must have sent the next request, or taken some of an answer."""

_MOST_AT_ONCE = 400
_BACKLOG = 128


def serve(
    port: int, run: Run, mark: Callable[[], object], clock: Callable[[], datetime],
    ready: Callable[[Callable[[], str]], None], tell_code: Callable[[str], None] | None,
    keep_bug: Callable[[Exception], ClawgitError],
) -> None:  # fmt: skip
    """Serves the page until it is told to stop. Port 0 takes a free one.

    `run` runs a command; `mark` is another one once the answers of commands may be others.
    `ready` is told how to make a new address, once the server listens.
    """
    with _listening(port) as door, concurrent.futures.ThreadPoolExecutor(1, "page") as worker:
        port = door.getsockname()[1]
        sessions = Sessions(clock)
        desk = Desk(Asker(run, mark), sessions, tell_code, keep_bug, worker)
        hosts = {f"{name}:{port}" for name in (_HOST, "localhost")}
        config = uvicorn.Config(
            Fence(desk.application(), hosts), http=_Patient, ws="none", lifespan="off",
            log_config=None, log_level="critical", access_log=False, server_header=False,
            proxy_headers=False, timeout_keep_alive=5,
            limit_concurrency=_MOST_AT_ONCE + 1, timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=LONGEST_HEAD,
        )  # fmt: skip

        def at_the_terminal() -> str:
            sessions.operator_is_here()
            return f"http://{_HOST}:{port}/in/{sessions.new_address()}"

        ready(at_the_terminal)
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

    _next_look: asyncio.TimerHandle

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > _MOST_AT_ONCE:
            # Those who have said nothing go first, so that nobody keeps others out by silence.
            silent = (each for each in self.connections if getattr(each, "cycle", None) is None)
            goes: Any = next((each for each in silent if each is not self), self)
            self.connections.discard(goes)
            goes.transport.abort()
        self._look_later()

    def connection_lost(self, exc: Exception | None) -> None:
        self._next_look.cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        super().send_400_response(msg)
        if self.cycle is not None:
            # The rest of a request was wrong, while it was answered: nothing can be said any more.
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def _look_later(self) -> None:
        self._next_look = self.loop.call_later(_PATIENCE, self._look, *self._standing())

    def _standing(self) -> tuple[object, bool, int]:
        """The request, whether it is being answered, and how much of the answer nobody took yet."""
        cycle: RequestResponseCycle | None = self.cycle
        is_answering = cycle is not None and not cycle.response_complete
        return cycle, is_answering, self.transport.get_write_buffer_size()

    def _look(self, cycle: object, was_answering: bool, untaken: int) -> None:
        now, is_answering, left = self._standing()
        # To make an answer may take long; to send a request, or to take an answer, may not.
        is_made = (is_answering and not left) or (now, is_answering) != (cycle, was_answering)
        if is_made or 0 < left < untaken:
            self._look_later()
        else:
            self.transport.abort()
