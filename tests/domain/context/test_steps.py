"""Numbered lists that are not shown whole say how many items are missing."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.context.passage import passages
from clawgit.domain.context.slot import ContextPiece, Slot, slot_text
from clawgit.domain.context.steps import Gap, Step, gaps, more_gaps


def shown(text: str, *lines: int) -> str:
    """The text of a slot that shows these lines of a file."""
    pieces = [
        ContextPiece(each.text, each.source, each.heads, (each.line,), step=each.step)
        for each in passages("a.md", text, date(2026, 2, 14))
        if not lines or each.line in lines
    ]
    slot = Slot("x", "X", 800, pieces)
    return slot_text(slot, pieces).removeprefix("# X\n\n## a.md\n\n")


def test_the_items_of_a_numbered_list_stand_without_blank_lines_between_them() -> None:
    assert shown("1. One.\n\n2. Two.\n") == "1. One.\n2. Two."
    assert shown("1) One.\n2) Two.\n") == "1) One.\n2) Two."


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ((1, 2, 3, 4), "1. One.\n2. Two.\n3. Three.\n4. Four."),
        ((1, 4), "1. One.\n… 2 more …\n4. Four."),
        ((2, 3), "… 1 more …\n2. Two.\n3. Three.\n… 1 more …"),
        ((1,), "1. One.\n… 3 more …"),
    ],
)
def test_a_line_says_how_many_steps_are_missing(lines: tuple[int, ...], text: str) -> None:
    assert shown("1. One.\n2. Two.\n3. Three.\n4. Four.\n", *lines) == text


def test_a_list_goes_on_after_what_stands_between_its_steps() -> None:
    text = "1. One.\n\n```\nx\n```\n\n2. Two.\n"
    assert shown(text) == text.rstrip()
    assert shown(text, 7) == "… 1 more …\n2. Two."


def test_a_list_that_begins_again_or_under_another_heading_is_another_list() -> None:
    assert shown("1. One.\n2. Two.\n\nThen:\n\n1. Three.\n", 6) == "1. Three."
    assert shown("## B\n\n1. One.\n\n## C\n\n2. Two.\n", 7) == "### C\n\n2. Two."


def test_markdown_numbers_a_list_by_itself() -> None:
    assert shown("1. One.\n1. Two.\n1. Three.\n", 1, 3) == "1. One.\n… 1 more …\n1. Three."


def test_bullets_that_are_missing_are_not_counted() -> None:
    assert shown("- One.\n- Two.\n- Three.\n", 1, 3) == "- One.\n- Three."


@given(st.integers(1, 12).flatmap(lambda of: st.lists(st.integers(1, of), unique=True)))
def test_the_gaps_that_are_counted_one_by_one_are_those_of_the_text(order: list[int]) -> None:
    of = max(order, default=0)
    places: set[int] = set()
    counted = 0
    for at in order:
        counted += more_gaps(Step("a", at, of), places)
        places.add(at)
    found = [*gaps([Step("a", at, of) for at in sorted(order)])]
    assert counted == sum((gap.before > 0) + (gap.after > 0) for gap in found)
    assert sum(gap.before + gap.after for gap in found) == of - len(order)
    assert [*gaps([None])] == [Gap()]
