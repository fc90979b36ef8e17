"""Tiers follow from paths alone."""

from datetime import date

from clawgit.core.tiers import dated, tier
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
