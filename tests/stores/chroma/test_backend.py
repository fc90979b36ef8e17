"""What every `Collection` does, over an embedded Chroma and a server, held to an exact scan."""

from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from uuid import uuid4

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.stores.chroma import library
from clawgit.stores.chroma.backend import PAGE, Contents, Family, fill, pages
from clawgit.stores.chroma.child import _Incoming
from clawgit.stores.chroma.collection import ChromaLimits, Collection, open_collection
from clawgit.stores.chroma.errand import END, packed
from clawgit.stores.chroma.server import open_server
from tests.stores.chroma.lab import FAMILY, MANY, nearest, records, split

Open = Callable[[str], Collection]


@pytest.fixture(params=["embedded", "server"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Opens collections by name; the same name again is the same collection."""
    backends: list[Collection] = []
    prefix = uuid4().hex  # the server is one for all tests

    def open_one(name: str) -> Collection:
        name = f"{prefix}-{name}"
        if request.param == "server":
            found = open_server(request.getfixturevalue("served"), name, ChromaLimits())
        else:
            found = open_collection(
                lambda: library.open_folder(tmp_path), name, library.judge_files, ChromaLimits()
            )
        backends.append(found)
        return found

    yield open_one
    for backend in backends:
        backend.close()


@pytest.fixture
def backend(opened: Open) -> Collection:
    return opened("first")


def test_the_nearest_are_those_of_an_exact_scan_with_their_cosines(backend: Collection) -> None:
    some = records(400)
    backend.add(*split(some))
    for _, vector in records(5, seed=2):
        expected = nearest(some, vector, 20)
        found = backend.similar(vector, 20)
        assert [one for one, _ in found] == [one for one, _ in expected]
        assert [close for _, close in found] == pytest.approx(
            [close for _, close in expected], abs=1e-5
        )


def test_the_same_hash_again_is_not_a_second_one(backend: Collection) -> None:
    some = records(7)
    backend.add(*split(some))
    backend.add(*split(some[:3]))
    assert backend.count() == 7
    assert backend.known() == {one for one, _ in some}


def test_what_is_deleted_is_found_no_more(backend: Collection) -> None:
    some = records(10)
    backend.add(*split(some))
    backend.delete([some[0][0], some[1][0], "0" * 32])
    assert backend.count() == 8
    assert [one for one, _ in backend.similar(some[0][1], 10)] == [
        one for one, _ in nearest(some[2:], some[0][1], 10)
    ]


def test_an_empty_one_answers_with_nothing(backend: Collection) -> None:
    vector = records(1)[0][1]
    assert (backend.similar(vector, 5), backend.count(), backend.known()) == ([], 0, set())
    backend.add([], np.empty((0, 16), np.float32))
    backend.delete([])
    assert backend.count() == 0


def test_as_many_are_found_as_there_are_at_most(backend: Collection) -> None:
    some = records(3)
    backend.add(*split(some))
    assert len(backend.similar(some[0][1], 1000)) == 3
    assert backend.similar(some[0][1], 0) == []


def test_two_collections_know_nothing_of_each_other(opened: Open) -> None:
    narrow, wide = opened("narrow"), opened("wide")
    narrow.add(*split(records(3)))
    wide.add(*split(records(2, dimensions=24)))
    assert (narrow.count(), wide.count()) == (3, 2)


def test_opened_again_it_holds_what_it_held(opened: Open) -> None:
    some = records(5)
    opened("kept").add(*split(some))
    assert opened("kept").known() == {one for one, _ in some}


def test_filling_brings_what_is_wanted_and_takes_what_is_not(backend: Collection) -> None:
    some = records(650)
    assert fill(backend, pages(some[:600]))[:2] == (600, 0)
    filled = fill(backend, pages(some[50:]))
    assert filled == (50, 50, Contents().plus(one for one, _ in some[50:]), True)
    assert fill(backend, pages(some[50:]))[:2] == (0, 0)
    assert backend.known() == {one for one, _ in some[50:]}


def test_a_filling_that_is_stopped_deletes_nothing_and_is_gone_on_with(
    backend: Collection,
) -> None:
    old, new = records(10), records(900, seed=2)
    fill(backend, pages(old))
    heard: list[int] = []
    stopped = fill(backend, pages(new), lambda: len(heard) == 2, heard.append)
    assert (stopped.added, stopped.complete, backend.count()) == (600, False, 610)
    assert stopped.contents == Contents().plus(one for one, _ in old + new[:600])
    assert fill(backend, pages(new))[:2] == (300, 10)


# without any Chroma


@given(st.lists(st.integers(0, 2**128 - 1)), st.randoms())
def test_contents_are_known_by_what_is_in_them_and_not_by_its_order(
    numbers: list[int], chance: Random
) -> None:
    names = [f"{number:032x}" for number in numbers]
    shuffled = sorted(names, key=lambda _: chance.random())
    assert Contents().plus(shuffled) == Contents().plus(names)
    assert Contents().plus([*names, "f" * 32]) != Contents().plus(names)


def test_pages_name_a_hash_once_have_unit_length_and_leave_out_what_points_nowhere() -> None:
    some = [("a" * 32, np.array([3, 4])), ("b" * 32, np.zeros(2)), ("a" * 32, np.array([3, 4]))]
    ((names, rows),) = pages(some)
    assert names == ["a" * 32]
    assert rows.tolist() == [pytest.approx([0.6, 0.8])]


@given(st.data())
def test_a_pipe_gives_the_pages_that_went_in_and_knows_where_it_was_cut_off(
    drawn: st.DataObject,
) -> None:
    some = MANY[:310]
    sent = b"".join(packed(names, rows) for names, rows in pages(some)) + END
    cut = drawn.draw(st.integers(0, len(sent)))
    incoming = _Incoming(BytesIO(sent[:cut]))
    came = [
        (one, row) for names, rows in incoming.pages() for one, row in zip(names, rows, strict=True)
    ]
    assert incoming.cut_off == (cut < len(sent))
    assert len(came) in (0, PAGE, len(some))
    assert [one for one, _ in came] == [one for one, _ in some[: len(came)]]
    assert all(np.allclose(row, other) for (_, row), (_, other) in zip(came, some, strict=False))


def test_the_name_of_a_collection_tells_families_apart() -> None:
    families = [
        FAMILY,
        FAMILY._replace(dimensions=32),
        FAMILY._replace(model="test-model"),
        FAMILY._replace(space="/other/.git"),
        Family("ollama", "嵌入" * 300, 1024),
        Family("ollama", "x" * 3000, 1024),
    ]
    names = [family.collection for family in families]
    assert len(set(names)) == len(families)
    assert max(map(len, names)) <= 128
    assert names[0].startswith("clawgit-static-test-model-16-")


def test_chroma_accepts_every_name(tmp_path: Path) -> None:
    client = library.open_folder(tmp_path)
    for family in (FAMILY, Family("-..", "嵌入", 1), Family("ollama", "x" * 3000, 1024)):
        assert (
            client.create_collection(family.collection, embedding_function=None).name
            == family.collection
        )
    client.close()
