from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.search.folding import _may_be_alike, _shared_words
from clawgit.domain.search.ranking_standing import is_alike

TEXTS = st.lists(st.frozensets(st.sampled_from("abcdefgh"), max_size=8), max_size=8)


@given(TEXTS)
def test_texts_that_are_alike_are_among_those_that_may_be(texts: list[frozenset[str]]) -> None:
    """Each pair is compared only where both may be alike to some other."""
    repeated = _shared_words(texts)
    may_be = [_may_be_alike(text, repeated) for text in texts]
    for (text, of_one), (other, of_other) in combinations(zip(texts, may_be, strict=True), 2):
        assert (of_one and of_other) or not is_alike(text, other)


@given(st.frozensets(st.sampled_from("abcdefgh")), st.frozensets(st.sampled_from("abcdefgh")))
def test_alike_texts_share_twice_as_many_words_as_either_has_besides(
    text: frozenset[str], other: frozenset[str]
) -> None:
    besides = max(len(text - other), len(other - text))
    assert is_alike(text, other) == (len(text & other) >= 2 * besides)
