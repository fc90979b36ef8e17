"""What a question and an item share in words is taken out of what they share in meaning."""

from datetime import UTC, datetime

import pytest

from clawgit.domain.search.question import read_question
from clawgit.domain.search.ranking import Postings, QueryLikeness
from clawgit.domain.search.ranking_weights import WEIGHTS
from clawgit.domain.search.shared_words import Apart, apart, less_shared

QUESTION = read_question("Where is the second key of the boiler?", datetime(2026, 1, 1, tzinfo=UTC))
FOUND = (
    Postings("second", 3.0, (), forms=("second",)),
    Postings("key", 3.0, (2, 7), forms=("key", "keys")),
    Postings("boiler", 2.0, (1, 2, 5), forms=("boiler",)),
)


def test_the_rest_is_what_an_item_does_not_hold_itself() -> None:
    parts = apart(QUESTION, FOUND, {1: 8, 2: 8, 3: 8})
    assert {item: part.rest for item, part in parts.items()} == {
        1: "where is the second key of the",
        2: "where is the second of the",
    }, "what holds no word is compared with the whole question"


def test_the_shorter_the_item_and_the_more_it_shares_the_more_is_taken_out() -> None:
    shares = [
        apart(QUESTION, FOUND, {item: length})[item].share
        for item, length in ((1, 400), (1, 8), (2, 8), (1, 1))
    ]
    assert shares == [WEIGHTS.shared / 400, WEIGHTS.shared / 8, 2 * WEIGHTS.shared / 8, 1.0]
    assert apart(QUESTION, FOUND, {2: 0})[2].share == 1.0


def test_a_cosine_goes_towards_that_of_the_rest() -> None:
    likeness = QueryLikeness({1: 0.8, 2: 0.6, 3: 0.4}, 0.1)
    parts = {1: Apart("a", 0.5), 2: Apart("b", 1.0)}
    cosines = less_shared(likeness, parts, {1: 0.2, 2: 0.3}).cosines
    assert cosines == pytest.approx({1: 0.5, 2: 0.3, 3: 0.4})
