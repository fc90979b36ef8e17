"""One state.db, and where its log lies."""

from pathlib import Path

import pytest

from clawgit.workspace.stores.state_log import StateLog, log_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ws/.git/clawgit/state.db"


@pytest.fixture
def log(tmp_path: Path) -> StateLog:
    return log_of(tmp_path / "state home", tmp_path / "ws")
