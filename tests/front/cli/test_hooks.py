"""The commands `hooks` and `hook` as a shell starts them."""

import subprocess
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.front.cli.typed import Told
from tests.ready import programs


def clawgit(*args: str, cwd: Path | None = None) -> Told:
    """A process for each call: a hook writes where its process does."""
    done = subprocess.run(
        [programs() / "clawgit", *args], cwd=cwd, capture_output=True, text=True,
        check=False, stdin=subprocess.DEVNULL, timeout=60,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return Told(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def agent(ws: Git) -> Git:
    """A workspace that `init` has not seen."""
    ws.write("CONFIG.md", "# Config\n")
    ws.commit_all("config")
    return ws


def test_a_hook_can_be_tried_by_hand(agent: Git) -> None:
    agent.write("MEMORY.md", "# Memory\n\n- Two. #event #skill\n")
    clean = clawgit("hook", "pre-commit", cwd=agent.root)
    assert (clean.code, clean.out) == (0, "")
    agent("add", "MEMORY.md")
    refused = clawgit("hook", "pre-commit", cwd=agent.root)
    assert (refused.code, "MEMORY.md:3: " in refused.out) == (1, True)
