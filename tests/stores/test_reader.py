"""The built-in reranker, as it ships."""

from pathlib import Path

import pytest

import clawgit.stores.reranker
from clawgit.stores.reranker import Reranker

SHIPPED = Path(clawgit.stores.reranker.__file__).parent / "reader"
LINES = (
    "Deploys › Fixed: the certificate had expired, so the proxy refused every request.",
    "Deploys › The proxy is checked every hour.",
    "Garden › Broad beans go in at the end of October.",
    "People › Ida's number is 0171 5550199, call her after six.",
)
IN_OTHER_LANGUAGES = (
    (
        "Wann macht die Werkstatt zu?",
        ("Die Werkstatt schließt um sechs.", "Die Werkstatt liegt am Hafen."),
    ),
    (
        "¿Cuánto pagamos de alquiler?",
        ("El piso cuesta 850 euros al mes.", "El piso tiene tres habitaciones."),
    ),
    (
        "Qui s'occupe des factures ?",
        ("Nadège fait les factures.", "Les factures arrivent par la poste."),
    ),
    ("谁负责服务器？", ("服务器由小陈管理。", "服务器在二楼，很吵。")),
    ("会議は何時からですか", ("打ち合わせは午後三時に始まる。", "会議室は五階にある。")),
    ("월세는 얼마야?", ("집세는 한 달에 80만 원이다.", "집은 학교 근처에 있다.")),
    (
        "wann wird der Server gewartet",
        ("Maintenance window: Sundays at 2 am.", "The server is red."),
    ),
)


def test_it_tells_the_line_that_answers_from_those_that_only_sound_like_it() -> None:
    reranker = Reranker()
    for question, right in (
        ("why did the proxy refuse requests", 0),
        ("when do I plant the beans", 2),
        ("how do I reach Ida by phone", 3),
    ):
        chances = reranker.relevance(question, LINES)
        assert max(range(len(LINES)), key=chances.__getitem__) == right


@pytest.mark.parametrize(("question", "lines"), IN_OTHER_LANGUAGES)
def test_it_reads_other_languages(question: str, lines: tuple[str, str]) -> None:
    reranker = Reranker()
    assert reranker.knows(question)
    answers, sounds_alike = reranker.relevance(question, lines)
    assert answers > sounds_alike


@pytest.mark.parametrize("question", ["какой у меня номер", "ใครคือผู้จัดการ", "من هو المدير"])
def test_it_says_which_questions_it_cannot_read(question: str) -> None:
    assert not Reranker().knows(question)


def test_nothing_answers_what_is_not_there() -> None:
    [*chances] = Reranker().relevance("which wine did we drink in Lisbon", LINES)
    assert max(chances) < 0.5


def test_it_is_as_small_as_a_package_may_carry() -> None:
    sizes = {file.name: file.stat().st_size for file in SHIPPED.iterdir()}
    assert sizes.pop("embedder.onnx") < 21 * 2**20
    assert sum(sizes.values()) < 23 * 2**20


def test_what_it_says_of_a_line_does_not_depend_on_the_others() -> None:
    reranker, question = Reranker(), "why did the proxy refuse requests"
    alone = [chance for line in LINES for chance in reranker.relevance(question, [line])]
    assert reranker.relevance(question, LINES) == alone
