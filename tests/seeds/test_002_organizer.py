"""Persistent Memory System: “The Organizer Pipeline” and the memory layers."""

import pytest

from clawgit.front.cli.root import run
from clawgit.memory.rules.likeness import may_merge
from tests.conftest import Git
from tests.each import for_each


@pytest.fixture
def adopted(ws: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    monkeypatch.setenv("CLAWGIT_NOW", "2026-03-10T09:00:00+00:00")
    monkeypatch.chdir(ws.root)
    assert run(["init", "--no-openclaw"]) == 0
    return ws


def organized(adopted: Git, path: str, text: str) -> dict[str, str]:
    """What the files below memory/ say after the organizer has read a note."""
    adopted.write(path, text)
    adopted.commit_all("a note")
    assert run(["memory", "organize"]) == 0
    files = (adopted.root / "memory").rglob("*.md")
    return {str(file.relative_to(adopted.root)): file.read_text() for file in files}


@for_each(
    "first, second",
    [
        ("The barn cameras record every night", "The barn cameras record each night"),
        ("Seeds are counted every Monday by Ines", "Seeds are counted each Monday by Ines"),
    ],
)
def test_a_word_overlap_above_60_percent_is_merged(first: str, second: str) -> None:
    assert may_merge(first, second)


@for_each(
    "first, second",
    [
        ("The barn cameras record every night", "The barn cameras record every morning"),
        ("Seeds are counted every Monday by Ines", "Seeds are counted every Friday by Ines"),
    ],
)
def test_where_a_value_differs_two_facts_stay_two(first: str, second: str) -> None:
    assert not may_merge(first, second)


def test_classification_a_project_s_stack_is_not_personal(adopted: Git) -> None:
    text = "We decided that our barn project's stack is Django with SQLite behind it. #decision\n"
    files = organized(adopted, "memory/2026-03-09-stack.md", text)
    where = [path for path, said in files.items() if "Django" in said and "structured" in path]
    assert where
    assert "memory/structured/personal.md" not in where


def test_records_of_events_stand_in_a_page_with_their_time(adopted: Git) -> None:
    page = "memory/events/2026-03.md"
    assert run(["memory", "add", "The vet looked at all forty goats.", "--to", page]) == 0
    text = (adopted.root / page).read_text()
    assert text.startswith("# 2026-03\n\nWhat happened, with its date")
    assert "- The vet looked at all forty goats." in text
    assert "last=2026-03-10" in text


def test_memory_md_over_200_lines_is_proposed_for_thinning(
    adopted: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    adopted.write(
        "MEMORY.md", "# Memory\n\n" + "".join(f"- Goat {n} eats hay.\n" for n in range(220))
    )
    organized(adopted, "memory/2026-03-02.md", "# 2026-03-02\n\n- Rain. #knowledge\n")
    assert "MEMORY.md is longer than an agent reads" in (said := capsys.readouterr().out)
    assert "clawgit memory tidy" in said
