"""A value in its place: the same kind of phrase, behind the right small word, and never in what is denied."""

import pytest

from clawgit.domain.correction_put import put, put_last


@pytest.mark.parametrize(
    ("sentence", "value", "wrong", "right"),
    [
        ("The parcels go to Ida, not to Uwe.", "Uwe", "Ida", "The parcels go to Uwe."),
        ("The lease ends at the end of March.", "on 9 April", "", "The lease ends on 9 April."),
        ("The fair is in June.", "on Sunday", "", "The fair is on Sunday."),
        ("The fair is on Sunday.", "in June", "", "The fair is in June."),
        ("The call is on Monday.", "on Friday at 14:30", "", "The call is on Friday at 14:30."),
        (
            "The choir meets on Mondays in Bremen.",
            "Fridays in Oldenburg",
            "",
            "The choir meets on Fridays in Oldenburg.",
        ),
        ("Lunch is 15 minutes, at 12:30.", "at 13:00", "", "Lunch is 15 minutes, at 13:00."),
        ("컷은 만오천 원이다.", "이만 원", "", "컷은 이만 원이다."),
    ],
)
def test_a_value_fits_its_frame(sentence: str, value: str, wrong: str, right: str) -> None:
    told = put(sentence, value, wrong)
    assert told is not None
    assert told.text == right


def test_what_is_only_denied_is_no_place_for_a_value() -> None:
    told = put("The parcels go to Ida, not to Uwe.", "Max", "Uwe")
    assert told is not None
    assert told.text == "The parcels go to Max, not to Uwe."


def test_a_year_is_no_number_of_anything() -> None:
    assert put("The pipe is 300 mm wide.", "the foreman left in 2019") is None


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("Pia keeps the minutes.", "a plan for that"),
        ("The order is 400 pieces.", "ten percent"),
        ("The shop has a cellar.", "sorry for that"),
        ("The room is on Monday.", "what we said before"),
    ],
)
def test_a_phrase_of_another_kind_is_not_put_in(sentence: str, value: str) -> None:
    assert put_last(sentence, value) is None


def test_what_something_is_can_be_said_otherwise() -> None:
    told = put_last("The door is open.", "locked")
    assert told is not None
    assert told.text == "The door is locked."
