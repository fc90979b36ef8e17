"""Messages logged, listed, searched and exported, as an operator and a runtime use them."""

import json
import sys
from datetime import timedelta

import pytest

from clawgit.core.errors import MissingExtraError
from clawgit.health.status import status
from clawgit.talk import chat
from clawgit.talk.ingest import ingest_lines
from clawgit.talk.stores.chat import MessageQuery
from tests.chatting import ALL, at_a_terminal, judge, judged, opened, texts
from tests.conftest import NOW, Git
from tests.talk.stores.chat.servers import DEAD, address, server

__all__ = ["address", "server"]


def test_times_are_the_operator_s(ws: Git) -> None:
    """Madrid is an hour ahead of UTC, so its 14 February begins before that of UTC."""
    ws.write("CONFIG.md", "```yaml\ntimezone: Europe/Madrid\n```\n")
    workspace = opened(ws.root)
    chat.log(workspace, "in the evening", time="2026-02-13T22:30:00Z")
    chat.log(workspace, "after midnight", time="2026-02-13T23:00:00Z")
    chat.log(workspace, "in local time", time="2026-02-14 08:00")
    found = chat.messages(workspace, ALL, since="2026-02-14").messages
    assert [(one.text, one.time.isoformat()) for one in found] == [
        ("after midnight", "2026-02-14T00:00:00+01:00"),
        ("in local time", "2026-02-14T08:00:00+01:00"),
    ]
    until = {
        day: chat.messages(workspace, ALL, until=day).messages for day in ("yesterday", "today")
    }
    assert [one.text for one in until["yesterday"]] == ["in the evening"]
    assert [one.text for one in until["today"]][1:] == ["after midnight", "in local time"]


def test_a_message_is_stored_with_its_triage_or_not_at_all(ws: Git) -> None:
    workspace = opened(ws.root)

    def fail(*_: object) -> bool:
        raise LookupError

    with pytest.raises(LookupError):
        chat.log(workspace, "important", judge=fail)
    assert texts(workspace) == []
    chat.log(workspace, "important", judge=judge)
    chat.log(workspace, "next", judge=judge)
    assert judged(workspace) == ["important", "next"]
    assert [message.priority for message in chat.messages(workspace, ALL).messages] == [True, False]


def test_a_state_that_was_brought_back_is_told(ws: Git) -> None:
    workspace = opened(ws.root)
    chat.log(workspace, "one")
    (ws.root / ".git/clawgit/state.db").write_bytes(b"no database" * 100)
    done = chat.log(workspace, "two")
    assert any("state.db was damaged; that file is kept:" in note for note in done.notes)
    assert chat.messages(workspace, ALL).notes == ()


def test_with_the_server_away_messages_wait_are_listed_and_follow(ws: Git, address: str) -> None:
    away = at_a_terminal(ws.root, CLAWGIT_CHAT_STORE=DEAD)
    there = at_a_terminal(ws.root, CLAWGIT_CHAT_STORE=address)
    done = chat.log(away, "important", judge=judge)
    assert (done.new, done.waiting, done.messages[0].priority) == (True, 1, True)
    [note] = done.notes
    assert "Connection refused" in note
    assert note.endswith("1 message waits in state.db.")
    listed = chat.messages(away, ALL)
    assert (len(listed.messages), listed.waiting, listed.notes) == (1, 1, (note,))
    [alert] = status(away).alerts
    assert alert.message == note
    chat.log(there, "second")
    assert status(there).alerts == ()
    assert (texts(there), chat.messages(there, ALL).waiting) == (["important", "second"], 0)
    assert texts(there, MessageQuery("import")) == ["important"]
    assert judged(there) == ["important"]
    # A heartbeat does not wait for the server.
    assert chat.log(there, "quick", forward=False).waiting == 1
    assert status(there).alerts == ()
    assert texts(there) == ["important", "second", "quick"]


def test_the_retention_lets_old_messages_go_and_takes_none_in(ws: Git) -> None:
    workspace = at_a_terminal(ws.root, CLAWGIT_CHAT_RETENTION_DAYS="30")
    times = [NOW - timedelta(days=days) for days in (31, 29)]
    said = [{"role": "user", "text": str(time), "time": time.isoformat()} for time in times]
    assert ingest_lines(workspace, [json.dumps(one).encode() for one in said]).new == 1
    ingest_lines(workspace.at(NOW + timedelta(days=2)), [b'{"role": "user", "text": "today"}'])
    assert texts(workspace) == ["today"]


def test_without_the_extra_the_message_is_kept_all_the_same(
    ws: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtraError) as caught:
        chat.log(at_a_terminal(ws.root, CLAWGIT_CHAT_STORE=DEAD), "kept")
    assert caught.value.hint == "pip install 'clawgit[postgres]'"
    assert texts(opened(ws.root)) == ["kept"]
