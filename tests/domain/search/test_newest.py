from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.search.ranking_standing import is_alike


@given(st.frozensets(st.sampled_from("abcdefgh")), st.frozensets(st.sampled_from("abcdefgh")))
def test_alike_texts_share_twice_as_many_words_as_either_has_besides(
    text: frozenset[str], other: frozenset[str]
) -> None:
    besides = max(len(text - other), len(other - text))
    assert is_alike(text, other) == (len(text & other) >= 2 * besides)
