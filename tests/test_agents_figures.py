"""What the agents reach on our labelled conversations by rules alone, and how that is counted."""

from datetime import date

import pytest

from bench import agents
from bench.agents import FLOORS, STRANGERS_FLOORS, misses, shares
from bench.conversations import (
    DEV,
    KEPT,
    NO_CORRECTION,
    STRANGERS_KEPT,
    VALUE,
    Conversation,
    Wanted,
    claims_any,
    conversations,
    dates_right,
    holds,
    matched,
)
from clawgit.domain.markdown.tag_table import DECISION, KNOWLEDGE


@pytest.mark.slow
@pytest.mark.parametrize("half", [DEV, KEPT])
@pytest.mark.parametrize("name", FLOORS)
def test_by_rules_alone_the_floors_are_reached(name: str, half: str) -> None:
    share = shares(half)[name]
    told = [*misses()] if half == DEV else []  # nobody reads the mistakes of a kept half
    assert share.value >= FLOORS[name], f"{share}, mistakes: {told}"


@pytest.mark.slow
@pytest.mark.parametrize("half", [DEV, KEPT])
def test_a_correction_rarely_does_harm(half: str) -> None:
    assert shares(half)["corrections, no harm"].value >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("name", STRANGERS_FLOORS)
def test_of_strangers_the_floors_are_reached_too(name: str) -> None:
    assert shares(STRANGERS_KEPT)[name].value >= STRANGERS_FLOORS[name]


def test_the_figures_of_a_few_conversations_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    few = conversations(DEV)[:3]
    monkeypatch.setattr(agents, "conversations", lambda _: few)
    found = shares("few")
    assert {*found} >= {*FLOORS}
    assert 0 < found["memories, precision"].value <= 1


def test_both_halves_have_thirty_conversations_at_least_and_share_no_message_of_weight() -> None:
    texts = [_weighty(half) for half in (DEV, KEPT)]
    assert texts[0] & texts[1] == set()
    assert min(len(conversations(half)) for half in (DEV, KEPT)) >= 30


def test_labels_point_at_what_the_operator_said() -> None:
    for talk in (*conversations(DEV), *conversations(KEPT)):
        assert all(talk.messages[wanted.message].role == "user" for wanted in talk.memories)
        for one in talk.reproofs:
            assert talk.messages[one.message].role == "user"
            assert one.kind != VALUE or one.value
            if one.entry is not None:
                assert claims_any(one.entries[one.entry], one.wrong) or not one.wrong
                assert not holds(one.entries[one.entry], one.value)
            assert one.kind != NO_CORRECTION or not one.value


def test_words_are_found_whatever_their_case_but_no_number_within_another() -> None:
    assert holds("Postgres listens on port 5433.", (("5433",), ("mysql", "POSTGRES")))
    assert not holds("Postgres listens on port 15433.", (("5433",),))
    assert not holds("It says <!-- claw:x 5433 --> nothing.", (("5433",),))
    assert holds("价格是 3 万元", (("3 万",),))


def test_a_value_that_is_denied_is_not_claimed() -> None:
    assert not claims_any("It is in Berlin, not in Paris.", (("paris",),))
    assert claims_any("It is not in Berlin, but in Paris.", (("paris",),))


def test_who_says_a_thing_twice_is_wrong_the_second_time_and_what_is_optional_never() -> None:
    talk = _talk([_wanted("port", "5433"), _wanted("offsite", "berlin")], [_wanted("cat", "cat")])
    found = matched(
        ["Port 5433.", "It is port 5433.", "A cat.", "Nice weather.", "x" * 400 + " berlin"], talk
    )
    assert {number: [wanted.text for wanted in held] for number, held in found.hits.items()} == {
        0: ["port"]
    }
    assert found.false == (1, 3, 4)
    assert [wanted.text for wanted in found.missed] == ["offsite"]


def test_one_sentence_holds_two_memories_at_most() -> None:
    talk = _talk([_wanted(name, name) for name in ("one", "two", "three")], [])
    assert [len(held) for held in matched(["one two three"], talk).hits.values()] == [2]


@pytest.mark.parametrize(
    "text",
    [
        "on 2026-03-20",
        "on March 20",
        "on the 20th of March",
        "20 Mar at noon",
        "3月20号",
        "3월 20일",
    ],
)
def test_a_date_is_right_when_it_names_the_day_for_good(text: str) -> None:
    assert dates_right(text, _wanted("launch", "launch", date(2026, 3, 20)))
    assert not dates_right(text, _wanted("launch", "launch", date(2026, 3, 21)))
    assert not dates_right("next Friday", _wanted("launch", "launch", date(2026, 3, 20)))


def _weighty(half: str) -> set[str]:
    return {
        message.text
        for talk in conversations(half)
        for message in talk.messages
        if len(message.text) > 40
    }


def _wanted(text: str, word: str, *when: date) -> Wanted:
    return Wanted(text, ((word,),), (KNOWLEDGE, DECISION), 0, when)


def _talk(memories: list[Wanted], optional: list[Wanted]) -> Conversation:
    return conversations(DEV)[0]._replace(memories=tuple(memories), optional=tuple(optional))
