"""One Chroma server and one filled embedded Chroma for the whole session: both take their time to
come up."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from clawgit.stores.chroma import library, ownership
from clawgit.stores.chroma.backend import fill, pages
from clawgit.stores.chroma.collection import ChromaLimits, open_collection
from clawgit.stores.chroma.embedded import Embedded
from clawgit.stores.chroma.failures import ChromaError
from clawgit.stores.chroma.generation import begin
from clawgit.stores.chroma.server import Address, greet
from tests import ready
from tests.stores.chroma.lab import FAMILY, MANY


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """A real server on a free port of the loopback."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("chroma-server")
    program = str(Path(sys.executable).with_name("chroma"))
    command = [program, "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    where = Address(f"http://127.0.0.1:{port}")
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=folder, stdout=quiet, stderr=quiet) as server:
        while not answers(where):
            with suppress(subprocess.TimeoutExpired):
                server.wait(0.02)
                pytest.fail("the server ended before it answered")
        yield where
        server.terminate()


def answers(where: Address) -> bool:
    try:
        greet(where, 1.0)
    except ChromaError:
        return False
    return True


@pytest.fixture(scope="session")
def _filled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Written in this process, which is what children are for, but saves two of them."""
    chroma = tmp_path_factory.mktemp("filled") / "chroma"
    place = begin(chroma / FAMILY.collection)
    connect = partial(library.open_folder, place.store)
    kept = open_collection(connect, FAMILY.collection, library.judge_files, ChromaLimits())
    contents = fill(kept, pages(MANY)).contents
    kept.close()
    place.seal(contents)
    os.close(ownership.take(chroma))
    return chroma


@pytest.fixture
def filled(_filled_once: Path, _quick_children: None, tmp_path: Path) -> Path:
    """An embedded Chroma that holds `MANY`, sealed; each test has a copy of its own."""
    return shutil.copytree(_filled_once, tmp_path / "chroma")


@pytest.fixture
def _quick_children(monkeypatch: pytest.MonkeyPatch) -> None:
    """Children that have Chroma loaded: to load it takes most of the time that one lives."""
    monkeypatch.setattr(
        sys, "executable", ready.python("chromadb", "clawgit.stores.chroma.library")
    )


@pytest.fixture
def own(_quick_children: None) -> Iterator[Callable[[Path], Embedded]]:
    """Opens owners that are closed when the test ends."""
    opened: list[Embedded] = []

    def open_one(chroma: Path) -> Embedded:
        opened.append(Embedded(chroma, FAMILY))
        return opened[-1]

    yield open_one
    for owner in opened:
        owner.close()
