"""Pruning: old results of tools get shorter, all else stays, and nothing ever gets longer."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from clawgit.talk.rules.chat import ASSISTANT
from clawgit.talk.rules.session import (
    CLEARED,
    SAFE_ANSWERS,
    TOOL,
    SessionMessage,
    cold_since,
    prune,
    text_of,
    tokens_of,
)
from tests.session_lab import START, result, said, sessions, talk

ROOM = 10**9
"""Room for all."""


def work(*results: SessionMessage, answers: int = 3) -> list[SessionMessage]:
    """Calls with these results, and then so many answers."""
    return [*results, *(said("assistant", f"done {at}", at) for at in range(answers))]


def test_a_result_with_a_picture_is_safe() -> None:
    messages = work(result("1", "x" * 9000, image=True))
    assert prune(messages, 0) == messages


def test_whole_results_are_cleared_from_the_oldest_on_until_there_is_room() -> None:
    messages = work(*(result(str(at), "word " * 700) for at in range(4)))
    size = sum(map(tokens_of, messages))
    cleared = {room: [text_of(one) == CLEARED for one in prune(messages, room)[:4]]
               for room in (size - 1000, 0, size)}  # fmt: skip
    assert [*cleared.values()] == [[True, True, False, False], [True] * 4, [False] * 4]


def test_the_cache_is_cold_some_time_after_the_last_answer() -> None:
    assert cold_since(talk("u", "a", "u")) == START + timedelta(minutes=1, seconds=600)
    assert cold_since(talk("u")) is None


@given(sessions(), st.integers(0, 300) | st.just(ROOM))
def test_no_message_grows_goes_or_changes_that_is_no_old_result(
    messages: list[SessionMessage], room: int
) -> None:
    answers = [at for at, one in enumerate(messages) if one.role == ASSISTANT]
    end = answers[-SAFE_ANSWERS] if len(answers) >= SAFE_ANSWERS else 0
    for at, (old, new) in enumerate(zip(messages, prune(messages, room), strict=True)):
        if at >= end or old.role != TOOL:
            assert new is old
        assert len(text_of(new)) <= len(text_of(old))
        assert {**new.value, "content": 0} == {**old.value, "content": 0}
