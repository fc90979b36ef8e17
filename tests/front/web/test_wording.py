"""Changes as sentences."""

import pytest

from clawgit.front.web.wording import Line, by_word, told
from clawgit.git.rules.word_diff import DiffPiece as Span

HEAD = "diff --git a/M.md b/M.md\n--- a/M.md\n+++ b/M.md\n@@ -1 +1 @@"


def lines(*rows: str) -> tuple[Line, ...]:
    patch = "\n".join([HEAD, *rows])
    [file] = told([{"path": "M.md", "status": "modified", "patch": patch}])
    return file.lines


def test_a_reworded_line_tells_the_words_that_went_and_came() -> None:
    assert lines("-- Tea at four. <!-- claw:a b -->", "+- Tea at five. <!-- claw:a c -->") == (
        Line(
            "reworded",
            (
                Span("same", "Tea at "),
                Span("dropped", "four"),
                Span("added", "five"),
                Span("same", "."),
            ),
        ),
    )


@pytest.mark.parametrize(
    ("rows", "kinds"),
    [
        (["+- New."], ["added"]),
        (["-- Old one."], ["removed"]),
        (["-- The boat is red.", "+- Mira likes tea."], ["removed", "added"]),
        (["-- a b c d", "-- e f g h", "+- e f g i", "+- a b c e"], ["reworded", "reworded"]),
        (["-- One. <!-- claw:a n=1 -->", "+- One. <!-- claw:a n=2 -->"], []),
        (["-- One two.", "\\ No newline at end of file", "+- One two three."], ["reworded"]),
        (["+", "+  "], []),
        (["--- a rule", "+++ a ruler"], ["removed", "added"]),
    ],
)
def test_lines_are_paired_with_what_they_were(rows: list[str], kinds: list[str]) -> None:
    assert [line.kind for line in lines(*rows)] == kinds


def test_a_long_change_is_counted_where_it_is_not_told() -> None:
    patch = "\n".join([HEAD, *(f"+- Number {number}." for number in range(30))])
    [file] = told([{"path": "M.md", "status": "new", "patch": patch}], most=12)
    assert (len(file.lines), file.more) == (12, 18)


def test_words_of_any_script_are_compared() -> None:
    assert by_word("", "") == ()
    assert Span("added", "é") in by_word("a e", "a é")
    assert "".join(span.text for span in by_word("x" * 3000, "y")) == "x" * 3000 + "y"
