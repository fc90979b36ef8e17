"""The Unix socket of a workspace, as a client meets it: one line of JSON, and one in answer.

A client may be a command that does nothing else, so little is loaded here.
"""

import json
import os
import socket
import struct
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from hashlib import sha256
from typing import NamedTuple

from clawgit import __version__

NAME = "serve.sock"
LONGEST = 256 * 1024
"""Bytes of a question: room for one of 10,000 characters, however they are escaped."""

LONGEST_ANSWER = 32 * 1024 * 1024
"""Bytes of an answer: room for the largest context, however it is escaped. Whatever listens there
may be no service of ours, and send without end."""

TEXT, JSON = "text", "json"
"""In what shape an answer is printed."""

WRITING_PATIENCE = 30.0
"""Seconds: much longer than the process itself waits for another writer."""

_SHORT = 100
"""Bytes that every system takes as the name of a socket."""
_PAUSE = 0.005
_PIECE = 64 * 1024

_WEIGHTY = ("CLAWGIT_", "OPENCLAW_", "CHROMA_", "XDG_", "HOME", "TZ", "LC_", "LANG")
_GIT = ("GIT_CONFIG", "GIT_AUTHOR", "GIT_COMMITTER")
_FREE = frozenset({"CLAWGIT_WORKSPACE", "CLAWGIT_NOW"})


class Asked(NamedTuple):
    """A change that a process was asked to make, and may have made: its id.

    `is_silent`: that process has taken it, and does not answer.
    """

    ident: str
    is_silent: bool = False


def standpoint(env: Mapping[str, str], home: str, now: str) -> dict[str, str]:
    """What an answer depends on besides the question: version, environment and clock."""
    weighty = sorted(
        (name, value)
        for name, value in env.items()
        if (name.startswith(_WEIGHTY) or name.endswith("_API_KEY")) and name not in _FREE
    )
    return {"version": __version__, "environment": _digest([weighty, home]), "now": now}


def git_standpoint(env: Mapping[str, str]) -> str:
    """What a commit depends on besides: git's own variables."""
    return _digest(sorted((name, value) for name, value in env.items() if name.startswith(_GIT)))


def _digest(value: object) -> str:
    return sha256(json.dumps(value).encode()).hexdigest()


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


def ask(folder: str, question: Mapping[str, object], patience: float) -> bytes | None:
    """The answer of the process whose socket lies in a folder, within so many seconds in all.

    None if nobody was asked; b"" if it has gone without an answer, or gave one that is too long,
    and may have done what was asked. TimeoutError if it takes too long: it may do it yet.
    """
    deadline = time.monotonic() + patience
    with closing(socket.socket(socket.AF_UNIX)) as asking:
        asking.settimeout(patience)
        try:
            with short_name(folder) as name:
                _connect(asking, name, deadline)
            if not may_ask(asking):
                return None
        except OSError:
            return None
        try:
            asking.settimeout(_left(deadline))
            asking.sendall(json.dumps(question).encode() + b"\n")
            return _line(asking, deadline)
        except TimeoutError:
            raise
        except OSError:
            return b""


def _line(asking: socket.socket, deadline: float) -> bytes:
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
    """The seconds that are left. Each read begins with what the ones before it left over."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


def _connect(asking: socket.socket, name: str, deadline: float) -> None:
    """Waits where many ask at once: a socket with a time limit fails where the queue is full."""
    while True:
        try:
            asking.connect(name)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(_PAUSE)
        else:
            return


@contextmanager
def short_name(folder: str) -> Iterator[str]:
    """A name that is short enough, by way of the open folder where the path itself is not."""
    path = f"{folder}/{NAME}"
    if len(os.fsencode(path)) <= _SHORT:
        yield path
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{descriptor}/{NAME}"
    finally:
        os.close(descriptor)
