"""One value for another: what is plain enough to be put right, and the proof of what was
written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.corrections.exchange import (
    Exchange,
    Unplain,
    agrees,
    contrasts,
    exchange,
    is_told_of_another,
    names_its_subject,
    proven,
)
from clawgit.language.values import values_and_codes
from tests.each import for_each

PLAIN = [
    ("Actually Ingrid opens at 5:00, not 5:30", "", "Ingrid opens the shop at 5:30.",
        "Ingrid opens the shop at 5:00."),
    ("It's not Bengt, it's Lars.", "", "Bengt is the plumber.", "Lars is the plumber."),
    ("No, I said the call is on Friday at 9.", "", "The call is on Monday at 9.",
        "The call is on Friday at 9."),
    ("No, it's on Sunday at 9.", "The fair is Friday.", "The fair is on Friday at 9.",
        "The fair is on Sunday at 9."),
    ("please change the landlord to Castellum", "", "Landlord: Heimstaden", "Landlord: Castellum"),
    ("The rent is 1050 euros now", "", "The rent is 980 euros per month.",
        "The rent is 1050 euros per month."),
    ("Die Miete ist jetzt 1050 Euro", "", "Die Miete ist 980 Euro.", "Die Miete ist 1050 Euro."),
    ("the office is in Berlin, because Paris was too dear", "", "The office is in Paris.",
        "The office is in Berlin."),
    ("No, it's castor-3, not boreas-4.", "", "The importer runs on boreas-4.",
        "The importer runs on castor-3."),
    ("That's wrong, the importer runs on db-eu-12.", "", "The importer runs on web-01.",
        "The importer runs on db-eu-12."),
]  # fmt: skip


@for_each("message, before, old, right", PLAIN)
def test_one_value_is_exchanged_and_nothing_else(
    message: str, before: str, old: str, right: str
) -> None:
    found = exchange(message, before, old)
    assert isinstance(found, Exchange), found
    assert found.applied(old) == right
    assert proven(old, right, message, found)


def test_a_number_is_no_part_of_a_code_that_a_day_or_an_address_cannot_be() -> None:
    """Only the whole code is exchanged: half of one would be a host that nobody named."""
    assert exchange("The importer runs on 5.", "", "The importer runs on web-01.") == Unplain(
        "the entry has no value of that kind"
    )
    text = "Ana left web-01 on May-3 for ana-1@example.org and /srv/web-01, a 10-day trip."
    codes = [value.text for value in values_and_codes(text) if value.kind == "code"]
    assert codes == ["web-01"]


ASKED = {
    "one of two": ("room 7", "Which room do you want for the course, room 3 or room 7?"),
    "what it did not know": ("The course is in room 7", "In which room shall I book the course?"),
}


@pytest.mark.parametrize(("message", "before"), ASKED.values(), ids=ASKED)
def test_an_answer_to_the_agent_sets_nothing_right(message: str, before: str) -> None:
    assert exchange(message, before, "The course is in room 3.") == Unplain(
        "it answers a question of the agent"
    )


def test_an_agent_that_asks_after_it_was_wrong_is_set_right() -> None:
    before = "The course is in room 3. Shall I remind you?"
    assert isinstance(exchange("No, it's in room 7.", before, "The course is in room 3."), Exchange)


UNPLAIN = {
    "says more": ("No, at 3:30, and it's on host hermes now.", "The call is on Monday at 3:00."),
    "says more in another sentence": (
        "It's at 3:30. It moved to the blue room, too.",
        "The call is at 3:00.",
    ),
    "asks": ("Is the call at 3:30?", "The call is at 3:00."),
    "is a report": ("Nina says the call is at 3:30", "The call is at 3:00."),
    "hedges": ("Maybe the call is at 3:30", "The call is at 3:00."),
    "has a condition": ("The call is at 3:30 if Nina comes", "The call is at 3:00."),
    "is an exception": ("The call is at 3:30 this week", "The call is at 3:00."),
    "one day only": ("The call is at 3:30 tomorrow", "The call is at 3:00."),
    "quotes": ("He wrote “the call is at 3:30”", "The call is at 3:00."),
    "denies what memory does not say": ("The call is at 3:30, not 4:00", "The call is at 3:00."),
    "denies the value": ("The call is not at 3:30", "The call is at 3:00."),
    "two values of that kind": ("The call is at 3:30", "The call is at 3:00, the demo at 5:00."),
    "the old value twice": (
        "The call is at 3:30, not 3:00",
        "The call is at 3:00, and 3:00 it stays.",
    ),
    "two new values": ("The call is on Friday at 3:30", "The call is on Monday at 3:00."),
    "a part of a name": ("It's not Bengt, it's Lars.", "Landlord: Bengt Olsson"),
    "another thing": ("The boat leaves at 3:30", "The call is at 3:00."),
    "no value": ("No, my dog Rex is a labrador.", "Rex, my dog, is a poodle."),
    "several lines": ("The call is at 3:30\n- and in room 4", "The call is at 3:00."),
}


@for_each("message, old", UNPLAIN.values())
def test_all_else_is_not_plain_and_says_why(message: str, old: str) -> None:
    found = exchange(message, "", old)
    assert isinstance(found, Unplain)
    assert found.why


WORDS = st.text(
    st.sampled_from("ab 3:05.,“”<>-\n月3号 Paris Berlin€%'"), max_size=60
) | st.sampled_from([message for message, *_ in PLAIN] + [old for *_, old, _ in PLAIN])


@given(message=WORDS, before=WORDS, old=WORDS, headings=WORDS)
def test_whatever_is_said_only_one_span_of_the_message_enters_the_entry(
    message: str, before: str, old: str, headings: str
) -> None:
    found = exchange(message, before, old, headings)
    if isinstance(found, Exchange):
        after = found.applied(old)
        assert proven(old, after, message, found)
        assert after.startswith(old[: found.start])
        assert after.endswith(old[found.end :])
        assert found.new in message


@given(
    old=st.text(max_size=40),
    message=st.text(max_size=40),
    cut=st.tuples(*[st.integers(0, 40)] * 4),
    new=st.text(max_size=9),
)
def test_a_text_that_the_message_does_not_hold_is_never_proven(
    old: str, message: str, cut: tuple[int, int, int, int], new: str
) -> None:
    start, end = sorted(cut[:2])
    change = Exchange(start, end, old[start:end], new, cut[2])
    after = change.applied(old)
    if proven(old, after, message, change):
        assert new in message
        assert after == old[:start] + new + old[end:]
    assert not proven(old, f"{after} and more", message, change)


@pytest.mark.parametrize("cut", [("15:30", "5:30"), ("Berliner", "Berlin"), ("53000", "5300")])
def test_half_a_word_or_number_is_no_span(cut: tuple[str, str]) -> None:
    said, half = cut
    change = Exchange(0, 1, "x", half, said.index(half))
    assert not proven("x", half, said, change)


def test_what_memory_says_already_is_no_correction() -> None:
    assert agrees("No, the call is at 3:00", "The call is at 3:00.")
    assert not agrees("No, the call is at 3:30", "The call is at 3:00.")
    assert not agrees("No, the call is at 3:00 in the blue room", "The call is at 3:00.")


def test_a_word_of_the_statement_that_begins_a_sentence_is_no_new_name() -> None:
    said = exchange(
        "FYI, Invoices of the thistle project go to Ana.",
        "",
        "Invoices of the thistle project go to Dalia.",
    )
    assert not isinstance(said, Exchange) or said.new == "Ana"
    assert isinstance(
        exchange("FYI, Invoices go out", "", "Invoices of the thistle project go to Dalia."),
        Unplain,
    )


def test_a_contrast_denies_the_very_value() -> None:
    assert contrasts("The office is in Berlin, not Paris.", "The office is in Paris.")
    assert not contrasts("The office is in Berlin, not Rome.", "The office is in Paris.")
    assert not contrasts("Is the office in Berlin, not Paris?", "The office is in Paris.")


def test_a_message_names_its_subject_by_a_word_besides_the_value() -> None:
    change = Exchange(12, 16, "3:00", "3:30", 0)
    assert names_its_subject("the call is at 3:30", change, "The call is at 3:00.")
    assert not names_its_subject("3:30!!", change, "The call is at 3:00.")


MEANS = {
    "another subject": (
        "No, it's in Oslo.", "The audit workshop is in Brno.", "The library workshop is in Brno.",
        True,
    ),
    "another subject and another value": (
        "No, it's in Oslo.", "The audit workshop is in Brno.",
        "Important: The library workshop is in Turin.", True,
    ),
    "another subject, under a label that is written like a denial": (
        "No, it's in Oslo, not in Brno.", "The audit workshop is in Brno.",
        "Note to self: The library workshop is in Brno.", True,
    ),
    "the same subject": (
        "No, it's in Oslo.", "The audit workshop is in Brno.",
        "Important: The audit workshop is in Turin.", False,
    ),
    "a subject that the message names": (
        "No, the library one is in Oslo.", "The audit workshop is in Brno.",
        "The library workshop is in Brno.", False,
    ),
    "the same in other words": (
        "No, at 5.", "Your dentist is on Tuesday at 4.", "Dentist appointment on Tuesday at 4.",
        False,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("message", "before", "old", "is_other"), MEANS.values(), ids=MEANS)
def test_a_message_without_a_subject_is_about_what_the_agent_spoke_of(
    message: str, before: str, old: str, is_other: bool
) -> None:
    assert is_told_of_another(message, before, old) is is_other
