"""What each embedder promises, asked of all of them."""

import numpy as np
import pytest

from clawgit.search.embed import E5Embedder, Embedder
from tests.each import for_each

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


# The embedder of many languages, as it ships.


LINES = (
    "The landlord raised what we pay for the flat to 850 euros.",
    "Nadège fait les factures le vendredi.",
    "Die Zahnärztin hat montags geschlossen.",
    "服务器由小陈管理。",
    "会議は午後三時に始まる。",
    "El piso cuesta 850 euros al mes.",
    "집세는 한 달에 80만 원이다.",
)
ASKED = (
    ("how much is the rent", 0),
    ("Qui s'occupe de la comptabilité ?", 1),
    ("wann ist die Praxis zu", 2),
    ("谁负责电脑", 3),
    ("打ち合わせは何時から", 4),
    ("¿Cuánto es el alquiler?", 5),
    ("월세는 얼마야?", 6),
)


@pytest.fixture(scope="module")
def e5() -> E5Embedder:
    return E5Embedder()


@for_each("question, right", ASKED)
def test_what_is_meant_is_nearest_in_each_of_its_languages(
    e5: E5Embedder, question: str, right: int
) -> None:
    cosines = e5.embed(LINES) @ e5.embed([question], query=True)[0]
    assert cosines.argmax() == right


def test_a_question_is_read_as_one(e5: E5Embedder) -> None:
    text = "the rent of the flat"
    assert e5.embed([text])[0] @ e5.embed([text], query=True)[0] < 0.999
