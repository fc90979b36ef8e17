"""Text at a terminal: its width in all scripts, cuts, rows that go on below their own words."""

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.cli.text import ESCAPE, UNLIMITED, cut, cut_front, fitted, table, width

TEXT = st.text(alphabet="ab 界é한\u0301-.", max_size=120)


def test_wide_signs_take_two_columns_and_accents_none() -> None:
    assert [width(text) for text in ("ab", "界a", "e\u0301", "한국")] == [2, 3, 1, 4]
    assert width(click.style("ab", fg="red")) == 2


def test_a_text_is_cut_with_a_sign() -> None:
    assert (cut("abcdef", 4), cut_front("abcdef", 4), cut("abcd", 4)) == ("abc…", "…def", "abcd")
    assert cut("界界界", 4) == "界…"


@given(TEXT, st.integers(2, 40))
def test_what_is_cut_fits(text: str, columns: int) -> None:
    assert width(cut(text, columns)) <= columns
    assert width(cut_front(text, columns)) <= columns


@given(TEXT, st.integers(8, 40))
def test_nothing_but_blanks_is_lost_where_a_line_is_broken(text: str, columns: int) -> None:
    assert fitted(text, columns).split() == text.split()


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        ("one two three", ["one two", "three"]),
        ("  one two three", ["  one two", "  three"]),
        ("- one two three", ["- one two", "  three"]),
        ("a  one two three", ["a  one two", "   three"]),
        ("see https://example.org/a now", ["see", "https://example.org/a", "now"]),
    ],
)
def test_a_line_goes_on_below_its_own_words(line: str, rows: list[str]) -> None:
    assert fitted(line, 10).split("\n") == rows


def test_colours_take_no_room_and_without_a_terminal_nothing_is_broken() -> None:
    text = f"{click.style('one two three', fg='red')} four"
    assert ESCAPE.sub("", fitted(text, 8)).split("\n") == ["one two", "three", "four"]
    assert fitted("word " * 100, UNLIMITED) == "word " * 100


def test_columns_line_up_and_empty_ones_take_no_room() -> None:
    rows = [("日本", "", click.style("a", bold=True)), ("ok", "", "b")]
    assert table(rows) == [f"日本  {click.style('a', bold=True)}", "ok    b"]
    assert table([]) == []
