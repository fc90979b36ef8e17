"""An editor's stale save brings back what had moved elsewhere: it is one entry, and is named."""

import json
import os
import shlex

import pytest

from clawgit.cli.root import run
from clawgit.ops.agents.agents import run_agent
from clawgit.ops.change.bisect import bisect
from clawgit.ops.change.changes import snapshot
from clawgit.ops.facts.remember import NewFact, remember
from clawgit.ops.workspace.status import status
from clawgit.ops.workspace.workspace import Workspace
from tests.conftest import NOW
from tests.ops.soulful import Soulful, soulful

__all__ = ["soulful"]

NOTEBOOK = "# Memory\n\n- Billing uses PostgreSQL. #decision\n"
SEVEN = "".join(
    f"- Harbor number {n} ships in month {n}. <!-- claw:harb0{n} c=.9 -->\n" for n in range(7)
)
TEA = "- Ana prefers tea in the morning. #knowledge\n"


@pytest.fixture
def moved(soulful: Soulful) -> Soulful:
    """Seven entries with an id, and one without, have moved from the notebook to topic files."""
    soulful.git.write("MEMORY.md", NOTEBOOK + SEVEN + TEA)
    soulful.git.commit_all("learn")
    soulful.git.write("MEMORY.md", NOTEBOOK)
    soulful.git.write("memory/harbor.md", f"# Harbor\n\n{SEVEN}")
    soulful.git.write("memory/people.md", f"# People\n\n{TEA}")
    soulful.git.commit_all("move")
    return soulful


def test_the_snapshot_names_them_with_one_command_that_mends(
    moved: Soulful, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved.git.write("MEMORY.md", NOTEBOOK + SEVEN + TEA)
    [alert] = snapshot(moved.later()).alerts
    assert alert.startswith("MEMORY.md has 8 entries again that had moved to memory/harbor.md:3,")
    assert "memory/people.md:3" in alert
    command = shlex.split(alert.split("`")[1])
    monkeypatch.chdir(moved.git.root)
    assert run(command[1:]) == 0
    assert moved.text("MEMORY.md") == NOTEBOOK
    assert moved.text("memory/harbor.md") == f"# Harbor\n\n{SEVEN}"
    assert bisect(moved.later(), "harb03").places == ("memory/harbor.md:6",)


def test_what_came_back_is_one_entry_to_add_and_to_search(
    moved: Soulful, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    moved.git.write("MEMORY.md", NOTEBOOK + TEA)
    done = remember(moved.later(), NewFact("Ana prefers tea in the morning."))
    assert done.action == "merged"
    texts = moved.text("MEMORY.md") + moved.text("memory/people.md")
    assert texts.count("Ana prefers tea") == 2
    monkeypatch.chdir(moved.git.root)
    assert run(["memory", "search", "Ana prefers tea", "--json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert sum("prefers tea" in result["snippet"] for result in results) == 1, results


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("memory/2026-02-20.md", TEA),  # a daily note tells of what is known
        ("memory/other.md", TEA),  # so does a topic that never had it
        ("MEMORY.md", f"{NOTEBOOK}- Something else that is new.\n"),
    ],
)
def test_what_is_only_said_again_is_no_return(moved: Soulful, path: str, text: str) -> None:
    moved.git.write("memory/2026-02-20.md", "# 2026-02-20\n")
    moved.git.write("memory/other.md", "# Other\n")
    moved.git.commit_all("begin")
    moved.git.write(path, text)
    done = snapshot(moved.later())
    assert (bool(done.commit), done.alerts, done.warnings) == (True, (), ())


BACK = "MEMORY.md has an entry again that had moved to memory/people.md:3, as after a stale save"


def test_whoever_first_sees_the_edit_says_it(
    moved: Soulful, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(moved.git.root)
    moved.git.write("MEMORY.md", NOTEBOOK + TEA)
    assert run(["status"]) == 0
    assert f"! {BACK}" in " ".join(capsys.readouterr().out.split())
    assert run(["memory", "add", "Cem runs on Mondays.", "--to", "MEMORY.md"]) == 0
    assert f"alert: {BACK}" in " ".join(capsys.readouterr().out.split())
    # It stays an alert of the commit that took the edit in.
    [alert] = status(moved.later()).alerts
    assert alert.message.startswith(BACK)
    assert alert.id


@pytest.mark.parametrize("by_agent", [True, False])
def test_so_does_a_run_of_an_agent_and_an_operator_who_notes_the_edit(
    moved: Soulful, by_agent: bool
) -> None:
    moved.git.write("MEMORY.md", NOTEBOOK + TEA)
    if by_agent:
        [alert] = run_agent(moved.later(), "lesson-extractor", clock=lambda: NOW).alerts
    else:
        [alert] = snapshot(moved.later(), "by hand").alerts
    assert alert.startswith(BACK)


def test_an_import_of_many_files_is_not_compared_whole(moved: Soulful) -> None:
    for n in range(40):
        moved.git.write(f"memory/n{n}.md", "# Note\n")
    moved.git.commit_all("notes")
    for n in range(40):
        moved.git.write(f"memory/n{n}.md", f"# Note\n\n- Number {n} is a new fact of today.\n")
    trace = moved.git.root.parent / "trace"
    caller = moved.space.caller._replace(env={**os.environ, "GIT_TRACE": str(trace)})
    space = Workspace(moved.space.place, caller)
    assert snapshot(space).alerts == ()
    assert 0 < trace.read_text().count("built-in: git grep") <= 20
