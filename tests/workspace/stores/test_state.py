"""state.db: made, logged, and made again from its log, whatever happens to the file."""

import sqlite3
import subprocess
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from shutil import rmtree

import pytest

from clawgit.core.disk import database
from clawgit.core.errors import BusyError
from clawgit.git.gitdir import find_repo
from clawgit.workspace.stores.state import (
    State,
    mend_state,
    open_state,
    repository_log,
    state_faults,
)
from clawgit.workspace.stores.state_log import FORMAT, StateFormatError, StateLog
from clawgit.workspace.workspace import Workspace
from tests import ready
from tests.conftest import NOW, Git
from tests.making import asker

NEXT_DAY = NOW + timedelta(days=1)


def acknowledge(path: Path, log: StateLog, *alerts: str, now: datetime = NOW) -> list[str]:
    with open_state(path, log, now) as db:
        for alert in alerts:
            db.acknowledge(alert)
    return db.notes


def acknowledged(path: Path, log: StateLog, now: datetime = NOW) -> list[str]:
    with open_state(path, log, now) as db:
        return sorted(db.acknowledged())


def spoil_deep(path: Path) -> None:
    """Leaves the header of a database and its schema whole, and ruins the page of its first
    table."""
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xa5" * 4096 + data[8192:])


def test_what_is_acknowledged_is_remembered_with_its_time(path: Path, log: StateLog) -> None:
    with open_state(path, log, NOW) as db:
        db.acknowledge("kkmmppqq")
    with open_state(path, log, NEXT_DAY) as db:
        db.acknowledge("kkmmppqq")
        assert db.acknowledged() == {"kkmmppqq": NOW}
        assert (db.counts()["acknowledged"], state_faults(path), db.notes) == (1, [], [])
        assert db.query("PRAGMA journal_mode") == [("wal",)]


def test_a_write_that_fails_leaves_nothing(path: Path, log: StateLog) -> None:
    def fail(db: State) -> None:
        with db.write() as connection:
            connection.execute("INSERT INTO acknowledged VALUES ('half', '')")
            raise LookupError

    with open_state(path, log, NOW) as db, pytest.raises(LookupError):
        fail(db)

    assert acknowledged(path, log) == []


WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from clawgit.workspace.stores.state import open_state
from clawgit.workspace.stores.state_log import StateLog
path, folder, name = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
sys.stdin.read()
for number in range(5):
    with open_state(path, StateLog(folder, path), datetime(2026, 2, 14, tzinfo=UTC)) as state:
        state.acknowledge(f"{name}{number}")
"""


def test_processes_that_come_at_once_make_one_database(path: Path, log: StateLog) -> None:
    argv = [ready.python(), "-c", WRITER, str(path), str(log.folder)]
    writers = [
        subprocess.Popen([*argv, name], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        for name in "abcd"
    ]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.close()
        writer.stdin = None
    assert [writer.communicate(timeout=60)[1] for writer in writers] == [b""] * 4
    expected = [f"{name}{number}" for name in "abcd" for number in range(5)]
    assert (acknowledged(path, log), state_faults(path)) == (expected, [])


def test_a_database_of_another_format_is_refused_and_left_alone(path: Path, log: StateLog) -> None:
    acknowledge(path, log, "kkmmppqq")
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(f"PRAGMA user_version = {FORMAT + 1}")
    before = path.read_bytes()
    why = f"format is {FORMAT + 1}, this one knows {FORMAT}"
    with pytest.raises(StateFormatError, match=why) as caught:
        acknowledge(path, log, "zzzzzzzz")
    assert caught.value.hint.endswith("pip install --upgrade clawgit")
    assert path.read_bytes() == before


def test_a_write_goes_to_the_file_that_was_brought_back(path: Path, log: StateLog) -> None:
    acknowledge(path, log, "kkmmppqq")
    with open_state(path, log, NOW) as long_lived:
        long_lived.acknowledge("llnnooqq")
        spoil_deep(path)
        mend_state(path, log, NOW)
        long_lived.acknowledge("zzzzzzzz")
    assert acknowledged(path, log) == ["kkmmppqq", "llnnooqq", "zzzzzzzz"]


def test_a_database_in_use_is_busy_and_not_broken(
    path: Path, log: StateLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    acknowledge(path, log)
    monkeypatch.setattr(database.opened, "__defaults__", (0.01,))
    with (
        open_state(path, log, NOW) as db,
        db.write(),
        pytest.raises(BusyError, match="in use by another process"),
    ):
        acknowledge(path, log, "kkmmppqq")


def living_in(root: Path, home: Path) -> Workspace:
    return Workspace(find_repo(root), asker()._replace(env={}, home=home))


def test_worktrees_share_one_state_and_one_log(ws: Git, tmp_path: Path) -> None:
    ws("worktree", "add", "-q", str(tmp_path / "second"))
    for folder, alert in ((ws.root, "kkmmppqq"), (tmp_path / "second", "zzzzzzzz")):
        with living_in(folder, tmp_path).state(NOW) as db:
            db.acknowledge(alert)
    with living_in(ws.root, tmp_path).state(NOW) as db:
        assert sorted(db.acknowledged()) == ["kkmmppqq", "zzzzzzzz"]
    assert [folder.name[:3] for folder in (tmp_path / ".local/state/clawgit").iterdir()] == ["ws-"]


def test_a_clone_in_the_same_place_gets_its_state_back_and_another_repository_does_not(
    ws: Git, tmp_path: Path
) -> None:
    """What was said in a workspace that was deleted is nothing for the next one of its path."""
    with living_in(ws.root, tmp_path).state(NOW) as db:
        db.acknowledge("kkmmppqq")
    ws("clone", "-q", ".", str(tmp_path / "clone"))
    rmtree(ws.root)
    (tmp_path / "clone").rename(ws.root)
    with living_in(ws.root, tmp_path).state(NEXT_DAY) as db:
        assert (sorted(db.acknowledged()), "made again" in db.notes[0]) == (["kkmmppqq"], True)
        db.acknowledge("llnnooqq")

    rmtree(ws.root / ".git")
    ws("init", "-q")
    ws.commit_all("another beginning")
    with living_in(ws.root, tmp_path).state(NEXT_DAY) as db:
        assert db.acknowledged() == {}
        [note] = db.notes
        db.acknowledge("zzzzzzzz")
    logged = repository_log(
        find_repo(ws.root), living_in(ws.root, tmp_path).caller
    ).file.read_text()
    assert ("zzzzzzzz" in logged, "kkmmppqq" in logged) == (True, False)
    kept = (Path(note.rpartition(" in ")[2][:-1]) / "state.jsonl").read_text()
    assert ("kkmmppqq" in kept, "llnnooqq" in kept) == (True, True)


def test_what_is_purged_is_in_no_file_and_stays_away(path: Path, log: StateLog) -> None:
    acknowledge(path, log, "keep me", "kryzhovnik one")
    acknowledge(path, log, "kryzhovnik two", now=NEXT_DAY)
    with open_state(path, log, NEXT_DAY) as db:
        query = "DELETE FROM acknowledged WHERE alert LIKE 'kryzhovnik%'"
        assert db.purge(lambda rows: rows.execute(query).rowcount) == 2
    folders = (path.parent, log.folder)
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
    assert len(files) > 3
    assert [file for file in files if b"kryzhovnik" in file.read_bytes()] == []
    path.unlink()
    assert acknowledged(path, log, NEXT_DAY) == ["keep me"]
