"""What a sentence is worth, as it was learned."""

from datetime import UTC, datetime

import pytest

from clawgit.domain.extract.conversation import extract
from clawgit.domain.extract.reading import Setting, weighed
from clawgit.domain.extract.sentences import Sentence, sentences
from clawgit.domain.extract.worth import SLOTS, Learned, Place, by_rules, learned, slots_of
from tests.domain.extract.test_conversation import talk

SAID = datetime(2026, 2, 14, 12, tzinfo=UTC)
NOTHING = Learned([0] * SLOTS, 1.0, -100.0)


def worth(text: str, before: str = "") -> float:
    [sentence] = sentences(text)
    judgement, slots = weighed(sentence, Setting(SAID, before=before, length=len(text)))
    assert slots is not None
    return learned().worth(slots, judgement.weight)


@pytest.mark.parametrize(
    ("told", "chatter"),
    [
        ("The meeting is on Friday at 10.", "the meeting took for ever"),
        ("We decided to use Postgres for billing.", "We talked about Postgres for ages."),
        ("Our rent is 900 euros", "I need coffee"),
        ("the boiler needs 1.5 bar", "can you run the tests please"),
    ],
)
def test_what_matters_later_is_worth_more_than_chatter(told: str, chatter: str) -> None:
    assert worth(told) > 0 > worth(chatter)


def test_what_a_sentence_answers_counts() -> None:
    assert worth("Friday at ten", "When is the review?") != worth("Friday at ten")


def test_where_it_stands_and_what_speaks_against_it_are_features() -> None:
    plain = slots_of("The key hangs by the door.", [], "", Place())
    assert plain != slots_of("The key hangs by the door.", [], "", Place(number=2, of=3))
    assert plain != slots_of("The key hangs by the door.", [], "a question", Place())
    assert all(0 <= slot < SLOTS for slot in plain)


def test_rules_are_the_ground_on_which_it_was_learned() -> None:
    slots = slots_of("The key hangs by the door.", [], "", Place())
    assert learned().worth(slots, 6) - learned().worth(slots, 0) == pytest.approx(by_rules(6))
    assert by_rules(60) == by_rules(6) > by_rules(0) == 0.0


def test_what_the_operator_asks_to_be_kept_is_kept_whatever_was_learned() -> None:
    assert extract(talk("Remember that the key hangs by the door."), judge=NOTHING)
    assert not extract(talk("The meeting is on Friday at 10."), judge=NOTHING)


def test_languages_that_were_not_taught_go_by_rules() -> None:
    assert weighed(Sentence("我们决定用 PostgreSQL。"), Setting(SAID))[1] is None
    assert extract(talk("我们决定用 PostgreSQL。"), judge=NOTHING)
