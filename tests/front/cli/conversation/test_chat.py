"""`chat` as it is typed: what it prints, in words and in JSON, and how it exits."""

from pathlib import Path

import pytest

from tests.chatting import openclaw
from tests.conftest import Git
from tests.front.cli.typed import piped, typed
from tests.talk.stores.transcripts.states import Written, index, talk, write

pytestmark = pytest.mark.usefixtures("quick_workers")

KEY = "agent:main:main"


@pytest.fixture
def transcript(here: Git) -> Written:
    """A transcript of the agent that lives here."""
    openclaw("ws", workspaces=here.root.parent)
    agent = Path.home() / ".openclaw/agents/ws"
    index(agent, s1=KEY)
    return write(agent, "s1", talk("What is the plan?", "Ship it."))


said, answer = typed("chat")


def test_transcripts_are_taken_in(transcript: Written) -> None:
    assert said("ingest", "--openclaw", "--dry-run") == "2 new of 2 messages read\n"
    taken = answer("ingest", "--openclaw")
    assert [(one["id"], one["session"], one["record"]) for one in taken.pop("messages")] == [
        ("m1", KEY, "s1/m1"),
        ("m2", KEY, "s1/m2"),
    ]
    assert taken == {
        "new": 2, "read": 2, "triaged": 1, "skipped": {}, "waiting": 0, "notes": [], "commit": None,
        "id": None,
        "changed": [],
    }  # fmt: skip
    assert said("search") == (
        "2026-02-14 09:01   user       What is the plan?\n2026-02-14 09:02   assistant  Ship it.\n"
    )
    chosen = ("--role", "user", "-n", "5", "--session", KEY, "--since", "today")
    assert said("search", *chosen).count("\n") == 1
    assert said("search", "--until", "yesterday") == "no message\n"


def test_lines_come_from_a_file_or_from_standard_input(
    here: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = '{"role": "user", "text": "yes"}\n{"role": "user", "text": "yes"}\nbroken\n'
    (tmp_path / "in.jsonl").write_text(lines)
    said_so = "2 new of 2 messages read\ntriaged  2\nskipped  not a JSON object 1\n"
    assert said("ingest", str(tmp_path / "in.jsonl")) == said_so
    for arguments in ((), ("-",)):
        piped(monkeypatch, lines)
        assert said("ingest", *arguments).startswith("0 new of 2 messages read\n")


def test_text_from_others_does_not_act_on_the_terminal(here: Git) -> None:
    said("log", "a\x1b[2Jb\x07 " + "long " * 200)
    [line] = said("search").splitlines()
    assert "\x1b" not in line
    assert "\x07" not in line
    assert line.endswith("…")
    assert len(line) < 400
    assert said("log", "x", "--id", "i\x07\nd") == "stored: i\u2407\u240ad\n"
