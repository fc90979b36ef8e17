"""The quick reranker, as it ships."""

import numpy as np
import pytest

from clawgit.stores.embed.reader import (
    ABOVE,
    ASKED,
    HEADING,
    LINE,
    NOTHING,
    SAID,
    START,
    WEIGHTS,
    Reader,
    framed,
    pieces_of,
)
from clawgit.stores.embed.static import MODEL, word_vectors

LINES = (
    "Deploys › Fixed: the certificate had expired, so the proxy refused every request.",
    "Deploys › The proxy is checked every hour.",
    "Garden › Broad beans go in at the end of October.",
    "People › Ida's number is 0171 5550199, call her after six.",
)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("why did the proxy refuse requests", 0),
        ("how often is the proxy checked", 1),
        ("when do I plant the beans", 2),
        ("how do I reach Ida by phone", 3),
    ],
)
def test_it_tells_the_line_that_answers(question: str, right: int) -> None:
    chances = Reader().relevance(question, LINES)
    assert max(range(len(LINES)), key=chances.__getitem__) == right


def test_a_line_is_judged_the_same_whatever_is_read_beside_it() -> None:
    reader, question = Reader(), "when do I plant the beans"
    together = reader.relevance(question, [*LINES, " ".join(LINES) * 9, *LINES])
    alone = [*(reader.relevance(question, [line])[0] for line in LINES)]
    assert together[: len(LINES)] == pytest.approx(alone, abs=1e-4)
    assert together[-len(LINES) :] == pytest.approx(alone, abs=1e-4)


@pytest.mark.parametrize("question", ["", "why", "?!", "東京", "why " * 99])
def test_nothing_is_too_short_or_too_long(question: str) -> None:
    chances = Reader().relevance(question, ["", "yes", "東京", " › ", "a › b", "word " * 9000])
    assert all(0 <= chance <= 1 for chance in chances)


def test_no_line_is_no_work() -> None:
    assert Reader().relevance("why", []) == []


def test_a_line_is_read_with_the_last_of_its_headings() -> None:
    table, pieces = word_vectors()
    asked = pieces.ids("which hotel")
    headings, line = pieces_of("Trip › Hotels › " + "word " * 500, asked, table, pieces)
    assert headings == pieces.ids("trip hotels")
    assert len(headings) + len(line) == LINE
    assert len(pieces_of("heading " * 90 + "› line", asked, table, pieces)[0]) == ABOVE


@pytest.mark.parametrize("before", [0, 3, 60, 80])
@pytest.mark.parametrize("after", [0, 5, 60, 200])
def test_of_a_long_line_the_part_that_answers_is_read(before: int, after: int) -> None:
    table, pieces = word_vectors()
    asked = pieces.ids("when does the ferry leave")
    answer = "The boat to the island sails at seven in the morning."
    text = "It was a quiet day. " * before + answer + " We had soup again." * after
    line = pieces_of(f"Trip › {text}", asked, table, pieces)[1]
    assert len(line) <= LINE
    assert {*pieces.ids("boat sails morning")} <= {*line}


def test_a_long_line_answers_wherever_the_answer_stands() -> None:
    question, talk = "when do I plant the beans", "Ida came by and we talked about her trip. " * 30
    first, last, without = Reader().relevance(
        question, [f"{LINES[2]} {talk}", f"{talk}{LINES[2]}", talk]
    )
    assert min(first, last) > 2 * without


def test_a_shorter_line_is_filled_up() -> None:
    frame = framed([7, 8], [([1], [2, 3, 4]), ([], [5])])
    assert frame.pieces.tolist() == [[0, 7, 8, 1, 2, 3, 4], [0, 7, 8, 5, 0, 0, 0]]
    assert frame.kinds.tolist() == [
        [START, ASKED, ASKED, HEADING, SAID, SAID, SAID],
        [START, ASKED, ASKED, SAID, NOTHING, NOTHING, NOTHING],
    ]
    assert frame.places.tolist() == [[0, 0, 1, 0, 0, 1, 2], [0, 0, 1, 0, 0, 0, 0]]


def test_it_is_small() -> None:
    assert (MODEL / WEIGHTS).stat().st_size < 1.3 * 2**20
    with np.load(MODEL / WEIGHTS) as weights:
        assert all(np.isfinite(weights[name]).all() for name in weights.files)
