import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from clawgit.stores.git.cgit import CGit
from clawgit.stores.index.discover import Reach
from clawgit.stores.index.past import PastIndex, open_past
from clawgit.stores.index.shelf import Chunking
from tests.conftest import Git
from tests.stores.index.conftest import Opener, found, place_of


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


def past(git: Git, commit: str, *extra: str, chunking: Chunking | None = None) -> PastIndex:
    scope = Reach(git.root, extra)
    return open_past(
        place_of(git), CGit(git.root, os.environ), commit, scope, chunking or Chunking()
    )


def test_a_commit_is_searched_as_its_files_were(lived: tuple[Git, str, str]) -> None:
    git, old, new = lived
    with past(git, old) as index:
        assert found(index, "billing") == [("MEMORY.md", 3, "Billing uses PostgreSQL. #decision")]
        assert len(index.postings("ana")) == 1
        assert index.refresh()[:5] == (3, 4, 0, 0, old)
    with past(git, new, "notes") as index:
        assert found(index, "billing") == [("MEMORY.md", 4, "Billing uses MariaDB. #decision")]
        assert (
            index.postings("ana"),
            index.postings("committed"),
            len(index.postings("extra")),
        ) == ([], [], 1)


def test_the_live_index_and_a_past_one_know_the_same_texts(
    lived: tuple[Git, str, str], opened: Opener
) -> None:
    git, old, _ = lived
    git("checkout", "-q", "-f", old)
    here = opened(git)
    with past(git, old) as then:
        assert here.generation == then.generation
        assert (
            here.rows(here.postings("ana"))[0].text_id == then.rows(then.postings("ana"))[0].text_id
        )
        here.rebuild()
    with past(git, old) as then:
        assert here.generation == then.generation
        assert found(then, "ana") == found(here, "ana")


def test_what_was_made_once_is_kept_and_the_oldest_goes(lived: tuple[Git, str, str]) -> None:
    git, old, new = lived
    folder = place_of(git).shared / "past"
    past(git, old).close()
    (file,) = folder.glob("*.db")
    made = file.stat().st_ino
    past(git, old).close()
    assert [one.stat().st_ino for one in folder.glob("*.db")] == [made]
    for tokens in range(20, 30):
        past(git, new, chunking=Chunking(tokens, 5)).close()
    assert (len(list(folder.glob("*.db"))), file.exists()) == (8, False)


@pytest.mark.parametrize("fault", ["garbage", "schema"])
def test_a_broken_one_is_made_again(lived: tuple[Git, str, str], fault: str) -> None:
    git, old, _ = lived
    past(git, old).close()
    (file,) = (place_of(git).shared / "past").glob("*.db")
    data = b"not a database" * 1000
    if fault == "schema":
        data = file.read_bytes().replace(b"CREATE TABLE", b"CREATE TA\xa5LE")
    file.write_bytes(data)
    for _ in range(2):
        with past(git, old) as index:
            assert len(found(index, "ana")) == 1
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("SELECT count(*) FROM live_files").fetchone() == (3,)


def test_where_nothing_can_be_written_it_is_made_in_memory(lived: tuple[Git, str, str]) -> None:
    git, old, _ = lived
    shared = place_of(git).shared
    shutil.rmtree(shared, ignore_errors=True)
    Path(shared).write_text("a file where a folder should be")
    with past(git, old) as index:
        assert len(found(index, "ana")) == 1
