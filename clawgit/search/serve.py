"""The process that holds the memory of one workspace open, and answers over a Unix socket."""

import json
import os
import signal
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import date, datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from clawgit.core import NamedTuple
from clawgit.core.disk.failures import explained, keep_bug
from clawgit.core.errors import StorageError, UsageError
from clawgit.git.lock import workspace_lock
from clawgit.git.place import RepoPlace
from clawgit.git.rules.actors import AGENT
from clawgit.safety.masking import cover, cover_of
from clawgit.safety.rules.masks import covered
from clawgit.search.search import Request, SearchAnswer, Searcher
from clawgit.search.serve_client import LONGEST, NAME, by_short_name, may_ask, standpoint
from clawgit.search.shown_hits import note_shown
from clawgit.search.stores.access import Showing
from clawgit.search.vectors_owner import owner_of
from clawgit.talk.context.asking import ContextRequest
from clawgit.talk.context.context import context
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.core.config.settings import Settings

_SAME_TIME = timedelta(minutes=1)
_BACKLOG = 64
"""How many clients may wait for their turn."""

_LOOKS = 0.2
"""Seconds after which a signal is noticed."""

_PATIENCE = 1.0
"""Seconds that a client may take to ask, and to read the answer: meanwhile nobody else is answered.
"""

_NAMED = 40
"""How many characters of the request an error shows."""


class Open:
    """What the service holds open. It answers `search` with the fields of a `Request`, and
    `context` with those of a `ContextRequest`; a question comes with the workspace as it is then.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._owner = owner_of(workspace)
        self._searcher = Searcher(workspace, self._owner)

    def answer(self, op: str, arguments: Mapping[str, object], workspace: Workspace) -> object:
        asked = dict(arguments)
        if op == "search":
            return self._found(Request(**asked), workspace)  # type: ignore[arg-type]  # a client of this version
        if op == "context":
            request = ContextRequest(**asked)  # type: ignore[arg-type]
            return context(workspace, request, searcher=self._searcher)
        raise UsageError(f"{op!r} is not answered here.", hint="It is a command of its own.")

    def _found(self, request: Request, workspace: Workspace) -> SearchAnswer:
        """The answer, noted here, so that the client need not load what opens the state."""
        self._searcher.now = workspace.now
        answer = self._searcher.answer(request)
        shown = [hit._asdict() for hit in answer.results]
        note_shown(workspace, Showing(request.query, request.session, shown))
        return answer

    def close(self) -> None:
        self._searcher.close()
        if self._owner:
            self._owner.close()


class Service(NamedTuple):
    """What a front end provides: the time, how a result becomes JSON, and whom to tell that it is
    ready.
    """

    clock: Callable[[], datetime]
    encoded: Callable[[object], object]
    ready: Callable[[Path], None]
    opened: Callable[[Workspace], Open] = Open


def socket_file(place: RepoPlace) -> Path:
    return place.private / NAME


def serve(workspace: Workspace, service: Service) -> None:
    """Answers until SIGTERM or SIGINT, one question after the other."""
    ended: list[int] = []
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda number, _: ended.append(number))
    with _listening(workspace.place) as door, closing(_Desk(workspace, service)) as desk:
        desk.open(desk.as_it_is())
        door.settimeout(_LOOKS)
        service.ready(socket_file(workspace.place))
        while not ended:
            with suppress(OSError):  # nobody came, or is gone again
                client, _ = door.accept()
                with client:
                    _answer(client, desk)


def _answer(client: socket.socket, desk: "_Desk") -> None:
    """Reads one line and sends one. Whoever is silent is let go."""
    if not may_ask(client):
        return
    line, end = bytearray(), monotonic() + _PATIENCE
    while not line.endswith(b"\n"):
        client.settimeout(max(end - monotonic(), 1e-6))
        piece = client.recv(LONGEST)
        line += piece
        if len(line) > LONGEST:
            return
        if not piece:
            break
    client.settimeout(_PATIENCE)
    client.sendall(json.dumps(desk.said(bytes(line))).encode() + b"\n")


class _Desk:
    """The open answerer; it is reopened if the settings with which it was opened change."""

    def __init__(self, workspace: Workspace, service: Service) -> None:
        self._workspace, self._service = workspace, service
        self._opened_for: tuple[Settings, date] | None = None
        self._answerer: Open | None = None

    def said(self, line: bytes) -> dict[str, object]:
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
            known = explained(error)
            if known is None:
                return self._failed(op, error)
            return {"error": {"kind": known.kind, "message": cover(known.message)}}

    def _result(self, op: str, arguments: Mapping[str, object]) -> object:
        workspace = self.as_it_is()
        encoded = self._service.encoded(self.open(workspace).answer(op, arguments, workspace))
        return covered(encoded, cover_of(workspace))

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

    def as_it_is(self) -> Workspace:
        """The workspace as it is now, with its settings and an open repository."""
        # The client is not the one who started this process, and never counts as the operator.
        caller = self._workspace.caller._replace(now=self._service.clock(), actor=AGENT)
        return Workspace(self._workspace.place, caller)

    def open(self, workspace: Workspace) -> Open:
        standing = workspace.settings, workspace.now.date()
        if self._answerer is None or standing != self._opened_for:
            self.close()
            self._answerer, self._opened_for = self._service.opened(workspace), standing
        return self._answerer

    def close(self) -> None:
        if self._answerer is not None:
            self._answerer.close()
            self._answerer = None


@contextmanager
def _listening(place: RepoPlace) -> Iterator[socket.socket]:
    """The socket, only for its owner; it is removed at the end.

    A second process that listens gets a BusyError that names the first.
    """
    place.private.mkdir(parents=True, exist_ok=True)
    file = socket_file(place)
    with (
        workspace_lock(place.private / "serve.lock", "serving", 0),
        closing(socket.socket(socket.AF_UNIX)) as door,
    ):
        try:
            file.unlink(missing_ok=True)  # a leftover, since we hold the lock
            mask = os.umask(0o177)
            try:
                by_short_name(str(place.private), door.bind)
            finally:
                os.umask(mask)
            door.listen(_BACKLOG)
        except OSError as error:
            raise StorageError(
                f"{file} cannot be made: {error.strerror or error}.", hint="Is its folder writable?"
            ) from error
        try:
            yield door
        finally:
            file.unlink(missing_ok=True)
