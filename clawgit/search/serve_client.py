"""Asks the process of `clawgit run --serve`; without an answer the caller does the work itself.

A question is one line of JSON on a Unix socket, and so is its answer. Of sockets only their part in
C is loaded: each `memory search` looks here.
"""

from __future__ import annotations

import _socket
import binascii
import json
import os
import sys
import time
from typing import TYPE_CHECKING, Any

from clawgit import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clawgit.workspace.workspace import Caller, Workspace

NAME = "serve.sock"
LONGEST = 256 * 1024
"""Bytes of a question: room for one of 10,000 characters, however they are escaped."""

LONGEST_ANSWER = 32 * 1024 * 1024
"""Bytes of an answer: room for the largest context, however it is escaped. Another program may
listen there and send without end."""

_PATIENCE = 5.0
_SHORT = 100
"""How many bytes every system accepts as the name of a socket."""

_PIECE = 64 * 1024
_WEIGHTY = ("CLAWGIT_", "OPENCLAW_", "CHROMA_", "XDG_", "HOME", "TZ", "LC_", "LANG")
_FREE = frozenset({"CLAWGIT_WORKSPACE", "CLAWGIT_NOW"})


def asked(
    workspace: Workspace, op: str, arguments: Mapping[str, object]
) -> Mapping[str, Any] | None:
    """The answer of a warm process as JSON; None if there is none, or if the process may not answer
    for us.
    """
    folder = str(workspace.place.private)
    if not os.path.exists(f"{folder}/{NAME}"):  # noqa: PTH110 - as each search begins
        return None
    question = {"op": op, "arguments": dict(arguments), **standpoint(workspace.caller)}
    try:
        result = json.loads(ask(folder, json.dumps(question), _PATIENCE))["result"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return result if isinstance(result, dict) else None


def standpoint(caller: Caller) -> dict[str, str]:
    """What an answer depends on apart from the question: version, environment and clock."""
    weighty = sorted(
        (name, value)
        for name, value in caller.env.items()
        if (name.startswith(_WEIGHTY) or name.endswith("_API_KEY")) and name not in _FREE
    )
    told = repr([weighty, str(caller.home)]).encode("utf-8", "surrogatepass")
    # Keys are among it, so only a sum of it is sent. A hash would take 3 ms to load.
    environment = f"{binascii.crc32(told):08x}"
    return {"version": __version__, "environment": environment, "now": caller.now.isoformat()}


def ask(folder: str, question: str, patience: float) -> bytes:
    """The answer of the process whose socket is in a folder; b"" if there is none within this many
    seconds in all, or one that is too long.
    """
    deadline, answer = time.monotonic() + patience, bytearray()
    asking = _socket.socket(_socket.AF_UNIX)
    try:
        asking.settimeout(patience)
        by_short_name(folder, asking.connect)
        if not may_ask(asking):
            return b""
        asking.sendall(question.encode() + b"\n")
        while not answer.endswith(b"\n") and len(answer) <= LONGEST_ANSWER:
            # With 0 it would not wait at all, and with less fail.
            asking.settimeout(max(deadline - time.monotonic(), 1e-6))
            piece = asking.recv(_PIECE)
            if not piece:
                return b""
            answer += piece
    except OSError:
        return b""
    finally:
        asking.close()
    return bytes(answer) if answer.endswith(b"\n") else b""


def may_ask(connection: _socket.socket) -> bool:
    """Whether the other side is our own user, or root.

    True if the system cannot tell: then the mode of the socket has decided.
    """
    if not hasattr(_socket, "SO_PEERCRED"):
        return True
    # Three numbers of 4 bytes: process, user and group.
    credentials = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    return int.from_bytes(credentials[4:8], sys.byteorder) in (os.getuid(), 0)


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
