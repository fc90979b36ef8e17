"""What only says that something is wrong, and what says what is right."""

import pytest

from clawgit.domain.correction_over import over
from clawgit.domain.correction_reading import heard
from clawgit.domain.correction_verdict import is_verdict


@pytest.mark.parametrize(
    "text",
    [
        "the sum on the second page is not right",
        "that address is out of date",
        "wrong again",
        "bad count",
        "you didn't get it",
        "this can't be true",
        "that isn't correct about the boiler",
        "there is a mistake in the table",
        "I don't believe that date",
        "you've spelled her name wrongly",
        "it's not what we decided",
    ],
)
def test_a_verdict_names_nothing_right(text: str) -> None:
    assert is_verdict(text)
    assert heard(text).objections == ()
    assert heard(text).firm


@pytest.mark.parametrize(
    "text", ["the tank holds 40 litres", "it's Lyon", "you mixed cement and sand", "she is right about Lyon", "a wrong"]
)
def test_a_statement_is_no_verdict(text: str) -> None:
    assert not is_verdict(text)


@pytest.mark.parametrize(
    "text",
    [
        "That's incorrect. Let me check the folder.",
        "no, that's wrong, I'd have heard of it",
        "The total is off. Scrap it.",
        "Not right, I'm afraid. I'll look for the slip.",
        "이거 틀렸어",
    ],
)
def test_what_he_would_do_or_is_about_to_do_is_no_value(text: str) -> None:
    assert (heard(text).objections, heard(text).firm) == ((), True)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Milo left", "Milo"),
        ("Dr. Weiss withdrew in May", "Weiss"),
        ("the ferry was cancelled", "ferry"),
        ("never the side door", "side door"),
        ("seven was the old time", "seven"),
        ("we sold the van", "van"),
        ("the van is red", ""),
    ],
)
def test_what_is_over_is_known_by_what_is_said_of_it(text: str, wrong: str) -> None:
    assert over(text).removeprefix("Dr. ") == wrong


def test_a_value_of_blanks_breaks_nothing() -> None:
    assert [one.value for one in heard("不是 是柏林").objections] == ["柏林"]
