"""What lies on the way to a file, and how often a snapshot looks at it."""

from pathlib import Path

from clawgit.git.store import GitStore
from clawgit.git.worktree import Ways, folders_on_the_way
from tests.conftest import NOW, Git
from tests.opens import counted

COUNT = 60


def test_the_folders_come_from_the_top_without_the_workspace() -> None:
    assert [*folders_on_the_way(Path("/ws"), "a/b/c.md")] == ["/ws/a", "/ws/a/b"]
    assert [*folders_on_the_way(Path("/ws"), "c.md")] == []


def test_a_link_and_a_repository_are_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "own/notes").mkdir(parents=True)
    (tmp_path / "linked").symlink_to(tmp_path / "own")
    (tmp_path / "other/.git").mkdir(parents=True)
    (tmp_path / "other/notes").mkdir()
    ways = Ways(tmp_path)
    assert [ways.obstacle(f"{folder}/notes/a.md") for folder in ("own", "linked", "other")] == [
        "",
        "behind a symlink",
        "in a repository of its own",
    ]
    assert ways.obstacle("a.md") == ""


def test_a_folder_is_looked_at_once_in_a_pass(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    ways = Ways(tmp_path)
    assert ways.obstacle("notes/a.md") == ""
    (tmp_path / "notes/.git").mkdir()
    assert ways.obstacle("notes/b.md") == ""
    assert Ways(tmp_path).obstacle("notes/b.md") == "in a repository of its own"


def test_a_path_of_many_folders_is_no_error(tmp_path: Path) -> None:
    assert Ways(tmp_path).obstacle("a/" * 2000 + "a.md") == ""


SYNC = 2
"""How often a file that somebody has saved is opened to be synced: to begin with it, and to wait."""


def test_a_snapshot_reads_each_settled_file_once(ws: Git, store: GitStore) -> None:
    """The first ones may be too fresh, and are read until they stand still; by then all do."""
    for at in range(COUNT):
        ws.write(f"notes/{at}.md", f"# Note {at}\n")
    with counted() as opened:
        store.snapshot(NOW)
    counts = [opened[f"{ws.root}/notes/{at}.md"] for at in range(COUNT)]
    assert min(counts) == 1 + SYNC
    assert sum(counts) <= (1 + SYNC) * COUNT + COUNT // 4
