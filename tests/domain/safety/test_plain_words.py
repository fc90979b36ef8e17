"""Words that are joined, broken or spelt out, and the quick look that passes most texts over."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.safety import hidden_text, plain_words
from clawgit.domain.safety.hidden_text import together
from clawgit.domain.safety.plain_words import apart

SIGNS = st.text(st.sampled_from("aBéж._-/ 1@*\n"), max_size=40)


@given(SIGNS)
def test_no_guise_is_passed_over(text: str) -> None:
    """The same as where the whole patterns look at every text."""
    joined = plain_words._JOINED.sub(lambda run: plain_words._JOINT.sub(" ", run[0]), text)
    humped = plain_words._HUMPED.sub(lambda run: plain_words._HUMP.sub(" ", run[0]), joined)
    assert apart(text) == humped
    bare = text.replace("*", "")
    spelt = hidden_text._SPELT_OUT.sub(lambda run: hidden_text._GAP.sub("", run[0]), bare)
    assert together(text) == spelt
