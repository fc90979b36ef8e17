"""What was acknowledged comes back, whatever happened to state.db: from its copy, its journals and
itself."""

import os
import sqlite3
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.domain.conversation.chat import told
from clawgit.stores import access, queue, runs
from clawgit.stores.chat.protocol import MessageQuery
from clawgit.stores.chat.sqlite import SqliteChat
from clawgit.stores.state import State, mend_state, open_state, state_faults
from clawgit.stores.state_copies import Copies, copies_of
from clawgit.stores.state_journal import gap_of, journals, read
from clawgit.stores.state_recovery import recoveries
from tests.conftest import NOW

DAYS = 3
Damage = Callable[[Path], object]


def zero(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def halve(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def empty(path: Path) -> None:
    os.truncate(path, 0)


def flip(path: Path, seed: int = 7) -> None:
    """A byte in every 97, from the first page to the last."""
    data = bytearray(path.read_bytes())
    for at in range(seed, len(data), 97):
        data[at] ^= 0x5A
    path.write_bytes(data)


def lose_first_page(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(bytes(4096))


def lose_a_page(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: 4096 * 2] + b"\xa5" * 4096 + data[4096 * 3 :])


def become_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "note.txt").write_text("somebody's")


def become_a_dangling_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def shut(path: Path) -> None:
    path.chmod(0)


DAMAGES: list[Damage] = [
    zero, halve, empty, flip, lose_first_page, lose_a_page, become_a_folder, become_a_dangling_link,
        Path.unlink, shut,
]  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ws/.git/clawgit/state.db"


@pytest.fixture
def copies(tmp_path: Path) -> Copies:
    return copies_of(tmp_path / "state home", tmp_path / "ws")


def live_for_some_days(path: Path, copies: Copies) -> None:
    """Messages, calls, runs, hits and marks; each day's first write is followed by the copy, the
    rest is not."""
    for day in range(DAYS):
        now = NOW + timedelta(days=day)
        for number in range(3):
            with open_state(path, copies, now) as state:
                a_bit_of_everything(state, f"{day}.{number}")


def a_bit_of_everything(state: State, name: str) -> None:
    chat = SqliteChat(state)
    chat.put([told("main", "user", f"Message {name}: grüße 犬 " + "long " * 200, NOW, name)])
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
    return {name: sorted(state.query(f'SELECT * FROM "{name}"')) for name in tables}  # noqa: S608


def held(path: Path, copies: Copies) -> dict[str, list[tuple[object, ...]]]:
    with open_state(path, copies, NOW) as state:
        return everything(state)


@pytest.mark.parametrize("damage", DAMAGES)
def test_all_that_was_acknowledged_comes_back(path: Path, copies: Copies, damage: Damage) -> None:
    live_for_some_days(path, copies)
    before = held(path, copies)
    damage(path)

    notes = mend_state(path, copies, NOW)

    assert held(path, copies) == before
    with open_state(path, copies, NOW) as state:
        chat = SqliteChat(state)
        assert (chat.count(), len(chat.find(MessageQuery("grüße")))) == (9, 9)
        assert state_faults(path) == []
    assert all(note.endswith("Nothing that was acknowledged is missing.") for note in notes)
    assert [kept.message for kept in recoveries(path)] == notes


def lose_page_of(path: Path, table: str) -> None:
    with sqlite3.connect(path) as raw:
        [(page,)] = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,))
    raw.close()
    data = path.read_bytes()
    path.write_bytes(data[: (page - 1) * 4096] + b"\xa5" * 4096 + data[page * 4096 :])


def test_the_broken_file_fills_in_what_copy_and_journal_lack_and_nothing_twice(
    path: Path, copies: Copies
) -> None:
    with open_state(path, copies, NOW) as state:
        SqliteChat(state).put([told("main", "user", "in the copy", NOW, "1")])
    with open_state(path, copies, NOW) as state:
        SqliteChat(state).put([told("main", "user", "after the copy", NOW, "2")])
    for file in journals(copies.folder):
        file.unlink()
    lose_page_of(path, "job_run")

    [note] = mend_state(path, copies, NOW)

    with open_state(path, copies, NOW) as state:
        assert [message.text for message in SqliteChat(state).find(MessageQuery())] == [
            "in the copy",
            "after the copy",
        ]
    assert "Recovered: 2 messages and 0 other rows." in note
    assert f"Messages that came in after {recoveries(path)[0].copied} may be missing." in note


def test_what_was_deleted_stays_deleted(path: Path, copies: Copies) -> None:
    with open_state(path, copies, NOW) as state:
        chat = SqliteChat(state)
        for day in range(3):
            chat.put([told("main", "user", f"day {day}", NOW + timedelta(days=day), str(day))])
        chat.drop_before(NOW + timedelta(days=1))
    flip(path)

    mend_state(path, copies, NOW)

    with open_state(path, copies, NOW) as state:
        assert [message.text for message in SqliteChat(state).find(MessageQuery())] == [
            "day 1",
            "day 2",
        ]


def test_a_write_that_was_taken_back_is_in_no_journal(path: Path, copies: Copies) -> None:
    with open_state(path, copies, NOW) as state:
        chat = SqliteChat(state)
        with chat.rehearsal():
            chat.put([told("main", "user", "only tried", NOW, "1")])
        chat.put([told("main", "user", "meant", NOW, "2")])

    texts = [
        row["text"]
        for entry in read(copies.folder).entries
        for row in entry.rows["chat_message"].values()
        if row
    ]
    assert texts == ["meant"]


def test_a_torn_line_costs_that_line_and_is_told(path: Path, copies: Copies) -> None:
    for number in range(4):
        with open_state(path, copies, NOW) as state:
            SqliteChat(state).put([told("main", "user", f"message {number}", NOW, str(number))])
    journal = journals(copies.folder)[-1]
    journal.write_bytes(journal.read_bytes().replace(b"message 2", b"message X"))
    path.unlink()

    with open_state(path, copies, NOW) as state:
        texts = [message.text for message in SqliteChat(state).find(MessageQuery())]
        assert (texts, "may be missing" in state.notes[0]) == (
            ["message 0", "message 1", "message 3"],
            True,
        )


def test_a_journal_that_cannot_be_written_is_followed_by_a_copy_as_soon_as_one_can_be(
    path: Path, copies: Copies
) -> None:
    def take(number: int) -> list[str]:
        with open_state(path, copies, NOW) as state:
            SqliteChat(state).put([told("main", "user", f"message {number}", NOW, str(number))])
        return state.notes

    assert take(0) == []
    copies.folder.rename(copies.folder.with_name("elsewhere"))
    copies.folder.write_text("in the way")
    assert [note.split(" in ")[0] for note in take(1)] == [
        "The journal of state.db",
        "The daily copy of state.db",
    ]
    assert gap_of(path).exists()
    copies.folder.unlink()
    copies.folder.with_name("elsewhere").rename(copies.folder)
    assert take(2) == []
    assert not gap_of(path).exists()
    zero(path)

    with open_state(path, copies, NOW) as state:
        assert SqliteChat(state).count() == 3
        assert state.notes[0].endswith("Nothing that was acknowledged is missing.")


def test_a_text_that_is_not_utf8_any_more_is_damage(path: Path, copies: Copies) -> None:
    with open_state(path, copies, NOW) as state:
        SqliteChat(state).put([told("main", "user", "Grüße an Ana", NOW, "1")])
    data = path.read_bytes()
    assert data.count("Grüße an Ana".encode()) == 1
    path.write_bytes(data.replace("Grüße an Ana".encode(), b"Gr\xff\xfe\xfd\xfce an Ana"))

    with open_state(path, copies, NOW) as state:
        assert [message.text for message in SqliteChat(state).find(MessageQuery())] == [
            "Grüße an Ana"
        ]


def test_damaged_words_are_built_anew(path: Path, copies: Copies) -> None:
    with open_state(path, copies, NOW) as state:
        SqliteChat(state).put([told("main", "user", "Grüße an Ana", NOW, "1")])
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE chat_words_data SET block = x'ffffffffffffffff'")
    raw.close()

    with open_state(path, copies, NOW) as state:
        assert len(SqliteChat(state).find(MessageQuery("ana"))) == 1


@pytest.mark.parametrize("umask", [0, 0o022, 0o277])
def test_only_its_owner_reads_what_was_said_whatever_the_umask(
    path: Path, copies: Copies, umask: int
) -> None:
    path.parent.mkdir(parents=True)
    copies.folder.mkdir(parents=True)
    before = os.umask(umask)
    try:
        live_for_some_days(path, copies)
        zero(path)
        with open_state(path, copies, NOW) as state:
            state.acknowledge("kkmmppqq")
            files = [file for folder in (path.parent, copies.folder) for file in folder.iterdir()]
            rights = {
                file.name: file.stat().st_mode & 0o777
                for file in files
                if file.name.startswith(("state", "jour"))
            }
    finally:
        os.umask(before)
    rights = {
        name: mode for name, mode in rights.items() if name not in ("state.lock", "state.json")
    }
    assert {"state.db", "state.db-wal", "state.db-shm", "state.1.db"} < {*rights}
    assert {*rights.values()} == {0o600}


@settings(max_examples=6)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 5), st.booleans()), min_size=1, max_size=12
    )
)
def test_copy_and_journals_are_the_state_whatever_was_done(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, int, bool]]
) -> None:
    """Puts, changes and deletions in any order, over days, with the file lost in between."""
    root = tmp_path_factory.mktemp("state")
    path, copies, day = root / "ws/state.db", copies_of(root / "home", root / "ws"), 0
    expected: dict[str, str] = {}
    for number, (what, name, loses) in enumerate(steps):
        day += what == 3
        with open_state(path, copies, NOW + timedelta(days=day)) as state:
            value = None if what == 0 else f"value {number}"
            SqliteChat(state).set_mark(f"m{name}", value)
        expected.pop(f"m{name}", None)
        if value is not None:
            expected[f"m{name}"] = value
        if loses:
            zero(path)
    with open_state(path, copies, NOW + timedelta(days=day)) as state:
        assert dict(state.query("SELECT name, value FROM chat_mark")) == expected
