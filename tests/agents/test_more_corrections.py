"""What the validator makes of corrections as many people type them: the right value, in the entry that is meant."""

import pytest

from bench.agents import Answered, answered
from bench.conversations import MORE, NO_CORRECTION, VALUE

MOSTLY = 0.85


@pytest.fixture(scope="module")
def told() -> tuple[Answered, ...]:
    return answered(MORE)


def test_mostly_the_value_is_right_and_in_its_entry(told: tuple[Answered, ...]) -> None:
    values = [one for one in told if one.reproof.kind == VALUE]
    wrong = [one.text for one in values if not one.is_right]
    assert len(values) >= 60
    assert sum(one.value_right for one in values) >= MOSTLY * len(values), wrong
    assert len(wrong) <= (1 - MOSTLY) * len(values), wrong


def test_what_names_no_value_is_asked_about_and_small_talk_is_left(told: tuple[Answered, ...]) -> None:
    others = [one for one in told if one.reproof.kind != VALUE]
    wrong = [one.text for one in others if not one.is_right]
    assert wrong == []
    assert {one.reproof.kind for one in others} >= {NO_CORRECTION}


def test_entries_of_other_matters_stay_as_they_are(told: tuple[Answered, ...]) -> None:
    """An entry that shares the old value, or looks like it, is not the one that is meant."""
    touched = [
        (one.text, entry)
        for one in told
        for number, entry in enumerate(one.reproof.entries)
        if number != one.reproof.entry and entry not in [kept.text for kept in one.entries]
    ]
    assert touched == []
