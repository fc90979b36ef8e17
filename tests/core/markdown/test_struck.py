"""Which lines are struck through as a whole."""

from clawgit.core.markdown.tag_table import is_struck
from tests.each import for_each


@for_each(
    "text",
    [
        "~~The gate code is 4711.~~",
        "- ~~The gate code is 4711.~~ #knowledge",
        "- [x] ~~Oil the winches~~",
        "**~~The gate code is 4711.~~**",
        "[2026-02-01] ~~The gate code is 4711.~~",
    ],
)
def test_a_line_that_is_struck_through_as_a_whole(text: str) -> None:
    assert is_struck(text)


@for_each(
    "text",
    [
        "The gate code is 4711.",
        "The gate code is ~~4711~~ 4712.",
        "~~The gate code is 4711.~~ It is 4712 now.",
        "- ~~The gate code is 4711.~~\n  - The other is 12.",
        "~~The gate code is 4711.",
        "about ~~ and ~",
    ],
)
def test_a_line_of_which_something_stands(text: str) -> None:
    assert not is_struck(text)
