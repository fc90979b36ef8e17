import os
from pathlib import Path

import pytest

from clawgit.core.layout import LAYOUTS, searched
from clawgit.workspace.discover import Reach, discover, in_scope
from tests.conftest import Git


def sources(git: Git, *extra: str) -> dict[str, str]:
    return {path: seen.source for path, seen in sorted(discover(Reach(git.root, extra)).items())}


@pytest.fixture
def full(git: Git) -> Git:
    for path in (
        "MEMORY.md", "memory/2026-02-13.md", "memory/deep/er/NOTE.MD", "memory/archive/2025-Q4.md",
        "CORRECTIONS.md",
        "Archive/2025/January.md", "SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "TOOLS.md",
        "CONFIG.md", "CHANGELOG.md", "agents/miner/SOUL.md", "notes/other.md", "memory/x.txt",
        "memory/x.md.tmp",
        "memory/.dreams/state.md", "memory/.hidden.md", "HEARTBEAT.md", "BOOT.md", "CONFLICTS.md",
        "Archive/Conflicts/2025.md", "Archive/Compaction/2025.md",
    ):  # fmt: skip
        git.write(path, "- x\n")
    return git


def test_the_scope_of_a_workspace(full: Git) -> None:
    assert sources(full) == {
        "AGENTS.md": "profile",
        "Archive/2025/January.md": "archive",
        "CORRECTIONS.md": "corrections",
        "HEARTBEAT.md": "profile",
        "IDENTITY.md": "profile",
        "MEMORY.md": "memory",
        "SOUL.md": "profile",
        "TOOLS.md": "profile",
        "USER.md": "profile",
        "memory/2026-02-13.md": "memory",
        "memory/archive/2025-Q4.md": "archive",
        "memory/deep/er/NOTE.MD": "memory",
    }


def test_extra_paths_are_files_and_folders_inside_and_outside(full: Git, tmp_path: Path) -> None:
    (tmp_path / "outside" / "deep").mkdir(parents=True)
    for name in ("a.md", "deep/b.md", "c.txt"):
        (tmp_path / "outside" / name).write_text("x\n")
    before = sources(full)
    outside = str(tmp_path / "outside/a.md")
    named = sources(full, "notes", "BOOT.md", "../outside", outside, "none", "no*")
    assert named.items() - before.items() == {
        ("notes/other.md", "extra"), ("BOOT.md", "extra"),
            (f"{tmp_path}/outside/a.md", "extra"),
        (f"{tmp_path}/outside/deep/b.md", "extra"),
    }  # fmt: skip


def test_links_and_repositories_inside_are_left_alone(git: Git, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "s.md").write_text("- x\n")
    git.write("memory/a.md", "- x\n")
    git.write("memory/other/b.md", "- x\n")
    git("init", "-q", "memory/other")
    (git.root / "memory/link.md").symlink_to(secret / "s.md")
    (git.root / "memory/folder").symlink_to(secret)
    (git.root / "Archive").symlink_to(secret)
    (git.root / "MEMORY.md").symlink_to(secret / "s.md")
    os.mkfifo(git.root / "memory/pipe.md")
    assert sources(git) == {"memory/a.md": "memory"}


def test_a_link_that_the_operator_named_is_followed(git: Git, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.md").write_text("- x\n")
    (tmp_path / "real" / "inner").symlink_to(git.root)
    (git.root / "notes").symlink_to(tmp_path / "real")
    git.write("memory/a.md", "- x\n")
    assert sources(git, "notes") == {"memory/a.md": "memory", "notes/a.md": "extra"}


def layout_sources(git: Git, layout: str, *scope: str) -> dict[str, str]:
    """What the disk holds, which is what a commit of it holds."""
    reach = Reach(git.root, layout=searched(LAYOUTS[layout], scope))
    found = {path: seen.source for path, seen in sorted(discover(reach).items())}
    git.commit_all("all")
    assert dict(sorted(in_scope(git("ls-files", "-z").split("\0"), reach).items())) == found
    return found


def test_a_layout_says_what_is_memory_and_what_else_is_searched(git: Git) -> None:
    for path in (
        "SOUL.md", "USER.md", "KANBAN.md", "research/a.md", "research/deep/b.md",
        "skills/x/SKILL.md", "node_modules/p/README.md", ".hidden/c.md", ".claude/memory/d.md",
        "memory-bank/progress.md", "BOOTSTRAP.md", "x.txt", ".learnings/ERRORS.md",
    ):  # fmt: skip
        git.write(path, "- x\n")
    assert layout_sources(git, "openclaw", "*.md") == {
        ".claude/memory/d.md": "memory",
        ".learnings/ERRORS.md": "memory",
        "KANBAN.md": "extra",
        "SOUL.md": "profile",
        "USER.md": "profile",
        "memory-bank/progress.md": "memory",
        "research/a.md": "extra",
        "research/deep/b.md": "extra",
    }
