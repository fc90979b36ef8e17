"""A message comes: it is kept, triaged, queued for whom it calls, and worked off, each once."""

import json
from datetime import timedelta

import pytest

from clawgit.agents.contract import Call
from clawgit.core.errors import ClawgitError
from clawgit.git.gitdir import find_repo
from clawgit.health.status import status
from clawgit.run.heartbeat import (
    Queued,
    ScriptError,
    Triager,
    follow_up,
    heartbeat,
    queues,
    run_script,
    settle,
    work_off,
)
from clawgit.talk.ingest import ingest_lines
from clawgit.talk.rules.chat import Message
from clawgit.workspace.workspace import Workspace
from tests.chatting import opened
from tests.conftest import NOW, Git, program
from tests.trusting import accept_settings

SLOW = "/(?:a|aa)+$/"
PUMP = "a" * 40 + "b"


@pytest.fixture
def here(ws: Git, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    # No process is left that works on beside a test.
    monkeypatch.setattr("clawgit.run.heartbeat.start_worker", lambda *_: None)
    place = find_repo(ws.root)
    place.shared.mkdir()
    return opened(ws.root)


def configure(here: Workspace, *patterns: str) -> Workspace:
    rows = "".join(f"  - {pattern}\n" for pattern in patterns)
    (here.root / "CONFIG.md").write_text(f"```yaml\nheartbeat_custom_patterns:\n{rows}```\n")
    accept_settings(here.root)
    return opened(here.root)


def calls(here: Workspace, queue: str) -> list[Call]:
    found: list[Call] = []
    work_off(here, queue, found.append, lambda: NOW)
    return found


def queued(here: Workspace) -> list[tuple[str, str]]:
    return [(item.queue, item.text) for item in queues(here).items]


def test_a_message_calls_each_agent_once_at_the_highest_confidence(here: Workspace) -> None:
    done = heartbeat(
        here, "No, it's Thursday. That's wrong! Please remember this.", session="s", ident="1"
    )
    assert (done.new, done.priority, done.message.priority) == (True, True, True)
    assert len(done.triggers) == 4
    assert [*map(_row, done.queued)] == [("memory-miner", None), ("recall-validator", "high")]
    [call] = calls(here, "recall-validator")
    assert (call.confidence, call.message.text) == ("high", done.message.text)
    assert [one.kind for one in call.triggers] == [
        "recall_failure", "soft_correction", "soft_correction",
    ]  # fmt: skip
    assert calls(here, "recall-validator") == []
    assert [one.pattern for one in calls(here, "memory-miner")[0].triggers] == [
        "/remember (that|this|when)/i"
    ]


def _row(one: Queued) -> tuple[str, str | None]:
    return one.queue, one.confidence


def test_from_a_group_comes_only_what_a_pattern_calls(here: Workspace) -> None:
    for ident, text in (("1", "No, it's in Leiden, not in Utrecht."), ("2", "Leiden then.")):
        heartbeat(here, text, session="agent:main:x:group:1", ident=ident)
    [one] = calls(here, "recall-validator")
    assert one.message.text == "No, it's in Leiden, not in Utrecht."


def test_the_same_message_again_calls_nobody_again(here: Workspace) -> None:
    heartbeat(here, "You forgot.", ident="1")
    again = heartbeat(here, "You forgot.", ident="1")
    assert (again.new, again.queued, len(again.triggers)) == (False, (), 1)
    taken_in(here, {"role": "user", "text": "You forgot.", "time": NOW.isoformat(), "id": "9"})
    assert queued(here) == [("recall-validator", "You forgot.")]


def taken_in(here: Workspace, *messages: dict[str, str]) -> None:
    ingest_lines(here, [json.dumps(one).encode() for one in messages], judge=Triager(here).judge)


def test_ingest_calls_as_heartbeat_does(here: Workspace) -> None:
    told = [
        ("user", "You forgot.", NOW),
        ("user", "old: you forgot", NOW - timedelta(hours=25)),
        ("assistant", "you forgot", NOW),
    ]
    for _ in range(2):
        taken_in(here, *({"role": r, "text": t, "time": at.isoformat()} for r, t, at in told))
    assert queued(here) == [("recall-validator", "You forgot.")]


def test_a_call_brings_the_exchange_before_it_also_where_that_came_later(here: Workspace) -> None:
    def say(text: str, minutes: int, role: str = "user", session: str = "s") -> Message:
        moment = (NOW - timedelta(minutes=60 - minutes)).isoformat()
        return heartbeat(here, text, session=session, role=role, time=moment).message

    say("elsewhere", 1, session="other")
    say("It is Friday.", 0, "assistant")
    for number in range(8):
        say(f"chatter {number}", 10 + number)
        say("output", 10 + number, "toolResult")
    say("No, it's Thursday.", 30)
    say("after", 31, "assistant")
    call = calls(here, "recall-validator")[0]
    assert [one.text for one in call.exchange] == [
        "It is Friday.",
        *(f"chatter {number}" for number in range(2, 8)),
    ]


def test_a_failure_gives_the_call_back_and_three_show_in_status(here: Workspace) -> None:
    def refuse(_call: Call) -> None:
        raise ClawgitError("no model answers")

    def tried(minutes: int) -> int:
        now = NOW + timedelta(minutes=minutes)
        return len(work_off(here, "recall-validator", refuse, lambda: now).troubles)

    heartbeat(here, "You forgot.")
    assert [tried(minutes) for minutes in (0, 0, 1, 1, 2, 3, 9)] == [1, 0, 1, 0, 0, 1, 0]
    [alert] = status(here).alerts
    [item] = queues(here).items
    assert alert.message == "1 call of recall-validator set aside after 3 tries: no model answers"
    again = f"clawgit run --queue {item.id}, or clawgit run --drop {item.id} to give it up"
    assert alert.next == again
    assert (item.aside, item.tries, item.trouble) == (True, 3, "no model answers")
    assert settle(here.dry(), item.id).items == (item,)
    settle(here, item.id)
    assert status(here).alerts == ()
    assert len(calls(here, "recall-validator")) == 1


def test_custom_patterns_call_whom_they_name(here: Workspace) -> None:
    here = configure(
        here,
        "{pattern: /deploy(ed)?/i, route: pager, confidence: high}",
        "{pattern: /forgot/, route: recall-validator, confidence: medium}",
        "{pattern: /^two$/m, route: lines}",
    )
    done = heartbeat(here, "> deploy\nYou forgot: DEPLOYED\ntwo")
    assert [(one.kind, one.match, one.route) for one in done.triggers] == [
        ("recall_failure", "You forgot", "recall-validator"), ("custom", "DEPLOYED", "pager"),
        ("custom", "forgot", "recall-validator"), ("custom", "two", "lines"),
    ]  # fmt: skip
    assert not done.priority
    called = [("recall-validator", "high"), ("pager", "high"), ("lines", "medium")]
    assert [*map(_row, done.queued)] == called


def test_a_pattern_without_end_is_cut_off(here: Workspace) -> None:
    here = configure(here, f'{{pattern: "{SLOW}", route: pager}}', "{pattern: /b$/, route: pager}")
    done = heartbeat(here, PUMP)
    assert (done.cut_off, [one.pattern for one in done.triggers]) == ((SLOW,), ["/b$/"])


def script(here: Workspace, body: str) -> str:
    return f"./{program(here.root / 'hook.sh', body).name}"


def test_a_script_gets_the_call_as_json_and_once(here: Workspace) -> None:
    route = script(here, "cat >> got.json")
    here = configure(here, f"{{pattern: /deploy/, route: {route}, confidence: high}}")
    heartbeat(here, "Which one?", role="assistant", time=(NOW - timedelta(minutes=1)).isoformat())
    heartbeat(here, "deploy " + "x" * 20_000)
    for _ in range(2):
        assert follow_up(here, lambda: NOW) == ()
    told = json.loads((here.root / "got.json").read_text())
    assert (told["queue"], told["confidence"]) == (route, "high")
    assert told["triggers"][0]["match"] == "deploy"
    assert (len(told["message"]["text"]), told["message"]["role"]) == (16_000, "user")
    assert [one["text"] for one in told["exchange"]] == ["Which one?"]
    # Whom the judge calls may wait.
    assert {item.queue for item in queues(here).items} <= {"recall-validator"}


def test_a_script_that_the_settings_no_longer_name_is_not_run(here: Workspace) -> None:
    route = script(here, "cat >> got.json")
    heartbeat(configure(here, f"{{pattern: /deploy/, route: {route}}}"), "deploy")
    here = configure(here, "{pattern: /deploy/, route: pager}")
    assert follow_up(here, lambda: NOW) == ()
    assert not (here.root / "got.json").exists()
    assert (route, "deploy") in queued(here)


def test_a_script_that_is_not_there_or_takes_too_long_is_told(here: Workspace) -> None:
    heartbeat(here, "You forgot.")
    [call] = calls(here, "recall-validator")
    for nothing in ("./nothing", "~/nothing"):
        with pytest.raises(ScriptError, match="cannot be run: No such file"):
            run_script(here, nothing, call)
    with pytest.raises(ScriptError, match=r"took longer than 0\.1 s"):
        run_script(here, script(here, "exec sleep 1000"), call, seconds=0.1)
