"""The server's side of a workspace's Unix socket."""

import os
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from clawgit.errors import StorageError
from clawgit.stores.asking import NAME, by_short_name
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.git.place import RepoPlace

BACKLOG = 64
"""How many clients may wait for a connection."""


def socket_file(place: RepoPlace) -> Path:
    return place.private / NAME


@contextmanager
def listening(place: RepoPlace) -> Iterator[socket.socket]:
    """The socket, only for its owner; it is removed at the end.

    A second process that listens gets a BusyError that names the first.
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


def _made(place: RepoPlace) -> socket.socket:
    """Makes the socket. The caller holds the lock, so an existing one is a leftover."""
    made = socket.socket(socket.AF_UNIX)
    try:
        socket_file(place).unlink(missing_ok=True)
        mask = os.umask(0o177)
        try:
            by_short_name(str(place.private), made.bind)
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
