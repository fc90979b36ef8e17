"""Which words of a memory the words of a question find, and which of them nothing has."""

import pytest

from clawgit.ops.search.search import Request, search
from tests.conftest import Git
from tests.ops.making import space_of
from tests.ops.search.conftest import Ask, first_hit


def test_words_alone_find_what_is_said_in_other_words(memory: Git) -> None:
    memory.write("memory/life.md", "- The physician said to rest.\n- The stove broke.\n")
    searched = space_of(memory, CLAWGIT_SEARCH_MODE="core")
    answer = search(searched, Request("what did my doctor say about resting"))
    assert answer.results[0].snippet == "The physician said to rest."
    assert answer.missing == ()


@pytest.mark.parametrize(
    ("line", "query"),
    [
        ("Zahnarzttermin am Montag um neun.", "wann muss ich zum Zahnarzt"),
        ("Am Montag zum Zahnarzt.", "wann war der Zahnarzttermin"),
        ("Die Besprechungen dauern zu lange.", "was war mit der Besprechung"),
        ("昨日、壁を塗る人が来た。", "壁はいつ塗ったの"),
        ("医生说要多喝水。", "医生说了什么"),
    ],
)
def test_a_word_is_found_in_another_form_or_in_a_word_made_with_it(
    memory: Git, line: str, query: str
) -> None:
    other = "Brot, Papel, 电车, 電車.\n" * 3
    memory.write("memory/life.md", f"- {line}\n- {other}")
    searched = space_of(memory, CLAWGIT_SEARCH_MODE="core")
    assert search(searched, Request(query)).results[0].snippet == line


def test_a_slip_is_repaired_and_a_word_of_the_list_is_no_slip(memory: Git) -> None:
    memory.write(
        "memory/home.md",
        "- The bicycle has a cardamom smell.\n- The marathi class is on.\n- Едем в Красноярск.\n"
        "- Kessemeier comes on Monday.\n- Security first.\n- Two subagents.\n",
    )
    searched = space_of(memory, CLAWGIT_SEARCH_MODE="core")
    found = (
        *("bycicle", "cardamon", "Красноярк", "Kesemeier", "Kessemeyer"),
        *("securty", "subagnts"),
    )
    for query, is_found in (*((word, True) for word in found), ("marathon", False)):
        paths = [hit.path for hit in search(searched, Request(query)).results]
        assert ("memory/home.md" in paths) == is_found, query


@pytest.mark.parametrize(
    ("query", "missing"),
    [
        ("does the zebra use PostgreSQL?", ("zebra",)),
        ("which project does Ana lead?", ()),
        ("wer ist der Besitzer vom Zebra?", ("Besitzer", "Zebra")),  # no grammar
        ("CONTEXT_WINDOW.md or glm_5?", ("CONTEXT_WINDOW.md", "glm_5")),  # things are named whole
        ("Zoë paid 42,000 for a crème", ("Zoë", "paid", "42,000", "crème")),
        ("x" * 3000, (f"{'x' * 59}…",)),
    ],
)
def test_words_that_nothing_has_are_named(ask: Ask, query: str, missing: tuple[str, ...]) -> None:
    assert ask(query).missing == missing


def test_an_emoji_is_found_where_nothing_else_is_asked(ask: Ask, memory: Git) -> None:
    memory.write("memory/keys.md", "- The spare 🔑 lies under the mat.\n")
    assert first_hit(ask("🔑")).path == "memory/keys.md"
    assert first_hit(ask("GraphQL 🔑")).line == first_hit(ask("GraphQL")).line


def test_a_word_without_its_umlaut_finds_the_one_that_has_it(ask: Ask, memory: Git) -> None:
    memory.write("memory/haus.md", "# Haus\n\n- Der Müll geht am Dienstag, ohne Passwörter.\n")
    answer = ask("Wann geht der Muell?")
    assert (first_hit(answer).path, first_hit(answer).likely) == ("memory/haus.md", True)
    assert answer.missing == ()
    assert ask("Poet").missing == ("Poet",)
