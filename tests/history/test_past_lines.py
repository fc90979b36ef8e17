"""`memory get`: lines of memory, now and then, and nothing else of this machine."""

from pathlib import Path

import pytest

from clawgit.core.errors import ClawgitError, UsageError
from clawgit.history.past_lines import Lines, asked_lines, lines
from clawgit.workspace.workspace import Workspace
from tests.each import for_each
from tests.soulful import Soulful


@pytest.fixture
def home(soulful: Soulful) -> Soulful:
    soulful.git.write("memory/2026-02-13.md", "# Day\n\n- one\n- two\n- three\n")
    return soulful


def told(text: str, first: int, count: int, path: str = "memory/2026-02-13.md") -> Lines:
    return {"path": path, "text": text, "from": first, "lines": count, "note": ""}


def test_the_lines_that_are_asked_for(home: Soulful) -> None:
    path = "memory/2026-02-13.md"
    assert lines(home.space, path) == told("# Day\n\n- one\n- two\n- three\n", 1, 5)
    assert lines(home.space, path, 3, 2) == told("- one\n- two\n", 3, 2)
    assert lines(home.space, path, 5, 9) == told("- three\n", 5, 1)
    for first in (6, 10**12):
        with pytest.raises(UsageError, match="has 5 lines: there is no line"):
            lines(home.space, path, first, 10**12)


def test_nothing_else_can(home: Soulful) -> None:
    home.git.write("agents/memory-miner/AGENT.md", "# Miner\n")
    for path in (
        "CONFIG.md", "CHANGELOG.md", "agents/memory-miner/AGENT.md", "memory/notes.txt",
        "memory/.dreams/state.md",
        "memory", "memory/", "", ".", "../MEMORY.md", "memory/../../MEMORY.md",
        "memory/../CONFIG.md", "/etc/passwd",
        "/etc/passwd.md", ".git/MEMORY.md", "memory/a\0.md",
    ):  # fmt: skip
        with pytest.raises(UsageError, match="is not a file of memory"):
            lines(home.space, path)


@for_each("name", ["memory/tab\there.md", "memory/two\nlines.md"])
def test_a_name_that_search_cites_is_taken_whatever_is_in_it(home: Soulful, name: str) -> None:
    home.git.commit_file(name, "- one\n- two\n", "an odd name")
    path, first, count = asked_lines(home.space, f"{name}#L2-L2")
    assert lines(home.space, path, first, count) == told("- two\n", 2, 1, name)
    assert lines(home.space, path, at="HEAD") == told("- one\n- two\n", 1, 2, name)
    assert lines(home.space, path, at="HEAD~1") == told("", 1, 0, name)


def test_links_lead_nowhere(home: Soulful, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("secret\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/inside.md").write_text("secret\n")
    (home.git.root / "memory/link.md").symlink_to(tmp_path / "outside.md")
    (home.git.root / "memory/there").symlink_to(tmp_path / "folder")
    for path in ("memory/link.md", "memory/there/inside.md"):
        with pytest.raises(ClawgitError) as caught:
            lines(home.space, path)
        assert caught.value.kind == "path_refused"


def test_extra_paths_that_the_operator_named_can_be_read(home: Soulful, tmp_path: Path) -> None:
    outside = tmp_path / "notes"
    (outside / "deep").mkdir(parents=True)
    (outside / "deep/a.md").write_text("far\n")
    (outside / "link.md").symlink_to(tmp_path / "outside.md")
    (tmp_path / "outside.md").write_text("secret\n")
    (home.space.caller.home / "mine").mkdir()
    (home.space.caller.home / "mine/b.md").write_text("home\n")
    home.git.write("wiki/c.md", "near\n")
    home.set(extra_paths=f"[{outside}, ~/mine, wiki, CONFIG.md]")
    space = Workspace(home.space.place, home.space.caller)
    own = str(home.space.caller.home / "mine/b.md")
    assert lines(space, str(outside / "deep/a.md")) == told(
        "far\n", 1, 1, str(outside / "deep/a.md")
    )
    assert lines(space, own)["text"] == "home\n"
    assert lines(space, "wiki/c.md")["text"] == "near\n"
    assert lines(space, str(outside / "link.md"))["text"] == ""
    assert lines(space, str(outside / "gone.md"))["text"] == ""
    for path in (
        str(tmp_path / "outside.md"),
        f"{outside}/../outside.md",
        "CONFIG.md",
        str(outside / "x.txt"),
    ):
        with pytest.raises(UsageError, match="is not a file of memory"):
            lines(space, path)
    with pytest.raises(UsageError, match="has no history of it"):
        lines(space, own, at="HEAD")
