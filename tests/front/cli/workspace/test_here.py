"""`clawgit` with no command, and links in terminals that take them."""

import json
import os
from pathlib import Path

import pytest

from clawgit.front.cli.root import run
from tests.conftest import Git


@pytest.fixture
def agent(ws: Git) -> Git:
    ws.write("CONFIG.md", "# Settings\n")
    ws.commit_all("Settings")
    return ws


def test_in_a_workspace_it_shows_the_status_and_what_may_be_done(
    agent: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    agent.write("MEMORY.md", "# Memory\n\n- Billing uses MySQL. #decision\n")

    assert run(["-C", str(agent.root)]) == 0
    told = capsys.readouterr().out
    assert run(["-C", str(agent.root), "status"]) == 0

    assert told.startswith(capsys.readouterr().out)
    assert "1 file not yet committed" in told
    assert told.index("clawgit snapshot") < told.index("clawgit search TEXT")


def test_a_folder_of_openclaw_that_is_no_workspace_yet_is_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = Path(os.environ["HOME"]) / ".openclaw" / "workspace"
    home.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)

    assert run(["--json"]) == 0
    told = json.loads(capsys.readouterr().out)

    assert told["status"] is None
    assert [one["command"] for one in told["next"]] == [f"clawgit init '{home}'"]
