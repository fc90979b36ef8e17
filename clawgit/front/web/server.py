"""The process behind the page: one address of this machine, one port, one workspace."""

import socket
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

import uvicorn

from clawgit.core.doors import concurrent
from clawgit.core.errors import ClawgitError, UsageError
from clawgit.front.web.app import Desk
from clawgit.front.web.asking import Asker, Run
from clawgit.front.web.sessions import Fence, Sessions

_HOST = "127.0.0.1"


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
            Fence(desk.application(), hosts), http="h11", ws="none", lifespan="off",
            log_config=None, log_level="critical", access_log=False, server_header=False,
            proxy_headers=False, timeout_keep_alive=5,
            timeout_graceful_shutdown=1,
        )  # fmt: skip

        def at_the_terminal() -> str:
            sessions.operator_is_here()
            return f"http://{_HOST}:{port}/in/{sessions.new_address()}"

        ready(at_the_terminal)
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run([door])


def _listening(port: int) -> socket.socket:
    """It listens before anybody is told the address."""
    try:
        return socket.create_server((_HOST, port))
    except OSError as error:
        raise UsageError(
            f"Port {port} cannot be used: {error.strerror}.", hint="clawgit page --port 0"
        ) from error
