"""`memory search` from question to hits: on real files, in both tiers, now and in the past."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawgit.core import limits
from clawgit.core.disk import plainfile
from clawgit.core.errors import UsageError
from clawgit.core.resources import resource
from clawgit.history.past_lines import lines
from clawgit.safety.rules.secrets import fingerprint
from clawgit.search.index import index as reading
from clawgit.search.search import Request, SearchAnswer, Searcher, search
from tests.conftest import Git
from tests.leaky import KEYS
from tests.making import space_of
from tests.search.conftest import Ask, first_hit


def test_the_line_that_answers_comes_first_with_its_place(ask_either: Ask) -> None:
    hit = first_hit(ask_either("Which database does billing use, PostgreSQL?"))
    assert (hit.path, hit.line, hit.entryId, hit.source) == ("MEMORY.md", 5, "m7k2q9", "memory")
    assert hit.tier == "T1"
    assert hit.citation == f"MEMORY.md#L{hit.startLine}-L{hit.endLine}"
    assert "claw:" not in hit.snippet
    assert not any(hit.likely for hit in ask_either("m7k2q9").results)


def test_a_hit_read_back_holds_its_snippet(ask: Ask, memory: Git) -> None:
    for query in ("certificate staging", "GraphQL", "Ana Harbor", "when does the dashboard ship"):
        for hit in ask(query).results:
            read = lines(
                space_of(memory), hit.path, hit.startLine, hit.endLine - hit.startLine + 1
            )["text"]
            assert all(line in read for line in hit.snippet.split("\n"))


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


def test_no_line_is_shown_twice_where_snippets_meet(ask_either: Ask, memory: Git) -> None:
    lines = "".join(
        f"- The garden shed number {number} holds tools, seeds, a ladder and paint.\n"
        for number in range(90)
    )
    memory.write("memory/sheds.md", f"# Sheds\n\n{lines}")
    found = [
        hit
        for hit in ask_either("shed number 40", min_score=0.0, limit=9).results
        if hit.path == "memory/sheds.md"
    ]
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


def test_a_secret_in_a_header_is_masked_where_the_row_is_shown(memory: Git) -> None:
    key = KEYS["memory"]
    memory.write("MEMORY.md", f"# {key}\n\n| boat | {key} |\n|---|---|\n| Klipvis | blue |\n")
    row = first_hit(search(space_of(memory, CLAWGIT_SEARCH_MODE="core"), Request("Klipvis")))
    covered = f"[secret:{fingerprint(key)}]"
    assert row.headings == (covered, f"boat | {covered}")


def test_an_answer_says_where_the_rest_of_a_file_was_not_read(
    ask: Ask, memory: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (limits, plainfile, reading):
        monkeypatch.setattr(module, "LARGEST_FILE", 1 << 16)
    log = memory.write("memory/log.md", "- The ferry to Bergen is late.\n" * 3_000)
    with log.open("a") as file:
        file.write("- The zeppelin left at dawn.\n")
    note = "only the first 2 MiB of memory/log.md are searched"
    for query, is_noted in (("zeppelin dawn", True), ("ferry Bergen", True), ("billing", False)):
        assert (note in (ask(query).fallback or "")) == is_noted, query


_NOTES = (
    *("The board confirmed the appointment of the new auditor", "The budget was approved in March"),
    *("Doctor scripts check the gateway every night", "Backups go to the second disk"),
    *("The lease of the office ends in June", "Ana prefers short mails"),
)


def test_nothing_is_likely_where_most_of_what_is_asked_stands_nowhere(
    ask_either: Ask, memory: Git
) -> None:
    notes = (f"- {line}, as was noted on page {page}.\n" for page in range(9) for line in _NOTES)
    memory.write("memory/a.md", f"# A\n\n{''.join(notes)}")
    for query, missing, is_likely in (
        ("when is the dentist appointment", ("dentist",), False),
        ("who told the board about the appointment of the new auditor", ("told",), True),
    ):
        answer = ask_either(query)
        assert (answer.missing, first_hit(answer).likely) == (missing, is_likely)
