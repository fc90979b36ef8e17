"""“Persistent Memory System”: layers, facts with a time to live, lessons, search by intent."""

import pytest

from clawgit.memory.rules.organizing import CLASS_ROWS
from tests.each import for_each
from tests.seeds.conftest import Agent


@pytest.fixture
def organized(agent: Agent) -> Agent:
    agent.settings(timezone="UTC", organizer="true")
    agent.write(
        "memory/2026-03-12.md",
        "# 2026-03-12\n\n- [ ] Renew the lease of the boathouse.\n- Ana prefers rye bread.\n",
    )
    agent.git.commit_all("a day")
    agent("memory", "organize")
    return agent


def test_tasks_have_7_days_agents_30_personal_and_system_are_permanent() -> None:
    lives = {row.name: row.days for row in CLASS_ROWS}
    assert {"personal": None, "tasks": 7, "agents": 30, "system": None}.items() <= lives.items()


def test_facts_are_structured_per_category_indexed_edited_manually_and_archived_never_deleted(
    organized: Agent,
) -> None:
    tasks = "memory/structured/tasks.md"
    assert "Renew the lease of the boathouse" in organized.text(tasks)
    assert "expires=" in organized.text(tasks)
    index = organized.text("memory/INDEX.md")
    assert "structured/tasks" in index
    assert len(index.encode()) < 2048
    head = organized.git.head()
    organized("memory", "organize")
    assert organized.git.head() == head
    organized.write("memory/2026-03-12.md", "# 2026-03-12\n\n- [ ] Sell the boathouse key.\n")
    organized("memory", "organize")
    assert "Sell the boathouse key" in organized.text(tasks)
    organized.now = "2026-03-30T09:00:00+00:00"
    organized("memory", "decay")
    assert "boathouse" not in organized.text(tasks)
    archived = "".join(path.read_text() for path in organized.root.glob("Archive/Facts/*.md"))
    assert "Renew the lease of the boathouse" in archived
    assert "Sell the boathouse key" in archived


@for_each("words", [("--top", "3"), ("--category", "lessons"), ("--smart",)])
def test_intent_aware_search_across_agent_memory(organized: Agent, words: tuple[str, ...]) -> None:
    assert "results" in organized.json("memory", "search", "boathouse", *words)
