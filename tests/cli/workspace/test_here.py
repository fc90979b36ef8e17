"""`clawgit` with no command, and links in terminals that take them."""

import json
import os
from pathlib import Path

import pytest

from clawgit.cli.root import run
from tests.conftest import Git


@pytest.fixture
def agent(ws: Git) -> Git:
    ws.write("CONFIG.md", "# Settings\n")
    ws.commit_all("Settings")
    return ws


def test_in_a_workspace_it_names_it_and_what_waits(
    agent: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    agent.write("MEMORY.md", "# Memory\n\n- Billing uses MySQL. #decision\n")

    assert run(["-C", str(agent.root)]) == 0
    told = capsys.readouterr().out

    assert told.startswith(f"{agent.root}  main: 1 not committed\n")
    assert "clawgit snapshot " in told
    assert "1 file is not committed yet" in told
    assert told.index("clawgit snapshot") < told.index("clawgit search TEXT")


def test_on_no_branch_it_says_how_to_get_on_one(
    agent: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    agent("checkout", "-q", "--detach")
    agent.write("MEMORY.md", "# Memory\n\n- Billing uses MySQL. #decision\n")
    assert run(["-C", str(agent.root)]) == 0
    told = capsys.readouterr().out
    assert "  git switch NAME, or git switch -c NAME\n    HEAD is on no branch" in told
    # It would refuse.
    assert "clawgit snapshot" not in told


def test_an_alert_comes_first(agent: Git, capsys: pytest.CaptureFixture[str]) -> None:
    agent.write(
        "CORRECTIONS.md",
        "# Put right\n\n## ab12cd · 2026-02-01T09:00:00+00:00\n- Correct: Berlin.\n- Status: "
        "open\n",
    )
    agent.commit_all("A question")

    assert run(["-C", str(agent.root), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)

    assert (told["alerts"], told["waits"]) == (1, 0)
    assert told["next"][0]["command"] == "clawgit corrections list --open"


def test_an_old_bootstrap_beside_notes_of_days_asks_for_nothing(
    agent: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    agent.write("BOOTSTRAP.md", "# Begin\n")
    for note in (agent.root / "memory").glob("*.md"):
        note.unlink()
    assert run(["-C", str(agent.root)]) == 0
    assert "BOOTSTRAP.md" in capsys.readouterr().out

    agent.write("memory/2026-02-01.md", "- Met Ana.\n")
    agent.write("memory/2026-02-02.md", "- Met Ben.\n")

    assert run(["-C", str(agent.root)]) == 0
    assert "BOOTSTRAP.md" not in capsys.readouterr().out


def test_outside_of_one_it_says_how_to_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    assert run([]) == 0
    assert "clawgit init ." in capsys.readouterr().out


def test_a_folder_of_openclaw_that_is_no_workspace_yet_is_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = Path(os.environ["HOME"]) / ".openclaw" / "workspace"
    home.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)

    assert run(["--json"]) == 0
    told = json.loads(capsys.readouterr().out)

    assert told["workspace"] is None
    assert [one["command"] for one in told["next"]] == [f"clawgit init '{home}'"]
