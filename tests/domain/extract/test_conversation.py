"""What is kept of a talk: the operator's words, and what he takes over from his assistant."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from clawgit.domain.chat import Message, recorded
from clawgit.domain.extract.conversation import extract

START = datetime(2026, 2, 14, 9, 0, tzinfo=UTC)


def talk(*turns: str, session: str = "agent:main:main", start: datetime = START) -> list[Message]:
    """Turns of the operator and, behind a `<`, of his assistant."""
    return [
        recorded(
            session,
            session,
            "assistant" if turn.startswith("<") else "user",
            turn.removeprefix("<").strip(),
            start + timedelta(minutes=number),
            f"m{number}",
        )
        for number, turn in enumerate(turns)
    ]


def kept(*turns: str) -> list[str]:
    return [memory.text for memory in extract(talk(*turns), UTC, "Mira")]


def test_evidence_names_the_message() -> None:
    assert [memory.evidence for memory in extract(talk("hi", "We chose Stripe for payments"))] == [
        "chat:agent:main:main/m1"
    ]


def test_days_are_those_of_the_operators_zone() -> None:
    late = talk("We launched the shop today", start=datetime(2026, 2, 14, 23, 30, tzinfo=UTC))
    [memory] = extract(late, ZoneInfo("Europe/Berlin"))
    assert memory.text == "We launched the shop on 2026-02-15."


def test_what_the_assistant_says_by_itself_is_not_kept() -> None:
    assert kept("< We decided to use MySQL.", "hm", "< The server listens on 5433.", "ok") == []


@pytest.mark.parametrize("reply", ["yes, do that", "Exactly", "yes please", "let's go with that"])
def test_a_proposal_that_the_operator_takes_is_a_decision(reply: str) -> None:
    [memory] = extract(talk("< Should we switch to Postgres 17 for billing?", reply), UTC)
    assert (memory.text, memory.tag) == ("Switch to Postgres 17 for billing.", "decision")


@pytest.mark.parametrize("reply", ["no", "let me think", "why?"])
def test_a_proposal_that_he_does_not_take_is_nothing(reply: str) -> None:
    assert kept("< Should we switch to Postgres 17 for billing?", reply) == []


def test_an_errand_that_he_agrees_to_is_no_decision() -> None:
    assert kept("< Shall I send the draft to the Bauer family?", "yes send it") == []


def test_a_value_that_was_asked_for_by_name_is_kept_with_the_name() -> None:
    assert kept("< Understood. Deadline?", "9/18 noon") == ["Deadline: 2026-09-18 noon."]


def test_commands_and_other_sessions_do_not_answer() -> None:
    elsewhere = talk("< Should we switch to Postgres 17?", session="agent:main:other")
    assert extract([*elsewhere, *talk("yes, do that", "/note we decided to leave")]) == ()


def test_what_he_puts_right_takes_no_subject_from_before() -> None:
    """“It” is in what the assistant said; the Recall Validator knows it."""
    assert kept("The plan is to move the shop to Hetzner.", "< It runs on 9854?", "No, it's on port 7525.")[1:] == []
