"""What Claude Code's hooks are told and answer: memory at the start, nothing at a prompt, a flush
in time."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clawgit.front.connect.events import prompted
from clawgit.front.connect.turns import Tail, started, stopped, tail_of
from clawgit.git.rules.actors import AGENT
from clawgit.talk.chat import messages
from clawgit.talk.stores.chat import MessageQuery
from clawgit.workspace.workspace import Workspace
from tests.conftest import Git
from tests.making import space_of


@pytest.fixture
def here(ws: Git) -> Iterator[Workspace]:
    ws.write("CONFIG.md", "# Config\n\n```yaml\nsearch_mode: core\n```\n")
    opened = space_of(ws, AGENT)
    yield opened
    opened.close()


def answer_to(here: Workspace, event: dict[str, object]) -> str:
    answers = {"SessionStart": started, "UserPromptSubmit": prompted, "Stop": stopped}
    return answers[str(event["hook_event_name"])](here, f"claude-code:{event['session_id']}", event)


def event(moment: str, **fields: object) -> dict[str, object]:
    return {"hook_event_name": moment, "session_id": "s-1", **fields}


def line(text: str = "Done.", *, used: int = 0, uuid: str = "u-1", **fields: object) -> str:
    """What the assistant said, as it stands in a transcript."""
    usage = {"input_tokens": 5, "cache_read_input_tokens": used, "output_tokens": 0}
    content = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": text}]
    message = {"role": "assistant", "content": content, "usage": usage}
    row = {"type": "assistant", "uuid": uuid, "message": message, **fields}
    return json.dumps(row, separators=(",", ":"))


def transcript(folder: Path, *lines: str) -> str:
    file = folder / "talk.jsonl"
    file.write_text("".join(f"{one}\n" for one in lines))
    return str(file)


def kept(here: Workspace) -> list[tuple[str, str, str]]:
    found = messages(here, MessageQuery()).messages
    return [(one.session, one.role, one.text) for one in found]


def test_a_new_session_begins_with_memory(here: Workspace) -> None:
    text = answer_to(here, event("SessionStart", source="startup"))

    assert "Be kind." in text
    assert "Billing uses PostgreSQL." in text
    assert answer_to(here, event("SessionStart", source="resume")) == ""  # it has it already


def test_the_context_is_never_so_long_that_only_a_preview_is_shown(here: Workspace) -> None:
    rows = "".join(f"- Fact {n}:{' ' * 60}number {n} is so.\n" for n in range(400))
    (here.root / "MEMORY.md").write_text(f"# Memory\n\n{rows}")
    text = answer_to(here, event("SessionStart", source="clear"))

    assert 1000 < len(text) <= 10_000


def test_a_prompt_is_kept_and_nothing_is_put_before_the_model(here: Workspace) -> None:
    assert answer_to(here, event("UserPromptSubmit", prompt="The office is green.")) == ""
    assert answer_to(here, event("UserPromptSubmit", prompt="  ")) == ""
    assert kept(here) == [("claude-code:s-1", "user", "The office is green.")]


def test_an_answer_is_kept_once_as_claude_code_says_it_or_from_its_transcript(
    here: Workspace, tmp_path: Path
) -> None:
    aside = line("In a task of its own", isSidechain=True)
    file = transcript(tmp_path, line("Yes.", uuid="u-7"), aside)
    for _ in range(2):
        assert answer_to(here, event("Stop", transcript_path=file)) == ""
    answer_to(here, event("Stop", last_assistant_message="All set.", transcript_path="/nowhere"))
    said = [("claude-code:s-1", "assistant", text) for text in ("Yes.", "All set.")]
    assert sorted(kept(here)) == sorted(said)


def test_a_full_context_is_asked_once_between_two_compactions_to_write_memory_down(
    here: Workspace, tmp_path: Path
) -> None:
    full = line(used=180_000)
    stopped = event("Stop", transcript_path=transcript(tmp_path, full))
    assert answer_to(here, {**stopped, "stop_hook_active": True}) == ""

    answer: Any = json.loads(answer_to(here, stopped))
    assert answer["decision"] == "block"
    assert "memory/2026-02-14.md" in answer["reason"]
    assert str(here.root) in answer["reason"]
    assert answer_to(here, stopped) == ""

    rows = [full, '{"type":"system","subtype":"compact_boundary"}']
    for used, uuid, asks in ((9, "u-2", False), (180_000, "u-3", True)):
        file = transcript(tmp_path, *rows, line(used=used, uuid=uuid))
        told = answer_to(here, event("Stop", transcript_path=file))
        assert (json.loads(told)["decision"] if asks else told) == ("block" if asks else "")


def test_a_transcript_of_another_shape_tells_nothing(here: Workspace, tmp_path: Path) -> None:
    last = '{"type":"assistant"'
    assert tail_of(Path(transcript(tmp_path, last))) == Tail()
    assert tail_of(tmp_path / "a\0b") == tail_of(tmp_path) == Tail()
    assert answer_to(here, event("Stop", transcript_path=7)) == ""
