"""Text in the columns of a terminal: widths of all scripts, cuts and wrapped rows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.cli.columns import Styled, cut, cut_front, width, wrapped

TEXT = st.text(alphabet="ab 界é한\u0301👍-.", max_size=120)


def starred(text: str) -> str:
    return f"*{text}*"


def test_wide_signs_take_two_columns_and_accents_none() -> None:
    assert [width(text) for text in ("ab", "界a", "e\u0301", "한국")] == [2, 3, 1, 4]


def test_a_text_is_cut_with_a_sign() -> None:
    assert (cut("abcdef", 4), cut_front("abcdef", 4), cut("abcd", 4)) == ("abc…", "…def", "abcd")
    assert cut("界界界", 4) == "界…"


def test_rows_break_between_words_and_each_keeps_its_style() -> None:
    rows = wrapped([Styled("one two", str), Styled(" three", starred)], 8)
    assert rows == ["one two", "*three*"]


def test_a_word_that_is_too_long_is_broken() -> None:
    assert wrapped([Styled("abcdefgh", str)], 3) == ["abc", "def", "gh"]


FAMILY, THUMB, FLAG = "👨\u200d👩\u200d👧", "👍\U0001f3fd", "🇩🇪"


@pytest.mark.parametrize("sign", [FAMILY, THUMB, FLAG, "e\u0301", "✌\ufe0f"])
def test_a_sign_of_several_characters_stays_whole(sign: str) -> None:
    size = width(sign)
    rows = wrapped([Styled("界" + sign * 3, str)], size + 1)
    assert "".join(rows) == "界" + sign * 3
    assert [row for row in rows if row not in ("界", "界" + sign, sign, sign * 2)] == []
    assert cut(sign * 3, size * 2) == f"{sign}…"
    assert cut_front(sign * 3, size * 2) == f"…{sign}"


@given(TEXT, st.integers(2, 40))
def test_no_row_is_too_wide_and_nothing_but_blanks_is_lost(text: str, columns: int) -> None:
    rows = wrapped([Styled(text, str)], columns)
    assert all(width(row) <= columns for row in rows)
    assert "".join(rows).replace(" ", "") == text.replace(" ", "")


@given(TEXT, st.integers(2, 40))
def test_what_is_cut_fits(text: str, columns: int) -> None:
    assert width(cut(text, columns)) <= columns
    assert width(cut_front(text, columns)) <= columns
