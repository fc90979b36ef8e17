"""Changes as sentences."""

from clawgit.front.web.wording import Line, told
from clawgit.git.rules.word_diff import DiffPiece as Span
from tests.each import for_each

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


@for_each(
    "rows, kinds",
    [
        (["+- New."], ["added"]),
        (["-- Old one."], ["removed"]),
        (["-- The boat is red.", "+- Mira likes tea."], ["removed", "added"]),
        (["-- a b c d", "-- e f g h", "+- e f g i", "+- a b c e"], ["reworded", "reworded"]),
        (["-- One. <!-- claw:a n=1 -->", "+- One. <!-- claw:a n=2 -->"], []),
        (["-- One two.", "\\ No newline at end of file", "+- One two three."], ["reworded"]),
        (["+", "+  "], []),
        (["--- a rule", "+++ a ruler"], ["reworded"]),
    ],
)
def test_lines_are_paired_with_what_they_were(rows: list[str], kinds: list[str]) -> None:
    assert [line.kind for line in lines(*rows)] == kinds
