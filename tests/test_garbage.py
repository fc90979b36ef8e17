"""What a process that stays open gives back."""

import gc
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Git, OpenStore, run_to_end


@pytest.fixture(autouse=True)
def _usual() -> Iterator[None]:
    usual = gc.get_threshold()
    yield
    gc.set_threshold(*usual)


def test_a_closed_store_keeps_no_pack_open(ws: Git, open_store: OpenStore) -> None:
    ws("gc", "-q")

    def packs() -> list[str]:
        maps = Path("/proc/self/maps").read_text().split()
        return [word for word in maps if word.startswith(str(ws.root)) and ".pack" in word]

    store = open_store(ws.root)
    assert store.read(ws.head(), "MEMORY.md")
    assert packs()
    store.close()
    assert packs() == []
    assert store.read(ws.head(), "MEMORY.md")  # what is asked for later is opened again


def ended(code: str, *argv: str) -> subprocess.CompletedProcess[str]:
    begin = "import atexit, sys, threading; from clawgit.core import surroundings\n"
    return run_to_end(sys.executable, "-c", begin + code, *argv)


def test_a_process_waits_for_its_threads() -> None:
    done = ended("""
def run():
    threading.main_thread().join()
    print("done")
threading.Thread(target=run).start()
surroundings.leave(1)
""")
    assert (done.returncode, done.stdout) == (1, "done\n")
