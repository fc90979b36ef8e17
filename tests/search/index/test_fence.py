"""Where one agent's memory ends, by what folders are and not by what they are called."""

from pathlib import Path

import pytest

from clawgit.workspace.discover import Fence
from tests.fleet import agent


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    return agent(tmp_path / "own", begun=False).root, agent(tmp_path / "other").root


def test_a_workspace_is_shut_though_nobody_names_it(two: tuple[Path, Path]) -> None:
    own, other = two
    fence = Fence(own, lambda: ())
    assert [
        fence.shuts(path) for path in (other, other / "MEMORY.md", other / "not" / "there.md")
    ] == [True] * 3
    assert [fence.shuts(path) for path in (own, own / "MEMORY.md", own.parent, Path("/"))] == [
        False
    ] * 4


def test_links_lead_to_what_they_are(two: tuple[Path, Path], tmp_path: Path) -> None:
    own, other = two
    (own / "in").symlink_to(other)
    (tmp_path / "out").symlink_to(own)
    assert Fence(own, lambda: ()).shuts(own / "in" / "MEMORY.md")
    assert not Fence(tmp_path / "out", lambda: (other,)).shuts(own / "MEMORY.md")
    assert not Fence(own, lambda: (other,), [own / "in"]).shuts(other / "MEMORY.md")


def test_of_workspaces_in_each_other_the_innermost_decides(tmp_path: Path) -> None:
    outer, middle = agent(tmp_path / "outer").root, agent(tmp_path / "outer" / "middle").root
    inner = agent(middle / "inner").root
    fence = Fence(middle, lambda: (outer, inner))
    seen = [fence.shuts(folder / "MEMORY.md") for folder in (outer, middle, inner)]
    assert seen == [True, False, True]
    assert not Fence(middle, lambda: (outer, inner), [inner]).shuts(inner / "MEMORY.md")
