"""The built-in reranker, as it ships."""

from pathlib import Path

import clawgit.stores.reranker
from clawgit.stores.reranker import Reranker

SHIPPED = Path(clawgit.stores.reranker.__file__).parent / "reader"
LINES = (
    "Deploys › Fixed: the certificate had expired, so the proxy refused every request.",
    "Deploys › The proxy is checked every hour.",
    "Garden › Broad beans go in at the end of October.",
    "People › Ida's number is 0171 5550199, call her after six.",
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


def test_nothing_answers_what_is_not_there() -> None:
    [*chances] = Reranker().relevance("which wine did we drink in Lisbon", LINES)
    assert max(chances) < 0.5


def test_it_is_as_small_as_a_package_may_carry() -> None:
    assert sum(file.stat().st_size for file in SHIPPED.iterdir()) < 16 * 2**20
