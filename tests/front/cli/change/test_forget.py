"""`clawgit forget` as it is typed: what it shows, what it asks, what it says at the end."""

import io
import json
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.front.cli.typed import Terminal, Told, call
from tests.signing import make_key

WORDS = "The gate code is Malina 4711"


@pytest.fixture
def here(ws: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    (ws.root / ".git" / "clawgit").mkdir()
    ws.write("MEMORY.md", f"# Memory\n\n- Tea is green.\n- {WORDS}. <!-- claw:m7k2q9 -->\n")
    ws.commit_all("note")
    monkeypatch.chdir(ws.root)
    return ws


def said(monkeypatch: pytest.MonkeyPatch, typed: str, *words: str) -> Told:
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    return call("forget", *words)


FORCE = "git push --force origin HEAD refs/clawgit/forgotten\n"


@pytest.mark.parametrize(
    ("typed", "words", "says"),
    [
        ("n\n", (), "whole entry  MEMORY.md:4"),
        ("yes\n", ("--history",), "nothing was changed"),
        ("\n", ("--history",), "nothing was changed"),
        ("", ("--history", "--dry-run"), "it is rewritten"),
    ],
)
def test_nothing_but_the_answer_that_is_asked_for_changes_anything(
    here: Git, monkeypatch: pytest.MonkeyPatch, typed: str, words: tuple[str, ...], says: str
) -> None:
    before = here.head()
    told = said(monkeypatch, typed, "m7k2q9", *words)
    assert (told.code, says in told.out + told.err) == (0, True)
    assert "<!--" not in told.err
    assert (here.head(), here.status()) == (before, "")


def test_signatures_that_a_rewrite_takes_away_are_counted_before_the_question(
    here: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = make_key(tmp_path, "operator")
    here("config", "gpg.format", "ssh")
    here("config", "user.signingKey", str(key))
    for n in range(2):
        here.stage("memory/day.md", f"# Day\n\n- Number {n}.\n")
        here("commit", "-q", "-S", "-m", f"signed {n}")
    objects = here("count-objects")
    code, _, err = said(monkeypatch, "no\n", "m7k2q9", "--history")
    assert "2 signed commits: what changes loses its signature" in " ".join(err.split())
    assert err.index("2 signed commits") < err.index("Type m7k2q9")
    assert (code, here("count-objects")) == (0, objects)


def test_history_is_rewritten_proved_and_the_backup_named(
    here: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    here("remote", "add", "origin", "https://example.org/agent.git")
    code, out, _ = said(monkeypatch, "m7k2q9\n", "m7k2q9", "--history")
    assert code == 0
    for words in ("nothing is left", "shred -u", "remote origin: https://example.org", FORCE):
        assert words in out, out
    assert "Malina" not in here("log", "-p", "--all")
    assert "Malina" not in out


def test_it_asks_for_words_that_the_shell_shall_not_keep(
    here: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = said(monkeypatch, f"{WORDS}\ny\n", "-", "--json")
    assert code == 0
    told = json.loads(out)
    assert told["proof"]["history"] > 0
    assert told["changed"] == ["MEMORY.md"]
    assert told["commit"] == here.head()


def test_an_agent_is_told_who_may(here: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("m7k2q9\n"))
    told = call("forget", "m7k2q9", "--history")
    assert (told.code, "Only the operator" in told.err) == (1, True)
    assert "Malina" in here("show", "HEAD:MEMORY.md")
