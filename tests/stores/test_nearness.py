"""Cosines are measured from the middle of a memory's texts."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from clawgit.stores.embed.contract import Rows
from clawgit.stores.nearness import FEW, Items, Middle, Sampled, Scan

TEXTS = 120


class Held:
    """A vector file in memory, whose last text has no vector."""

    def __init__(self) -> None:
        made = np.random.default_rng(3).normal(size=(TEXTS, 8)).astype(np.float32) + 1
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        made[-1] = 0
        self.rows: Rows = made

    def scores(self, query: Rows, ids: NDArray[np.int32]) -> Rows:
        scores: Rows = self.rows[ids] @ query
        return scores

    def mean_of(self, ids: NDArray[np.int32]) -> Rows:
        mean: Rows = self.rows[ids].mean(axis=0)
        return mean


def items(texts: Sequence[int]) -> Items:
    return Items(([range(len(texts))], np.array(texts, np.int32).tobytes()))


@pytest.fixture
def held() -> Held:
    return Held()


def test_what_all_texts_have_in_common_counts_for_nothing(held: Held) -> None:
    every, question = items(range(TEXTS)), held.rows[7]
    middle = Middle(every, held)  # type: ignore[arg-type]
    mean = held.rows.mean(axis=0) * TEXTS / (TEXTS + FEW)
    asked, told = question - mean, held.rows[:-1] - mean
    wanted = told @ asked / np.linalg.norm(told, axis=1) / np.linalg.norm(asked)
    for _ in range(2):  # the second question finds what the first one has computed
        scan = Scan(every, held, middle, question)  # type: ignore[arg-type]
        found = scan.cosines([*range(TEXTS)])
        assert [found[at] for at in range(TEXTS - 1)] == pytest.approx(wanted.tolist(), abs=1e-5)
        assert found[TEXTS - 1] == 0
        assert scan.nearest(1) == [7]
    assert scan.mean < float((held.rows @ question).mean()) / 2
    near = Sampled(every, held, middle, question, [(7, 1.0)])  # type: ignore[arg-type]
    assert near.cosines([3, 7]) == pytest.approx({3: found[3], 7: found[7]}, abs=1e-5)


def test_a_line_that_is_repeated_does_not_move_the_middle(held: Held) -> None:
    once, often = items(range(TEXTS)), items([*range(TEXTS), *[5] * 5_000])
    first, second = (Middle(some, held).vector for some in (once, often))  # type: ignore[arg-type]
    assert first.tolist() == second.tolist()
