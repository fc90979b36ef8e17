"""Names: of people and things, which may have others, and of files and folders."""

import pytest

from clawgit.ops.search.search import Request, search
from tests.conftest import Git
from tests.ops.making import space_of
from tests.ops.search.conftest import first_hit


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
