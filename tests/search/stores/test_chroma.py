"""Chroma, on a server and in a folder: it is made to hold what is wanted, and asked within limits."""

import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen
from uuid import uuid4

import numpy as np
import pytest

from clawgit.core.errors import NotFoundError
from clawgit.search.stores.chroma import Chroma, ChromaError, Embedded, served
from clawgit.search.vectors_owner import VectorsOwner

if TYPE_CHECKING:
    from clawgit.search.stores.chroma import Record, Vector

NAME = "clawgit-e5-test-model-16"


def records(count: int, *, seed: int = 1) -> "list[Record]":
    """Random directions under ids that texts might have."""
    chance = np.random.default_rng(seed)
    rows = chance.standard_normal((count, 16)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return [(chance.bytes(20).hex(), row, {"status": ""}) for row in rows]


MANY = records(1200)

VECTOR = records(1, seed=3)[0][1]


def nearest(some: "list[Record]", vector: "Vector", n: int) -> list[str]:
    """By exact scan."""
    return [one for one, row, _ in sorted(some, key=lambda one: -float(one[1] @ vector))[:n]]


def found(shelf: Chroma, n: int = 5) -> list[str]:
    return shelf.similar(VECTOR, n)


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real server on a free port of the loopback."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("chroma-server")
    program, quiet = str(Path(sys.executable).with_name("chroma")), subprocess.DEVNULL
    command = [program, "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen(command, cwd=folder, stdout=quiet, stderr=quiet) as server:
        where = f"http://127.0.0.1:{port}"
        while not answers(where):
            with suppress(subprocess.TimeoutExpired):
                server.wait(0.05)
                pytest.fail("the server ended before it answered")
        yield where
        server.terminate()


def answers(where: str) -> bool:
    try:
        with urlopen(f"{where}/api/v2/heartbeat", timeout=2):  # noqa: S310 - our own server
            return True
    except OSError:
        return False


@pytest.fixture(params=["embedded", "served"])
def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Chroma]:
    if request.param == "embedded":
        opened: Chroma = Embedded(tmp_path / "chroma", NAME)
    else:
        where = request.getfixturevalue("url")
        opened = served(where, f"{NAME}-{uuid4().hex}", {})
    yield opened
    opened.close()


# ── both


def test_filled_it_answers_as_an_exact_scan_and_follows_what_is_wanted(shelf: Chroma) -> None:
    with pytest.raises(ChromaError, match="not open"):
        shelf.similar(VECTOR, 5)
    assert shelf.fill(lambda: MANY[:400]) == 400
    assert found(shelf) == nearest(MANY[:400], VECTOR, 5)
    assert shelf.similar(MANY[0][1], 1) == [MANY[0][0]]
    twice = [*MANY[200:600], *MANY[200:300], ("ff" * 20, np.zeros(16, np.float32), {"status": ""})]
    assert shelf.fill(lambda: twice) == 400
    assert found(shelf) == nearest(MANY[200:600], VECTOR, 5)
    assert len(found(shelf, 1000)) == 400


def test_a_filling_that_is_cut_off_deletes_nothing_and_is_gone_on_with(shelf: Chroma) -> None:
    shelf.fill(lambda: MANY[:300])

    def some() -> "Iterator[Record]":
        yield from MANY[300:600]
        raise NotFoundError("That is all for now.")

    with pytest.raises(NotFoundError):
        shelf.fill(some)
    assert len([*shelf._known()]) == 600
    assert shelf.fill(lambda: MANY[300:]) == 900


# ── in a folder


def test_the_files_of_a_killed_owner_are_written_anew(tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; from tests.search.stores.test_chroma import *\n"
        "Embedded(Path(sys.argv[1]), NAME).fill(lambda: MANY[:100]); print('full', flush=True)\n"
        "time.sleep(60)"
    )
    argv = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "full\n"
        child.send_signal(signal.SIGKILL)
    [old] = tmp_path.glob("store-*")
    shelf = Embedded(tmp_path, NAME)
    assert shelf.fill(lambda: MANY[:100]) == 100
    assert found(shelf) == nearest(MANY[:100], VECTOR, 5)
    shelf.close()
    assert old not in [*tmp_path.glob("store-*")]


def test_damaged_files_are_written_anew(tmp_path: Path) -> None:
    shelf = Embedded(tmp_path, NAME)
    shelf.fill(lambda: MANY[:50])
    shelf.close()
    [database] = tmp_path.rglob("chroma.sqlite3")
    database.write_bytes(b"\xff" * database.stat().st_size)
    again = Embedded(tmp_path, NAME)
    assert again.fill(lambda: MANY[:50]) == 50
    assert found(again) == nearest(MANY[:50], VECTOR, 5)
    again.close()


def test_an_env_file_of_the_workspace_has_no_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text("allow_reset=true\nanonymized_telemetry=true\n")
    monkeypatch.chdir(tmp_path)
    shelf = Embedded(tmp_path / "chroma", NAME)
    shelf.fill(list)
    settings = shelf._client.get_settings()
    assert (settings.allow_reset, settings.anonymized_telemetry) == (False, False)
    shelf.close()


# ── on a server


def test_a_call_that_hangs_costs_no_more_than_its_time_and_the_next_none() -> None:
    silent = threading.Event()
    shelf = Chroma(NAME, lambda: None)
    begun = time.monotonic()
    with pytest.raises(ChromaError, match=r"did not answer within 0\.2 s"):
        shelf._timed(silent.wait, 0.2)
    with pytest.raises(ChromaError, match="has not given an earlier answer"):
        shelf._timed(lambda: 1, 9)
    assert time.monotonic() - begun < 5
    silent.set()
    assert shelf._overdue is not None
    shelf._overdue.join()
    assert shelf._timed(lambda: 1, 9) == 1


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://127.0.0.1:1", "cannot be used: Could not connect"),
        ("http://[", "cannot be used: Invalid"),
    ],
)
def test_what_is_no_server_is_named(url: str, why: str) -> None:
    with pytest.raises(ChromaError, match=why):
        served(url, NAME, {}).fill(list)


def test_a_key_that_no_header_can_hold_is_not_shown(url: str) -> None:
    with pytest.raises(ChromaError, match="CHROMA_API_KEY holds characters") as caught:
        served(url, NAME, {"CHROMA_API_KEY": "secret\nkey"}).fill(list)
    assert "secret" not in caught.value.message


# ── the owner


@pytest.fixture
def start(url: str) -> Iterator[Callable[..., VectorsOwner]]:
    begun: list[VectorsOwner] = []

    def start_one(wanted: "Callable[[], list[Record]]") -> VectorsOwner:
        name = f"{NAME}-{uuid4().hex}"
        begun.append(VectorsOwner(lambda: served(url, name, {}), wanted))
        return begun[-1]

    yield start_one
    for owner in begun:
        owner.close()


def until(wish: Callable[[], object]) -> None:
    """Waits for the owner's thread; pytest's own time limit ends a wait in vain."""
    while not wish():
        time.sleep(0.01)


def test_it_is_filled_in_the_background_and_silent_until_it_holds_what_is_wanted_now(
    start: Callable[..., VectorsOwner],
) -> None:
    wanted, looked_at = MANY[:40], threading.Event()

    def asked() -> "list[Record]":
        looked_at.wait(60)
        return wanted

    looked_at.set()
    owner = start(asked)
    until(lambda: not owner.trouble)
    assert owner.similar(VECTOR, 5) == nearest(wanted, VECTOR, 5)
    looked_at.clear()
    wanted = MANY[10:60]
    owner.wake()
    with pytest.raises(ChromaError, match="being filled"):
        owner.similar(VECTOR, 5)
    looked_at.set()
    until(lambda: not owner.trouble)
    assert len(owner.similar(VECTOR, 100)) == 50
