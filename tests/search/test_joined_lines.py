"""Lines that are one hit together, and which of the lines that say the same is shown."""

from clawgit.search.search import Request, search
from tests.conftest import Git
from tests.making import space_of
from tests.search.conftest import first_hit


def test_a_copy_is_named_and_the_same_words_under_another_heading_are_a_hit(memory: Git) -> None:
    board = "# Kanban\n\n## Rules\n\n- Keep WIP limit at two.\n"
    memory.write("old/KANBAN.md", board)
    memory.write("new/KANBAN.md", board)
    for day, name in ((1, "Acme Labs"), (2, "Zenith Care"), (3, "Acme Labs")):
        noted = f"# 2026-02-0{day}\n\n## {name}\n\n- **Pricing:** 5.55 a gummy\n"
        memory.write(f"memory/2026-02-0{day}.md", noted)
    ws = space_of(memory, CLAWGIT_SEARCH_MODE="core")

    [rule] = search(ws, Request("WIP limit")).results
    one, other = search(ws, Request("price 5.55 a gummy")).results

    assert rule.also == ("old/KANBAN.md:5",)
    by_name = {hit.headings[-1]: {f"{hit.path}:5", *hit.also} for hit in (one, other)}
    assert by_name == {
        "Acme Labs": {"memory/2026-02-01.md:5", "memory/2026-02-03.md:5"},
        "Zenith Care": {"memory/2026-02-02.md:5"},
    }


def test_an_entry_comes_before_the_turn_it_was_kept_of_and_tells_where_that_stands(
    memory: Git,
) -> None:
    memory.write("MEMORY.md", "- We ship the Harbor dashboard on 3 March. #decision\n")
    memory.write(
        "memory/2026-02-11.md", "# Talk\n\n**user:** We ship the Harbor dashboard on 3 March.\n"
    )
    asked = Request("when do we ship the Harbor dashboard?")
    hit = first_hit(search(space_of(memory, CLAWGIT_SEARCH_MODE="core"), asked))
    assert (hit.path, hit.also) == ("MEMORY.md", ("memory/2026-02-11.md:3",))
