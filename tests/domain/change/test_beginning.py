"""What two texts begin with in common is what looking at each character would find."""

from itertools import takewhile

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.change.beginning import shared


@given(st.text("ab\n", max_size=40), st.text("ab\n", max_size=40), st.text("ab\n", max_size=40))
def test_it_is_as_long_as_it_can_be(head: str, one: str, other: str) -> None:
    pairs = zip(head + one, head + other, strict=False)
    slowly = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    assert shared(head + one, head + other) == slowly
