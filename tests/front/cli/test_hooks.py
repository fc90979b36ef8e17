"""The commands `hooks` and `hook` as a shell starts them."""

import subprocess
from pathlib import Path

import pytest

from clawgit.workspace.githooks import NAMES
from tests.conftest import Git
from tests.front.cli.typed import Told
from tests.hooks.hooked import terminal
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


def test_in_status_and_out(agent: Git) -> None:
    assert "missing" in clawgit("hooks", cwd=agent.root).out
    done = clawgit("hooks", "install", "--json", cwd=agent.root).json
    assert (done["installed"], done["commit"], done["changed"]) == (list(NAMES), None, [])
    seen = clawgit("hooks", cwd=agent.root)
    assert (seen.code, seen.out.count("  installed")) == (0, 4)
    assert len(clawgit("hooks", "install", cwd=agent.root).out.splitlines()) == 1
    refused = clawgit("hooks", "uninstall", cwd=agent.root)
    assert (refused.code, "Only the operator" in refused.err) == (1, True)
    with terminal() as stdin:
        out = subprocess.run(
            [programs() / "clawgit", "hooks", "uninstall"],
            cwd=agent.root,
            stdin=stdin,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    assert out.splitlines()[1].startswith("removed  pre-commit")
    gone = clawgit("hooks", cwd=agent.root)
    assert (gone.code, "removed by the operator" in gone.out) == (0, True)


def test_a_hook_can_be_tried_by_hand(agent: Git) -> None:
    agent.write("MEMORY.md", "# Memory\n\n- Two. #event #skill\n")
    clean = clawgit("hook", "pre-commit", cwd=agent.root)
    assert (clean.code, clean.out) == (0, "")
    agent("add", "MEMORY.md")
    refused = clawgit("hook", "pre-commit", cwd=agent.root)
    assert (refused.code, "MEMORY.md:3: " in refused.out) == (1, True)
