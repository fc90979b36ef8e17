"""Names: of people and things, which may have others, and of files and folders."""

import pytest

from clawgit.domain.search.postings import COMMON
from clawgit.ops.search.search import Request, search
from tests.conftest import Git
from tests.ops.making import space_of
from tests.ops.search.conftest import Ask, first_hit


def test_other_names_that_the_memory_tells_find_too(memory: Git) -> None:
    memory.write("USER.md", "# User\n\n- Robert (aka Bob) is the operator.\n")
    memory.write("memory/2026-02-11.md", "# 2026-02-11\n\n- Bob moved to Lisbon.\n")
    answer = search(space_of(memory, CLAWGIT_SEARCH_MODE="core"), Request("where did Robert move"))
    assert "Bob moved to Lisbon." in first_hit(answer).snippet


@pytest.mark.parametrize("question", ["who is my human", "what is my operator's name?"])
@pytest.mark.parametrize("heading", ["# USER.md - About Your Human", "# Marta", "## Basics", ""])
def test_my_human_is_whom_the_profile_names(memory: Git, heading: str, question: str) -> None:
    memory.write("USER.md", f"{heading}\n\n- **Name:** Marta Kowalski\n- **Timezone:** CET\n")
    memory.write("MEMORY.md", "# Memory\n\n- Human resources moved.\n- The operator of the lift.\n")
    first = first_hit(search(space_of(memory, CLAWGIT_SEARCH_MODE="core"), Request(question)))
    assert (first.path, "Marta Kowalski" in first.snippet) == ("USER.md", True)


def test_the_names_of_a_page_and_of_the_profile_find_what_says_the_other_name(memory: Git) -> None:
    memory.write("USER.md", "# User\n\n- **Name:** Robert Sims\n- **Call them:** Bob\n")
    page = "# Ana Lima\n\nAlso known as: Annie\n\n- Phone: 555 0199\n"
    memory.write("memory/entities/ana-lima.md", page)
    memory.write("memory/2026-02-11.md", "# 2026-02-11\n\n- Bob moved to Lisbon.\n")
    ws = space_of(memory, CLAWGIT_SEARCH_MODE="core")
    assert "Bob moved" in first_hit(search(ws, Request("where did Robert move"))).snippet
    assert "555 0199" in first_hit(search(ws, Request("Annie phone"))).snippet


def test_an_entry_is_found_by_its_name_however_long_the_question(memory: Git) -> None:
    text = "# Memory\n\n- **electric kiln** (aka Big Bertha): takes forty pots.\n"
    memory.write("MEMORY.md", text + "- **shed** (aka Garage): has a roof of forty years.\n")
    asked = "I was wondering whether somebody ever told us what size of load big brtha accepts"
    ws = space_of(memory, CLAWGIT_SEARCH_MODE="core")
    [hit] = search(ws, Request(asked)).results
    assert "takes forty pots" in hit.snippet
    assert hit.score >= ws.config.settings.min_score


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("memory/projects/ember-migration.md", "ember migration status"),
        ("memory/projects/EmberMigrations.md", "ember migration status"),
        ("memory/ember/2026-02-14.md", "status of the ember"),
        ("memory/プロジェクト/移行.md", "移行 status"),
    ],
)
def test_a_file_and_its_folders_say_by_their_names_what_it_is_about(
    ask: Ask, memory: Git, path: str, query: str
) -> None:
    memory.write("memory/vendors.md", "# Vendors\n\nStatus: paid.\n\nThe status is open.\n")
    memory.write(path, "Status: waiting for the bank.\n\nNext: a call on Monday.\n")
    answer = ask(query)
    assert (first_hit(answer).path, first_hit(answer).likely, answer.missing) == (path, True, ())


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("memory/2026-02-10.md", "It rained."),
        ("2026-02-10.md", "It rained."),
        ("KANBAN.md", "Wait for the bank."),
        ("what is in `kanban.md`?", "Wait for the bank."),
        ("the bank in KANBAN.md", "Wait for the bank."),
    ],
)
def test_a_file_is_found_by_its_name(ask: Ask, memory: Git, query: str, first: str) -> None:
    memory.write("memory/2026-02-10.md", "# Tuesday\n\n- It rained.\n")
    memory.write("memory/KANBAN.md", "# Board\n\n- Wait for the bank.\n")
    others = "".join(f"- The file KANBAN.md is in memory, page {at}.\n" for at in range(9))
    memory.write("memory/a.md", f"# Files\n\n{others}- memory/2026-02-10.md is a file.\n")
    answer = ask(query)
    assert (first_hit(answer).snippet, answer.missing) == (first, ())


def test_a_word_that_a_file_is_named_by_is_looked_up_in_all_lines(ask: Ask, memory: Git) -> None:
    memory.write("memory/kiln.md", "# Board\n\n- Wait for the bank.\n")
    memory.write("memory/pots.md", "# Pots\n\n- The kiln is red.\n")
    for query in ("kiln", "“kiln”"):
        likely = {hit.path for hit in ask(query).results if hit.likely}
        assert likely == {"memory/kiln.md", "memory/pots.md"}


def test_the_name_of_a_folder_with_most_of_the_memory_says_nothing(ask: Ask, memory: Git) -> None:
    lines = "".join(f"- Parcel {number} came.\n\n" for number in range(COMMON))
    memory.write("memory/harbor/parcels.md", lines)
    memory.write("memory/harbor/letters.md", "- A letter came.\n")
    assert first_hit(ask("Harbor project")).path == "MEMORY.md"
    assert not any("harbor" in hit.path for hit in ask("harbor").results)


def test_the_operators_name_stands_for_all_of_the_profile(ask: Ask, memory: Git) -> None:
    profile = "# USER.md\n\n- **Name:** Ana Ferreira\n\n## Work\n\n- Leads a team of eight.\n"
    memory.write("USER.md", profile)
    others = "".join(f"- Told Ana of the plan for hall {at}.\n" for at in range(9))
    teams = "".join(f"- The team of hall {at} plays.\n" for at in range(3))
    memory.write("memory/a.md", f"# Sports\n\n{others}{teams}")
    hit = first_hit(ask("how big is Ana's team"))
    assert hit.snippet == "Leads a team of eight."
