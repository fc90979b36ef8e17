"""The embedder of many languages, as it ships."""

import pytest

from clawgit.search.embed import E5Embedder
from tests.each import for_each

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
