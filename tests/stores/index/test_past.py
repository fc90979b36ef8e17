import os
import shutil
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from clawgit.config.settings import Settings
from clawgit.stores.git.cgit import CGit
from clawgit.stores.index.discover import Reach
from clawgit.stores.index.past import PastIndex, open_past
from tests.conftest import Git
from tests.stores.index.conftest import Opener, everything, found, place_of


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


def past(git: Git, commit: str, *extra: str) -> PastIndex:
    reach = Reach(git.root, extra)
    index = open_past(place_of(git), CGit(git.root, os.environ), commit, reach)
    index.refresh()
    return index


def test_a_commit_is_searched_as_its_files_were(lived: tuple[Git, str, str]) -> None:
    git, old, new = lived
    with past(git, old) as index:
        assert found(index, "billing") == [("MEMORY.md", 3, "Billing uses PostgreSQL. #decision")]
        assert len(found(index, "ana")) == 1
        assert index.refresh()[:5] == (3, 4, 0, 0, old)
    with past(git, new, "notes") as index:
        assert found(index, "billing") == [("MEMORY.md", 4, "Billing uses MariaDB. #decision")]
        assert found(index, "ana", "committed") == []
        assert len(found(index, "extra")) == 1


def test_the_past_holds_what_an_index_of_that_time_held(
    lived: tuple[Git, str, str], opened: Opener
) -> None:
    git, old, _ = lived
    git("checkout", "-q", "-f", old)
    with past(git, old) as then:
        assert everything(then) == everything(opened(git))


def test_what_has_expired_today_had_not_expired_then(lived: tuple[Git, str, str]) -> None:
    git, *_ = lived
    gone = "- Wrong. <!-- claw:m7k2q9 status=corrected first=2020-01-01 last=2020-01-01 -->\n"
    git.write("memory/2020-01-01.md", gone)
    with past(git, git.commit_all("long ago")) as index:
        _, keys = index.vectors(index.horizon(date(2026, 6, 1), Settings()))
        assert bytes(16) not in [keys[at : at + 16] for at in range(0, len(keys), 16)]


def test_what_was_made_once_is_kept_and_the_oldest_goes(lived: tuple[Git, str, str]) -> None:
    git, old, _ = lived
    folder = place_of(git).shared / "past"
    past(git, old).close()
    (file,) = folder.glob("*.db")
    made = file.stat().st_ino
    past(git, old).close()
    assert [one.stat().st_ino for one in folder.glob("*.db")] == [made]
    for number in range(9):
        git.write("MEMORY.md", f"- Number {number}.\n")
        past(git, git.commit_all(f"{number}")).close()
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
        assert db.execute("SELECT count(*) FROM file").fetchone() == (3,)


def test_where_nothing_can_be_written_it_is_made_in_memory(lived: tuple[Git, str, str]) -> None:
    git, old, _ = lived
    shared = place_of(git).shared
    shutil.rmtree(shared, ignore_errors=True)
    Path(shared).write_text("a file where a folder should be")
    with past(git, old) as index:
        assert len(found(index, "ana")) == 1
