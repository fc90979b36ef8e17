"""Words of a text, cut by a small pattern where the text is ASCII alone."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.language.tokens import tokens

_SIGNS = st.text(st.sampled_from("aZ09 _'.,:-\n\t#\x00\x7f"), max_size=30)


@given(_SIGNS)
def test_the_words_of_ascii_are_those_that_the_pattern_of_all_scripts_finds(text: str) -> None:
    # A last word in another script has the large pattern cut the whole text.
    *words, last = tokens(f"{text} ä")
    assert last.text == "ä"
    assert [*tokens(text)] == words


@given(st.text(st.sampled_from("aZ09é'’.-—→😀\u0301\u1200\ua000\uffa0 "), max_size=30))
def test_the_words_of_spaced_scripts_are_those_that_the_pattern_of_all_scripts_finds(
    text: str,
) -> None:
    *words, last = tokens(f"{text} 茶")
    assert last.text == "茶"
    assert [*tokens(text)] == words
