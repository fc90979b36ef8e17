"""A file that has a second name outside of the workspace is refused on every way in."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.front.cli.root import run
from tests.conftest import Git

TEXT = "Xylophones are stored in vault seven."
Said = Callable[..., str]


@pytest.fixture
def said(ws: Git, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    monkeypatch.chdir(ws.root)
    monkeypatch.setenv("NO_COLOR", "1")

    def call(*args: str) -> str:
        run([*args])
        answer = capsys.readouterr()
        return answer.out + answer.err

    call("init")
    return call


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    file = tmp_path / "diary.md"
    file.write_text(f"# Diary\n\n- {TEXT}\n")
    return file


WAYS = {
    "search": ("search", "xylophones"),
    "search at HEAD": ("search", "xylophones", "--at", "HEAD"),
    "context": ("context",),
    "context of a message": ("context", "--message", "where are the xylophones"),
    "snapshot": ("snapshot",),
    "get": ("memory", "get", "memory/2026-11-20.md"),
    "list": ("memory", "list"),
    "promote": ("memory", "promote", "--apply"),
    "organize": ("memory", "organize"),
    "tidy": ("memory", "tidy"),
    "diff": ("diff",),
    "status": ("status",),
    "doctor": ("doctor", "--fix"),
    "secrets": ("secrets", "scan"),
}


@pytest.mark.parametrize("name", ["memory/2026-11-20.md", "MEMORY.md", "USER.md"])
def test_no_text_comes_in(said: Said, ws: Git, outside: Path, name: str) -> None:
    file = ws.root / name
    file.parent.mkdir(exist_ok=True)
    file.unlink(missing_ok=True)
    os.link(outside, file)
    for way, words in WAYS.items():
        assert TEXT not in said(*words), way
    assert TEXT not in ws("log", "--all", "-p")
    assert file.stat().st_nlink == 2


def test_adding_to_one_is_refused_with_a_way_out(said: Said, ws: Git, outside: Path) -> None:
    (ws.root / "MEMORY.md").unlink()
    os.link(outside, ws.root / "MEMORY.md")
    answer = said("add", "Ana leads Harbor. #knowledge")
    assert "a hard link" in answer
    assert "cp 'MEMORY.md'" in answer
    assert TEXT in outside.read_text()


def test_snapshot_names_it(said: Said, ws: Git, outside: Path) -> None:
    (ws.root / "memory").mkdir(exist_ok=True)
    os.link(outside, ws.root / "memory/diary.md")
    assert "a hard link" in said("snapshot")


def test_a_name_in_git_s_own_folder_is_outside(said: Said, ws: Git) -> None:
    first = ws.write("memory/2026-11-20.md", f"- {TEXT}\n")
    os.link(first, ws.root / ".git/description.md")
    assert TEXT not in said("search", "xylophones")
