"""The memory of an agent in files: what is written where."""

import pytest

from clawgit.front.cli.root import run
from tests.conftest import Git


@pytest.fixture
def adopted(ws: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    """A workspace that somebody had before, with nothing but a soul and a memory."""
    monkeypatch.setenv("CLAWGIT_NOW", "2026-02-14T09:05:00+00:00")
    monkeypatch.chdir(ws.root)
    assert run(["init", "--no-openclaw"]) == 0
    return ws


@pytest.mark.parametrize(
    "said",
    [
        "Remember the blue folder is in the attic",
        "Remember this: the plumber comes at ten",
        "记住这个:周五开会",
        "Had lunch with Ana today",
    ],
)
def test_remember_this_and_everyday_notes_go_into_memory_yyyy_mm_dd(
    adopted: Git, said: str
) -> None:
    assert run(["memory", "add", said]) == 0
    assert said in (adopted.root / "memory/2026-02-14.md").read_text()
    assert said not in (adopted.root / "MEMORY.md").read_text()


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ("Lesson learned: ask before a migration", "AGENTS.md"),
        ("Lesson: npm is missing on that host", "TOOLS.md"),
    ],
)
def test_when_you_learn_a_lesson_update_agents_md_or_tools_md(
    adopted: Git, said: str, path: str
) -> None:
    adopted.write(path, "# Mine\n")
    adopted.commit_all("a file for it")
    assert run(["memory", "add", said]) == 0
    waits = adopted("for-each-ref", "--format=%(objectname)", "refs/clawgit/proposals").split()
    kept = (adopted.root / path).read_text() + "".join(
        adopted("show", f"{oid}:{path}") for oid in waits
    )
    assert said in kept


@pytest.mark.parametrize("path", ["AGENTS.md", "TOOLS.md"])
def test_an_agent_begins_such_a_file_by_proposal_only(
    adopted: Git, path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lesson = {"AGENTS.md": "Lesson learned: ask first", "TOOLS.md": "Lesson: npm is missing there"}
    assert run(["memory", "add", lesson[path]]) == 0
    assert f"there is no {path} yet" in capsys.readouterr().out
    assert not (adopted.root / path).exists()
    assert run(["soul", "proposals"]) == 0
    assert lesson[path] in capsys.readouterr().out
