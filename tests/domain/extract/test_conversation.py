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
    late = talk("We launched the new shop today", start=datetime(2026, 2, 14, 23, 30, tzinfo=UTC))
    [memory] = extract(late, ZoneInfo("Europe/Berlin"))
    assert memory.text == "We launched the new shop on 2026-02-15."


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


@pytest.mark.parametrize(
    ("change", "now"),
    [
        ("wait, make it thursday", "We launch the shop on 2026-02-19 at 10."),
        ("hm, better on March 3", "We launch the shop on 2026-03-03 at 10."),
        ("no wait, at 11:30", "We launch the shop on 2026-02-20 at 11:30."),
    ],
)
def test_a_plan_that_changes_while_it_is_spoken_of_is_kept_as_it_ends(change: str, now: str) -> None:
    [memory] = extract(talk("We launch the shop on Friday at 10", "< Nice.", change), UTC)
    assert (memory.text, memory.quote, memory.evidence) == (now, change, "chat:agent:main:main/m2")


@pytest.mark.parametrize(
    "later", ["wait what", "wait, who paid for lunch?", "make it shorter", "better luck tomorrow for us all"]
)
def test_what_only_sounds_like_a_change_changes_nothing(later: str) -> None:
    assert kept("We launch the shop on the 20th of March", "< Nice.", later)[0] == "We launch the shop on 2026-03-20."


def test_what_the_assistant_asks_whether_it_understood_is_kept_in_the_operators_sense() -> None:
    assert kept("< So your bus to the airport leaves on March 3 at 6:40, right?", "yes") == [
        "Mira's bus to the airport leaves on 2026-03-03 at 6:40."
    ]
    assert kept("< So your bus to the airport leaves on March 3 at 6:40, right?", "no") == []


def test_what_the_assistant_puts_into_a_sentence_takes_the_place_of_the_scrap() -> None:
    assert kept(
        "deadline March 3, noon", "< So the deadline for the museum grant is March 3 at noon, right?", "correct"
    ) == ["The deadline for the museum grant is 2026-03-03 at noon."]


def test_a_name_that_is_chosen_is_kept() -> None:
    assert kept('< "The Salt Year" has more pull.', "yeah go with that one") == ["Chosen: “The Salt Year”"]
    assert kept('< "The Salt Year" has more pull.', "nice") == []
