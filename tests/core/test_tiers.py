"""Tiers follow from paths alone."""

from datetime import date

from clawgit.core.tiers import dated, note_of, note_path, tier
from tests.each import for_each


@for_each(
    "path, expected, day",
    [
        ("SOUL.md", "T0", None),
        ("IDENTITY.md", "T0", None),
        ("MEMORY.md", "T1", None),
        ("memory.md", "T1", None),
        ("memory/roadmap.md", "T1", None),
        ("memory/projects/shop.MD", "T1", None),
        ("memory/2026-02-14.md", "T2", date(2026, 2, 14)),
        ("memory/2026-02-14-api-design.md", "T2", date(2026, 2, 14)),
        ("memory/standup-2026-02-14.md", "T2", date(2026, 2, 14)),
        ("memory/events/2024-02-29.md", "T2", date(2024, 2, 29)),
        ("memory/2026-02-30.md", "T1", None),
        ("memory/12026-02-141.md", "T1", None),
        ("memory/2026-02-14/notes.md", "T1", None),
        ("memory/archive/2026-Q1.md", "", None),
        ("memory/.dreams/2026-02-14.md", "", date(2026, 2, 14)),
        ("memory/picture.png", "", None),
        ("Archive/Chronicles/2026-January.md", "", None),
        ("USER.md", "", None),
        ("CORRECTIONS.md", "", None),
        ("CONFIG.md", "", None),
        ("sub/SOUL.md", "", None),
        ("", "", None),
    ],
)
def test_each_kind_of_file(path: str, expected: str, day: date | None) -> None:
    assert (tier(path), dated(path)) == (expected, day)


@for_each(
    "path, heading",
    [
        ("memory/2026-01-03.md", "2026-01-03"),
        ("memory/2026-01-03-api-design.md", "2026-01-03 · api design"),
        ("memory/2026-01-03-1430.md", "2026-01-03 · 14:30"),
        ("memory/2026-13-03.md", None),
        ("memory/roadmap.md", None),
        ("memory/2026-01-03/roadmap.md", None),
        ("memory/archive/2026-01-03.md", None),
        ("Archive/Chronicles/2026-January.md", None),
    ],
)
def test_a_note_is_known_by_its_path_and_that_by_its_day(path: str, heading: str | None) -> None:
    note = note_of(path)
    assert (note.heading if note else None) == heading
    assert note is None or note_path(note.day, note.slug) == path
