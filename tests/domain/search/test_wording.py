"""What an item says of a question in other words."""

from collections.abc import Sequence

import pytest

from clawgit.domain.markdown.item import items
from clawgit.domain.search.bonds import bonds
from clawgit.domain.search.ranking import GatheredMatches
from clawgit.domain.search.ranking_weights import WEIGHTS
from clawgit.domain.search.wording import reworded, telling_words

_COSINES = {("internet", "wifi"): 0.6, ("password", "code"): 0.4, ("password", "password"): 1.0}


def _alike(asked: Sequence[str], texts: Sequence[str]) -> list[list[float]]:
    return [
        [max((_COSINES.get((one, word), 0.0) for word in said), default=0.0) for one in asked]
        for said in map(telling_words, texts)
    ]


def _gathered(*near: dict[int, float]) -> GatheredMatches:
    """“internet password”, where each word weighs 2."""
    sums = {item: 2 * sum(close.get(item, 0.0) for close in near) for item in (1, 2, 3)}
    return GatheredMatches(
        ("internet", "password"), near, sums, 4.0, frozenset(), frozenset(), weights=(2.0, 2.0)
    )


def _above_chance(cosine: float) -> float:
    return (cosine - WEIGHTS.any_alike) / (1 - WEIGHTS.any_alike)


def test_the_nearest_word_of_an_item_counts_for_a_word_of_the_question() -> None:
    found = reworded(_gathered({}, {}), {1: "the wifi code", 2: "paid rent"}, _alike)
    both = (_above_chance(0.6) + _above_chance(0.4)) / 2
    assert found.share(1) == pytest.approx(both)
    assert found.share(2) == 0


def test_a_word_that_is_closer_as_it_stands_stays_as_close() -> None:
    found = reworded(_gathered({}, {1: 0.9, 2: 0.1}), {1: "a code", 2: "a code"}, _alike)
    assert [close.get(1) for close in found.near] == [0.0, 0.9]
    assert found.near[1][2] == pytest.approx(_above_chance(0.4))
    assert found.share(1) == pytest.approx(0.45)
    assert found.share(2) == pytest.approx(_above_chance(0.4) / 2)


def test_a_turn_of_a_conversation_is_left_to_the_turns_around_it() -> None:
    talk = items("memory/x.md", "- **Ana:** the wifi code\n- **Bo:** which?\n")
    layout = [0, bonds(talk)[0], 0]
    texts = {1: talk[0].text, 2: "the wifi code"}
    found = reworded(_gathered({}, {})._replace(bonds=layout), texts, _alike)
    assert found.share(1) == 0 < found.share(2)
    spoken = reworded(_gathered({1: 0.5}, {})._replace(bonds=layout), {1: texts[1]}, _alike)
    assert spoken.share(1) == 0.25


def test_only_words_that_say_something_are_compared_each_once() -> None:
    assert telling_words("The code is the code of the door") == ["code", "door"]
    assert len(telling_words(" ".join(f"word{number}" for number in range(500)))) == 60
