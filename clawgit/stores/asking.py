"""The client's side of a workspace's Unix socket: one line of JSON, and one in answer.

Of sockets only their part in C is loaded: each `memory add` and `memory search` looks here.
"""

from __future__ import annotations

import _socket
import hashlib
import os
import sys
import time
from typing import TYPE_CHECKING

from clawgit import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NAME = "serve.sock"
LONGEST = 256 * 1024
"""Bytes of a question: room for one of 10,000 characters, however they are escaped."""

LONGEST_ANSWER = 32 * 1024 * 1024
"""Bytes of an answer: room for the largest context, however it is escaped. Another program may
listen there and send without end."""

WRITING_PATIENCE = 30.0
"""Seconds: much longer than the process itself waits for another writer."""

_SHORT = 100
"""How many bytes every system accepts as the name of a socket."""
_PAUSE = 0.005
_PIECE = 64 * 1024

_WEIGHTY = ("CLAWGIT_", "OPENCLAW_", "CHROMA_", "XDG_", "HOME", "TZ", "LC_", "LANG")
_GIT = ("GIT_CONFIG", "GIT_AUTHOR", "GIT_COMMITTER")
_FREE = frozenset({"CLAWGIT_WORKSPACE", "CLAWGIT_NOW"})


def standpoint(env: Mapping[str, str], home: str, now: str) -> dict[str, str]:
    """What an answer depends on apart from the question: version, environment and clock."""
    weighty = sorted(
        (name, value)
        for name, value in env.items()
        if (name.startswith(_WEIGHTY) or name.endswith("_API_KEY")) and name not in _FREE
    )
    return {"version": __version__, "environment": _digest([weighty, home]), "now": now}


def git_standpoint(env: Mapping[str, str]) -> str:
    """What else a commit depends on: git's own variables."""
    return _digest(sorted((name, value) for name, value in env.items() if name.startswith(_GIT)))


def _digest(value: object) -> str:
    return hashlib.sha256(repr(value).encode("utf-8", "surrogatepass")).hexdigest()


def may_ask(connection: _socket.socket) -> bool:
    """Whether the other side is our own user, or root.

    True if the system cannot tell: then the mode of the socket has decided.
    """
    if not hasattr(_socket, "SO_PEERCRED"):
        return True
    # Three numbers of 4 bytes: process, user and group.
    credentials = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    return int.from_bytes(credentials[4:8], sys.byteorder) in (os.getuid(), 0)


def ask(folder: str, question: str, patience: float) -> bytes | None:
    """The answer of the process whose socket is in a folder, within this many seconds in all.
    Question and answer are JSON.

    None if nobody was asked; b"" if it ended without an answer, or gave one that is too long, and
    may have done what was asked. TimeoutError if it is too slow: it may still do it.
    """
    deadline = time.monotonic() + patience
    asking = _socket.socket(_socket.AF_UNIX)
    try:
        asking.settimeout(patience)
        try:
            by_short_name(folder, lambda name: _connect(asking, name, deadline))
            if not may_ask(asking):
                return None
        except OSError:
            return None
        try:
            asking.settimeout(_left(deadline))
            asking.sendall(question.encode() + b"\n")
            return _line(asking, deadline)
        except TimeoutError:
            raise
        except OSError:
            return b""
    finally:
        asking.close()


def _line(asking: _socket.socket, deadline: float) -> bytes:
    """The first line that comes in; b"" if none does, or if it is too long."""
    answer = bytearray()
    while len(answer) <= LONGEST_ANSWER:
        asking.settimeout(_left(deadline))
        piece = asking.recv(_PIECE)
        line, end, _ = piece.partition(b"\n")
        answer += line + end
        if end:
            return bytes(answer)
        if not piece:
            break
    return b""


def _left(deadline: float) -> float:
    """The seconds that are left for the next read."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


def _connect(asking: _socket.socket, name: str, deadline: float) -> None:
    """Connects, and waits if many ask at once: a socket with a time limit fails if the queue is
    full.
    """
    while True:
        try:
            asking.connect(name)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(_PAUSE)
        else:
            return


def by_short_name(folder: str, use: Callable[[str], object]) -> None:
    """Calls it with a short enough name of the socket: relative to the opened folder if the path is
    too long.
    """
    path = f"{folder}/{NAME}"
    if len(os.fsencode(path)) <= _SHORT:
        use(path)
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        use(f"/proc/self/fd/{descriptor}/{NAME}")
    finally:
        os.close(descriptor)
