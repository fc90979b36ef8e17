"""The process that holds the memory of one workspace open, answers over a socket, and writes."""

import asyncio
import json
import signal
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from clawgit.domain.change.actors import AGENT
from clawgit.domain.safety.masks import covered
from clawgit.errors import ClawgitError
from clawgit.ops.safety.masking import cover, cover_of
from clawgit.ops.search.serve_client import standpoint
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.asking import LONGEST, may_ask
from clawgit.stores.bugs import keep_bug
from clawgit.stores.failures import explained
from clawgit.stores.unixsocket import BACKLOG, listening, socket_file

if TYPE_CHECKING:
    from clawgit.config.settings import Settings

_SAME_TIME = timedelta(minutes=1)
_MOST_CLIENTS = 64
_AT_ONCE = 8
"""How many clients are accepted before the loop serves others. Clients over the limit are closed
some rounds later. Until then each has a file open, and some systems allow only 256."""
_NAMED = 40
"""How many characters of the request an error shows."""

_PATIENCE = 1.0
"""Seconds to wait for another writer, since meanwhile nobody is answered. After that the client
waits."""
_IDLE_SECONDS, _UNREAD_SECONDS = 60.0, 5.0
"""How long a client may be silent before its connection is closed, and how long it may leave an
answer unread."""


class Answerer(Protocol):
    """What the service holds open.

    A question comes with the workspace as it is then. `freshen` is called each second.
    """

    def answer(self, op: str, arguments: Mapping[str, object], workspace: Workspace) -> object: ...

    def freshen(self) -> None: ...

    def close(self) -> None: ...


class Service(NamedTuple):
    """What a front end provides: how to open, the time, how a result becomes JSON, and whom to tell
    that it is ready.
    """

    opened: Callable[[Workspace], Answerer]
    clock: Callable[[], datetime]
    encoded: Callable[[object], object]
    ready: Callable[[Path], None]
    freshen_seconds: float = 1.0


def serve(workspace: Workspace, service: Service) -> None:
    """Answers until SIGTERM or SIGINT, one question after the other."""
    with listening(workspace.place) as door:
        asyncio.run(_Desk(workspace, service).work(door))


class _Desk:
    """The open answerer; it is reopened if the settings with which it was opened change."""

    def __init__(self, workspace: Workspace, service: Service) -> None:
        self._workspace, self._service = workspace, service
        self._opened_for: tuple[Settings, date] | None = None
        self._answerer: Answerer | None = None
        self._clients: dict[asyncio.StreamWriter, None] = {}

    async def work(self, door: socket.socket) -> None:
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        for name in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(name, ended.set)
        server = await asyncio.start_unix_server(
            self._client, sock=door, limit=LONGEST, backlog=_AT_ONCE
        )
        # The event loop used `_AT_ONCE` as the length of the queue too, so it is set again.
        door.listen(BACKLOG)
        try:
            self._open(self._as_it_is())
            self._service.ready(socket_file(self._workspace.place))
            while not ended.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(ended.wait(), self._service.freshen_seconds)
                # An error now may be gone in a second; if not, each answer reports it.
                with suppress(ClawgitError):
                    self._open(self._as_it_is()).freshen()
        finally:
            server.close()
            self._close()

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._let_in(writer)
        try:
            if may_ask(writer.get_extra_info("socket")):
                while line := await asyncio.wait_for(reader.readline(), _IDLE_SECONDS):
                    self._let_in(writer)
                    writer.write(json.dumps(self._said(line)).encode() + b"\n")
                    await asyncio.wait_for(writer.drain(), _UNREAD_SECONDS)
        except TimeoutError:
            writer.transport.abort()  # `close` would wait until the last answer is read
        except (ConnectionError, ValueError, asyncio.CancelledError):
            pass  # gone, a line beyond the limit, or the service ends
        finally:
            self._clients.pop(writer, None)
            writer.close()

    def _let_in(self, writer: asyncio.StreamWriter) -> None:
        """Records that a client asked.

        If there are too many, the one silent for longest is closed. Each has a file open, and a
        process may have a thousand: with none left, it could not read the memory.
        """
        self._clients.pop(writer, None)
        self._clients[writer] = None
        if len(self._clients) > _MOST_CLIENTS:
            silent = next(iter(self._clients))
            del self._clients[silent]
            silent.transport.abort()

    def _said(self, line: bytes) -> dict[str, object]:
        try:
            asked = json.loads(line)
            op, arguments = asked["op"], dict(asked["arguments"])
            declined = self._declined(asked)
        except (ValueError, KeyError, TypeError, RecursionError):
            return {"error": {"kind": "usage", "message": "not a question"}}
        if declined:
            return {"error": {"kind": "declined", "message": declined}}
        try:
            return {"result": self._result(op, arguments)}
        except Exception as error:  # noqa: BLE001 - whoever asks sends what he likes
            known = explained(error) if isinstance(error, (ClawgitError, OSError)) else None
            if known is None:
                return self._failed(op, error)
            return {"error": {"kind": known.kind, "message": cover(known.message)}}

    def _result(self, op: str, arguments: Mapping[str, object]) -> object:
        workspace = self._as_it_is()
        made = self._open(workspace).answer(op, arguments, workspace)
        encoded = self._service.encoded(made)
        return covered(encoded, cover_of(workspace, encoded))

    def _failed(self, op: object, error: Exception) -> dict[str, object]:
        """The answer for an unexpected error: arguments of wrong types, or a bug of ours.

        Its traceback goes to the log, not to the terminal, which is the operator's.
        """
        caller = self._workspace.caller
        keep_bug(error, caller.env, caller.home)
        message = f"{str(op)[:_NAMED]!r} could not be answered: {type(error).__name__}"
        return {"error": {"kind": "usage", "message": cover(message)}}

    def _declined(self, asked: Mapping[str, str]) -> str:
        """Why a client must do the work itself: its environment may give another answer; else
        "".
        """
        ours = standpoint(self._workspace.caller._replace(now=self._service.clock()))
        other = next((name for name in ("version", "environment") if asked[name] != ours[name]), "")
        if other:
            return f"another {other}"
        apart = abs(datetime.fromisoformat(asked["now"]) - datetime.fromisoformat(ours["now"]))
        return "another time" if apart > _SAME_TIME else ""

    def _as_it_is(self) -> Workspace:
        """The workspace as it is now, with its settings and an open repository."""
        # The client is not the one who started this process, and never counts as the operator.
        caller = self._workspace.caller._replace(now=self._service.clock(), actor=AGENT)
        return Workspace(self._workspace.place, caller, patience=_PATIENCE)

    def _open(self, workspace: Workspace) -> Answerer:
        standing = workspace.config.settings, workspace.now.date()
        if self._answerer is None or standing != self._opened_for:
            self._close()
            self._answerer, self._opened_for = self._service.opened(workspace), standing
        return self._answerer

    def _close(self) -> None:
        if self._answerer is not None:
            self._answerer.close()
            self._answerer = None
