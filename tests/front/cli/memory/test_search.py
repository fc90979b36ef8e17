"""`memory search`, `index` and `bench` as they are typed."""

import json
from pathlib import Path

import pytest

from clawgit.front.cli.root import run
from clawgit.search.stores import access
from clawgit.workspace.stores.state import repository_state
from tests.conftest import NOW, Git
from tests.front.cli.typed import typed
from tests.search.test_serve import open_at

_HIT = {
    "path", "startLine", "endLine", "score", "snippet", "source", "citation", "entryId", "tier",
    "line", "lastLine",
    "explain", "agent", "disputed", "before", "after", "headings", "marks", "also",
    "likely",
}  # fmt: skip
_ANSWER = [
    "results",
    "provider",
    "model",
    "mode",
    "fallback",
    "indexedAt",
    "behind",
    "elapsedMs",
    "intent",
    "searched",
    "outside",
    "missing",
]


@pytest.fixture
def here(ws: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    ws.write("CONFIG.md", "# Config\n")
    ws.write(
        "memory/2026-02-12.md",
        "# 2026-02-12\n\n## Trip\n\n- We flew to Lisbon.\n- The hotel was full.\n",
    )
    monkeypatch.chdir(ws.root)
    monkeypatch.setenv("CLAWGIT_NOW", NOW.isoformat())
    return ws


_said, _answer = typed("memory")


def test_the_answer_has_the_shape_of_openclaws_tool(
    here: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    found = _answer(capsys, "search", "who", "uses", "PostgreSQL")
    assert list(found) == _ANSWER
    assert set(found["results"][0]) == _HIT
    assert (found["indexedAt"], found["behind"], found["fallback"]) == (here.head(), 0, None)


def test_messages_are_told_by_their_key_and_are_no_memory_that_was_found(
    here: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["chat", "log", "Zeppelins land at noon.", "--id", "m1"]) == 0
    capsys.readouterr()
    head, text = _said(capsys, "search", "zeppelins", "--source", "sessions").splitlines()
    assert head.split()[0] == "chat:main/m1"
    assert text == "    user: Zeppelins land at noon."
    ws = open_at(here.root)
    with repository_state(ws.place, ws.caller.env, ws.caller.home, NOW) as state:
        assert access.frequent(state) == []


def test_an_entry_in_doubt_carries_its_mark(here: Git, capsys: pytest.CaptureFixture[str]) -> None:
    here.write(
        "MEMORY.md",
        "# Memory\n\n- The ferry costs nine euros. #knowledge <!-- claw:aaaa22 status=disputed -->\n"
        "- The ferry leaves at ten. #knowledge <!-- claw:bbbb22 -->\n",
    )
    here.write(
        "CORRECTIONS.md",
        "# CORRECTIONS.md\n\n## c1 · 2026-02-12T10:00:00+00:00\n\n- Trigger: no, the ferry\n"
        "- Operator said: The ferry is late.\n- Correct:\n- Was: bbbb22 The ferry leaves at ten.\n"
        "- Status: open\n",
    )
    hits = _answer(capsys, "search", "ferry")["results"]
    marks = {hit["entryId"]: hit["marks"] for hit in hits if hit["path"] == "MEMORY.md"}
    assert marks == {"aaaa22": ["disputed"], "bbbb22": ["pending"]}
    [logged] = [hit for hit in hits if hit["path"] == "CORRECTIONS.md"]
    assert logged["snippet"] == "The ferry is late."
    assert "disputed" in _said(capsys, "search", "ferry", "costs")


def test_a_quote_under_an_entry_is_shown_once(
    here: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    here.write(
        "MEMORY.md",
        "# Memory\n\n- The ferry costs nine euros. <!-- claw:aaaa22 status=disputed -->\n"
        "  - Marta: “No, zeppelins cost nine.” #correction\n",
    )
    by_line = {
        hit["startLine"]: hit["disputed"]
        for asked in ("zeppelins", "ferry")
        for hit in _answer(capsys, "search", asked)["results"]
    }
    assert by_line == {3: ["Marta: “No, zeppelins cost nine.”"], 4: []}


def test_the_bookkeeping_of_a_correction_is_no_hit(
    here: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    here.write(
        "CORRECTIONS.md",
        "# CORRECTIONS.md\n\n## c1 · 2026-02-12T10:00:00+00:00\n\n- Trigger: judge\n"
        "- Trigger confidence: high\n- Operator said: No, nine.\n"
        "- Correct: The ferry costs nine euros.\n- Re-embedded: true\n- Status: confirmed\n",
    )
    here.commit_as_operator("a correction")
    [hit] = _answer(capsys, "search", "ferry euros")["results"]
    assert (hit["snippet"], hit["after"]) == (
        "The ferry costs nine euros.",
        "Operator: “No, nine.”",
    )
    assert hit["marks"] == []
    here.write("MEMORY.md", "# Memory\n\n- The ferry costs nine euros. #knowledge\n")
    assert [hit["path"] for hit in _answer(capsys, "search", "ferry euros")["results"]] == [
        "MEMORY.md"
    ]
    for question in ("re-embedded true", "trigger confidence high", "status confirmed"):
        hits = _answer(capsys, "search", question)["results"]
        assert {hit["snippet"] for hit in hits} <= {
            "The ferry costs nine euros.",
            "Be kind.",
            "Be brief.",
        }


def test_what_was_shown_is_remembered_for_promotion(
    here: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    here.write("memory/2026-02-11.md", "# 2026-02-11\n\n- The gate is shut.\n- The gate squeaks.\n")
    for session in ("one", "two", "three"):
        _said(capsys, "search", "gate", "--session", session)
    ws = open_at(here.root)
    with repository_state(ws.place, ws.caller.env, ws.caller.home, NOW) as state:
        often = access.frequent(state)
    seen = [(one.path, one.hits, one.sessions) for one in often]
    assert seen == [("memory/2026-02-11.md", 3, 3)] * 2, "both lines of the hit"


def test_what_is_not_certain_is_not_remembered(
    here: Git, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAWGIT_SEARCH_MODE", "core")
    question = "how do I tune the violin at a hotel"
    for session in ("one", "two", "three"):
        assert "The hotel was full" in _said(capsys, "search", question, "--session", session)
    ws = open_at(here.root)
    with repository_state(ws.place, ws.caller.env, ws.caller.home, NOW) as state:
        assert access.frequent(state) == []


def test_own_questions_are_measured(
    here: Git, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fixture = tmp_path / "questions.jsonl"
    rows = [
        {"query": "where did we fly", "expect": [{"path": "memory/2026-02-12.md", "line": 5}]},
        {"query": "xylophone", "expect": [{"path": "MEMORY.md", "line": 99}]},
    ]
    fixture.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    found = _answer(capsys, "bench", str(fixture), "-n", "5")
    assert [one["rank"] for one in found["queries"]] == [1, 0]
    assert (found["k"], found["recall"], found["mrr"]) == (5, 0.5, 0.5)
    assert found["queries"][0]["hits"][0]["startLine"] == 5
    assert "\nxylophone  " in _said(capsys, "bench", str(fixture))


def test_where_there_is_nothing_to_search_it_is_said(
    git: Git, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    git.write("pyproject.toml", "")
    git.write("docs/use.md", "# Use\n")
    git.commit_all("a program")
    monkeypatch.chdir(git.root)
    assert run(["init"]) == 0
    capsys.readouterr()
    assert run(["memory", "search", "use"]) == 0
    shown = capsys.readouterr()
    assert "there is nothing to search yet" in shown.out
    assert "no line has" not in shown.err
    assert "in docs\n" in shown.err


def test_what_only_comes_near_stands_under_a_line_that_says_so(
    here: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    question = "how do I tune the violin at a hotel"
    assert run(["config", "set", "search_mode", "core"]) == 0
    capsys.readouterr()
    said = _said(capsys, "search", question).splitlines()
    assert said[0].startswith("No line answers this, and none has “tune”")
    assert "The hotel was full" in "".join(said[1:])
    [near] = _answer(capsys, "search", question)["results"]
    assert near["likely"] is False
    assert near["score"] < 0.35
    assert _answer(capsys, "search", question, "--min-score", "0.35")["results"] == []
    [first, *_] = _answer(capsys, "search", question, "--min-score", "0")["results"]
    assert first["likely"] is False, "a lower bar makes nothing likely"
