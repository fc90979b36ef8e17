"""`connect` and a language model that is at hand: one question at a terminal, one row of trust, and
back again."""

import io
import json
import os
from pathlib import Path

import pytest

from clawgit.cli.root import run
from tests.conftest import NOW, Git

CLAUDE = "command:claude -p"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def here(ws: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    """A workspace, and Claude Code on this machine; no Ollama."""
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    ws.write("CONFIG.md", "# Config\n\n```yaml\nsearch_mode: core\n```\n")
    ws.commit_all("settings")
    monkeypatch.chdir(ws.root)
    monkeypatch.setenv("CLAWGIT_NOW", NOW.isoformat())
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:1/v1")
    return ws


@pytest.fixture
def project(tmp_path: Path) -> str:
    folder = tmp_path / "shop"
    folder.mkdir()
    return str(folder)


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(text))


def in_force(capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert run(["config", "get", "llm_model", "--json"]) == 0
    return str(json.loads(capsys.readouterr().out)["settings"][0]["value"])


def test_it_is_asked_once_and_taken_out_to_the_byte(
    here: Git, project: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (here.root / "CONFIG.md").read_bytes()
    typed(monkeypatch, "1\n")
    assert run(["connect", "cursor", "--project", project]) == 0
    said = capsys.readouterr().out
    assert f"1  {CLAUDE}" in said
    assert "at most 200,000 tokens a day" in said
    assert "command:claude is asked by the agents" in said
    assert in_force(capsys) == CLAUDE

    typed(monkeypatch, "")
    assert run(["connect", "cursor", "--project", project]) == 0
    assert "at hand" not in capsys.readouterr().out, "who has a model is not asked"

    assert run(["connect", "cursor", "--project", project, "--remove"]) == 0
    assert "command:claude is no longer asked." in capsys.readouterr().out
    assert (here.root / "CONFIG.md").read_bytes() == before
    assert in_force(capsys) == ""
    assert run(["trust", "--json"]) == 0
    trusted = json.loads(capsys.readouterr().out)
    assert (trusted["pending"], trusted["accepted"]) == ([], [])


@pytest.mark.parametrize("answer", ["\n", "0\n", "7\n", "yes\n"])
def test_whoever_names_none_gets_none(
    here: Git,
    project: str,
    answer: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    typed(monkeypatch, answer)
    assert run(["connect", "cursor", "--project", project]) == 0
    assert in_force(capsys) == ""


@pytest.mark.parametrize("more", [["--json"], ["--dry-run"], ["--model", "none"]])
def test_nothing_is_asked_where_no_answer_is_wanted(
    here: Git,
    project: str,
    more: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    typed(monkeypatch, "1\n")
    assert run(["connect", "cursor", "--project", project, *more]) == 0
    assert "at hand" not in capsys.readouterr().out
    assert in_force(capsys) == ""


def test_an_agent_is_not_asked_and_cannot_answer(
    here: Git, project: str, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    assert run(["connect", "cursor", "--project", project]) == 0
    assert "at hand" not in capsys.readouterr().out
    assert run(["connect", "codex", "--project", project, "--model", CLAUDE]) == 1
    assert "Only the operator may set llm_model" in capsys.readouterr().err
    assert not (Path(project) / ".codex").exists(), "nothing was connected"
    assert in_force(capsys) == ""


def test_a_model_is_named_beforehand_and_shown_by_a_dry_run(
    here: Git, project: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "")
    asked = ["connect", "cursor", "--project", project, "--model", "ollama:llama3.2"]
    assert run([*asked, "--dry-run"]) == 0
    assert "ollama:llama3.2 would be asked" in capsys.readouterr().out
    assert in_force(capsys) == ""
    assert run([*asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["model"] == "ollama:llama3.2"
    assert told["changed"][-1] == "CONFIG.md"
    assert in_force(capsys) == "ollama:llama3.2"


def test_what_an_agent_removes_leaves_the_model(
    here: Git, project: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("sys.stdin", Terminal("1\n"))
        assert run(["connect", "cursor", "--project", project]) == 0
    capsys.readouterr()
    assert run(["connect", "cursor", "--project", project, "--remove"]) == 0
    assert "llm_model stays: only the operator may remove it" in capsys.readouterr().out
    assert in_force(capsys) == CLAUDE


def test_a_model_that_the_operator_set_himself_stays(
    here: Git, project: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "")
    assert run(["config", "set", "llm_model", "ollama:mine"]) == 0
    assert run(["connect", "cursor", "--project", project]) == 0
    assert run(["connect", "cursor", "--project", project, "--remove"]) == 0
    assert in_force(capsys) == "ollama:mine"


@pytest.mark.parametrize(
    "more", [["--model", "gpt"], ["--model", " "], ["--remove", "--model", CLAUDE]]
)
def test_what_names_no_model_is_refused(
    here: Git,
    project: str,
    more: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    typed(monkeypatch, "")
    assert run(["connect", "cursor", "--project", project, *more]) == 2
    assert capsys.readouterr().err
