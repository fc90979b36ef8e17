from hypothesis import given

from clawgit.history.rules.align import align, cut
from tests.each import for_each
from tests.strategies import ANY_TEXT


def partners(base: str, side: str) -> list[int]:
    """For each unit of `side` the number of its partner in `base`, both counted from 0."""
    return [i - 1 if i > 0 else i for i in align(cut(base), cut(side)).partners[1:-1]]


@given(ANY_TEXT)
def test_units_and_gaps_give_the_text_back(text: str) -> None:
    units = cut(text)
    assert text == "".join(unit.gap + unit.core for unit in units)


@given(ANY_TEXT, ANY_TEXT)
def test_a_unit_has_one_partner_at_most(base: str, side: str) -> None:
    found = [i for i in partners(base, side) if i >= 0]
    assert len(found) == len(set(found))
    assert partners(side, side) == list(range(len(cut(side)) - 2))


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
