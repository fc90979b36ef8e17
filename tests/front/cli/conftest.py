"""Fixtures: `clawgit`, as a shell calls it."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.front.cli.root import run
from tests.conftest import NOW, Git
from tests.ready import python


class Result:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> object:
        return json.loads(self.out)


Clawgit = Callable[..., Result]


@pytest.fixture
def clawgit() -> Clawgit:
    """A call in this process, with streams and an environment of its own; its standard input is no
    terminal.
    """

    def call(*args: str, cwd: Path | None = None, **env: str) -> Result:
        streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(3)]
        with pytest.MonkeyPatch.context() as patch:
            for name, value in env.items():
                patch.setenv(name, value)
            if cwd:
                patch.chdir(cwd)
            for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
                patch.setattr(sys, name, stream)
            code = run([*args])
        _, out, err = (_text(stream) for stream in streams)
        assert "Traceback" not in err
        return Result(code, out, err)

    return call


@pytest.fixture
def here(ws: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    """A workspace that is searched by words alone, and we are in it."""
    (ws.root / ".git/clawgit").mkdir()
    ws.write("CONFIG.md", "# Config\n\n```yaml\nsearch_mode: core\n```\n")
    monkeypatch.chdir(ws.root)
    monkeypatch.setenv("CLAWGIT_NOW", NOW.isoformat())
    return ws


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode()  # type: ignore[attr-defined,no-any-return]


@pytest.fixture
def quick_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is started to work off a queue forks from a Python that is loaded already."""
    monkeypatch.setattr("sys.executable", python())
