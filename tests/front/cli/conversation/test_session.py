"""`session` as a chat runtime and its operator type it."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Git
from tests.front.cli.typed import Terminal, call, piped, typed


def transcript(messages: Iterable[Mapping[str, Any]]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in messages)


said, answer = typed("session")


def test_prune_prints_messages_that_can_be_piped_on(
    here: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages = [
        {"role": "tool", "content": "x" * 9000},
        *[{"role": "assistant", "content": "\ud800 done"}] * 3,
    ]
    piped(monkeypatch, transcript(messages) + b"no json\n")
    code, out, err = call("session", "prune")
    assert code == 0
    assert [json.loads(line) for line in out.splitlines()] == [
        {"role": "tool", "content": f"{'x' * 1500}\n[… 6,000 characters …]\n{'x' * 1500}"},
        *messages[1:],
    ]
    assert err.splitlines() == [
        "old results of tools are shortened",
        "note: 1 line not a JSON object",
    ]


def test_a_terminal_is_not_waited_for(
    here: Git, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal())
    assert "Nothing comes in" in said("prune", "--json", code=2)
    assert "cannot be read" in said("prune", str(tmp_path / "none"), "--json", code=1)
