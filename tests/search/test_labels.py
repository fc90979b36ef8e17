"""What stands above a line or beside it: its heading, its label, the field that it fills."""

from clawgit.search.search import Request, search
from tests.conftest import Git
from tests.making import space_of
from tests.search.conftest import Ask, first_hit


def test_a_placeholder_of_a_profile_is_neither_found_nor_shown_beside_a_hit(
    ask: Ask, memory: Git
) -> None:
    memory.write("MEMORY.md", "# Memory\n\n- The front desk: [notes](USER.md)\n")
    memory.write(
        "USER.md",
        "# About them\n\n- **Boat:**\n  _(what floats under them)_\n- **Harbor:** Greetsiel\n"
        "- **Mooring:** _(optional)_\n",
    )
    assert [hit for hit in ask("what floats under them").results if "floats" in hit.snippet] == []
    for full in (False, True):
        [hit] = [
            hit for hit in ask("which harbor", full=full).results if "Greetsiel" in hit.snippet
        ]
        assert "_(" not in f"{hit.before} {hit.after} {hit.text}"


def test_a_label_of_a_profile_is_found_and_shows_what_stands_below_it(
    ask: Ask, memory: Git
) -> None:
    memory.write("AGENTS.md", "# Rules\n\n**Never modify these files:**\n\n- AGENTS.md\n")
    hits = [hit for hit in ask("never modify these files").results if hit.path == "AGENTS.md"]
    assert [(hit.snippet, hit.after) for hit in hits] == [
        ("**Never modify these files:**", "AGENTS.md")
    ]


def test_a_fact_is_found_by_its_heading_or_its_row_and_shown_with_it(memory: Git) -> None:
    table = "| name | phone |\n| --- | --- |\n| Mira Stone | 555 0177 |\n| Otto Kern | 555 0188 |\n"
    memory.write(
        "MEMORY.md",
        f"# People\n\n### Juan Valbuena - +57 310\n\n- Status: waiting\n\n## List\n\n{table}",
    )
    ws = space_of(memory, CLAWGIT_SEARCH_MODE="core")
    person = first_hit(search(ws, Request("phone of Juan Valbuena")))
    assert (person.snippet, person.headings[-1]) == ("Status: waiting", "Juan Valbuena - +57 310")
    row = first_hit(search(ws, Request("phone of Otto Kern")))
    assert (row.headings[-1], row.snippet) == ("name | phone", "Otto Kern | 555 0188")
