"""The Unix socket of a workspace: a process listens, others ask in one line of JSON."""

import os
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from clawgit.errors import StorageError
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.git.place import RepoPlace

LONGEST = 256 * 1024
"""Bytes of a question: room for one of 10,000 characters, however they are escaped."""

BACKLOG = 64
"""Clients that may wait to be let in."""

_PAUSE = 0.005
_NAME = "serve.sock"
_SHORT = 100
"""Bytes that every system takes as the name of a socket."""


def socket_file(place: RepoPlace) -> Path:
    return place.private / _NAME


@contextmanager
def listening(place: RepoPlace) -> Iterator[socket.socket]:
    """The socket, for its owner alone; gone at the end.

    The second one to listen gets a BusyError that names the first.
    """
    place.private.mkdir(parents=True, exist_ok=True)
    with (
        workspace_lock(place.private / "serve.lock", "serving", 0),
        closing(_made(place)) as server,
    ):
        try:
            yield server
        finally:
            socket_file(place).unlink(missing_ok=True)


def may_ask(connection: socket.socket) -> bool:
    """Whether the other side is the user that we run as, or root.

    Where the system does not tell, the mode decided.
    """
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    credentials = connection.getsockopt(
        socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")
    )
    return struct.unpack("3i", credentials)[1] in (os.getuid(), 0)


def ask(place: RepoPlace, question: bytes, patience: float) -> bytes | None:
    """The answer of the process that listens.

    None if nobody was asked; b"" if it has gone without an answer, and may have done what was
    asked. TimeoutError if it takes too long: it may do it yet.
    """
    with closing(socket.socket(socket.AF_UNIX)) as asking:
        asking.settimeout(patience)
        try:
            with _named(place) as name:
                _connect(asking, name, patience)
            if not may_ask(asking):
                return None
        except OSError:
            return None
        try:
            asking.sendall(question + b"\n")
            with asking.makefile("rb") as reading:
                answer = reading.readline()
        except TimeoutError:
            raise
        except OSError:
            return b""
        return answer if answer.endswith(b"\n") else b""


def _connect(asking: socket.socket, name: str, patience: float) -> None:
    """Waits where many ask at once: a socket with a time limit fails where the queue is full."""
    deadline = time.monotonic() + patience
    while True:
        try:
            asking.connect(name)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(_PAUSE)
        else:
            return


def _made(place: RepoPlace) -> socket.socket:
    """Holding the lock, a socket that lies there is nobody's."""
    made = socket.socket(socket.AF_UNIX)
    try:
        socket_file(place).unlink(missing_ok=True)
        with _named(place) as name:
            mask = os.umask(0o177)
            try:
                made.bind(name)
            finally:
                os.umask(mask)
        made.listen(BACKLOG)
    except OSError as error:
        made.close()
        raise StorageError(
            f"{socket_file(place)} cannot be made: {error.strerror or error}.",
            hint="Is its folder writable?",
        ) from error
    return made


@contextmanager
def _named(place: RepoPlace) -> Iterator[str]:
    """A name that is short enough, by way of the open folder where the path itself is not."""
    path = str(socket_file(place))
    if len(os.fsencode(path)) <= _SHORT:
        yield path
        return
    folder = os.open(place.private, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{_NAME}"
    finally:
        os.close(folder)
