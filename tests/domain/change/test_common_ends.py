from itertools import takewhile

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.change.common_ends import common_ends, common_start


def test_what_two_sequences_share_at_both_ends_never_overlaps() -> None:
    assert common_ends("abcd", "abxd") == (2, 1)
    assert common_ends("aaa", "aaaa") == (3, 0)
    assert common_ends("", "a") == (0, 0)
    assert common_ends(["a", "b"], ["a", "b"]) == (2, 0)


@given(st.text("ab\n", max_size=40), st.text("ab\n", max_size=40), st.text("ab\n", max_size=40))
def test_the_common_start_is_as_long_as_it_can_be(head: str, one: str, other: str) -> None:
    pairs = zip(head + one, head + other, strict=False)
    slowly = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    assert common_start(head + one, head + other) == slowly
    assert common_start([*head, *one], [*head, *other]) == slowly
