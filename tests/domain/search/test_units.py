"""Figures with their units, written apart or together."""

from clawgit.domain.search.units import apart, is_unit
from tests.each import for_each


@for_each(
    "text, found",
    [
        ("is there 814 GB, or 2.9 kHz?", [("814", ["gb"]), ("9", ["khz", "k", "hz"])]),
        ("814GB, KSM66 GB, 3 kilometres", []),
        ("on the 16th at 7", []),
        ("3 \uff9e", []),  # a letter to Python, and no word
    ],
)
def test_a_figure_has_a_short_word_as_its_unit(
    text: str, found: list[tuple[str, list[str]]]
) -> None:
    assert [*apart(text)] == found


def test_a_unit_is_what_stands_together_with_a_figure() -> None:
    assert is_unit("gb", ["kiln", "16gb"])
    assert not is_unit("gb", ["kiln", "gb", "16gbit", "x16gb"])
