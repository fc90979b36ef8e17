"""Fixtures: a workspace that holds secrets and planted text in every place, for commands and for
tools."""

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import Git, move_in
from tests.leaky import KEYS, made


@pytest.fixture(scope="session")
def leaky_once(tmp_path_factory: pytest.TempPathFactory, molds: Path) -> Path:
    """A folder with such a workspace and its user's home, and a copy of it beside it."""
    folder = tmp_path_factory.mktemp("leaky") / "now"
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        move_in(folder / "home", patch)
        ws = Git(shutil.copytree(molds / "begun", folder / "ws"))
        made(ws)
    text, time = f"The heron opens with {KEYS['transcript']}.", "2026-02-14T09:30:00Z"
    ws.write("said.jsonl", json.dumps({"role": "user", "text": text, "time": time}) + "\n")
    asked = {"query": f"heron {KEYS['call']}", "expect": [{"path": "a", "line": 1}]}
    ws.write("questions.jsonl", json.dumps(asked))
    shutil.copytree(folder, folder.with_name("kept"), symlinks=True)
    return folder
