"""`log`, `show`, `diff` and `why` as they are typed."""

import json
from typing import Any

import pytest

from clawgit.cli import run
from tests.conftest import Git


@pytest.fixture
def told(ws: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    """Two commits at known times; we are in the workspace."""
    ws.write("CONFIG.md", "# Config\n")
    ws("add", "-A")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-02-13T08:00:00+01:00")
    ws("commit", "-q", "--amend", "-m", "start")
    ws.write("MEMORY.md", "# Memory\n\n- Billing uses PostgreSQL, not MySQL. #decision\n")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-02-14T09:12:00+01:00")
    ws.commit_all(
        "soul-keeper: name the other\n\nThe operator asked.\n\n"
        "Clawgit-Id: klmnopqr\nClawgit-Op: soul-keeper/edit\nEvidence: memory/2026-02-13.md#L3\n"
        "Confidence: 0.90\n"
    )
    monkeypatch.chdir(ws.root)
    return ws


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run([*arguments]) == 0
    return capsys.readouterr().out


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(said(capsys, *arguments, "--json"))


def test_log_is_one_line_a_change(told: Git, capsys: pytest.CaptureFixture[str]) -> None:
    start = told("rev-parse", "HEAD~").strip()
    assert said(capsys, "log") == (
        "klmnopqr  2026-02-14 09:12  soul-keeper    name the other\n"
        f"{start[:8]}  2026-02-13 08:00  Olga Operator  start\n"
    )


def test_log_in_json_has_the_shape_of_the_contract(
    told: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    found = answer(capsys, "log", "MEMORY.md", "-n", "1")
    assert found == {
        "commits": [
            {
                "sha": told.head(),
                "id": "klmnopqr",
                "time": "2026-02-14T09:12:00+01:00",
                "actor": "soul-keeper",
                "op": "soul-keeper/edit",
                "summary": "name the other",
                "reason": "The operator asked.",
                "evidence": ["memory/2026-02-13.md#L3"],
                "paths": ["MEMORY.md"],
            }
        ],
        "more": True,
    }


def test_log_says_beside_the_answer_that_there_is_more(
    told: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["log", "-n", "1"])
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 1
    assert "-n 10" in captured.err


def test_show_tells_the_change_and_its_patch(told: Git, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "show", "klmnopqr")
    assert text.startswith(
        "klmnopqr  name the other\n"
        f"commit      {told.head()}\n"
        "time        2026-02-14 09:12 +0100\n"
        "by          soul-keeper (soul-keeper/edit)\n"
        "evidence    memory/2026-02-13.md#L3\n"
        "confidence  0.90\n"
        "\n"
        "    The operator asked.\n"
        "\n"
        "diff --git a/MEMORY.md b/MEMORY.md\n"
    )
    assert text.endswith(
        "-- Billing uses PostgreSQL. #decision\n+- Billing uses PostgreSQL, not MySQL. #decision\n"
    )


def test_diff_and_its_counts(told: Git, capsys: pytest.CaptureFixture[str]) -> None:
    told.write("new.md", "- one\n- two\n")
    told.write("SOUL.md", "# Soul\n")
    assert said(capsys, "diff", "--stat") == "    +0    -3  SOUL.md\n    +2    -0  new.md  added\n"
    assert said(capsys, "diff", "HEAD", "HEAD") == "no difference\n"
    found = answer(capsys, "diff", "2026-02-14", "HEAD")
    assert (found["a"], found["b"]) == (told("rev-parse", "HEAD~").strip(), told.head())
    assert {key: found["files"][0][key] for key in ("path", "status", "added", "removed")} == {
        "path": "MEMORY.md", "status": "modified", "added": 1, "removed": 1,
    }  # fmt: skip
    assert set(found["files"][0]) == {"path", "status", "added", "removed", "patch"}


def test_why_tells_each_change(told: Git, capsys: pytest.CaptureFixture[str]) -> None:
    start = told("rev-parse", "HEAD~").strip()
    assert said(capsys, "why", "MEMORY.md:3") == (
        "MEMORY.md:3\n"
        "    - Billing uses PostgreSQL, not MySQL. #decision\n"
        "\n"
        "klmnopqr  2026-02-14 09:12  soul-keeper  changed  MEMORY.md:3\n"
        "    name the other\n"
        "    The operator asked.\n"
        "    evidence: memory/2026-02-13.md#L3\n"
        "    - Billing uses PostgreSQL, not MySQL. #decision\n"
        "\n"
        f"{start[:8]}  2026-02-13 08:00  Olga Operator  born  MEMORY.md:3\n"
        "    start\n"
        "    - Billing uses PostgreSQL. #decision\n"
    )
    found = answer(capsys, "why", "MEMORY.md:3")
    assert (found["path"], found["line"], found["state"]) == ("MEMORY.md", 3, "committed")
    assert [turn["kind"] for turn in found["changes"]] == ["changed", "born"]


def test_a_terminal_gets_colour_and_a_pipe_none(
    told: Git, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = said(capsys, "show", "HEAD")
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = said(capsys, "show", "HEAD")
    assert "\x1b[" not in plain
    assert "\x1b[32m+- Billing uses PostgreSQL, not MySQL. #decision" in coloured
    assert "\x1b[31m-- Billing" in coloured


def test_what_a_file_or_a_message_holds_cannot_act_on_the_terminal(
    told: Git, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told.write("MEMORY.md", "# Memory\n\n- \x1b]0;owned\x07 evil\r\n")
    told.commit_all("evil \x1b[2J message")
    monkeypatch.setenv("FORCE_COLOR", "1")
    for arguments in (["log"], ["show", "HEAD"], ["diff", "HEAD~1"], ["why", "MEMORY.md:3"]):
        text = said(capsys, *arguments)
        assert "␛" in text
        assert not {"\x1b]", "\x1b[2J", "\x07", "\r"} & {
            text[n : n + size] for n in range(len(text)) for size in (1, 2, 4)
        }


@pytest.mark.parametrize(
    ("arguments", "code", "kind"),
    [(["show", "nowhere"], 1, "not_found"), (["log", "nowhere.md"], 1, "not_found"),
     (["why", "MEMORY.md:99"], 2, "usage"), (["diff", "HEAD", "HEAD", "HEAD"], 2, "usage"),
     (["show"], 2, "usage"), (["log", "-n", "0"], 2, "usage")],
)  # fmt: skip
def test_an_error_has_a_kind_a_hint_and_a_code(
    told: Git, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, kind: str
) -> None:
    assert run([*arguments, "--json"]) == code
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["kind"] == kind
    assert error["hint"]
