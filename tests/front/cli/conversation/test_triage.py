"""`triage`, `heartbeat` and `queue` as they are typed."""

from pathlib import Path

import pytest

from tests.chatting import opened
from tests.conftest import Git
from tests.front.cli.typed import Terminal, call, piped, typed
from tests.run.test_heartbeat import configure, script

pytestmark = pytest.mark.usefixtures("quick_workers")


said, answer = typed()


def test_a_message_can_come_on_standard_input(here: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments in ((), ("-",)):
        piped(monkeypatch, b"You\xff\nforgot? You forgot")
        found = answer("triage", *arguments)["triggers"]
        assert [one["match"] for one in found] == ["You forgot"]
    monkeypatch.setattr("sys.stdin", Terminal())
    for name in ("triage", "heartbeat"):
        told = call(name)
        assert (told.code, f'clawgit {name} "what was said"' in told.err) == (2, True)


def test_a_context_is_about_a_message_from_standard_input(
    here: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    for told in (b"what does billing use?", b"what does billing use?\xff"):
        piped(monkeypatch, told)
        slots = {
            slot["name"]: slot["sources"] for slot in answer("context", "--message", "-")["slots"]
        }
        assert slots["semantic_recall"] == ["MEMORY.md#L3"]


def test_outside_a_workspace_the_built_in_patterns_serve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert answer("triage", "You forgot")["triggers"][0]["route"] == "recall-validator"
    assert "not_a_workspace" in said("heartbeat", "You forgot", "--json", code=1)


def test_a_heartbeat_runs_a_script_after_its_answer(here: Git) -> None:
    workspace = opened(here.root)
    route = script(workspace, r"printf '\007no' >&2; exit 4")
    configure(workspace, f"{{pattern: /deploy/, route: {route}}}")
    assert call("heartbeat", "deploy", "--dry-run").err == "preview, nothing written\n"
    shown = call("heartbeat", "deploy")
    assert shown.out.startswith("stored: ")
    assert shown.err == "note: ./hook.sh: ./hook.sh ended with 4: \u2407no\n"
