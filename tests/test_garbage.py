"""What a process that stays open gives back."""

import gc
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clawgit import garbage
from clawgit.stores.git.store import GitStore
from tests.conftest import Git


@pytest.fixture(autouse=True)
def _usual() -> Iterator[None]:
    usual = gc.get_threshold()
    yield
    gc.set_threshold(*usual)


class _Ring:
    """Something that refers to itself: Python frees it only when it looks for garbage."""

    def __init__(self) -> None:
        self.itself = self


def test_a_process_that_stays_open_does_not_let_garbage_pile_up() -> None:
    garbage.look_often()
    alive = weakref.WeakSet[_Ring]()
    most = 0
    for _ in range(3 * garbage.OFTEN):
        alive.add(_Ring())
        most = max(most, len(alive))
    assert most <= 2 * garbage.OFTEN


def test_a_closed_store_keeps_no_pack_open(ws: Git, open_store: Callable[..., GitStore]) -> None:
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
