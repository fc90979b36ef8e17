"""Quoting for a model: what is quoted cannot end its quote."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.stores.llm.mind import RULE, fenced, is_free


def test_each_text_stands_between_its_marks() -> None:
    assert (
        fenced({"chat": "tea", "notes\nof old": "coffee"}, "M1")
        == "<<M1 chat\ntea\nM1>>\n\n<<M1 notes of old\ncoffee\nM1>>"
    )
    assert "<<M1" in RULE.format(mark="M1")


@given(st.dictionaries(st.text(max_size=8), st.text(alphabet="M1<>\n x", max_size=30), max_size=3))
def test_a_mark_that_is_free_stands_where_we_put_it_alone(told: dict[str, str]) -> None:
    mark = "M1"
    if is_free(mark, told):
        assert fenced(told, mark).count(mark) == 2 * len(told)
    else:
        assert any(mark in part for item in told.items() for part in item)
