"""A .git folder that may not be entered: words and a next step, whatever is typed."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Git

COMMANDS = (("status",), ("doctor", "--fix"))
DROP, DAC_OVERRIDE, DAC_READ_SEARCH = 24, 1, 2


def without_override() -> None:
    """Root enters every folder by these two capabilities; after this the next program lacks
    them."""
    libc = ctypes.CDLL(None)
    for capability in (DAC_OVERRIDE, DAC_READ_SEARCH):
        libc.prctl(DROP, capability, 0, 0, 0)


@pytest.fixture
def shut(ws: Git) -> Iterator[Path]:
    (ws.root / ".git").chmod(0)
    yield ws.root
    (ws.root / ".git").chmod(0o755)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_shut_git_folder_is_said(shut: Path, command: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "clawgit", "-C", str(shut), *command],
        preexec_fn=without_override if os.geteuid() == 0 else None,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    assert ".git" in said
    assert "chmod" in said or "permissions" in said
    assert "bug" not in said
