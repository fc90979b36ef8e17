from collections.abc import Collection
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.merging.align import MergeUnit, align, cut, in_order
from tests.domain.strategies import ANY_TEXT
from tests.each import for_each


def partners(base: str, side: str) -> list[int]:
    """For each unit of `side` the number of its partner in `base`, both counted from 0."""
    return [i - 1 if i > 0 else i for i in align(cut(base).units, cut(side).units)[1:-1]]


@given(ANY_TEXT)
def test_units_and_gaps_give_the_text_back(text: str) -> None:
    units, gaps = cut(text)
    assert text == "".join(unit.core + gap for unit, gap in zip(units, [*gaps, ""], strict=True))


@given(ANY_TEXT, ANY_TEXT)
def test_a_unit_has_one_partner_at_most(base: str, side: str) -> None:
    found = [i for i in partners(base, side) if i >= 0]
    assert len(found) == len(set(found))
    assert partners(side, side) == list(range(len(cut(side).units) - 2))


@for_each(
    "base, side, wanted",
    [
        ("- a\n- b\n", "- a\n- x\n- b\n", [0, -1, 1]),
        ("- a\n- b\n- c\n", "- c\n- a\n- b\n", [2, 0, 1]),
        ("# A\n\n- ok\n\n# B\n\n- ok\n", "# A\n\n# B\n\n- ok\n", [0, 2, 3]),
        ("- tea at noon\n- x\n", "- tea at four\n- x\n", [0, 1]),
        ("- 正午喝茶\n- x\n", "- 正午喝水\n- x\n", [0, 1]),
        ("- one\n", "- two\n", [-1]),
        ("- a <!-- claw:k1 -->\n- b\n", "- b\n- z <!-- claw:k1 n=2 -->\n", [1, 0]),
        ("- tea <!-- claw:k1 -->\n", "- tea <!-- claw:k2 -->\n", [-1]),
        ("- 10:30: tea with Ana\n", "- 10:30: deployed Harbor\n", [-1]),
    ],
)
def test_the_same_unit_is_found_again(base: str, side: str, wanted: list[int]) -> None:
    assert partners(base, side) == wanted


@given(st.permutations(range(7)), st.lists(st.booleans(), min_size=7, max_size=7))
def test_headings_keep_their_order_before_all_else(pairs: list[int], headings: list[bool]) -> None:
    """Of all that could have kept its order, the most headings, and then the most around them."""
    units = [MergeUnit("heading" if is_one else "item", "", 1, (), is_one) for is_one in headings]

    def headings_of(kept: Collection[int]) -> set[int]:
        return {j for j in kept if headings[j]}

    chains = (chain for size in range(8) for chain in combinations(range(7), size))
    rising = [kept for kept in chains if sorted(kept, key=pairs.__getitem__) == [*kept]]
    kept = sorted(in_order(pairs, units))
    assert [pairs[j] for j in kept] == sorted(pairs[j] for j in kept)
    assert len(headings_of(kept)) == max(len(headings_of(other)) for other in rising)
    around = (other for other in rising if headings_of(other) == headings_of(kept))
    assert len(kept) == max(map(len, around))
