"""What the agents reach on our labelled conversations by rules alone, and how that is counted."""

import pytest

from bench import agents
from bench.agents import FLOORS, STRANGERS_FLOORS, misses, shares
from bench.conversations import (
    DEV,
    KEPT,
    NO_CORRECTION,
    STRANGERS_KEPT,
    VALUE,
    claims_any,
    conversations,
    holds,
)


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


def _weighty(half: str) -> set[str]:
    return {
        message.text
        for talk in conversations(half)
        for message in talk.messages
        if len(message.text) > 40
    }
