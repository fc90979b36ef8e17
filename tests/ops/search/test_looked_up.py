"""What a question looks up as it stands: a name, a number, a quotation."""

import pytest

from clawgit.ops.search.search import Request, search
from tests.conftest import Git
from tests.ops.making import space_of
from tests.ops.search.conftest import Ask, first_hit

_LOOKED_UP = """# Telegram

- Telegram:
  - User: 7301442
  - Group: -1003707068198, with topics
- CHAT_TOPIC is set by the group.
- The topic of the chat is set, so that the group sees it.

# Models

- **kiln-v2-terra**: balanced, where luna would be too much
- **kiln-v2-luna**: for long thinking about many things, expensive, so it is spared
"""


@pytest.mark.parametrize("least", [1, 2, 6, 40])
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("7301442", "User: 7301442"),
        ("anything on 7301442?", "User: 7301442"),
        ("CHAT_TOPIC", "CHAT_TOPIC is set by the group."),
        ("kiln-v2-luna", "**kiln-v2-luna**: for long thinking"),
    ],
)
def test_what_is_looked_up_comes_before_what_stands_near_it(
    ask: Ask, memory: Git, query: str, found: str, least: int
) -> None:
    memory.write("memory/telegram.md", _LOOKED_UP)
    hits = ask(query, limit=least).results
    assert hits[0].snippet.startswith(found)
    assert [hit.likely for hit in hits] == [True, *(False for _ in hits[1:])]


def test_a_number_with_a_sign_before_it_is_looked_up_as_it_stands(ask: Ask, memory: Git) -> None:
    days = "".join(f"## 2026-{at:02}-17\n\n- Checked crate 17, #170.\n\n" for at in range(1, 10))
    memory.write("memory/log.md", f"# Log\n\n{days}## Later\n\n- The audit of issue #17 is done.\n")
    memory.write("memory/pr.md", "# Audit\n\n- What the script skips is left to #17, by hand.\n")
    right = {("memory/log.md", 41), ("memory/pr.md", 3)}
    likely = [(hit.path, hit.line) for hit in ask("#17").results if hit.likely]
    assert (len(likely), {*likely}) == (2, right)
    assert {(hit.path, hit.line) for hit in ask("what was issue #17?").results[:2]} == right
    assert ask("#18").missing == ("18",)


@pytest.mark.parametrize("query", ["2026.4.14", '"grey lamp ships"'])
def test_what_is_quoted_is_found_among_many_lines_with_its_words(
    ask: Ask, memory: Git, query: str
) -> None:
    others = "".join(f"- On 2026-04-14 at 4 lamp {at} ships, grey.\n" for at in range(60))
    line = "- Since the last week of that spring, the one that is in use here is 2026.4.14, "
    memory.write("memory/a.md", f"# Lamps\n\n{others}")
    memory.write("memory/b.md", f"# Later\n\n{line}and a **grey lamp** ships with it.\n")
    for limit in (1, 60):
        assert first_hit(ask(query, limit=limit)).path == "memory/b.md", limit


def test_what_only_a_model_finds_near_is_not_shown_beside_what_was_looked_up(memory: Git) -> None:
    memory.write("memory/pets.md", "# Pets\n\n- The cat sleeps.\n- Our kitten likes milk.\n")
    ws = space_of(memory, CLAWGIT_SEARCH_MODE="enhanced")
    assert [hit.snippet for hit in search(ws, Request("GraphQL")).results] == [
        "The public API is REST; GraphQL was turned down. #decision"
    ]


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("25%", "Rate: 25 %"),
        ("25 %", "Rate: 25 %"),
        ("14 $", "Plan: $14"),
        ("$14", "Plan: $14"),
        ("-22", "Cellar: \u221222"),
        ("\u221222", "Cellar: \u221222"),
    ],
)
def test_a_figure_with_its_sign_comes_before_the_figure_alone(
    ask: Ask, memory: Git, query: str, line: str
) -> None:
    plain = "At the party in the barn behind the old mill there were {} people"
    lines = ["Rate: 25 %", "Plan: $14", "Cellar: \u221222", *map(plain.format, (25, 14, 22))]
    memory.write(
        "MEMORY.md",
        "# Memory\n\n"
        + "".join(f"## {at}\n\n- {line}\n\n" for at, line in zip("abcdef", lines, strict=True)),
    )
    hits = ask(query).results
    assert (hits[0].snippet, hits[0].likely) == (line, True)
    assert any("people" in hit.snippet for hit in hits)  # the figure alone is found, too


@pytest.mark.parametrize("query", ["9527", "mortgage", "“night ferry”", "COM-004", "10.0.9.1"])
def test_nothing_is_likely_where_what_is_looked_up_stands_nowhere(
    ask: Ask, memory: Git, query: str
) -> None:
    memory.write(
        "memory/a.md",
        "# A\n\n- Guess 1: 9062437.\n- The rent and the loan are paid.\n- Rule HALL-004: ask.\n"
        "- The disk is at 10.0.1.9, the printer on com 3.\n",
    )
    assert not any(hit.likely for hit in ask(query).results)
