"""The memory of an agent in files: what is written where."""

from tests.seeds.conftest import Agent

NOTES = (
    "Remember the blue folder is in the attic", "Remember this: the plumber comes at ten",
    "记住这个:周五开会", "Watered the plants",
)  # fmt: skip
LESSONS = [
    ("Lesson learned: ask before a migration", "AGENTS.md"),
    ("Lesson: npm is missing on that host", "TOOLS.md"),
]


def test_remember_this_and_everyday_notes_go_into_memory_yyyy_mm_dd(adopted: Agent) -> None:
    for said in NOTES:
        adopted("memory", "add", said)
        assert said in adopted.text("memory/2026-03-14.md")
        assert said not in adopted.text("MEMORY.md")


def test_when_you_learn_a_lesson_update_agents_md_or_tools_md(adopted: Agent) -> None:
    for said, path in LESSONS:
        adopted.write(path, "# Mine\n")
        adopted.git.commit_all("a file for it")
        adopted("memory", "add", said)
        waits = adopted.git("for-each-ref", "--format=%(objectname)", "refs/clawgit/proposals")
        kept = [adopted.text(path), *(adopted.git("show", oid) for oid in waits.split())]
        assert said in "".join(kept)


def test_an_agent_begins_such_a_file_by_proposal_only(adopted: Agent) -> None:
    for said, path in LESSONS:
        assert f"there is no {path} yet" in adopted("memory", "add", said)
        assert not (adopted.root / path).exists()
        assert said in adopted("soul", "proposals")
