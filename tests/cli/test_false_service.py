"""Whatever listens at the service's socket, a command does its own work, and soon."""

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from clawgit.cli.output import jsonable
from clawgit.cli.root import run
from clawgit.ops.context.asking import Context, ShownSlot
from clawgit.ops.facts.remember import Remembered, RememberedEntry
from clawgit.ops.search.answer import Hit, Request, SearchAnswer
from clawgit.ops.search.answer_shapes import SHAPES, fits
from clawgit.ops.search.search import search
from clawgit.stores import asking
from clawgit.stores.asking import ask
from clawgit.stores.unixsocket import socket_file
from tests.conftest import Git
from tests.ops.search.test_serve import open_at

Reply = Callable[[socket.socket], None]

COMMANDS = (
    ("memory", "search", "billing"),
    ("context", "--message", "billing"),
    ("memory", "add", "The heron is grey."),
)


@contextmanager
def listening(root: Path, reply: Reply) -> Iterator[None]:
    """Somebody who takes each question at the socket, and replies as he likes."""
    file = socket_file(open_at(root).place)
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


def _sending(answer: bytes) -> Reply:
    return lambda client: client.sendall(answer)


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


def test_an_answer_without_end_is_none(ws: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "LONGEST_ANSWER", 1 << 20)
    with listening(ws.root, _without_end):
        assert ask(str(open_at(ws.root).place.private), "{}", 20) == b""


def test_the_time_limit_is_on_the_whole_answer(ws: Git) -> None:
    with listening(ws.root, _in_drops), pytest.raises(TimeoutError):
        ask(str(open_at(ws.root).place.private), "{}", 0.05)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(
    "result",
    [
        {},
        {"x": 1},
        {"results": [{}], "outside": None, "fallback": None, "searched": 1},
        {"results": 3, "slots": 3, "entry": 3},
        {"slots": [{"text": None}], "notes": [], "used": 1, "budget": 1},
        {"entry": {}, "held": [], "dry_run": False, "parked": False, "commit": None},
        [],
        None,
        "text",
    ],
    ids=repr,
)
def test_an_answer_of_another_shape_is_none(
    ws: Git, words: tuple[str, ...], result: object, capsys: pytest.CaptureFixture[str]
) -> None:
    ws.write("CONFIG.md", "# Config\n\n```yaml\nsearch_mode: core\n```\n")
    answer = json.dumps({"result": result}).encode() + b"\n"
    with listening(ws.root, _sending(answer)):
        assert run(["-C", str(ws.root), *words]) == 0
    said = capsys.readouterr()
    assert "bug in clawgit" not in said.err
    assert said.out.strip()


def test_an_answer_nested_without_end_is_none(ws: Git, capsys: pytest.CaptureFixture[str]) -> None:
    ws.write("CONFIG.md", "# Config\n\n```yaml\nsearch_mode: core\n```\n")
    with listening(ws.root, _sending(b'{"result":' * 100_000 + b"\n")):
        assert run(["-C", str(ws.root), "memory", "search", "billing"]) == 0
    assert "bug" not in capsys.readouterr().err


def test_the_shapes_are_those_of_our_own_answers(ws: Git) -> None:
    answer = SHAPES["search"]
    for kind, shape in (
        (SearchAnswer, answer),
        (Hit, answer["results"][0]),
        (Context, SHAPES["context"]),
        (ShownSlot, SHAPES["context"]["slots"][0]),
        (Remembered, SHAPES["remember"]),
        (RememberedEntry, SHAPES["remember"]["entry"]),
    ):
        named: Any = kind
        names = getattr(named, "_fields", None) or [field.name for field in fields(named)]
        assert {*names} == {*shape}
    ws.write("CONFIG.md", "# Config\n\n```yaml\nsearch_mode: core\n```\n")
    own = jsonable(search(open_at(ws.root), Request("billing", explain=True)))
    assert own["results"]
    assert fits(own, answer)
    assert not fits({**own, "searched": True}, answer)
    assert not fits({**own, "behind": 1e300}, answer)
