"""`secrets` as it is typed: what it prints, in words and in JSON, and how it exits."""

from typing import Any

import pytest

from bench.secrets import Draw
from clawgit.safety.rules.secrets import fingerprint
from tests.conftest import Git
from tests.front.cli.typed import Terminal, call

KEY = "gh" + "p_" + Draw("tests of the command line")("abcdefghijklmnopqrstuvwxyz0123456789", 36)
PRINT = fingerprint(KEY)
MARK = "gh" + "p_…"


@pytest.fixture
def leaky(ws: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    """A workspace with a key in a new file, an operator before it, and we are in it."""
    (ws.root / ".git" / "clawgit").mkdir()
    ws.write("notes.md", f"# Notes\n\n- {KEY}\n")
    monkeypatch.chdir(ws.root)
    monkeypatch.setattr("sys.stdin", Terminal())
    return ws


said = call


def answer(*words: str) -> tuple[int, Any]:
    told = call(*words, "--json")
    return told.code, told.json


def test_a_scan_shows_place_kind_mask_and_fingerprint(leaky: Git) -> None:
    code, out, err = said("secrets", "scan")
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        f"notes.md:3  github-token  {MARK}  {PRINT}",
        "",
        "1 not allowed",
        "  → Remove it from the file, and replace it at its issuer if anybody else could read it.",
        "  → If it is not a secret, the operator can allow it: clawgit secrets allow FINGERPRINT",
    ]


def test_a_scan_of_history_names_commits_and_says_how_to_purge(leaky: Git) -> None:
    one = {"rule": "github-token", "shown": MARK, "fingerprint": PRINT}
    places = [{"path": "notes.md", "line": 3, "commit": None}]
    assert answer("secrets", "scan", "--history") == (
        1,
        {"findings": [{**one, "allowed": False, "places": places}], "files": 4, "history": True},
    )
    sha = leaky.commit_all("leak")
    leaky.write("notes.md", "# Notes\n")
    code, out, _ = said("secrets", "scan", "--history")
    assert code == 1
    assert out.splitlines()[0] == f"{sha[:10]}  notes.md:3  github-token  {MARK}  {PRINT}"
    assert "clawgit forget - --history" in out
    assert said("secrets", "scan")[:2] == (0, "no secret in 4 files\n")


def test_what_is_allowed_no_longer_counts(leaky: Git) -> None:
    assert f'+secrets_allow: ["{PRINT}"]' in said("secrets", "allow", PRINT, "--dry-run")[1]
    code, out, _ = said("secrets", "allow", PRINT, "--reason", "a demo")
    assert (code, out[10:]) == (0, f"allowed {PRINT}: CONFIG.md\n")
    code, out, _ = said("secrets")
    assert (code, out.splitlines()[0]) == (0, f"notes.md:3  github-token  {MARK}  {PRINT}  allowed")
    [one] = answer("trust")[1]["accepted"]
    assert (one["value"], one["reason"]) == (PRINT, "a demo")


def test_an_agent_is_refused(leaky: Git) -> None:
    code, _, err = said("secrets", "allow", PRINT, "--actor", "agent")
    assert (code, err.splitlines()) == (
        1,
        [
            "error: only the operator may allow a secret or a new remote",
            f" next: The operator runs this at a terminal: clawgit secrets allow {PRINT}",
        ],
    )
