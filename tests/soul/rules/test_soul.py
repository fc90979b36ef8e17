from hypothesis import given
from hypothesis import strategies as st

from clawgit.history.rules.align import cut
from clawgit.soul.rules.soul import compared, principle, section_changes, summary
from tests.each import for_each
from tests.strategies import ANY_TEXT, versions


@for_each(
    "block, said",
    [
        ("- Ask first. <!-- claw:m7k2q9 conf=1.00 -->", "Ask first."),
        ("- Ask:\n  - before you send\n  - before you pay",
            "Ask: - before you send - before you pay"),
        ("<!-- observed: 2026-02-01 | status: active -->", ""),
    ],
)  # fmt: skip
def test_a_principle_is_what_a_unit_says(block: str, said: str) -> None:
    assert said == principle(cut(block)[1])


@given(st.tuples(ANY_TEXT, ANY_TEXT) | versions().map(lambda texts: (texts[0], texts[1])))
def test_every_principle_of_any_two_texts_has_one_fate(texts: tuple[str, str]) -> None:
    before, after = texts
    old, new = ([*filter(None, map(principle, cut(text)))] for text in texts)
    found = compared(before, after)[0]
    assert sorted(old) == sorted(fate.old for fate in found if fate.old)
    assert new == [fate.new for fate in found if fate.new]
    assert section_changes(after, after) == ()
    assert summary(section_changes(before, after))
