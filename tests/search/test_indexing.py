from pathlib import Path

from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import OPERATOR
from clawgit.health.status import status
from clawgit.search.indexing import IndexState, index_state, opened
from clawgit.workspace.workspace import Caller, Workspace
from tests.conftest import NOW, Git


def at(git: Git, **env: str) -> Workspace:
    return Workspace(
        find_repo(git.root), Caller(OPERATOR, {"TZ": "UTC", **env}, NOW, Path("/home/olga"))
    )


def test_an_index_is_built_and_then_only_brought_up_to_date(ws: Git) -> None:
    heard: list[tuple[int, int]] = []
    with opened(at(ws)) as index:
        built = index.refresh(lambda done, todo: heard.append((done, todo)))
    assert (built.files, built.items, built.changed, built.behind) == (3, 4, 3, 0)
    assert built.indexed_at == ws.head()
    assert heard[-1] == (3, 3)
    ws.write("MEMORY.md", "- One.\n- Two.\n")
    with opened(at(ws)) as index:
        assert index.refresh().changed == 1
        assert index.refresh(anew=True).changed == 3


def test_status_tells_how_the_index_stands(ws: Git) -> None:
    assert status(at(ws), everything=True).index == index_state(at(ws)) == IndexState()
    with opened(at(ws)) as index:
        index.refresh()
    # Its files were written just now: they will be looked at again, and are not behind.
    fresh = status(at(ws), everything=True).index
    assert fresh
    assert (fresh.behind, fresh.state) == (0, "4 items in 3 files")
    for file in ws.root.rglob("*.md"):
        file.touch()
    ws.write("memory/new.md", "- x\n")
    seen = status(at(ws), everything=True).index
    assert seen
    assert (seen.files, seen.items, seen.behind >= 1, seen.indexed_at) == (3, 4, True, ws.head())
    assert seen.state.startswith("4 items in 3 files, ")
    assert seen.state.endswith(" behind; the next search indexes them")
    assert seen.bytes > 4096
