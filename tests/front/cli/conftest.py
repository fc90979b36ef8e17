"""Fixtures: `clawgit`, as a shell calls it."""

import pytest

from tests.conftest import NOW, Git
from tests.front.cli.typed import piped
from tests.ready import python
from tests.soulful import Soulful


@pytest.fixture
def here(ws: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    """A workspace that is searched by words alone, and we are in it."""
    (ws.root / ".git/clawgit").mkdir()
    ws.write("CONFIG.md", "# Config\n\n```yaml\nsearch_mode: core\n```\n")
    monkeypatch.chdir(ws.root)
    monkeypatch.setenv("CLAWGIT_NOW", NOW.isoformat())
    return ws


@pytest.fixture
def at_home(soulful: Soulful, monkeypatch: pytest.MonkeyPatch) -> Soulful:
    """A workspace with a soul, a week later, and an agent's shell in it."""
    monkeypatch.chdir(soulful.git.root)
    monkeypatch.setenv("CLAWGIT_NOW", "2026-02-20T09:00:00+00:00")
    piped(monkeypatch)
    return soulful


@pytest.fixture
def quick_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is started to work off a queue forks from a Python that is loaded already."""
    monkeypatch.setattr("sys.executable", python())
