"""`session` as a chat runtime and its operator type it."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.chatting import openclaw
from tests.conftest import Git
from tests.front.cli.typed import Terminal, call, piped, typed
from tests.talk.stores.transcripts import states

KEY = "agent:main:main"


@pytest.fixture
def talked(here: Git) -> Git:
    """A workspace whose OpenClaw has a session."""
    agent = openclaw(here.root.name, workspaces=here.root.parent) / "agents" / here.root.name
    said = states.talk("Plan the Harbor launch.", "On 3 March.")
    states.write(agent, "s1.jsonl", [states.header("s1"), *said])
    states.index(agent, s1=KEY)
    return here


def transcript(messages: Iterable[Mapping[str, Any]]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in messages)


said, answer = typed("session")


def test_flush_check_answers_in_the_shape_of_the_contract(talked: Git) -> None:
    found = answer("flush-check", "--session", KEY, "--tokens", "180000")
    for text in (found.pop("prompt"), found.pop("system_prompt")):
        assert "memory/2026-02-14.md" in text
        assert "NO_REPLY" in text
    assert found == {
        "flush": True, "reason": "180,000 tokens are past 176,000", "session": KEY,
        "tokens": 180_000,
        "counted_by": "given", "window": 200_000, "threshold": 176_000, "reply": "NO_REPLY",
        "path": "memory/2026-02-14.md", "notes": [], "dry_run": False,
    }  # fmt: skip
    assert not answer("flush-check", "--session", KEY, "--tokens", "180000")["flush"]


def test_reset_check(talked: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("CLAWGIT_NOW", "2026-02-14T10:10:00+00:00")
        found = answer("reset-check", "--session", KEY, "--rule", "daily+idle")
    assert found == {
        "reset": True, "reason": "nothing was said for 60 minutes",
        "last": "2026-02-14T09:02:00+00:00",
        "since": "2026-02-14T10:02:00+00:00", "next": "2026-02-14T11:10:00+00:00", "notes": [],
    }  # fmt: skip
    assert said("reset-check", "--session", KEY).splitlines() == [
        "reason  not due by the rule daily",
        "last    2026-02-14 09:02",
        "next    2026-02-15 04:00",
    ]
    assert said("reset-check", "--last", "yesterday").startswith("reset   yes\n")
    assert "nor a time" in said("reset-check", "--last", "soon", "--json", code=2)


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
