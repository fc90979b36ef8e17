"""What a judge sees of a text."""

import string

from hypothesis import given
from hypothesis import strategies as st

from clawgit.judges.features import first_words


@given(st.text(st.sampled_from(string.printable + "\x1c'9:.,_"), max_size=80))
def test_plain_letters_are_read_as_those_of_any_script_are(text: str) -> None:
    # The word behind it is of another script, and the text is read by the long way.
    assert [*first_words(text), "ж"] == first_words(f"{text} ж")
