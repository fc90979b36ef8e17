"""`secrets` as it is typed: what it prints, in words and in JSON, and how it exits."""

import io
import json
from typing import Any

import pytest

from bench.secrets import Draw
from clawgit.front.cli.root import run
from clawgit.safety.rules.secrets import fingerprint
from tests.conftest import Git

KEY = "gh" + "p_" + Draw("tests of the command line")("abcdefghijklmnopqrstuvwxyz0123456789", 36)
PRINT = fingerprint(KEY)
MARK = "gh" + "p_…"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def leaky(ws: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    """A workspace with a key in a new file, an operator before it, and we are in it."""
    (ws.root / ".git" / "clawgit").mkdir()
    ws.write("notes.md", f"# Notes\n\n- {KEY}\n")
    monkeypatch.chdir(ws.root)
    monkeypatch.setattr("sys.stdin", Terminal())
    return ws


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run([*arguments])
    told = capsys.readouterr()
    return code, told.out, told.err


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    code, out, _ = said(capsys, *arguments, "--json")
    return code, json.loads(out)


def test_a_scan_shows_place_kind_mask_and_fingerprint(
    leaky: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = said(capsys, "secrets", "scan")
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        f"notes.md:3  github-token  {MARK}  {PRINT}",
        "",
        "1 not allowed",
        "  → Remove it from the file, and replace it at its issuer if anybody else could read it.",
        "  → If it is not a secret, the operator can allow it: clawgit secrets allow FINGERPRINT",
    ]


def test_a_scan_of_history_names_commits_and_says_how_to_purge(
    leaky: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    sha = leaky.commit_all("leak")
    leaky.write("notes.md", "# Notes\n")
    code, out, _ = said(capsys, "secrets", "scan", "--history")
    assert code == 1
    assert out.splitlines()[0] == f"{sha[:10]}  notes.md:3  github-token  {MARK}  {PRINT}"
    assert "clawgit forget - --history" in out
    assert said(capsys, "secrets", "scan")[:2] == (0, "no secret in 4 files\n")


def test_the_shape_of_a_scan(leaky: Git, capsys: pytest.CaptureFixture[str]) -> None:
    code, shape = answer(capsys, "secrets", "scan", "--history")
    one = {"rule": "github-token", "shown": MARK, "fingerprint": PRINT}
    places = [{"path": "notes.md", "line": 3, "commit": None}]
    assert code == 1
    assert shape == {
        "findings": [{**one, "allowed": False, "places": places}],
        "files": 4,
        "history": True,
    }


def test_what_is_allowed_no_longer_counts(leaky: Git, capsys: pytest.CaptureFixture[str]) -> None:
    assert f'+secrets_allow: ["{PRINT}"]' in said(capsys, "secrets", "allow", PRINT, "--dry-run")[1]
    code, out, _ = said(
        capsys,
        "secrets",
        "allow",
        PRINT,
        "--reason",
        "a demo",
        "--now",
        "2026-02-14T09:00:00+00:00",
    )
    assert (code, out[10:]) == (0, f"allowed {PRINT}: CONFIG.md\n")
    code, out, _ = said(capsys, "secrets")
    assert (code, out.splitlines()[0]) == (0, f"notes.md:3  github-token  {MARK}  {PRINT}  allowed")
    [one] = answer(capsys, "trust")[1]["accepted"]
    assert (one["value"], one["reason"]) == (PRINT, "a demo")


def test_an_agent_is_refused(leaky: Git, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = said(capsys, "secrets", "allow", PRINT, "--actor", "agent")
    assert (code, err.splitlines()) == (
        1,
        [
            "error: only the operator may allow a secret or a new remote",
            f" next: The operator runs this at a terminal: clawgit secrets allow {PRINT}",
        ],
    )


def test_a_snapshot_tells_what_it_left(leaky: Git, capsys: pytest.CaptureFixture[str]) -> None:
    reason = "secret notes.md:3 github-token"
    told = f"alert: {reason}: the file stays uncommitted\nleft out: notes.md ({reason})\n"
    assert said(capsys, "snapshot")[:2] == (0, told)
    assert (
        "! notes.md:3 looks like a secret (github-token): notes.md stays uncommitted\n"
        in said(capsys, "status")[1]
    )
    code, shape = answer(capsys, "snapshot")
    assert (code, shape["changed"], shape["skipped"]) == (
        0,
        [],
        [{"path": "notes.md", "reason": reason}],
    )
