"""undo and redo as they are typed: one line that says what went, whose it was, and where."""

import pytest

from clawgit.front.cli.root import run
from tests.front.cli.typed import Terminal, call
from tests.git.test_transaction import age
from tests.soulful import Soulful, soulful

__all__ = ["soulful"]


@pytest.fixture
def home(soulful: Soulful, monkeypatch: pytest.MonkeyPatch) -> Soulful:
    """A workspace whose operator sits at the terminal."""
    monkeypatch.chdir(soulful.git.root)
    monkeypatch.setattr("sys.stdin", Terminal())
    assert run(["memory", "add", "Tea is at four."]) == 0
    return soulful


def said(*words: str) -> str:
    told = call(*words)
    assert told.code == 0, told
    return told.out + told.err


def newest(home: Soulful) -> str:
    return home.git("log", "-1", "--format=%(trailers:key=Clawgit-Id,valueonly)").strip()


def test_it_says_what_was_undone_and_redone(home: Soulful) -> None:
    said("memory", "add", "Ana leads Harbor.")
    fact = f"note “Ana leads Harbor.” ({newest(home)}), by operator, in MEMORY.md\n"
    dry = said("undo", "--dry-run")
    assert dry.startswith(f"Would undo: {fact}--- a/MEMORY.md\n")
    assert said("undo") == f"Undid: {fact}"
    assert said("redo", "--dry-run").startswith(f"Would redo: {fact}")
    assert said("redo") == f"Redid: {fact}"


def test_of_edits_by_hand_it_says_how_they_come_back(home: Soulful) -> None:
    age(home.git.write("SOUL.md", home.text() + "- By hand.\n"))
    age(home.git.write("notes.md", "- By hand.\n"))
    assert said("undo", "--dry-run").startswith(
        "Would undo: edits that were not committed yet, in SOUL.md, notes.md\n"
    )
    undone = said("undo")
    ident = home.git(
        "log", "-1", "--skip=1", "--format=%(trailers:key=Clawgit-Id,valueonly)"
    ).strip()
    assert undone == (
        "Undid: edits that were not committed yet, in SOUL.md, notes.md\n"
        "`clawgit redo` brings them back.\n"
    )
    assert (
        said("redo")
        == f"Redid: SOUL.md edited, notes.md new ({ident}), by unknown, in SOUL.md, notes.md\n"
    )
