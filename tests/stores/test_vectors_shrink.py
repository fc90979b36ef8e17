"""What a vector file lets go of is gone from the disk, and the rest is found again."""

from pathlib import Path

import numpy as np

from clawgit.stores.vector_files import drop
from clawgit.stores.vectors import fill
from tests.stores.test_vectors import Counting, ids, opened, texts, vectors


def test_it_keeps_what_it_is_told_to_and_shrinks(tmp_path: Path) -> None:
    known = texts(10)
    fill(Counting(), opened(tmp_path), known)
    before = {file.suffix: file.stat().st_size for file in tmp_path.iterdir()}
    file = opened(tmp_path)
    assert file.keep([one.key for one in known[:3]]) == 7
    assert (file.count, file.missing(ids(1, 4))) == (3, [1, 4])
    after = {one.suffix: one.stat().st_size for one in tmp_path.iterdir()}
    assert (after[".f32"], after[".keys"]) == (before[".f32"] * 3 // 10, 16 * 4)
    again = Counting()
    fill(again, file, known[:3])
    assert (again.asked, file.missing(ids(1, 2, 3))) == ([], [])
    np.testing.assert_allclose(file.vectors_of(ids(2)), vectors([known[1].text]))
    assert opened(tmp_path).missing(ids(1, 2, 3, 4)) == [4]


def test_who_has_it_open_finds_what_is_left(tmp_path: Path) -> None:
    fill(Counting(), opened(tmp_path), texts(4))
    reader = opened(tmp_path)
    opened(tmp_path).keep([texts(4)[0].key])
    np.testing.assert_allclose(reader.vectors_of(ids(4)), vectors(["text 4"]))
    reader.add(texts(1, first=9), vectors(["text 9"]))
    assert opened(tmp_path).count == 2


def test_vectors_of_a_text_are_dropped_without_numpy_and_the_rest_is_found(tmp_path: Path) -> None:
    known = texts(10)
    fill(Counting(), opened(tmp_path), known)
    vector = vectors([known[4].text]).tobytes()
    assert vector in (tmp_path / next(tmp_path.glob("*.f32")).name).read_bytes()
    assert drop(tmp_path, {known[4].key}) == 1
    assert drop(tmp_path, {known[4].key}) == 0
    assert vector not in next(tmp_path.glob("*.f32")).read_bytes()
    file, again = opened(tmp_path), Counting()
    fill(again, file, [*known[:4], *known[5:]])
    assert again.asked == []
    np.testing.assert_allclose(file.vectors_of(ids(10)), vectors([known[9].text]))
    fill(again, file, known)
    assert again.asked == [known[4].text]
