"""Text at a terminal: its width in all scripts, cuts, columns."""

import click
from hypothesis import given
from hypothesis import strategies as st

from clawgit.terminal.text import cut, table, width

TEXT = st.text(alphabet="ab 界é한\u0301-.", max_size=120)


def test_wide_signs_take_two_columns_and_accents_none() -> None:
    assert [width(text) for text in ("ab", "界a", "e\u0301", "한국")] == [2, 3, 1, 4]
    assert width(click.style("ab", fg="red")) == 2


def test_a_text_is_cut_with_a_sign() -> None:
    assert (cut("abcdef", 4), cut("abcd", 4)) == ("abc…", "abcd")
    assert cut("界界界", 4) == "界…"


@given(TEXT, st.integers(2, 40))
def test_what_is_cut_fits(text: str, columns: int) -> None:
    assert width(cut(text, columns)) <= columns


def test_columns_line_up_and_empty_ones_take_no_room() -> None:
    rows = [("日本", "", click.style("a", bold=True)), ("ok", "", "b")]
    assert table(rows) == [f"日本  {click.style('a', bold=True)}", "ok    b"]
    assert table([]) == []
