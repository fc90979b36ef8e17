"""What states how matters stand, and what only records something."""

from clawgit.core.markdown.entry import entries
from clawgit.memory.rules.contradicting import neighbours
from clawgit.memory.rules.settling import contradictions, stating
from tests.each import for_each


def stated(text: str, path: str = "MEMORY.md") -> list[str]:
    return [place.text for place in stating([*entries(text, path)])]


@for_each(
    "line",
    [
        "- 10:32 the build went red",
        "- **2026-02-03** deployed",
        "- **Latest run (2026-05-04):** it completed, and the report is at 9:30.",
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
        "March 2026",
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


def found(*files: tuple[str, str]) -> list[tuple[str, str, str]]:
    places = stating([entry for path, text in files for entry in entries(text, path)])
    near = neighbours([place.text for place in places])
    return [each.dispute for each in contradictions(places, near)]


FIRST, SECOND = "- The loudness is at -14 dB.\n", "- The loudness is at -19 dB.\n"


def test_lines_under_headings_of_two_things_are_records_of_two_things() -> None:
    assert found(("MEMORY.md", f"# Shows\n\n## A\n\n{FIRST}## B\n\n{SECOND}")) == []
    assert found(("MEMORY.md", f"# Shows\n\n{FIRST}\n## B\n\n{SECOND}")) == [
        ("measure", "14 dB", "19 dB")
    ]
    assert len(found(("MEMORY.md", f"# Shows\n\n## A\n\n{FIRST}{SECOND}"))) == 1
