"""What the headings above an item say of a question, and what one written thing weighs."""

from datetime import UTC, datetime

import pytest

from clawgit.domain.search.headed import headed
from clawgit.domain.search.postings import Postings, as_one
from clawgit.domain.search.question import read_question
from clawgit.domain.search.ranking import GatheredMatches
from clawgit.domain.search.ranking_weights import WEIGHTS
from clawgit.domain.search.terms import named_things
from tests.each import for_each

NOW = datetime(2026, 3, 18, tzinfo=UTC)


def gathered(*near: dict[int, float]) -> GatheredMatches:
    """“kiln deposits”, where the second word weighs twice as much."""
    sums = {item: near[0].get(item, 0.0) + 2 * near[1].get(item, 0.0) for item in (1, 2, 3)}
    return GatheredMatches(
        ("kiln", "deposits"), near, sums, 3.0, frozenset(), frozenset(), weights=(1.0, 2.0)
    )


def test_a_word_of_any_heading_above_an_item_counts_for_it() -> None:
    question = read_question("kiln deposits", NOW)
    headings = {1: ("The kiln", "Money"), 2: ("The kiln", "Deposit"), 3: ("The boat",)}
    found = headed(question, gathered({1: 0.9}, {}), headings)
    assert [found.share(item) for item in (1, 2, 3)] == pytest.approx(
        [0.9 / 3, WEIGHTS.above, 0.0]
    ), "a word that is closer by itself stays as close, and another form of a word counts"
    assert dict(found.closeness(2)) == {"kiln": WEIGHTS.above, "deposits": WEIGHTS.above}


def test_headings_that_say_nothing_of_a_question_change_nothing() -> None:
    before = gathered({1: 0.9}, {2: 0.4})
    assert headed(read_question("kiln deposits", NOW), before, {1: ("Boat",), 2: ()}) is before


@for_each(
    "text, things",
    [
        ("what filled the disk on 192.168.0.120?", [["192", "168", "0", "120"]]),
        ("ElevenLabs voice", [["elevenlabs", "eleven", "labs"]]),
        ("FORCE_SEND", [["forcesend", "force", "send"]]),
        ("mail ana@example.org twice", [["ana", "example", "org"]]),
        ("the end. Then rain", []),
        ("3469 Old Mission Road", []),
        ("潘文渊奖学金", []),
    ],
)
def test_a_thing_is_what_is_written_in_one(text: str, things: list[list[str]]) -> None:
    assert [*named_things(text)] == things


def test_the_words_of_one_thing_weigh_together_what_the_heaviest_does() -> None:
    found = [Postings("eleven", 2.0), Postings("labs", 6.0), Postings("voice", 3.0)]
    made = as_one(found, [["eleven", "labs"], ["eleven", "labs"], ["gone"]])
    weights = {one.word: one.weight for one in made}
    assert weights == pytest.approx({"eleven": 1.5, "labs": 4.5, "voice": 3.0})
    assert as_one(found, []) == tuple(found)
