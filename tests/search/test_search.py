"""`memory search` from question to hits: on real files, in both tiers, now and in the past."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawgit.agents.frame.corrections import add as correct
from clawgit.core.errors import UsageError
from clawgit.core.resources import resource
from clawgit.safety.rules.secrets import fingerprint
from clawgit.search.search import Request, SearchAnswer, Searcher, search
from tests.conftest import Git
from tests.leaky import KEYS
from tests.making import space_of
from tests.search.conftest import Ask, asking, first_hit

GROUP = "agent:main:telegram:group:-100"


def test_the_line_that_answers_comes_first_with_its_place(ask_either: Ask) -> None:
    hit = first_hit(ask_either("Which database does billing use, PostgreSQL?"))
    assert (hit.path, hit.line, hit.entryId, hit.source) == ("MEMORY.md", 5, "m7k2q9", "memory")
    assert hit.tier == "T1"
    assert hit.citation == f"MEMORY.md#L{hit.startLine}-L{hit.endLine}"
    assert "claw:" not in hit.snippet
    assert not any(hit.likely for hit in ask_either("m7k2q9").results)


def test_a_copy_in_an_archive_brings_nothing_before_its_successor(ask: Ask, memory: Git) -> None:
    old, new = "The kiln fires at 900 degrees on Mondays.", "Now the kiln fires at 800."
    superseded = "<!-- claw:aaaa22 status=superseded by=bbbb22 -->"
    memory.write(
        "memory/kiln.md", f"- {old} {superseded}\n\n# New\n\n- {new} <!-- claw:bbbb22 -->\n"
    )
    memory.write("memory/archive/2025-Q4.md", f"- {old}\n")
    hits = ask("at how many degrees does the kiln fire on Mondays").results
    found = [hit.snippet for hit in hits if "kiln" in hit.path or "archive" in hit.path]
    assert found == [new, old]


def test_a_group_is_shown_no_line_of_the_notebook_and_no_correction(ask: Ask, memory: Git) -> None:
    correct(space_of(memory), "Billing uses SQLite.", "m7k2q9")
    query = "billing, SQLite, certificate of the staging host"

    def found(session: str, **more: object) -> set[str]:
        return {hit.path for hit in ask(query, session=session, min_score=0.0, **more).results}

    assert found("agent:main:main") == {"MEMORY.md", "memory/2026-02-13.md"}
    assert found(GROUP) == {"memory/2026-02-13.md"}
    assert found(GROUP, category="decision") == set()
    assert found("agent:main:main", source="corrections") == {"CORRECTIONS.md"}
    assert found(GROUP, source="corrections") == set()


def test_what_the_agent_looks_after_is_searched_and_what_we_wrote_there_is_not(
    ask: Ask, memory: Git
) -> None:
    """Many agents keep the state of their work in HEARTBEAT.md."""
    ours = (resource("templates") / "workspace" / "HEARTBEAT.md").read_text()
    state = "- Quote tool: the PDF of the Halden order waits for a signature"
    memory.write("HEARTBEAT.md", f"{ours}\n## Watching\n\n{state}\n")
    found = ask("which quote waits for a signature")
    assert (first_hit(found).path, first_hit(found).source) == ("HEARTBEAT.md", "profile")
    said = ours.split("\n\n")[1].strip()
    asked = ask(said)
    assert not any(hit.path == "HEARTBEAT.md" and hit.line < 5 for hit in asked.results)


def test_no_line_is_shown_twice_where_snippets_meet(ask: Ask, memory: Git) -> None:
    lines = (f"- The shed number {at} holds tools, a ladder and paint.\n" for at in range(90))
    memory.write("memory/sheds.md", f"# Sheds\n\n{''.join(lines)}")
    hits = ask("shed number 40", min_score=0.0, limit=9).results
    found = [hit for hit in hits if hit.path == "memory/sheds.md"]
    shown = [number for hit in found for number in range(hit.startLine, hit.endLine + 1)]
    assert len(found) > 2
    assert len(shown) == len(set(shown))


def test_nothing_that_fits_is_no_answer(ask_either: Ask) -> None:
    assert ask_either("zebra migration").results == ()
    # In a memory of a few lines, one may come a little nearer; that is never called an answer.
    assert not any(hit.likely for hit in ask_either("zebra migration in Antarctica").results)


def test_the_number_of_hits_and_the_least_score_are_obeyed(ask: Ask) -> None:
    assert len(ask("Ana billing certificate dashboard", limit=1, min_score=0.0).results) == 1
    assert all(
        hit.score >= 0.9 for hit in ask("Ana leads the Harbor project", min_score=0.9).results
    )


def test_an_empty_question_and_an_unknown_source_are_the_callers_errors(ask: Ask) -> None:
    with pytest.raises(UsageError, match="empty"):
        ask("  \n")
    with pytest.raises(UsageError, match="no source"):
        ask("Ana", source="dreams")


_ODD = ["x" * 10_000, "billing " * 1200, "账", '"*', "NEAR(billing", "🦀", "\0", "(", "\ud800"]


def test_no_question_is_an_error_of_ours(ask_either: Ask) -> None:
    for query in _ODD:
        assert isinstance(ask_either(query), SearchAnswer)


_LINES = st.lists(
    st.sampled_from(["- alpha beta", "- gamma <!-- claw:abcdef conf=0.6 -->", "## Heading delta",
    "", "plain epsilon",
                     "  - nested zeta", "```", "> quoted eta", "- **Ana:** theta?", "| a | iota |",
                     "- 中文笔记"]),
    max_size=30,
)  # fmt: skip


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_LINES)
def test_lines_are_right_whatever_the_file(memory: Git, found: list[str]) -> None:
    memory.write("memory/2026-02-01.md", "\n".join(found))
    with Searcher(space_of(memory, CLAWGIT_SEARCH_MODE="core")) as searcher:
        for word in ("alpha", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "中文"):
            for hit in searcher.answer(Request(word, source="memory", explain=True)).results:
                if hit.path == "memory/2026-02-01.md" and hit.explain and hit.explain["words"] == 1:
                    assert hit.line <= hit.startLine <= hit.endLine <= hit.lastLine <= len(found)
                    titles = [line for line in found[: hit.line] if line.startswith("#")]
                    assert any(
                        word in line for line in (*titles, *found[hit.line - 1 : hit.lastLine])
                    )


def test_a_secret_in_a_header_is_masked_where_the_row_is_shown(ask: Ask, memory: Git) -> None:
    key = KEYS["memory"]
    memory.write("MEMORY.md", f"# {key}\n\n| boat | {key} |\n|---|---|\n| Klipvis | blue |\n")
    row = first_hit(ask("Klipvis"))
    covered = f"[secret:{fingerprint(key)}]"
    assert row.headings == (covered, f"boat | {covered}")


_NOTES = (
    *("The board confirmed the appointment of the new auditor", "The budget was approved in March"),
    *("Doctor scripts check the gateway every night", "Backups go to the second disk"),
    *("The lease of the office ends in June", "Ana prefers short mails"),
)


def test_nothing_is_likely_where_most_of_what_is_asked_stands_nowhere(
    ask: Ask, memory: Git
) -> None:
    notes = (f"- {line}, as was noted on page {page}.\n" for page in range(9) for line in _NOTES)
    memory.write("memory/a.md", f"# A\n\n{''.join(notes)}")
    for query, missing, is_likely in (
        ("when is the dentist appointment", ("dentist",), False),
        ("who told the board about the appointment of the new auditor", ("told",), True),
    ):
        answer = ask(query)
        assert (answer.missing, first_hit(answer).likely) == (missing, is_likely)


def test_a_day_is_not_missing_where_what_was_found_is_of_that_day(ask: Ask) -> None:
    for query, missing in (
        ("when does the dashboard ship on 13 February 2026", ()),
        ("when does the dashboard ship in February", ()),
        ("when does the dashboard ship on 3 April 2026", ("April",)),
    ):
        assert ask(query).missing == missing


# Lines that are one hit together, and which of the lines that say the same is shown.


def test_a_copy_is_named_and_the_same_words_under_another_heading_are_a_hit(
    ask: Ask, memory: Git
) -> None:
    board = "# Kanban\n\n## Rules\n\n- Keep WIP limit at two.\n"
    memory.write("old/KANBAN.md", board)
    memory.write("new/KANBAN.md", board)
    for day, name in ((1, "Acme Labs"), (2, "Zenith Care"), (3, "Acme Labs")):
        noted = f"# 2026-02-0{day}\n\n## {name}\n\n- **Pricing:** 5.55 a gummy\n"
        memory.write(f"memory/2026-02-0{day}.md", noted)
    [rule] = ask("WIP limit").results
    one, other = ask("price 5.55 a gummy").results
    assert rule.also == ("old/KANBAN.md:5",)
    by_name = {hit.headings[-1]: {f"{hit.path}:5", *hit.also} for hit in (one, other)}
    assert by_name == {
        "Acme Labs": {"memory/2026-02-01.md:5", "memory/2026-02-03.md:5"},
        "Zenith Care": {"memory/2026-02-02.md:5"},
    }


def test_an_entry_comes_before_the_turn_it_was_kept_of_and_tells_where_that_stands(
    ask: Ask, memory: Git
) -> None:
    memory.write("MEMORY.md", "- We ship the Harbor dashboard on 3 March. #decision\n")
    memory.write(
        "memory/2026-02-11.md", "# Talk\n\n**user:** We ship the Harbor dashboard on 3 March.\n"
    )
    hit = first_hit(ask("when do we ship the Harbor dashboard?"))
    assert (hit.path, hit.also) == ("MEMORY.md", ("memory/2026-02-11.md:3",))


# What stands above a line or beside it: its heading, its label, the field that it fills.


@pytest.mark.parametrize("box", ["[ ]", "[x]", "[X]"])
def test_an_empty_box_is_no_hit_whatever_stands_above_it(ask: Ask, memory: Git, box: str) -> None:
    memory.write("memory/move.md", f"# Notes\n\n## Lisbon move\n\n- {box}\n- {box} rent a van\n")
    lines = [hit.line for hit in ask("Lisbon move").results if hit.path == "memory/move.md"]
    assert lines == [6]


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
    [hit] = [hit for hit in ask("which harbor").results if "Greetsiel" in hit.snippet]
    assert "_(" not in f"{hit.before} {hit.after}"


def test_a_fact_is_found_by_its_heading_or_its_row_and_shown_with_it(ask: Ask, memory: Git) -> None:
    table = "| name | phone |\n| --- | --- |\n| Mira Stone | 555 0177 |\n| Otto Kern | 555 0188 |\n"
    memory.write(
        "MEMORY.md",
        f"# People\n\n### Juan Valbuena - +57 310\n\n- Status: waiting\n\n## List\n\n{table}",
    )
    person = first_hit(ask("phone of Juan Valbuena"))
    assert (person.snippet, person.headings[-1]) == ("Status: waiting", "Juan Valbuena - +57 310")
    row = first_hit(ask("phone of Otto Kern"))
    assert (row.headings[-1], row.snippet) == ("name | phone", "Otto Kern | 555 0188")


# Notes with front matter, as vaults and Claude memories have them: found, shown, searchable.


_KILN = """\
---
title: Kiln handbook
aliases: [Brennofen, Ofen]
tags: [pottery, decision]
description: How the big kiln is fired
---

Open the vents slowly.

## Glazes

- The blue glaze runs above 1,200 degrees.
"""


@pytest.fixture
def ask_notes(git: Git) -> Ask:
    git.write("MEMORY.md", "# Memory\n\n- The studio opens at nine.\n- We rent it. #decision\n")
    git.write("memory/20260101.md", _KILN)
    git.commit_all("start")
    return asking(git, "core")


@pytest.mark.parametrize("query", ["Brennofen", "how is the big kiln fired"])
def test_a_note_is_found_by_what_it_says_about_itself(ask_notes: Ask, query: str) -> None:
    hit = first_hit(ask_notes(query))
    assert (hit.path, hit.line, hit.lastLine) == ("memory/20260101.md", 2, 5)
    assert hit.snippet.startswith(
        "Kiln handbook · Brennofen, Ofen · How the big kiln is fired · #pottery #decision"
    )


def test_the_tags_of_a_note_hold_for_its_lines(ask_notes: Ask) -> None:
    assert first_hit(ask_notes("blue glaze degrees", category="decision")).line == 12
    assert not ask_notes("blue glaze degrees", category="events").results
    assert first_hit(ask_notes("studio rent opens", category="decision")).path == "MEMORY.md"


def test_a_tag_that_nothing_has_is_told(memory: Git) -> None:
    memory.write("memory/2026-01-01.md", "# Day\n\n- The zeppelin flew.\n")
    answer = search(space_of(memory), Request("zeppelin", category="decisons"))
    assert (answer.results, answer.fallback) == ((), "nothing found is of 'decisons'")


# A searcher that is kept open: it answers as a fresh one does, and reads little.


def _old_note(memory: Git, text: str) -> None:
    """Writes a note in place; it changed long ago, and keeps its size."""
    note = memory.root / "memory/air.md"
    note.parent.mkdir(exist_ok=True)
    with note.open("r+" if note.exists() else "w") as opened:
        opened.write(text)
        opened.truncate()


def test_the_next_search_finds_every_edit_to_a_memory_of_few_files(memory: Git) -> None:
    _old_note(memory, "- The rent of May is paid.\n")
    ws = space_of(memory, CLAWGIT_SEARCH_MODE="core")
    with Searcher(ws) as searcher:

        def found() -> set[str]:
            return {hit.path for hit in searcher.answer(Request("zeppelin hangar")).results}

        assert found() == set()
        _old_note(memory, "- The zeppelin, a hangar.\n")
        assert found() == {"memory/air.md"}
        memory.write("memory/2026/hall.md", "- A zeppelin in its hangar.\n")
        assert found() == {"memory/air.md", "memory/2026/hall.md"}
        memory.write("memory/2026/two.md", "- The zeppelin left its hangar.\n")
        assert found() == {"memory/air.md", "memory/2026/hall.md", "memory/2026/two.md"}
        (memory.root / "memory/2026/two.md").unlink()
        (memory.root / "memory/air.md").rename(memory.root / "memory/sky.md")
        assert found() == {"memory/sky.md", "memory/2026/hall.md"}
