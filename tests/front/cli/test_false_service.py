"""Whatever listens at the service's socket, a command does its own work, and soon."""

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread

import pytest

from clawgit.search import serve_client
from clawgit.search.serve import socket_file
from clawgit.search.serve_client import ask
from tests.chatting import opened
from tests.conftest import Git
from tests.front.cli.typed import call

Reply = Callable[[socket.socket], None]


@contextmanager
def listening(root: Path, reply: Reply) -> Iterator[None]:
    """Somebody who takes each question at the socket, and replies as he likes."""
    file = socket_file(opened(root).place)
    file.parent.mkdir(parents=True, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(file))
        door.listen()
        thread = Thread(target=_reply_to_all, args=(door, reply), daemon=True)
        thread.start()
        try:
            yield
        finally:
            with suppress(OSError):
                door.shutdown(socket.SHUT_RDWR)
            thread.join(20)
            file.unlink()


def _reply_to_all(door: socket.socket, reply: Reply) -> None:
    with ExitStack() as stack, suppress(OSError):
        while True:
            client = stack.enter_context(door.accept()[0])
            client.settimeout(20)
            with suppress(OSError):
                client.recv(1 << 20)
                reply(client)
                client.shutdown(socket.SHUT_RDWR)


def _without_end(client: socket.socket) -> None:
    while True:
        client.sendall(b"x" * 65_536)


def _in_drops(client: socket.socket) -> None:
    """Each byte comes soon, and the line never ends: only a limit on the whole ends this."""
    client.settimeout(0.001)
    while True:
        client.sendall(b"x")
        with suppress(TimeoutError):
            if not client.recv(1):
                return


def _nested(client: socket.socket) -> None:
    client.sendall(b'{"result":' * 100_000 + b"\n")


def test_an_answer_without_end_is_none_and_the_time_limit_is_on_the_whole(
    ws: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve_client, "LONGEST_ANSWER", 1 << 20)
    private = str(opened(ws.root).place.private)
    for reply, patience in ((_without_end, 20), (_in_drops, 0.05)):
        with listening(ws.root, reply):
            assert ask(private, "{}", patience) == b""


def test_an_answer_nested_without_end_is_none(ws: Git) -> None:
    ws.write("CONFIG.md", "# Config\n\n```yaml\nsearch_mode: core\n```\n")
    with listening(ws.root, _nested):
        told = call("-C", str(ws.root), "memory", "search", "billing")
    assert (told.code, "bug" in told.err) == (0, False)
