"""Persistent Memory System: “The Organizer Pipeline” and the memory layers."""

from clawgit.memory.rules.overlaps import may_merge
from tests.each import for_each
from tests.seeds.conftest import Agent


def organized(adopted: Agent, path: str, text: str) -> str:
    """What the organizer says once it has read a note."""
    adopted.write(path, text)
    adopted.git.commit_all("a note")
    return adopted("memory", "organize")


@for_each(
    "first, second, is_one",
    [
        ("The barn cameras record every night", "The barn cameras record each night", True),
        ("The barn cameras record every night", "The barn cameras record every morning", False),
        ("Seeds are counted every Monday by Ines", "Seeds are counted each Monday by Ines", True),
        ("Seeds are counted every Monday by Ines", "Seeds are counted every Friday by Ines", False),
    ],
)
def test_a_word_overlap_above_60_percent_is_merged(first: str, second: str, is_one: bool) -> None:
    """But where a value differs two facts stay two."""
    assert may_merge(first, second) is is_one


def test_classification_a_project_s_stack_is_not_personal(adopted: Agent) -> None:
    text = "We decided that our barn project's stack is Django with SQLite behind it. #decision\n"
    organized(adopted, "memory/2026-03-09-stack.md", text)
    pages = (adopted.root / "memory/structured").glob("*.md")
    where = {page.stem for page in pages if "Django" in page.read_text()}
    assert where
    assert "personal" not in where


def test_records_of_events_stand_in_a_page_with_their_time(adopted: Agent) -> None:
    page = "memory/events/2026-03.md"
    adopted("memory", "add", "The vet looked at all forty goats.", "--to", page)
    text = adopted.text(page)
    assert text.startswith("# 2026-03\n\nWhat happened, with its date")
    assert "- The vet looked at all forty goats." in text
    assert "last=2026-03-14" in text


def test_memory_md_over_200_lines_is_proposed_for_thinning(adopted: Agent) -> None:
    goats = "".join(f"- Goat {n} eats hay.\n" for n in range(220))
    adopted.write("MEMORY.md", f"# Memory\n\n{goats}")
    said = organized(adopted, "memory/2026-03-02.md", "# 2026-03-02\n\n- Rain. #knowledge\n")
    assert "MEMORY.md is longer than an agent reads" in said
    assert "clawgit memory tidy" in said
