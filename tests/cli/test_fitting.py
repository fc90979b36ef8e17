"""Lines are broken for the terminal between words; colours, links and columns stay whole."""

import click
import pytest

from clawgit.cli import columns as module
from clawgit.cli.change_text import ChangeRow, change_rows
from clawgit.cli.columns import UNLIMITED
from clawgit.cli.fitting import ESCAPE, fitted
from tests.conftest import NOW

LINK = "\x1b]8;;file:///a\x1b\\{}\x1b]8;;\x1b\\"


def test_a_line_that_fits_stays_as_it_is() -> None:
    text = click.style("a  b ", fg="red") + "c"
    assert fitted(text, 30) == text


def test_without_a_terminal_nothing_is_broken() -> None:
    assert fitted("word " * 100, UNLIMITED) == "word " * 100


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        ("one two three", ["one two", "three"]),
        ("  one two three", ["  one two", "  three"]),
        ("- one two three", ["- one two", "  three"]),
        ("+- one two three", ["+- one two", "   three"]),
        ("a  one two three", ["a  one two", "   three"]),
    ],
)
def test_a_line_goes_on_below_its_own_words(line: str, rows: list[str]) -> None:
    assert fitted(line, 10).split("\n") == rows


def test_a_word_that_is_too_long_stays_whole() -> None:
    address = "https://example.org/a/long/path"
    assert fitted(f"see {address} now", 20).split("\n") == ["see", address, "now"]


def test_each_row_ends_its_colour_and_the_next_begins_it_again() -> None:
    text = f"{click.style('one two three', fg='red')} four"
    rows = fitted(text, 8).split("\n")
    assert [ESCAPE.sub("", row) for row in rows] == ["one two", "three", "four"]
    assert rows[0] == click.style("one two", fg="red")
    assert rows[1] == click.style("three", fg="red")


def test_a_link_is_whole_in_each_row() -> None:
    assert fitted(f"{LINK.format('one two three')}", 8).split("\n") == [
        LINK.format("one two"),
        LINK.format("three"),
    ]


def test_wide_signs_count_twice() -> None:
    assert fitted("日本語日本語", 8).split("\n") == ["日本語日", "本語"]


def test_in_a_narrow_terminal_the_words_of_a_row_are_not_cut_to_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    summary = "correct: the weekly call is on Thursday at three"
    row = ChangeRow("qzxptoqx", NOW, "operator", summary)
    shown = {}
    for columns in (40, 50, 60, 80):
        monkeypatch.setattr(module, "terminal_width", lambda columns=columns: columns)
        [line] = change_rows([row])
        lines = fitted(ESCAPE.sub("", line), columns).split("\n")
        assert max(map(len, lines)) <= columns
        shown[columns] = (len(lines), line.count("Thursday"))
    assert shown == {40: (2, 0), 50: (2, 1), 60: (2, 1), 80: (1, 1)}
