"""Tables: columns line up, give way in their order, and show where something is cut."""

import pytest

from clawgit.cli import rows as module
from clawgit.cli.columns import Styled, cut, cut_front, width
from clawgit.cli.rows import Column, table


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "terminal_width", lambda: 30)


def test_columns_line_up_also_under_wide_signs() -> None:
    lines = table([("日本", "a"), ("ok", "b")], [Column(), Column()])
    assert lines == ["日本  a", "ok    b"]


def test_empty_columns_take_no_room() -> None:
    assert table([("a", "", "b"), ("c", "", "d")], [Column()] * 3) == ["a  b", "c  d"]


@pytest.mark.usefixtures("narrow")
def test_the_column_that_yields_first_is_cut_first() -> None:
    rows = [("id", "memory/projects/long-name.md", "what it is about")]
    columns = [Column(), Column(yields=2, least=10, cut=cut_front), Column(yields=1)]
    [line] = table(rows, columns)
    assert width(line) <= 30
    assert line == "id  …g-name.md  what it is…"


@pytest.mark.usefixtures("narrow")
def test_a_column_that_never_yields_stays_whole() -> None:
    [line] = table([("x" * 40, "y" * 20)], [Column(), Column(yields=1, least=5)], indent=2)
    assert line == f"  {'x' * 40}  yyyy…"


def test_a_cell_may_have_a_style_of_its_own_that_takes_no_room() -> None:
    rows: list[list[str | Styled]] = [
        [Styled("a", lambda text: f"<{text}>"), "1"],
        ["bbb", "22"],
    ]
    assert table(rows, [Column(str.upper), Column(right=True)]) == ["<a>     1", "BBB  22"]


@pytest.mark.parametrize(
    ("text", "columns", "cut_text"),
    [
        ("the paper comes from Porto", 18, "the paper comes…"),
        ("the paper comes from Porto", 16, "the paper comes…"),
        ("an https://example.org/a/long/path", 20, "an https://example…"),
        ("memory/projects/demo.md", 10, "memory/pr…"),
    ],
)
def test_no_half_of_a_short_word_is_left(text: str, columns: int, cut_text: str) -> None:
    assert cut(text, columns) == cut_text
