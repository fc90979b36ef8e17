"""What lies on the way to a file, and how often a snapshot looks at it."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from clawgit.stores.git.store import GitStore
from clawgit.stores.git.ways import Ways, folders_on_the_way
from tests.conftest import NOW, Git

COUNT = 60
_opened: Counter[str] = Counter()
_counting: list[bool] = []


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and _counting:
        _opened[str(arguments[0])] += 1


@pytest.fixture
def opened() -> Iterator[Counter[str]]:
    """How often this process opens each file. Python lets nobody take the hook away again."""
    if not _counting:
        sys.addaudithook(_hear)
    _opened.clear()
    _counting.append(True)
    yield _opened
    _counting.clear()


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


def test_a_snapshot_opens_each_settled_file_once(
    ws: Git, store: GitStore, opened: Counter[str]
) -> None:
    """The first one may be too fresh, and is read until it stands still; by then all are."""
    for at in range(COUNT):
        ws.write(f"notes/{at}.md", f"# Note {at}\n")
    opened.clear()
    store.snapshot(NOW)
    counts = [opened[f"{ws.root}/notes/{at}.md"] for at in range(COUNT)]
    assert min(counts) == 1
    assert sum(counts) <= COUNT + 2
