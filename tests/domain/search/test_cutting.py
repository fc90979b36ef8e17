"""Text without spaces is cut into words, and looked for by the pairs within them."""

import pytest

from clawgit.domain.search.lexicon import EMPTY, Known
from clawgit.domain.search.question import cut, sought

_LIST = {
    **dict.fromkeys(("母亲", "心脏", "专家", "医生", "望远镜", "病院", "予約", "塗っ"), Known(900)),
    **dict.fromkeys(("看", "的", "は", "の", "が", "た", "で", "どこ"), Known(EMPTY)),
}


def test_the_longest_word_is_cut_first() -> None:
    assert [*cut("买望远镜的母亲", _LIST.__contains__)] == ["买", "望远镜", "的", "母亲"]


@pytest.mark.parametrize(
    ("run", "terms"),
    [
        ("母亲看心脏专家", ["母亲", "心脏", "专家"]),
        ("望远镜", ["望远", "远镜"]),
        ("桑多瓦尔的医生", ["桑多", "多瓦", "瓦尔", "医生"]),
        ("病院の予約", ["病院", "予约"]),
        ("塗った", ["涂"]),
        ("はどこで", []),
    ],
)
def test_no_pair_across_the_edge_of_a_word_is_looked_for(run: str, terms: list[str]) -> None:
    assert [term for _, terms_of in sought(run, _LIST.get) for term in terms_of] == terms
