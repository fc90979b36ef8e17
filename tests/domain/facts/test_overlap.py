"""Overlaps answer what a comparison with every text would, and look at few of them."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.facts.likeness import ALIKE_FACTS, ALIKE_LESSONS, Overlaps, overlap
from tests.work import calls

WORDS = st.lists(
    st.sampled_from(["tea", "pot", "Graz", "hive", "road", "roof", "Ana"]), max_size=6
).map(" ".join)


@given(st.lists(WORDS, max_size=12), WORDS, st.sampled_from([0.3, ALIKE_FACTS, ALIKE_LESSONS]))
def test_what_is_found_overlaps_and_the_most_alike_comes_first(
    texts: list[str], asked: str, threshold: float
) -> None:
    scores = [overlap(text, asked) for text in texts]
    found = Overlaps(texts).over(asked, threshold)
    assert found == sorted(found, key=lambda at: (-scores[at], at))
    assert all(scores[at] > threshold for at in found)
    assert {at for at, text in enumerate(texts) if text == asked and overlap(text, text)} <= {
        *found
    }


def test_texts_that_share_one_word_of_many_are_not_compared() -> None:
    def work(texts: int) -> int:
        index = Overlaps(
            f"the hive holds number{at} and honey{at} of road{at}" for at in range(texts)
        )
        assert index.over("the hive smells", ALIKE_FACTS) == []
        return calls(lambda: index.over("the hive smells", ALIKE_FACTS))

    assert work(400) < 2 * work(20)
