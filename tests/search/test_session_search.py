"""`memory search --source sessions`: what was said in conversations."""

import pytest

from clawgit.search.answer import Hit, Request
from clawgit.search.search import search, search_agents
from clawgit.talk import chat
from clawgit.workspace.discover import SESSIONS
from tests.chatting import opened
from tests.conftest import Git

SAID = (
    ("user", "When does the kiln firing start?", "10:00"),
    ("assistant", "On Tuesday at nine.", "10:01"),
    ("tool", "kiln kiln kiln firing", "10:02"),
    ("user", "We sold four kilns to Marta.", "10:03"),
)


@pytest.fixture
def talked(ws: Git) -> Git:
    ws.write("MEMORY.md", "- The kiln stands in the shed.\n")
    for number, (role, text, time) in enumerate(SAID):
        moment = f"2026-02-12T{time}:00+00:00"
        chat.log(opened(ws.root), text, session="shop", role=role, ident=f"m{number}", time=moment)
    chat.log(opened(ws.root), "Bread rises for a day.", session="bakery", ident="b1")
    return ws


def asked(ws: Git, query: str) -> tuple[Hit, ...]:
    return search(opened(ws.root), Request(query, source=SESSIONS)).results


def test_messages_are_found_by_word_and_told_with_session_and_time(talked: Git) -> None:
    hit, *_ = asked(talked, "Who bought a kiln, Marta?")
    assert (hit.path, hit.source, hit.entryId) == ("chat:shop/m3", SESSIONS, "")
    assert hit.citation == "chat:shop/m3"  # a message is cited as a whole
    assert hit.snippet == "user: We sold four kilns to Marta."
    assert hit.headings[0] == "shop"
    assert hit.headings[1].startswith("2026-02-12 ")


def test_an_answer_is_found_by_its_question_and_no_tool_answers(talked: Git) -> None:
    found = [hit.path for hit in asked(talked, "kiln firing start")]
    assert "chat:shop/m1" in found
    assert "chat:shop/m2" not in found
    assert "chat:bakery/b1" not in found


def test_no_message_is_shown_in_a_group(talked: Git) -> None:
    request = Request("kiln", source=SESSIONS, session="agent:main:telegram:group:-100")
    assert search(opened(talked.root), request).results == ()
    assert search(opened(talked.root), request._replace(session="agent:main:main")).results


def test_a_secret_is_never_shown(talked: Git) -> None:
    key = "ghp_" + "a1B2c3D4e5F6" * 3
    chat.log(opened(talked.root), f"The zeppelin token is {key}", session="shop", ident="s1")
    request = Request("zeppelin token", source=SESSIONS)
    [hit] = search(opened(talked.root), request).results
    assert key not in f"{hit}"


def test_conversations_of_other_agents_are_not_searched(talked: Git) -> None:
    answer = search_agents(opened(talked.root), Request("kiln", source=SESSIONS))
    assert answer.results == ()
    assert "does not include its agent" in f"{answer.fallback}"
