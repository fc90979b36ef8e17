"""Messages taken in from transcripts and lines: each once, whatever brought it, whoever died on the
way."""

import json
import os
from datetime import timedelta
from pathlib import Path

import pytest

from clawgit.core.errors import NotFoundError
from clawgit.talk import chat
from clawgit.talk.ingest import NO_MESSAGE, ingest_lines, ingest_openclaw
from clawgit.talk.stores.transcripts import COMPRESSED, NOT_JSON
from clawgit.workspace.workspace import Workspace
from tests import ready
from tests.chatting import judge, judged, openclaw, opened, texts
from tests.conftest import NOW, Git, run_to_end
from tests.talk.stores.transcripts.states import (
    FILE,
    Line,
    add_events,
    append,
    database,
    header,
    index,
    message,
    talk,
    write,
)

CHILD = Path(__file__).parents[1] / "ingest_child.py"
KEY = "agent:main:main"


@pytest.fixture
def agent(ws: Git) -> Path:
    """The state folder of the agent that lives in the workspace."""
    return openclaw(ws.root.name, workspaces=ws.root.parent) / "agents" / ws.root.name


@pytest.fixture
def workspace(ws: Git) -> Workspace:
    return opened(ws.root)


def test_a_transcript_is_taken_in_once_and_on_from_there(agent: Path, workspace: Workspace) -> None:
    index(agent, s1=KEY)
    file = write(agent, "s1", [header("s1"), *talk("one", "two")])
    done = ingest_openclaw(workspace)
    assert (done.new, done.read, done.notes, done.skipped) == (2, 2, (), {})
    said = [(one.id, one.session, one.role) for one in done.messages]
    assert said == [("m1", KEY, "user"), ("m2", KEY, "assistant")]
    assert ingest_openclaw(workspace).read == 0
    append(file, *talk("three", start=3))
    assert [one.text for one in ingest_openclaw(workspace).messages] == ["three"]
    # A session keeps its name when it was archived.
    append(file, *talk("four", start=4))
    index(agent)
    [last] = ingest_openclaw(workspace).messages
    assert (last.text, last.session) == ("four", KEY)


def test_what_came_by_a_hook_is_no_news_and_the_other_way_round(
    agent: Path, workspace: Workspace
) -> None:
    index(agent, s1=KEY)
    chat.log(workspace, "one", session=KEY, judge=judge)
    first = message("m1", None, "[Telegram Ana 2026-02-14 09:00] one")
    write(agent, "s1", [first, *talk("two", "three", start=2)])
    assert ingest_openclaw(workspace, judge=judge).new == 2
    again = chat.log(workspace, "three", session=KEY, judge=judge)
    assert (again.new, again.messages[0].id) == (False, "m3")
    days_later = workspace.at(NOW + timedelta(days=3))
    assert not chat.log(days_later, "three", session="s1", ident="m3", judge=judge).new
    assert (texts(workspace), judged(workspace)) == (["one", "two", "three"], ["one", "three"])


def test_new_messages_of_the_user_are_triaged_and_old_ones_only_logged(
    agent: Path, workspace: Workspace
) -> None:
    write(agent, "s1", talk("important: new", "answered"))
    write(agent, "s2", talk("important: old", when=NOW - timedelta(hours=25)))
    done = ingest_openclaw(workspace, judge=judge)
    assert (done.new, done.triaged) == (3, 1)
    assert judged(workspace) == ["important: new"]
    assert {one.text: one.priority for one in done.messages} == {
        "important: new": True, "answered": False, "important: old": False,
    }  # fmt: skip
    assert ingest_openclaw(workspace, judge=judge).triaged == 0


def test_what_cannot_be_read_is_told_and_the_rest_is_taken(
    agent: Path, workspace: Workspace
) -> None:
    db = database(agent, "later")
    add_events(db, "s1", talk("one"))
    db.execute("INSERT INTO transcript_events VALUES ('s1', 1, '{broken', NULL, 1, 1)")
    add_events(db, "s2", talk("two"))
    db.execute("INSERT INTO transcript_events VALUES ('s2', 1, NULL, x'28b52ffd', 1, 1)")
    db.close()
    done = ingest_openclaw(workspace)
    assert (done.new, done.skipped) == (2, {NOT_JSON: 1, COMPRESSED: 1})
    assert ingest_openclaw(workspace).read == 1
    assert ingest_openclaw(workspace).skipped == {COMPRESSED: 1}


def test_an_agent_is_the_one_that_lives_here_or_the_one_that_is_named(
    ws: Git, workspace: Workspace
) -> None:
    state = openclaw("main", "work", workspaces=ws.root.parent)
    for name in ("main", "work", "ghost"):
        write(state / "agents" / name, "s1", [message("m1", None, name)])
    with pytest.raises(NotFoundError, match="no agent that lives in"):
        ingest_openclaw(workspace.dry())
    for name in ("work", "ghost"):
        [one] = ingest_openclaw(workspace.dry(), name).messages
        assert one.text == name
    lives = f'{{agents: {{list: [{{id: "main"}}, {{id: "work", workspace: "{ws.root}"}}]}}}}'
    (state / "openclaw.json").write_text(lives)
    done = ingest_openclaw(workspace)
    assert ([one.text for one in done.messages], done.notes) == (["work"], ())
    with pytest.raises(NotFoundError, match="no agent nobody") as caught:
        ingest_openclaw(workspace, "nobody")
    assert caught.value.hint == "It has: ghost, main, work"
    with pytest.raises(NotFoundError):
        ingest_openclaw(workspace, "../agents/work")


def test_lines_of_plain_json(workspace: Workspace) -> None:
    hi = {"role": "user", "text": "hi", "time": "2026-02-14T08:00:00Z", "id": "1", "session": "s"}
    yes = b'{"role": "user", "text": "yes"}\n'
    lines = [json.dumps(hi).encode(), b"\n", yes, yes, b'{"role": "user"}\n', b"no json\n"]
    done = ingest_lines(workspace, lines, "given")
    assert (done.new, done.read, done.skipped) == (3, 3, {NO_MESSAGE: 1, NOT_JSON: 1})
    said = [(one.text, one.session) for one in done.messages]
    assert said == [("hi", "s"), ("yes", "given"), ("yes", "given")]
    assert ingest_lines(workspace, lines, "given").new == 0
    assert ingest_lines(workspace, [*lines, yes], "given").new == 1


def run_child(workspace: Workspace, *how: str) -> tuple[int, str]:
    env = {**os.environ, "PYTHONPATH": str(CHILD.parents[1])}
    done = run_to_end(ready.python(), CHILD, workspace.root, *how, env=env, timeout=100)
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.parametrize("where", ["batch 1", "judge 30"])
def test_killed_in_the_middle_the_next_one_goes_on(
    agent: Path, workspace: Workspace, where: str
) -> None:
    """The last 120 messages are young enough for a triage; every other one is the user's."""
    expected = [str(at) for at in range(2400)]
    write(agent, "s1", talk(*expected, when=NOW - timedelta(hours=24, minutes=2281)))
    assert run_child(workspace, *where.split())[0] == -9
    done = ingest_openclaw(workspace, judge=judge)
    assert (done.new < 2400, texts(workspace)) == (True, expected)
    assert judged(workspace) == expected[2280::2]


def test_a_full_disk_is_a_clear_error_and_loses_nothing(agent: Path, workspace: Workspace) -> None:
    expected = [f"{at} {'x' * 200}" for at in range(400)]
    write(agent, "s1", talk(*expected))
    ingest_lines(workspace, [])
    code, told = run_child(workspace, "full", "160000")
    assert (code, told.partition(" | ")[0]) == (0, "storage")
    ingest_openclaw(workspace, judge=judge)
    assert texts(workspace) == expected
    assert judged(workspace) == expected[::2]


@pytest.mark.slow
def test_a_transcript_of_200_megabytes_takes_bounded_memory(
    agent: Path, workspace: Workspace
) -> None:
    said = "lorem ipsum dolor " * 120

    def line(at: int) -> Line:
        parent = f"m{at - 1}" if at else None
        when = NOW + timedelta(minutes=at)
        return message(f"m{at}", parent, f"{at} {said}", "assistant", when)

    write(agent, "s1", map(line, range(90_000)))
    assert (agent / FILE).stat().st_size > 200_000_000
    assert run_child(workspace, "memory", str(48 * 1024**2)) == (0, "")
    with chat.open_chat(workspace) as kept:
        assert kept.local.count() == 90_000
