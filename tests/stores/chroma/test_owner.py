"""The owner keeps Chroma filled while others ask, and lets it answer only while it is complete."""

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from clawgit.errors import NotFoundError
from clawgit.ops.search.vectors_owner import Holding, VectorsOwner, open_shelf
from clawgit.stores.chroma.backend import Family
from clawgit.stores.chroma.collection import ChromaLimits
from clawgit.stores.chroma.embedded import Embedded
from clawgit.stores.chroma.failures import ChromaFillingError, ChromaUnreachableError
from clawgit.stores.chroma.server import Address, Served
from clawgit.stores.git.gitdir import repo_at
from tests.conftest import Git
from tests.stores.chroma.lab import FAMILY, MANY, nearest, records
from tests.stores.chroma.wire import Wire, wire_to

if TYPE_CHECKING:
    from clawgit.stores.chroma.backend import Record

VECTOR = records(1, seed=3)[0][1]
Start = Callable[..., VectorsOwner]


@pytest.fixture
def wire(served: Address) -> Iterator[Wire]:
    with wire_to(served) as found:
        yield found


@pytest.fixture
def start(wire: Wire) -> Iterator[Start]:
    """Begins owners of a collection on the server, which are closed when the test ends."""
    begun: list[VectorsOwner] = []

    def start_one(wanted: "Callable[[], list[Record]]") -> VectorsOwner:
        shelf = Served(wire.address, FAMILY._replace(space=uuid4().hex), ChromaLimits(answer=1.0))
        begun.append(VectorsOwner(shelf, wanted))
        begun[-1].begin()
        return begun[-1]

    yield start_one
    for owner in begun:
        owner.close()


def until(owner: VectorsOwner, wish: Callable[[Holding], object]) -> Holding:
    """Waits for the owner's thread; pytest's own time limit ends a wait in vain."""
    while not wish(owner.holding):
        owner._thread.join(0.01)
    return owner.holding


def test_it_is_filled_in_the_background_and_then_answers(start: Start) -> None:
    owner = start(lambda: MANY[:40])
    assert until(owner, lambda now: now.ready) == Holding(ready=True, size=40, trouble="")
    assert [one for one, _ in owner.similar(VECTOR, 5)] == [
        one for one, _ in nearest(MANY[:40], VECTOR, 5)
    ]


def test_woken_it_is_silent_until_it_holds_what_is_wanted_now(start: Start) -> None:
    wanted, looked = MANY[:40], Event()

    def asked() -> "list[Record]":
        looked.wait(60)
        return wanted

    looked.set()
    owner = start(asked)
    until(owner, lambda now: now.ready)
    looked.clear()
    wanted = MANY[10:60]
    owner.wake()
    with pytest.raises(ChromaFillingError):
        owner.similar(VECTOR, 5)
    looked.set()
    assert until(owner, lambda now: now.ready).size == 50
    assert len(owner.similar(VECTOR, 100)) == 50


def test_a_failure_is_told_with_every_question_and_mended_by_the_next_waking(
    start: Start, wire: Wire
) -> None:
    owner = start(lambda: MANY[:40])
    until(owner, lambda now: now.ready)
    wire.cut.set()
    with pytest.raises(ChromaUnreachableError):
        owner.similar(VECTOR, 5)
    until(owner, lambda now: now.trouble)
    with pytest.raises(ChromaFillingError, match="The Chroma server cannot be reached"):
        owner.similar(VECTOR, 5)
    wire.cut.clear()
    owner.wake()
    until(owner, lambda now: now.ready)
    assert len(owner.similar(VECTOR, 5)) == 5


def test_vectors_that_cannot_be_had_are_a_trouble_and_no_crash(start: Start) -> None:
    def nothing() -> "list[Record]":
        raise NotFoundError("There is no index yet.")

    assert until(start(nothing), lambda now: now.trouble) == Holding(
        ready=False, size=0, trouble="There is no index yet."
    )


def test_closing_in_the_middle_keeps_what_is_there_so_far(served: Address) -> None:
    family, far, closing = FAMILY._replace(space=uuid4().hex), Event(), Event()

    def heard(size: int) -> None:
        if size == 600:
            far.set()
            closing.wait(60)

    owner = VectorsOwner(Served(served, family), lambda: MANY, heard)
    owner.begin()
    far.wait(60)
    owner._closing.set()
    closing.set()
    owner.close()
    again = Served(served, family)
    assert again.fill(lambda: MANY)[:2] == (600, 0)
    again.close()


def test_never_begun_it_can_be_closed(tmp_path: Path) -> None:
    owner = VectorsOwner(Embedded(tmp_path, FAMILY), list)
    owner.close()
    assert owner.holding == Holding(ready=False, size=0, trouble="")


def test_the_address_decides_where_vectors_go(ws: Git) -> None:
    place = repo_at(ws.root)
    assert place is not None
    family = Family("static", "test", 16)
    assert isinstance(open_shelf(place, family, "http://127.0.0.1:1", {}), Served)
    embedded = open_shelf(place, family, "", {})
    assert isinstance(embedded, Embedded)
    embedded.close()
    assert (ws.root / ".git" / "clawgit" / "chroma" / "lock").exists()
