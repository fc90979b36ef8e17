"""A line leaves its file for another: both files change, or neither."""

from clawgit.memory.rules.moving import Leaving, Moving
from tests.each import for_each

NOTE = "# Day\n\n- one\n- two\n\nTwo lines\nof prose.\n"


def leaving(line: int, item: str, to: str = "MEMORY.md") -> Leaving:
    return Leaving(line, to, "Memory", "Knowledge", item)


def test_two_quotes_do_not_become_one_and_an_emptied_heading_goes() -> None:
    moving = Moving({"day.md": "# T\n\n> a\n- one\n> b\n"})
    assert not moving.move("day.md", [leaving(4, "- one")])
    moving = Moving({"day.md": "# T\n\n## Decisions\n\n- one\n"})
    assert moving.move("day.md", [leaving(5, "- one")])
    assert moving.texts["day.md"] == "# T\n"


def test_a_file_that_has_taken_lines_gives_none() -> None:
    """They would be lost: what it gives is cut out of the file as it was."""
    moving = Moving({"day.md": NOTE, "MEMORY.md": "# Memory\n\n- old\n"})
    assert moving.move("day.md", [leaving(3, "- one")])
    assert not moving.move("MEMORY.md", [leaving(3, "- old", to="memory/other.md")])
    assert "- one" in moving.texts["MEMORY.md"]


def test_a_line_that_must_stay_keeps_no_other() -> None:
    """Each of the two in the middle could leave alone; both would make one quote of two."""
    moving = Moving({"day.md": "# T\n\n- one\n\n> a\n- two\n- three\n> b\n\n- four\n"})
    lines = [leaving(at, f"- {said}") for at, said in ((3, "1"), (6, "2"), (7, "3"), (10, "4"))]
    assert moving.move_most("day.md", lines) == [lines[0], lines[1], lines[3]]
    assert moving.texts == {
        "day.md": "# T\n\n> a\n- three\n> b\n",
        "MEMORY.md": "# Memory\n\n## Knowledge\n\n- 1\n- 2\n- 4\n",
    }


@for_each(
    "line, there",
    [(7, "# Memory\n"), (3, "# Memory\n\n```\nopen\n"), (3, "# Memory\n\n<!-- open\n")],
)
def test_what_cannot_leave_or_cannot_come_changes_neither_file(line: int, there: str) -> None:
    moving = Moving({"day.md": NOTE, "MEMORY.md": there})
    assert not moving.move("day.md", [leaving(line, "- one")])
    assert moving.texts == {}
    assert moving.move("day.md", [leaving(4, "- two", to="memory/other.md")])
    assert moving.texts["day.md"] == NOTE.replace("- two\n", "")
