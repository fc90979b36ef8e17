"""What the operator put right, and what still says otherwise."""

from datetime import UTC, datetime

from clawgit.talk.rules.corrections import CONFIRMED, Correction
from clawgit.talk.rules.pairs import wrong_by
from tests.each import for_each


def correction(day: int, said: str, correct: str, status: str = CONFIRMED) -> Correction:
    return Correction(
        f"day{day:03}",
        datetime(2026, 2, day, tzinfo=UTC),
        said=said,
        correct=correct,
        status=status,
    )


MOVED = correction(1, "The office is in Paris.", "The office is in Berlin.")


@for_each(
    "text, where",
    [
        ("- The office is in paris", "CORRECTIONS.md#day001"),
        ("- We meet at the Paris office on Monday.", "CORRECTIONS.md#day001"),
        ("- The office moved from Paris to Berlin.", ""),
        ("- The office is in Berlin.", ""),
        ("- Ana lives in Paris.", ""),
    ],
)
def test_a_line_that_says_the_wrong_thing_of_the_same_matter_is_known(
    text: str, where: str
) -> None:
    assert wrong_by([MOVED]).correction_of(text) == where


def test_the_last_word_counts_where_somebody_went_back() -> None:
    back = correction(2, "The office is in Berlin.", "The office is in Paris.")
    wrong = wrong_by([back, MOVED])
    assert wrong.correction_of("The office is in Paris.") == ""
    assert wrong.correction_of("The Berlin office is closed.") == "CORRECTIONS.md#day002"
    assert wrong.void == {MOVED.id}
