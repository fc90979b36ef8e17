"""No tool gives a secret away, and none takes one in, nor a mask of one."""

import json
from pathlib import Path
from typing import Any

import pytest

from clawgit.front.mcp.tools import TOOLS
from clawgit.front.mcp.worker import ToolAnswer, Worker
from clawgit.safety.rules.secrets import MASK
from tests.again import as_it_was
from tests.conftest import Git
from tests.front.mcp.fronts import front
from tests.leaky import KEYS, planted_in, shown_in

KEY = KEYS["transcript"]
CALLS: dict[str, tuple[bool, dict[str, Any]]] = {
    "memory_search": (True, {"query": "heron", "minScore": 0}),
    "memory_get": (True, {"path": "memory/2026-02-13.md", "from": 8, "lines": 4}),
    "memory_add": (False, {"text": f"The heron opens with {KEY}."}),
    "memory_list": (True, {}),
    "memory_edit": (False, {"id": "MEMORY.md:3", "text": f"The heron opens with {KEY}."}),
    "memory_rm": (True, {"ids": ["MEMORY.md:4"], "dryRun": True}),
    "memory_why": (True, {"place": "SOUL.md:4"}),
    "memory_conflicts": (True, {"all": True}),
    "correction_add": (False, {"text": f"The heron opens with {KEY}."}),
    "context": (True, {"message": "heron"}),
    "soul_show": (True, {}),
    "soul_log": (True, {}),
    "soul_diff": (True, {"a": "HEAD~1", "b": "HEAD"}),
    "soul_propose": (False, {"add": f"Use {KEY}.", "reason": "asked twice"}),
    "history_log": (True, {"path": "SOUL.md"}),
    "history_diff": (True, {"a": "HEAD~1"}),
    "status": (False, {}),
}
"""Each tool, whether its answer has masks here, and a call of it."""


@pytest.fixture
def leaky(leaky_once: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    as_it_was(leaky_once.with_name("kept"), leaky_once)
    monkeypatch.setenv("HOME", str(leaky_once / "home"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(leaky_once / "home/.gitconfig"))
    return Git(leaky_once / "ws")


def asked(leaky: Git, name: str, **arguments: Any) -> ToolAnswer:
    desk = Worker(front(leaky.root))
    try:
        return desk.answer("tests", TOOLS[name], arguments)
    finally:
        desk.close()


def whole(answer: ToolAnswer) -> str:
    return "\n".join((*answer.texts, json.dumps(answer.value)))


def test_no_tool_gives_a_secret_away(leaky: Git) -> None:
    assert sorted(CALLS) == sorted(TOOLS)
    for name, (has_masks, arguments) in CALLS.items():
        answer = asked(leaky, name, **arguments)
        assert shown_in(whole(answer)) == [], name
        assert planted_in(whole(answer)) == [], name
        assert MASK.search(whole(answer)) or not has_masks, answer


@pytest.mark.parametrize("name", ["memory_add", "correction_add", "soul_propose"])
def test_a_tool_takes_no_secret_and_no_mask_in(leaky: Git, name: str) -> None:
    before = leaky.head(), leaky("for-each-ref", "refs/clawgit")
    for text in (f"The heron opens with {KEY}.", "The heron opens with [secret:0123456789ab]."):
        given = {"add": text, "reason": "asked"} if name == "soul_propose" else {"text": text}
        answer = asked(leaky, name, **given)
        assert (answer.failed, answer.value["error"]["kind"]) == (True, "secrets")
    leaky("stash", "-uq")
    assert leaky("log", "--format=%H", "-1", "--", "SOUL.md").strip() == before[0]
    assert (KEY in leaky("show", "HEAD")) is False
    assert leaky("for-each-ref", "refs/clawgit/proposals").count("\n") == 1


def test_a_secret_is_masked_before_an_answer_is_cut_to_its_room(leaky: Git) -> None:
    for room in range(60, 240, 20):
        assert shown_in(whole(asked(leaky, "memory_get", path="MEMORY.md", maxTokens=room))) == []
