"""`clawgit` with no command, and links in terminals that take them."""

import json
import os
from pathlib import Path

import pytest

from clawgit.front.cli.root import run


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
