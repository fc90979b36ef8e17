"""What lies on the way to a file, and how often a snapshot looks at it."""

from pathlib import Path

from clawgit.git.worktree import Ways, folders_on_the_way


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
