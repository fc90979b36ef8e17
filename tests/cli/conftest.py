"""Fixtures: `clawgit` as a shell starts it."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ready import programs, python


class Result:
    def __init__(self, done: "subprocess.CompletedProcess[str]") -> None:
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr

    @property
    def json(self) -> object:
        return json.loads(self.out)


Clawgit = Callable[..., Result]


@pytest.fixture
def clawgit() -> Clawgit:
    """A process for each call, as a shell starts it; its standard input is no terminal."""

    def call(*args: str, cwd: Path | None = None, **env: str) -> Result:
        done = subprocess.run(
            [programs() / "clawgit", *args], cwd=cwd, env={**os.environ, **env}, capture_output=True, text=True,
            check=False, stdin=subprocess.DEVNULL, timeout=60,
        )  # fmt: skip
        assert "Traceback" not in done.stderr
        return Result(done)

    return call


@pytest.fixture
def quick_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is started to work off a queue forks from a Python that is loaded already."""
    monkeypatch.setattr("sys.executable", python())
