"""Temporal decay: the seed's table, by the formula."""

from datetime import date

import pytest

from clawgit.memory.rules.confidence import day_of, decay
from tests.each import for_each

AGES = (0, 7, 23, 30, 60, 90)
TABLE = {23: (1.00, 0.81, 0.50, 0.40, 0.16, 0.07), 30: (1.00, 0.85, 0.59, 0.50, 0.25, 0.125)}


@for_each("half_life", TABLE)
def test_a_score_halves_with_each_half_life(half_life: int) -> None:
    assert [decay(age, half_life) for age in AGES] == pytest.approx(TABLE[half_life], abs=0.005)


@for_each(
    "path, headings, day",
    [
        ("memory/2026-03-19.md", (), date(2026, 3, 19)),
        ("memory/2026-03-19-roof.md", ("2025-01-01",), date(2026, 3, 19)),
        ("MEMORY.md", ("2025-01-01",), None),
        ("memory/2026-02-30.md", (), None),
        ("memory/archive/2026-Q1.md", ("2026-Q1", "2026-01-05", "Studio"), date(2026, 1, 5)),
    ],
)
def test_an_item_is_about_the_day_of_its_file_and_in_an_archive_of_its_heading(
    path: str, headings: tuple[str, ...], day: date | None
) -> None:
    assert day_of(path, headings) == day
