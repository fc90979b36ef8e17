"""A shortlist finds what a comparison with every text finds, and never what the memory no longer
holds."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from clawgit.stores.nearness import Items, Middle, Scan
from clawgit.stores.shortlist import Shortlist, Sketch, Survey
from clawgit.stores.vectors import Text, VectorFile

_COUNT = 20_000
_DIMENSIONS = 96


def _unit(vectors: NDArray[Any]) -> NDArray[np.float32]:
    unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1)[:, np.newaxis]
    return unit.astype(np.float32)


@pytest.fixture(scope="module")
def vectors() -> NDArray[np.float32]:
    """Texts about 200 matters, all a little alike, as those of one memory are."""
    chance = np.random.default_rng(7)
    matters = chance.standard_normal((200, _DIMENSIONS))
    own = 0.6 * chance.standard_normal((_COUNT, _DIMENSIONS))
    return _unit(0.5 + matters[np.arange(_COUNT) % 200] + own)


@pytest.fixture(scope="module")
def file(
    vectors: NDArray[np.float32],
    tmp_path_factory: pytest.TempPathFactory,
) -> VectorFile:
    made = VectorFile(tmp_path_factory.mktemp("vectors"), "test", "t", _DIMENSIONS, "one")
    made.add([Text(at, at.to_bytes(16, "big"), "") for at in range(_COUNT)], vectors)
    return made


def _items(texts: list[int]) -> Items:
    return Items(([range(5, 5 + len(texts))], np.array(texts, np.int32).tobytes()))


def test_it_finds_the_nearest_items_and_their_mean(
    vectors: NDArray[np.float32], file: VectorFile
) -> None:
    items = _items([*range(_COUNT), 3, 3, -1])
    middle = Middle(items, file)
    survey = Survey(items, file, middle)
    assert survey.covers(items)
    for at in range(0, _COUNT, 999):
        question = _unit(vectors[at : at + 1] + 0.02)[0]
        every, some = (
            Scan(items, file, middle, question), Shortlist(items, file, middle, question, survey)
        )  # fmt: skip
        assert some.nearest(10) == every.nearest(10)
        assert some.mean == pytest.approx(every.mean, abs=1e-5)
        nearest = every.nearest(3)
        assert some.cosines(nearest) == pytest.approx(every.cosines(nearest), abs=1e-5)


def test_it_reads_on_only_while_that_pays(
    vectors: NDArray[np.float32], file: VectorFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgit.stores.shortlist._SHARE", 2)
    monkeypatch.setattr("clawgit.stores.shortlist._READ", 200)
    items = _items([*range(_COUNT)])
    middle = Middle(items, file)
    survey = Survey(items, file, middle)
    read: list[int] = []

    class Counted(Middle):
        def cosines(
            self, file: VectorFile, texts: NDArray[np.int32], vector: NDArray[np.float32]
        ) -> NDArray[np.float32]:
            read.append(len(texts))
            return super().cosines(file, texts, vector)

    question = _unit(vectors[500:501] + 0.02)[0]
    some = Shortlist(items, file, Counted(items, file), question, survey)
    assert some.nearest(10) == Scan(items, file, middle, question).nearest(10)
    assert 200 < sum(read) < 1_000, "100 texts are about the same matter; 10,000 are on the list"
    read.clear()
    assert len(some.nearest(2_000)) == 2_000
    assert sum(read) > 2_000, "as many as are wanted"


def test_of_a_smaller_memory_a_larger_part_is_compared(
    vectors: NDArray[np.float32], file: VectorFile
) -> None:
    items = _items([*range(4_000)])
    middle = Middle(items, file)
    survey = Survey(items, file, middle)
    for at in range(0, 4_000, 99):
        some = Shortlist(items, file, middle, vectors[at], survey)
        assert some.nearest(20) == Scan(items, file, middle, vectors[at]).nearest(20)
        assert len(some.nearest(50)) == 50, "one in 128 would be 31"


def test_what_has_come_is_found_and_what_has_gone_is_not(
    vectors: NDArray[np.float32], file: VectorFile
) -> None:
    before = _items([*range(_COUNT - 20)])
    survey = Survey(before, file, Middle(before, file))
    now = _items([*range(20, _COUNT)])
    assert survey.covers(now)
    middle = Middle(now, file)
    for at in (*range(20), *range(_COUNT - 20, _COUNT)):
        every, some = (
            Scan(now, file, middle, vectors[at]), Shortlist(now, file, middle, vectors[at], survey)
        )  # fmt: skip
        assert some.nearest(5) == every.nearest(5)


def test_a_memory_that_is_another_one_wants_another_survey(file: VectorFile) -> None:
    items = _items([*range(10_000)])
    survey = Survey(items, file, Middle(items, file))
    assert not survey.covers(_items([*range(9_000)]))
    assert not survey.covers(_items([*range(11_000)]))
    assert survey.covers(_items([*range(10, 10_010)]))
    assert survey.covers(items)


def test_a_sketch_looks_at_any_number_of_numbers() -> None:
    vectors = _unit(np.random.default_rng(3).standard_normal((500, 70)))
    sketch = Sketch([vectors[:300], vectors[300:]], 500, 70)
    assert all(at in sketch.nearest(vectors[at], 5) for at in range(500))
    assert sorted(sketch.nearest(vectors[0], 500)) == [*range(500)]


def test_a_sketch_puts_the_nearest_first(vectors: NDArray[np.float32]) -> None:
    """Of a twentieth of the vectors that are read, the first 50 hold the first ten."""
    seen = _unit(vectors - vectors.mean(axis=0))
    sketch = Sketch([seen[:7_000], seen[7_000:]], _COUNT, _DIMENSIONS)
    missed = 0
    for at in range(0, _COUNT, 500):
        question = _unit(seen[at : at + 1] + 0.02)[0]
        first = np.argsort(-(seen @ question))[:10]
        missed += len({*first.tolist()} - {*sketch.nearest(question, 1_000)[:50].tolist()})
    assert missed <= 16, "of 400; signs alone miss 44"


def test_a_sketch_has_room_for_the_largest_vectors() -> None:
    vectors = _unit(np.random.default_rng(3).standard_normal((40, 3072)))
    vectors[7] = np.sign(vectors[7]) / 3072**0.5
    sketch = Sketch([vectors], 40, 3072)
    assert all(sketch.nearest(vectors[at], 3)[0] == at for at in range(40))


def test_of_a_large_file_single_vectors_are_read(
    vectors: NDArray[np.float32], file: VectorFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = np.array([7, -1, 19_999, 3, _COUNT + 5], np.int32)
    small = file.scores(vectors[3], texts), file.vectors_of(texts)
    monkeypatch.setattr("clawgit.stores.vectors._SCANNED_BYTES", 1)
    large = file.scores(vectors[3], texts), file.vectors_of(texts)
    assert large[0].tolist() == pytest.approx(small[0].tolist(), abs=1e-6)
    assert np.array_equal(large[1], small[1])
    assert (large[0][1], large[0][4]) == (0, 0)
