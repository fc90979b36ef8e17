import os

import pytest

from clawgit.git.cgit import CGit
from clawgit.search.index.index import Index
from clawgit.search.index.live import of_commit
from clawgit.workspace.discover import Reach
from tests.conftest import Git
from tests.search.index.conftest import found


@pytest.fixture
def lived(ws: Git) -> tuple[Git, str, str]:
    """A workspace and two of its commits, before and after billing moved."""
    old = ws.head()
    ws.write("MEMORY.md", "# Memory\n\n\n- Billing uses MariaDB. #decision\n")
    ws.write("notes/extra.md", "- Extra.\n")
    (ws.root / "memory/2026-02-13.md").unlink()
    new = ws.commit_all("billing moved")
    ws.write("MEMORY.md", "- Not committed.\n")
    return ws, old, new


def past(git: Git, commit: str, *extra: str) -> Index:
    return of_commit(CGit(git.root, os.environ), commit, Reach(git.root, extra))


def test_a_commit_is_searched_as_its_files_were(lived: tuple[Git, str, str]) -> None:
    git, old, new = lived
    with past(git, old) as index:
        assert found(index, "billing") == [("MEMORY.md", 3, "Billing uses PostgreSQL. #decision")]
        assert len(found(index, "ana")) == 1
        assert (index.searched, index.count, index.commit) == (3, 4, old)
    with past(git, new, "notes") as index:
        assert found(index, "billing") == [("MEMORY.md", 4, "Billing uses MariaDB. #decision")]
        assert found(index, "ana", "committed") == []
        assert len(found(index, "extra")) == 1
