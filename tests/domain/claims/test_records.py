"""What states how matters stand, and what only records something."""

from clawgit.domain.claims.records import stating
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.domain.markdown.entry import entries
from tests.each import for_each


def stated(text: str, path: str = "MEMORY.md") -> list[str]:
    return [
        place.entry.text for place in stating([EntryPlace(path, entry) for entry in entries(text)])
    ]


@for_each(
    "line",
    [
        "- 10:32 the build went red",
        "- **2026/2/3** deployed",
        "- [x] The standup is at 9:30.",
        "- ~~The standup is at 9:30.~~",
        "- `npm run build`",
        "- Marta: “No, at 10:00.” #correction",
    ],
)
def test_the_shape_of_a_line_tells_a_record(line: str) -> None:
    assert stated(f"{line}\n") == []


@for_each(
    "heading",
    [
        "2026-02-03",
        "3月4日",
        "Q3",
    ],
)
def test_under_the_heading_of_a_day_all_is_of_that_day(heading: str) -> None:
    text = f"# Memory\n\n## {heading}\n\n- The standup is at 9:30.\n"
    assert stated(text) == []
    assert stated(text.replace(heading, "Routines")) == ["The standup is at 9:30."]


def test_notes_of_a_day_record_it_unless_they_were_told_in_a_conversation() -> None:
    noted, told = (
        "- The standup is at 9:30.\n",
        "- The retro is at 9:30. <!-- claw:maaaaa src=explicit -->\n",
    )
    assert stated(noted + told, "memory/2026-02-03.md") == ["The retro is at 9:30."]
    assert len(stated(noted + told)) == 2
