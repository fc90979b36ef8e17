"""Which notes are due, and that no correction is ever among what they tell."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from clawgit.agents.memory_compactor import chronicle, quarterly
from clawgit.core.markdown.scan import scan
from clawgit.core.tiers import Note
from clawgit.memory.rules.compaction import due, holds_correction, parted
from tests.each import for_each

TODAY = date(2026, 2, 14)


def test_notes_older_than_the_threshold_are_due_oldest_first() -> None:
    paths = [
        "memory/2026-01-15-b.md",
        "memory/2026-01-14.md",
        "memory/2026-01-15.md",
        "memory/2025-12-31.md",
    ]
    assert [note.path for note in due(paths, TODAY, 30)] == [
        "memory/2025-12-31.md",
        "memory/2026-01-14.md",
    ]
    assert [note.path for note in due(paths, TODAY, 29)][-2:] == [
        "memory/2026-01-15.md",
        "memory/2026-01-15-b.md",
    ]


def test_a_note_belongs_to_a_month_and_a_quarter() -> None:
    notes = [Note(date(2026, month, 1), "", "") for month in (1, 3, 4, 12)]
    names = [quarterly(note).rpartition("/")[2] for note in notes]
    assert names == ["2026-Q1.md", "2026-Q1.md", "2026-Q2.md", "2026-Q4.md"]
    assert [chronicle(note).rpartition("/")[2] for note in notes] == [
        "2026-January.md",
        "2026-March.md",
        "2026-April.md",
        "2026-December.md",
    ]


def test_a_correction_stays_with_the_headlines_above_it() -> None:
    text = (
        "# 2026-01-03\n\nA quiet day.\n\n## Servers\n\n- Port 5432\n- No, port 5433. "
        "#correction\n\n"
        "## Food\n\n- Tea\n\n### Deep\n\n- Was wrong <!-- claw:abc234 conf=1.00 src=correction "
        "-->\n"
    )
    found = parted(text)
    assert found.left == (
        "# 2026-01-03\n\n## Servers\n\n- No, port 5433. #correction\n\n"
        "## Food\n\n### Deep\n\n- Was wrong <!-- claw:abc234 conf=1.00 src=correction -->\n"
    )
    told = "".join(block.text for block in found.told)
    assert ("Port 5432" in told, "Tea" in told, "quiet" in told) == (True, True, True)
    assert ("5433" in told, "wrong" in told) == (False, False)


@for_each(
    "text, expected",
    [
        ("- No. #correction\n", True),
        ("- Parent\n  - No. #correction\n", True),
        ("No, it is Berlin. #correction\n", True),
        ("## #correction of today\n", True),
        ("- Only in code: `#correction`\n", False),
        ("- A correction of the text\n", False),
        ("```\n#correction\n```\n", False),
        ("- It is Berlin <!-- claw:abc234 src=correction -->\n", True),
    ],
)
def test_a_correction_is_known_wherever_it_stands(text: str, expected: bool) -> None:
    assert holds_correction(scan(text)[0]) is expected


@given(
    st.lists(
        st.sampled_from(
            ["# A", "## B", "- x", "- y #correction", "text", "", "  - z #correction", "```", "> q"]
        )
    )
)
def test_no_correction_is_told_and_none_is_lost(lines: list[str]) -> None:
    text = "\n".join(lines) + "\n"
    found = parted(text)
    assert not any(holds_correction(block) for block in found.told)
    assert [
        block.text
        for block in scan(text)
        if holds_correction(block) and block.text not in (found.left or "")
    ] == []
