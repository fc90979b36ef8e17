"""Fixtures: `clawgit`, as a shell calls it."""

import pytest

from tests.conftest import NOW, Git
from tests.ready import python


@pytest.fixture
def here(ws: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    """A workspace that is searched by words alone, and we are in it."""
    (ws.root / ".git/clawgit").mkdir()
    ws.write("CONFIG.md", "# Config\n\n```yaml\nsearch_mode: core\n```\n")
    monkeypatch.chdir(ws.root)
    monkeypatch.setenv("CLAWGIT_NOW", NOW.isoformat())
    return ws


@pytest.fixture
def quick_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is started to work off a queue forks from a Python that is loaded already."""
    monkeypatch.setattr("sys.executable", python())
