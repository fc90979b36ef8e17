"""What a command prints when it is typed: as text, and as JSON."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from clawgit.front.cli.root import run


def typed(*group: str) -> tuple[Callable[..., str], Callable[..., Any]]:
    """Two functions for the commands of a group, which take `capsys` and the words: `said` gives
    the text of an answer, `answer` its JSON. The exit code must be `code`.
    """

    def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
        assert run([*group, *words]) == code
        return capsys.readouterr().out

    def answer(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> Any:
        return json.loads(said(capsys, *words, "--json", code=code))

    return said, answer
