"""What each embedder promises, asked of all of them."""

import numpy as np
import pytest

from clawgit.search.embed import Embedder

TEXTS = ["The dog is ill, the dog.", "Calling Ana", "Ünïcödé – 猫 🐈 «x»", "the"]


def test_each_text_has_a_row_of_length_one(embedder: Embedder) -> None:
    rows = embedder.embed(TEXTS)
    assert rows.shape == (len(TEXTS), embedder.dimensions)
    assert rows.dtype == np.dtype(np.float32)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)


def test_a_row_depends_on_its_text_alone(embedder: Embedder) -> None:
    """Not on what else is in the batch, nor on where it stands."""
    together = embedder.embed([*TEXTS, *TEXTS[::-1]])
    alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
    assert together.tolist() == np.concatenate([alone, alone[::-1]]).tolist()


@pytest.mark.parametrize("text", ["", " \n"], ids=len)
def test_no_text_is_too_odd(embedder: Embedder, text: str) -> None:
    """A text without a known word may have no direction; it still has a row of finite numbers."""
    rows = embedder.embed([text, "the dog"])
    assert np.isfinite(rows).all()
    assert np.linalg.norm(rows, axis=1).round(4).tolist() in ([0.0, 1.0], [1.0, 1.0])
