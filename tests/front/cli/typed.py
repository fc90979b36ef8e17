"""What a command prints when it is typed: as text, and as JSON; and who types it."""

import io
import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from clawgit.front.cli.root import run


class Terminal(io.StringIO):
    """Standard input as somebody who sits there has it."""

    def isatty(self) -> bool:
        return True


class Told(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def call(*words: str, cwd: Path | None = None, **env: str) -> Told:
    """A call in this process, with streams and an environment of its own."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        for name, value in env.items():
            patch.setenv(name, value)
        if cwd:
            patch.chdir(cwd)
        code = run([*words])
    out.seek(0)
    err.seek(0)
    told = Told(code, out.read(), err.read())
    assert "Traceback" not in told.err
    return told


def typed(*group: str) -> tuple[Callable[..., str], Callable[..., Any]]:
    """Two functions for the commands of a group, which take the words: `said` gives the text of an
    answer, `answer` its JSON. The exit code must be `code`.
    """

    def said(*words: str, code: int = 0) -> str:
        told = call(*group, *words)
        assert told.code == code, told
        return told.out

    def answer(*words: str, code: int = 0) -> Any:
        return json.loads(said(*words, "--json", code=code))

    return said, answer


def piped(monkeypatch: pytest.MonkeyPatch, data: bytes | str = b"") -> None:
    """Standard input of a program that was given this."""
    data = data.encode() if isinstance(data, str) else data
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
