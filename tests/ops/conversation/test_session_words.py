"""The name of a session, by a model where there is one."""

from pathlib import Path

import pytest

from clawgit.domain.conversation.session import SessionMessage
from clawgit.domain.conversation.session_note import slug_by_rules
from clawgit.ops.agents.model import session_mind
from clawgit.ops.conversation.session_notes import slug_by
from clawgit.ops.workspace.workspace import Workspace
from tests.conftest import Git
from tests.ops.chatting import opened
from tests.trusting import accept_settings

TALK = tuple(
    SessionMessage(str(at), role, None, {"content": text})
    for at, (role, text) in enumerate(
        [
            ("user", "We decided to use Redis for the cache."),
            ("assistant", "Redis it is, on port 6380."),
        ]
    )
)


@pytest.fixture
def modelled(ws: Git, tmp_path: Path) -> Workspace:
    """A workspace whose model answers with what lies in `answer`."""
    program = tmp_path / "model"
    program.write_text(f"#!/bin/sh\ncat {tmp_path}/answer\n")
    program.chmod(0o755)
    ws.write("CONFIG.md", f"```yaml\nllm_model: 'command:{program}'\n```\n")
    accept_settings(ws.root)
    return opened(ws.root)


def test_a_model_names_it_in_words_of_the_session(modelled: Workspace, tmp_path: Path) -> None:
    troubles: list[str] = []
    (tmp_path / "answer").write_text('{"name": "the cache"}')
    with session_mind(modelled) as mind:
        assert slug_by(mind, TALK, troubles) == "the cache"
    assert troubles == []


def test_what_nobody_said_names_nothing(modelled: Workspace, tmp_path: Path) -> None:
    (tmp_path / "answer").write_text('{"name": "redis-port"}')
    with session_mind(modelled) as mind:
        assert slug_by(mind, TALK, []) == slug_by_rules(TALK)


def test_rules_do_where_the_model_fails_or_is_none(
    ws: Git, modelled: Workspace, tmp_path: Path
) -> None:
    troubles: list[str] = []
    (tmp_path / "answer").write_text("no")
    with session_mind(modelled) as mind:
        assert slug_by(mind, TALK, troubles) == slug_by_rules(TALK)
    assert ["no usable answer" in one for one in troubles] == [True]
    ws.write("CONFIG.md", "")
    with session_mind(opened(ws.root)) as mind:
        assert mind is None
        assert slug_by(mind, TALK, troubles) == slug_by_rules(TALK)
