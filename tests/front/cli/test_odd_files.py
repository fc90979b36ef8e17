"""No text comes in by a file with a second name outside, and no odd file holds a command up."""

import json
import os
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from clawgit.front.mcp.worker import Worker
from tests.conftest import Git
from tests.front.cli.typed import call
from tests.front.mcp import fronts
from tests.front.mcp.fronts import front

TEXT = "Xylophones are stored in vault seven."
Said = Callable[..., str]


@pytest.fixture
def said(ws: Git, monkeypatch: pytest.MonkeyPatch) -> Said:
    monkeypatch.chdir(ws.root)
    monkeypatch.setenv("NO_COLOR", "1")

    def say(*args: str) -> str:
        told = call(*args)
        return told.out + told.err

    say("init")
    return say


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


def _shut(file: Path) -> None:
    file.chmod(0)


def _in_latin_1(file: Path) -> None:
    file.write_bytes(f"# Memory\n\n- {TEXT}\n- Ana: à bientôt.\n".encode("latin-1"))


def _folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _link(file: Path) -> None:
    file.rename(file.with_suffix(".old"))
    file.symlink_to("MEMORY.old")


UNREAD = {"folder": _folder, "link": _link, "in Latin-1": _in_latin_1}
if os.geteuid():
    UNREAD["shut"] = _shut  # root reads every file


@pytest.mark.parametrize("way", UNREAD)
def test_a_search_says_what_it_could_not_read(said: Said, ws: Git, way: str) -> None:
    """Else it would look as if memory did not know."""
    UNREAD[way](ws.write("MEMORY.md", f"# Memory\n\n- {TEXT}\n"))
    answer = said("search", "bientôt")
    assert "MEMORY.md" in answer
    assert "no line has" not in answer
    found = json.loads(said("search", "bientôt", "--json"))
    assert (found["behind"], found["missing"], "MEMORY.md" in found["fallback"]) == (1, [], True)
    with closing(Worker(front(ws.root))) as desk:
        tool = fronts.call(desk, "memory_search", query="bientôt")
    assert (tool["behind"], tool["fallback"]) == (1, found["fallback"])


def test_adding_to_one_is_refused_with_a_way_out(said: Said, ws: Git, outside: Path) -> None:
    (ws.root / "MEMORY.md").unlink()
    os.link(outside, ws.root / "MEMORY.md")
    answer = said("add", "Ana leads Harbor. #knowledge")
    assert "a hard link" in answer
    assert "cp 'MEMORY.md'" in answer
    assert TEXT in outside.read_text()
    # A name in git's own folder is outside, too.
    first = ws.write("memory/2026-11-20.md", f"- {TEXT}\n")
    os.link(first, ws.root / ".git/description.md")
    assert TEXT not in said("search", "xylophones")


# A file that clawgit reads by itself may be a link without an end, or a pipe: no command hangs.


COMMANDS = (
    ("init",), ("status",), ("add", "The gate is blue. #knowledge"), ("snapshot",), ("show", "HEAD"),
    ("search", "gate"), ("heartbeat", "hello"), ("doctor",),
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "odd"),
    [
        ("CHANGELOG.md", os.mkfifo),
        ("CONFIG.md", partial(os.symlink, "/dev/zero")),
        ("MEMORY.md", partial(os.symlink, "/dev/zero")),
    ],
    ids=["a pipe", "settings without end", "memory without end"],
)
def test_every_command_comes_to_an_end(
    name: str, odd: Callable[[Path], None], ws: Git, said: Said
) -> None:
    (ws.root / name).unlink(missing_ok=True)
    odd(ws.root / name)
    for command in COMMANDS:
        answer = said(*command)
        assert "Traceback" not in answer, command
        assert "This is a bug" not in answer, command


def test_a_branch_cannot_turn_the_line_around(ws: Git, said: Said) -> None:
    ws("checkout", "-q", "-b", "a\u202eb")
    for answer in (said("status"), said()):
        assert "\u202e" not in answer
        assert "a\ufffdb" in answer


def test_a_name_that_is_withheld_is_read_as_its_place_says(said: Said, ws: Git) -> None:
    ws.write("memory/rtl \u202e note.md", f"# Notes\n\n- {TEXT}\n")
    said("snapshot")
    [hit] = json.loads(said("search", "where are the xylophones", "--json"))["results"]
    assert "the name of a file with git ls-files]" in hit["path"]
    assert r"rtl \342\200\256 note.md" in ws("ls-files")
