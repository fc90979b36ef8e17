"""`clawgit forget` as it is typed: what it shows, what it asks, what it says at the end."""

import io
import json
from pathlib import Path

import pytest

from clawgit.front.cli.root import run
from tests.conftest import Git
from tests.signing import make_key

WORDS = "The gate code is Malina 4711"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def here(ws: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    (ws.root / ".git" / "clawgit").mkdir()
    ws.write("MEMORY.md", f"# Memory\n\n- Tea is green.\n- {WORDS}. <!-- claw:m7k2q9 -->\n")
    ws.commit_all("note")
    monkeypatch.chdir(ws.root)
    return ws


def said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: str, *words: str
) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    code = run(["forget", *words])
    told = capsys.readouterr()
    return code, told.out, told.err


FORCE = "git push --force origin HEAD refs/clawgit/forgotten\n"


def test_a_no_changes_nothing(
    here: Git, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = said(monkeypatch, capsys, "n\n", "m7k2q9")
    assert (code, out) == (0, "")
    assert "whole entry  MEMORY.md:4" in err
    assert "<!--" not in err
    assert "nothing was changed" in err
    assert here.status() == ""


def test_signatures_that_a_rewrite_takes_away_are_counted_before_the_question(
    here: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    key = make_key(tmp_path, "operator")
    here("config", "gpg.format", "ssh")
    here("config", "user.signingKey", str(key))
    for n in range(2):
        here.write("memory/day.md", f"# Day\n\n- Number {n}.\n")
        here("add", "-A")
        here("commit", "-q", "-S", "-m", f"signed {n}")
    objects = here("count-objects")
    code, _, err = said(monkeypatch, capsys, "no\n", "m7k2q9", "--history")
    assert "2 signed commits: what changes loses its signature" in " ".join(err.split())
    assert err.index("2 signed commits") < err.index("Type m7k2q9")
    assert (code, here("count-objects")) == (0, objects)


@pytest.mark.parametrize("typed", ["yes\n", "\n"])
def test_history_needs_the_very_id(
    here: Git, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: str
) -> None:
    before = here.head()
    assert "nothing was changed" in said(monkeypatch, capsys, typed, "m7k2q9", "--history")[2]
    assert here.head() == before


def test_history_is_rewritten_proved_and_the_backup_named(
    here: Git, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here("remote", "add", "origin", "https://example.org/agent.git")
    code, out, _ = said(monkeypatch, capsys, "m7k2q9\n", "m7k2q9", "--history")
    assert code == 0
    for words in ("nothing is left", "shred -u", "remote origin: https://example.org", FORCE):
        assert words in out, out
    assert "Malina" not in here("log", "-p", "--all")
    assert "Malina" not in out


def test_it_asks_for_words_that_the_shell_shall_not_keep(
    here: Git, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = said(monkeypatch, capsys, f"{WORDS}\ny\n", "-", "--json")
    assert code == 0
    told = json.loads(out)
    assert told["proof"]["history"] > 0
    assert told["changed"] == ["MEMORY.md"]
    assert told["commit"] == here.head()


def test_a_dry_run_asks_and_changes_nothing(
    here: Git, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = here.head()
    code, out, _ = said(monkeypatch, capsys, "", "m7k2q9", "--history", "--dry-run")
    assert code == 0
    assert "it is rewritten" in out
    assert here.head() == before
    assert here.status() == ""


def test_an_agent_is_told_who_may(
    here: Git, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("m7k2q9\n"))
    assert run(["forget", "m7k2q9", "--history"]) == 1
    assert "Only the operator" in capsys.readouterr().err
    assert "Malina" in here("show", "HEAD:MEMORY.md")
