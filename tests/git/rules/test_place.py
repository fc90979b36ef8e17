"""Names of lines."""

import pytest

from clawgit.git.rules.lines import Place, place_of


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("MEMORY.md:9", ("MEMORY.md", 9, 9)),
        ("memory/2026-02-14.md#L9-L12", ("memory/2026-02-14.md", 9, 12)),
        ("coder:MEMORY.md:3-4", ("coder:MEMORY.md", 3, 4)),
        ("a:1:2", ("a:1", 2, 2)),
    ],
)
def test_a_line_is_named_as_a_search_shows_it(name: str, place: tuple[str, int, int]) -> None:
    assert place_of(name) == Place(*place)


@pytest.mark.parametrize(
    "name",
    [
        "MEMORY.md",
        ":9",
        "a:-1",
    ],
)
def test_what_ends_in_no_line_is_no_place(name: str) -> None:
    assert place_of(name) is None
