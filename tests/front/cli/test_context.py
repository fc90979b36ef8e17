"""`context` as it is typed."""

import pytest

from tests.conftest import NOW, Git
from tests.front.cli.typed import piped, typed

_SLOT = ["name", "budget", "tokens", "sources", "truncated", "text", "taken", "left"]
_CONTEXT = ["budget", "used", "slots", "session", "now", "at", "notes"]


said, answer = typed("context")


def test_the_answer_has_the_shape_of_the_contract(here: Git) -> None:
    found = answer("--message", "what does billing use", "--session", "agent:main:main")
    assert list(found) == _CONTEXT
    assert all(list(slot) == _SLOT for slot in found["slots"])
    assert (found["budget"], found["session"]) == (6000, "agent:main:main")
    assert (found["now"], found["at"]) == (NOW.isoformat(), None)
    assert found["slots"][0]["taken"] == []
    assert found["slots"][0]["sources"] == ["SOUL.md#L3", "SOUL.md#L4"]
    explained = answer("--explain")["slots"][0]
    taken = {"source": "SOUL.md#L3", "tokens": 15, "why": "who the agent is"}
    assert explained["taken"][0] == taken


def test_a_message_comes_from_standard_input_too(
    here: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    for told in (b"what does billing use?", b"what does billing use?\xff"):
        piped(monkeypatch, told)
        slots = {slot["name"]: slot["sources"] for slot in answer("--message", "-")["slots"]}
        assert slots["semantic_recall"] == ["MEMORY.md#L3"]
