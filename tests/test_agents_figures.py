"""What the agents reach on our labelled conversations by rules alone, and how that is counted."""

import pytest

from bench import agents
from bench.agents import FLOORS, STRANGERS_FLOORS, misses, shares
from bench.conversations import DEV, KEPT, STRANGERS_KEPT, conversations
from bench.model_day import costs, day, report
from clawgit.core.config.settings import Settings


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


# What a day costs with a model.


@pytest.mark.parametrize("count", [30, pytest.param(200, marks=pytest.mark.slow)])
def test_a_day_with_a_model_stays_within_its_cap(count: int) -> None:
    messages = day()
    assert len(messages) == 200
    messages = messages[:count]
    found = [*costs(messages)]
    assert 0 < sum(cost.asked.tokens for cost in found) < Settings().llm_daily_tokens
    assert f"{count} messages" in next(report(messages))
