"""`triage`, `heartbeat` and `queue` as they are typed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.chatting import opened
from tests.conftest import Git
from tests.front.cli.typed import Terminal, call, piped, typed
from tests.run.test_heartbeat import configure, script

pytestmark = pytest.mark.usefixtures("quick_workers")

_PYTHON = sys.executable
"""One that has loaded nothing."""


said, answer = typed()


def test_triage_answers_in_the_shape_of_the_contract(here: Git) -> None:
    found = answer("triage", "Don’t forget: it's raining now.")
    assert found.pop("elapsed_ms") >= 0
    assert found == {
        "priority": True,
        "triggers": [
            {
                "kind": "memory", "confidence": None, "pattern": "/don't forget/i",
                "match": "Don’t forget", "route": "memory-miner",
            },
        ],
        "cut_off": [],
        "notes": [],
    }  # fmt: skip


def test_a_message_can_come_on_standard_input(here: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments in ((), ("-",)):
        piped(monkeypatch, b"You\xff\nforgot? You forgot")
        found = answer("triage", *arguments)["triggers"]
        assert [one["match"] for one in found] == ["You forgot"]
    monkeypatch.setattr("sys.stdin", Terminal())
    for name in ("triage", "heartbeat"):
        told = call(name)
        assert (told.code, f'clawgit {name} "what was said"' in told.err) == (2, True)


def test_outside_a_workspace_the_built_in_patterns_serve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert answer("triage", "You forgot")["triggers"][0]["route"] == "recall-validator"
    assert "not_a_workspace" in said("heartbeat", "You forgot", "--json", code=1)


def test_a_heartbeat_is_kept_and_its_calls_can_be_seen_taken_and_dropped(here: Git) -> None:
    configure(
        opened(here.root),
        "{pattern: /Ship/, route: radio}",
        "{pattern: /deploy/, route: pager, confidence: high}",
    )
    done = answer("heartbeat", "Ship and deploy.", "--session", "s", "--id", "7")
    assert [one["queue"] for one in done["queued"]] == ["radio", "pager", "recall-validator"]
    assert (done["message"]["id"], done["new"], done["commit"]) == ("7", True, None)
    again = said("heartbeat", "Ship and deploy.", "--session", "s", "--id", "7")
    assert again == "already stored: 7\n"
    assert said("run", "--queue", "--dry-run").splitlines()[1:] == [
        "2   pager  2026-02-14 09:00  Ship and deploy.",
        "1   radio  2026-02-14 09:00  Ship and deploy.",
    ]
    assert answer("run", "--queue", "pager")["call"]["message"]["text"] == "Ship and deploy."
    assert answer("run", "--queue", "pager") == {"call": None}
    assert answer("run", "--queue", "1", "--dry-run")["items"][0]["id"] == 1
    assert "Ship and deploy." in said("run", "--drop", "1")
    assert said("run", "--queue", "--dry-run") == "no call is waiting\n"
    assert "no item 1 in the queue" in said("run", "--drop", "1", "--json", code=1)
    said("run", "--drop", "99999999999999999999", code=2)
    assert said("run", "--queue", "pager") == "no call is waiting\n"


def test_a_heartbeat_runs_a_script_after_its_answer(here: Git) -> None:
    workspace = opened(here.root)
    route = script(workspace, r"printf '\007no' >&2; exit 4")
    configure(workspace, f"{{pattern: /deploy/, route: {route}}}")
    assert call("heartbeat", "deploy", "--dry-run").err == "preview, nothing written\n"
    shown = call("heartbeat", "deploy")
    assert shown.out.startswith("stored: ")
    assert shown.err == "note: ./hook.sh: ./hook.sh ended with 4: \u2407no\n"


def test_triage_starts_light(here: Git) -> None:
    """What it does not need, it does not load: neither SQLite nor YAML nor git, and no settings
    where none matter."""
    heavy = (
        "sqlite3", "yaml", "pygit2", "regex", "clawgit.core.config",
        "clawgit.workspace.stores.openclaw", "subprocess", "asyncio",
    )  # fmt: skip
    code = f"""
import sys
from clawgit.front.cli.root import run
run(["triage", "No, it's Thursday now. Please remember that."])
print([name for name in {heavy!r} if name in sys.modules])"""
    done = subprocess.check_output(
        [_PYTHON, "-c", code], text=True, env={**os.environ}, cwd=here.root
    )
    assert done.splitlines()[-1] == "[]"
