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
