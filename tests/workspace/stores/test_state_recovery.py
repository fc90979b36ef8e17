"""What was acknowledged comes back from the log, whatever happened to state.db."""

import errno
import os
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.search.stores import access
from clawgit.talk.rules.chat import told
from clawgit.talk.stores import queue
from clawgit.talk.stores.chat import MessageQuery
from clawgit.talk.stores.chat.sqlite import SqliteChat
from clawgit.workspace.stores import runs
from clawgit.workspace.stores.state import (
    State,
    StateMendedError,
    bring_state,
    mend_state,
    open_state,
    recoveries,
    state_faults,
)
from clawgit.workspace.stores.state_log import StateLog, _line, append, lines, log_of
from tests import ready
from tests.conftest import NOW
from tests.workspace.stores.test_state import acknowledge, acknowledged

DAYS = 3
Damage = Callable[[Path], object]


def zero(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def flip(path: Path, seed: int = 7) -> None:
    """A byte in every 97, from the first page to the last."""
    data = bytearray(path.read_bytes())
    for at in range(seed, len(data), 97):
        data[at] ^= 0x5A
    path.write_bytes(data)


def lose_a_page(path: Path, page: int = 3) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: 4096 * (page - 1)] + b"\xa5" * 4096 + data[4096 * page :])


def become_a_dangling_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


DAMAGES: list[Damage] = [zero, flip, lose_a_page, become_a_dangling_link, Path.unlink]  # fmt: skip


def live_for_some_days(path: Path, log: StateLog) -> None:
    """Messages, calls, runs, hits and marks; each day's first write is followed by the copy, the
    rest is not."""
    for day in range(DAYS):
        now = NOW + timedelta(days=day)
        for number in range(3):
            with open_state(path, log, now) as state:
                a_bit_of_everything(state, f"{day}.{number}")


def a_bit_of_everything(state: State, name: str) -> None:
    chat = SqliteChat(state)
    chat.take([told("main", "user", f"Message {name}: grüße 犬 " + "long " * 200, NOW, name)])
    chat.set_mark("read", name)
    with state.write() as db:
        queue.put(db, "memory-miner", {"text": name}, 1, NOW)
        queue.put(db, "done", {"text": name}, 1, NOW)
    claim = queue.claim(state, "done", NOW)
    assert claim is not None
    queue.done(state, claim)
    runs.begin(state, "digest", f"r{name}", NOW)
    runs.finish(state, f"r{name}", NOW, marks={"heard": name})
    hit = {"path": "MEMORY.md", "entryId": name, "snippet": name}
    access.record(state, [access.Showing("a question", name, [hit])], NOW)
    state.acknowledge(name)


def everything(state: State) -> dict[str, list[tuple[object, ...]]]:
    tables = [name for name in state.counts() if not name.startswith("chat_words")]
    rows = {name: sorted(state.query(f'SELECT * FROM "{name}"')) for name in tables}  # noqa: S608
    # Not how much of the log is in the database, nor that it was made again.
    marks = [row for row in rows["chat_mark"] if row[0] == "read"]
    return {**rows, "chat_mark": marks}


def marks(state: State) -> dict[str, str]:
    return dict(state.query("SELECT name, value FROM chat_mark WHERE name GLOB '[^lr]*'"))


def say(state: State, text: str) -> None:
    SqliteChat(state).take([told("main", "user", text, NOW, text)])


def hear(path: Path, log: StateLog, *texts: str) -> list[str]:
    """Each message is taken by a command of its own; gives what the last one had to note."""
    for text in texts:
        with open_state(path, log, NOW) as state:
            say(state, text)
    return state.notes


def said(path: Path, log: StateLog) -> list[str]:
    with open_state(path, log, NOW) as state:
        return [message.text for message in SqliteChat(state).find(MessageQuery())]


def held(path: Path, log: StateLog) -> dict[str, list[tuple[object, ...]]]:
    with open_state(path, log, NOW) as state:
        return everything(state)


@pytest.mark.parametrize("damage", DAMAGES)
def test_all_that_was_acknowledged_comes_back(path: Path, log: StateLog, damage: Damage) -> None:
    live_for_some_days(path, log)
    before = held(path, log)
    damage(path)
    notes = mend_state(path, log, NOW)
    assert held(path, log) == before
    with open_state(path, log, NOW) as state:
        chat = SqliteChat(state)
        assert (chat.count(), len(chat.find(MessageQuery("grüße")))) == (9, 9)
        assert state_faults(path) == []
        assert [kept.message for kept in recoveries(state)] == notes
    assert all(note.endswith("from its log, which is whole.") for note in notes)


def test_what_was_deleted_stays_deleted(path: Path, log: StateLog) -> None:
    with open_state(path, log, NOW) as state:
        chat = SqliteChat(state)
        for day in range(3):
            chat.take([told("main", "user", f"day {day}", NOW + timedelta(days=day), str(day))])
        chat.drop_before(NOW + timedelta(days=1))
    flip(path)
    mend_state(path, log, NOW)
    assert said(path, log) == ["day 1", "day 2"]


def test_a_write_that_was_taken_back_is_in_no_log(path: Path, log: StateLog) -> None:
    with open_state(path, log, NOW) as state:
        chat = SqliteChat(state)
        with chat.rehearsal():
            chat.take([told("main", "user", "only tried", NOW, "1")])
        say(state, "meant")
    texts = [
        row[rows["columns"].index("text")]
        for entry in lines(log.file)
        for rows in [(entry or {}).get("chat_message", {"put": []})]
        for row in rows["put"]
    ]
    assert texts == ["meant"]


def test_a_torn_line_costs_that_line_and_is_told(path: Path, log: StateLog) -> None:
    hear(path, log, "message 0", "message 1", "message 2", "message 3")
    log.file.write_bytes(log.file.read_bytes().replace(b"message 2", b"message X"))
    path.unlink()
    with open_state(path, log, NOW) as state:
        assert "may be missing" in state.notes[0]
    assert said(path, log) == ["message 0", "message 1", "message 3"]


def test_rows_of_a_table_that_is_no_more_are_passed_over(path: Path, log: StateLog) -> None:
    hear(path, log, "message 0")
    rows = {"key": "client", "columns": ["client", "head"], "put": [["page", "abc"]], "gone": []}
    append(log, _line({"client_seen": rows}))
    hear(path, log, "message 1")
    path.unlink()
    assert said(path, log) == ["message 0", "message 1"]


def test_a_log_that_could_not_be_written_begins_anew(path: Path, log: StateLog) -> None:
    assert hear(path, log, "message 0") == []
    log.folder.rename(log.folder.with_name("elsewhere"))
    log.folder.write_text("in the way")
    notes = hear(path, log, "message 1")
    assert [note.split(" in ")[0] for note in notes] == ["The log of state.db"]
    log.folder.unlink()
    log.folder.with_name("elsewhere").rename(log.folder)
    assert hear(path, log, "message 2") == []
    zero(path)
    with open_state(path, log, NOW) as state:
        assert SqliteChat(state).count() == 3
        assert state.notes[0].endswith("from its log, which is whole.")


def test_a_text_that_is_not_utf8_any_more_is_damage(path: Path, log: StateLog) -> None:
    hear(path, log, "Grüße an Ana")
    data = path.read_bytes()
    assert "Grüße an Ana".encode() in data
    path.write_bytes(data.replace("Grüße an Ana".encode(), b"Gr\xff\xfe\xfd\xfce an Ana"))
    assert said(path, log) == ["Grüße an Ana"]


def test_only_its_owner_reads_what_was_said_whatever_the_umask(path: Path, log: StateLog) -> None:
    path.parent.mkdir(parents=True)
    log.folder.mkdir(parents=True)
    before = os.umask(0)
    try:
        live_for_some_days(path, log)
        zero(path)
        with open_state(path, log, NOW) as state:
            state.acknowledge("kkmmppqq")
            files = [file for folder in (path.parent, log.folder) for file in folder.glob("state*")]
            rights = {file.name: file.stat().st_mode & 0o777 for file in files}
    finally:
        os.umask(before)
    for no_words in ("state.lock", "state.json"):
        rights.pop(no_words, None)
    assert {"state.db", "state.db-wal", "state.db-shm", "state.jsonl"} < {*rights}
    assert {*rights.values()} == {0o600}


STEP = st.tuples(st.integers(0, 3), st.integers(0, 5), st.booleans())


@settings(max_examples=6)
@given(st.lists(STEP, min_size=1, max_size=12))
def test_the_log_is_the_state_whatever_was_done(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, int, bool]]
) -> None:
    root = tmp_path_factory.mktemp("state")
    path, log, day = root / "ws/state.db", log_of(root / "home", root / "ws"), 0
    expected: dict[str, str] = {}
    for number, (what, name, loses) in enumerate(steps):
        day += what == 3
        with open_state(path, log, NOW + timedelta(days=day)) as state:
            value = None if what == 0 else f"value {number}"
            SqliteChat(state).set_mark(f"m{name}", value)
        expected.pop(f"m{name}", None)
        if value is not None:
            expected[f"m{name}"] = value
        if loses:
            zero(path)
    with open_state(path, log, NOW + timedelta(days=day)) as state:
        assert marks(state) == expected


KILLED = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from clawgit.talk.rules.chat import told
from clawgit.workspace.stores import state
from clawgit.workspace.stores import state_log
from clawgit.talk.stores.chat.sqlite import SqliteChat
path, folder, name = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
now = datetime(2026, 2, 14, tzinfo=UTC)
real = getattr(state_log, name)
def dying(*args):
    if name == "append":
        real(*args)
    os.kill(os.getpid(), 9)
with state.open_state(path, state_log.StateLog(folder, path), now) as opened:
    SqliteChat(opened).take([told("main", "user", "acknowledged", now, "1")])
    setattr(state_log, name, dying)
    if name != "append":
        state._ROOM = -10**9
    SqliteChat(opened).take([told("main", "user", "cut off", now, "2")])
"""


@pytest.mark.parametrize(
    ("step", "left"),
    [
        ("append", ["acknowledged", "cut off"]),
        ("put_in_place", ["acknowledged"]),
        ("clear_the_way", ["acknowledged"]),
        ("sync", ["acknowledged"]),
    ],
)
@pytest.mark.parametrize("is_lost", [False, True])
def test_a_kill_at_any_step_loses_nothing(
    path: Path, log: StateLog, step: str, left: list[str], *, is_lost: bool
) -> None:
    argv = [ready.python(), "-c", KILLED, str(path), str(log.folder), step]
    assert subprocess.run(argv, check=False).returncode == -9
    if is_lost:
        path.unlink()
    assert said(path, log) == left
    with open_state(path, log, NOW) as state:
        say(state, "later")
        assert len(SqliteChat(state).find(MessageQuery("later"))) == 1
    path.unlink()
    assert said(path, log) == [*left, "later"]


def lose_the_second(path: Path, log: StateLog) -> None:
    """A power cut takes from the database what it had taken last."""
    hear(path, log, "first")
    before = path.read_bytes()
    hear(path, log, "second")
    path.write_bytes(before)


@pytest.mark.parametrize("home_is_a_copy", [False, True])
def test_what_a_power_cut_took_from_the_database_is_in_the_log(
    path: Path, log: StateLog, *, home_is_a_copy: bool
) -> None:
    """The log is known by its name, not by its inode."""
    lose_the_second(path, log)
    if home_is_a_copy:
        copy = log.file.with_name("copy")
        copy.write_bytes(log.file.read_bytes())
        copy.replace(log.file)
    assert said(path, log) == ["first", "second"]


def test_a_database_goes_on_alone_where_its_log_cannot_be_written(
    path: Path, log: StateLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_state(path, log, NOW) as state:
        state.acknowledge("kkmmppqq")
        with monkeypatch.context() as full:
            full.setattr("clawgit.workspace.stores.state_log.append", _full)
            state.acknowledge("llnnrrss")
    acknowledge(path, log, "zzzzzzzz")
    path.unlink()
    assert acknowledged(path, log) == ["kkmmppqq", "llnnrrss", "zzzzzzzz"]


def _full(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


class Crowded:
    """A database whose disk is full when it commits."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if sql == "COMMIT":
            raise sqlite3.OperationalError("database or disk is full")
        return self.db.execute(sql, *values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.db, name)

    def __enter__(self) -> None:
        self.db.__enter__()

    def __exit__(self, *error: object) -> None:
        self.db.__exit__(*error)  # type: ignore[arg-type]


def test_what_the_log_took_before_the_disk_was_full_is_said_once(
    path: Path, log: StateLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_state(path, log, NOW) as state:
        say(state, "first")
        with monkeypatch.context() as full:
            full.setattr(state, "_db", Crowded(state._db))
            say(state, "second")
        assert "behind its log" in state.notes[-1]
        say(state, "third")
    assert said(path, log) == ["first", "second", "third"]


def test_a_damaged_database_never_replaces_a_good_log(
    path: Path, log: StateLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    acknowledge(path, log, "kkmmppqq")
    with closing(sqlite3.connect(path)) as raw:
        [(page,)] = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = 'job_run'")
    lose_a_page(path, page)
    monkeypatch.setattr("clawgit.workspace.stores.state._ROOM", -(10**9))
    with open_state(path, log, NOW) as state:
        with pytest.raises(StateMendedError, match="has been repaired") as caught:
            state.acknowledge("zzzzzzzz")
        assert caught.value.hint.startswith("Run the same command again.")
        state.acknowledge("zzzzzzzz")
        assert sorted(state.acknowledged()) == ["kkmmppqq", "zzzzzzzz"]


def test_a_log_that_has_grown_begins_with_what_is_left(
    path: Path, log: StateLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgit.workspace.stores.state._ROOM", -400_000)
    for number in range(50):
        with open_state(path, log, NOW) as state:
            SqliteChat(state).set_mark("read", str(number))
            SqliteChat(state).take([told("main", "user", "one", NOW, str(number))])
            SqliteChat(state).drop_before(NOW + timedelta(days=1))
    assert log.stand().size < 400_000
    path.unlink()
    with open_state(path, log, NOW) as state:
        SqliteChat(state).take([told("main", "user", "last", NOW, "x")])
        [(number, _)] = SqliteChat(state).arrived(0, 10)
        assert (SqliteChat(state).mark("read"), number) == ("49", 51)


def test_a_database_from_elsewhere_gets_a_log_of_its_own(path: Path, log: StateLog) -> None:
    with open_state(path, log, NOW) as state:
        SqliteChat(state).set_mark("whose", "ours")
        state.copy_to(path.with_name("copy.db"))
    log.file.rename(log.file.with_name("another"))
    log.file.write_bytes(log.file.with_name("another").read_bytes() * 2)
    bring_state(path.with_name("copy.db"), path)
    with open_state(path, log, NOW) as state:
        SqliteChat(state).set_mark("new", "1")
    path.unlink()
    with open_state(path, log, NOW) as state:
        assert marks(state) == {"whose": "ours", "new": "1"}


class Killed(BaseException):
    """Ends the work at some step, as a kill does."""


def killed(*_: object) -> None:
    raise Killed


def test_a_power_cut_after_the_log_began_anew_loses_nothing(
    path: Path, log: StateLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the database only that is left for which SQLite waited."""
    names, run = [path, path.with_name("state.db-wal")], list[str]()
    with open_state(path, log, NOW) as state:
        state._db.set_trace_callback(run.append)
        on_disk = [name.read_bytes() for name in names]
        for number in range(5):
            monkeypatch.setattr(
                "clawgit.workspace.stores.state._ROOM", -(10**9) if number == 3 else 1 << 22
            )
            run.clear()
            say(state, str(number))
            if "PRAGMA synchronous = FULL" in run:
                on_disk = [name.read_bytes() for name in names]
    for name, data in zip(names, on_disk, strict=True):
        name.write_bytes(data)

    assert said(path, log) == ["0", "1", "2", "3", "4"]


def test_a_kill_while_the_log_begins_anew_after_a_power_cut_loses_nothing(
    path: Path, log: StateLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_the_second(path, log)
    with monkeypatch.context() as patch:
        patch.setattr("clawgit.workspace.stores.state_log.sync", killed)
        with pytest.raises(Killed), open_state(path, log, NOW):
            pass
    assert said(path, log) == ["first", "second"]


def test_each_folder_that_is_made_for_the_log_is_on_the_disk_by_its_name(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Path] = []
    monkeypatch.setattr("clawgit.workspace.stores.state_log.sync", synced.append)
    log = log_of(tmp_path / "a/b", path)
    with open_state(path, log, NOW) as state:
        say(state, "0")
    assert {log.folder, log.folder.parent, tmp_path / "a/b", tmp_path / "a", tmp_path} <= {*synced}
