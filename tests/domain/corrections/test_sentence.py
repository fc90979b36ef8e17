"""The sentence that is quoted: a piece of the message, whole, and not too long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.corrections.sentence import LONGEST, heard_sentence
from clawgit.domain.extraction.quoting import bears

ABOUT = "The weekly call is on Monday at 3."


def test_the_sentences_that_speak_of_the_entry_are_quoted_and_the_others_not() -> None:
    message = (
        "Thanks for the list. No, the call is on Thursday. And it's at 3:30. Can you book a "
        "table for two tonight?"
    )
    assert heard_sentence(message, ABOUT) == "No, the call is on Thursday. And it's at 3:30."


@pytest.mark.parametrize("unit", ["word ", "会议改到星期四。", "the call is on thursday and "])
def test_a_long_message_is_cut_where_it_speaks_of_the_entry(unit: str) -> None:
    words = heard_sentence(unit * 200, ABOUT)
    assert 0 < len(words) <= LONGEST
    assert " ".join((unit * 200).split()).find(words) >= 0


def test_a_message_of_five_megabytes_without_an_end_is_read() -> None:
    assert len(heard_sentence("ä" * 20_000, ABOUT)) <= LONGEST


@given(st.text(st.sampled_from("ab c.!?\n“”、。月火- 3:"), max_size=400))
def test_a_quote_is_one_span_of_the_message(message: str) -> None:
    words = heard_sentence(message, ABOUT)
    assert len(words) <= LONGEST
    assert not words or words in " ".join(message.split()) or bears(message, words)
