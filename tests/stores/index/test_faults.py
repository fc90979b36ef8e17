import shutil
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from clawgit.stores.index import opening
from clawgit.stores.index.discover import Reach, discover
from clawgit.stores.index.searching import open_index, peek
from clawgit.stores.index.shelf import Chunking
from tests import ready
from tests.conftest import Git
from tests.stores.index.conftest import Opener, everything, found, place_of


def files(git: Git) -> opening.IndexFiles:
    return opening.files_of(place_of(git))


@pytest.fixture
def built(ws: Git, opened: Opener) -> Git:
    """A workspace with an index at rest."""
    ws.write("memory/more.md", "".join(f"- note {number} of many\n" for number in range(300)))
    opened(ws).close()
    return ws


def as_it_should_be(git: Git, opened: Opener) -> list[tuple[object, ...]]:
    shutil.rmtree(place_of(git).shared)
    return everything(opened(git))


@pytest.mark.parametrize("name", ["live.db", "index.db"])
@pytest.mark.parametrize(
    "fault", ["gone", "empty", "garbage", "header", "half", "pages", "tail", "schema"]
)
def test_whatever_becomes_of_a_file_no_word_is_lost(
    built: Git, opened: Opener, name: str, fault: str
) -> None:
    file = place_of(built).shared / name
    data = file.read_bytes()
    file.write_bytes(
        {
            "gone": b"",
            "empty": b"",
            "garbage": b"not a database" * 1000,
            "header": data[:100],
            "half": data[: len(data) // 2],
            "pages": data[:4096] + b"\xff" * (len(data) - 4096),
            "tail": data[:-5000] + b"\0" * 5000,
            "schema": data.replace(b"CREATE TABLE", b"CREATE TA\xa5LE"),
        }[fault]
    )
    if fault == "gone":
        file.unlink()
    built.write("memory/new.md", "- Something new.\n")
    index = opened(built, fresh=False)
    assert index.refresh().behind == 0
    answered = index.asked(
        lambda one: (len(one.postings("note")), len(one.postings("new")), len(one.postings("ana")))
    )
    assert answered == (300, 1, 1)
    shown = index.asked(lambda _: everything(index))
    index.close()
    assert shown == as_it_should_be(built, opened)


def test_the_tables_of_others_in_the_shared_file_stay(built: Git, opened: Opener) -> None:
    with closing(sqlite3.connect(files(built).shared)) as db:
        db.execute("CREATE TABLE path_stamp (stamp)")
    opened(built).rebuild()
    with closing(sqlite3.connect(files(built).shared)) as db:
        assert db.execute("SELECT count(*) FROM path_stamp").fetchone() == (0,)


def test_while_another_writes_the_answer_comes_from_what_is_there(
    built: Git, opened: Opener
) -> None:
    index = opened(built, patience=0)
    for name in ("live", "shared"):
        with closing(sqlite3.connect(getattr(files(built), name), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            built.write("MEMORY.md", f"- Said while {name} was locked.\n")
            built.write("memory/2026-02-13.md", f"- Said while {name} was locked, too.\n")
            told = index.refresh()
            assert (told.behind >= 2, told.changed, told.note) == (
                True,
                0,
                "another process is indexing",
            )
            assert len(index.postings("note")) == 300
            assert peek(place_of(built), discover(Reach(built.root)), Chunking()) is not None
        assert (index.refresh().behind, len(index.postings(name))) == (0, 2)


def test_where_nothing_can_be_written_the_answer_is_made_in_memory(ws: Git, opened: Opener) -> None:
    shown = everything(opened(ws))
    for blocked in ("live.db", "index.db"):
        shutil.rmtree(place_of(ws).shared)
        (place_of(ws).shared / blocked / "inside").mkdir(parents=True)
        index = opened(ws, fresh=False)
        told = index.refresh()
        # What is in the way is kept beside it: nobody knows whose it is.
        assert (told.behind, (place_of(ws).shared / f"{blocked}.folder-0" / "inside").is_dir()) == (
            0,
            True,
        )
        assert everything(index) == shown
    shutil.rmtree(place_of(ws).shared)
    place_of(ws).shared.write_text("a file where a folder should be")
    assert everything(opened(ws)) == shown


CHILD = """
import os, signal, sys
from pathlib import Path
from clawgit.stores.git.gitdir import repo_at
from clawgit.stores.index.discover import Reach
from clawgit.stores.index.searching import open_index
root, verb, fatal = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
index = open_index(repo_at(root), Reach(root), patience=30)
print("ready", flush=True)
sys.stdin.readline()
getattr(index, verb)(lambda done, todo: os.kill(os.getpid(), signal.SIGKILL) if fatal == "kill" else None)
print(index.count, flush=True)
index.close()
"""


def child(git: Git, verb: str, fatal: str = "") -> "subprocess.Popen[str]":
    argv = [ready.python(), "-c", CHILD, str(git.root), verb, fatal]
    return subprocess.Popen(
        argv,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    )


def test_two_indexers_at_once_make_one_index(ws: Git, opened: Opener) -> None:
    for number in range(40):
        ws.write(f"memory/{number}.md", "".join(f"- note {at} of {number}\n" for at in range(20)))
    children = [child(ws, verb) for verb in ("refresh", "refresh", "rebuild")]
    for one in children:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    ended = [one.communicate("\n", timeout=60) for one in children]
    assert [(one.returncode, said) for one, (said, _) in zip(children, ended, strict=True)] == [
        (0, "804\n")
    ] * 3
    index = opened(ws)
    assert (len(index.postings("note")), index.count) == (800, 804)
    shown = everything(index)
    index.close()
    assert shown == as_it_should_be(ws, opened)


@pytest.mark.parametrize("verb", ["refresh", "rebuild"])
def test_an_indexer_that_is_killed_half_way_leaves_what_others_can_go_on_with(
    built: Git, opened: Opener, verb: str
) -> None:
    built.write("memory/a-long-one.md", f"- {'word ' * 8_000}\n" * 110)
    built.write("memory/later.md", "- Later.\n")
    with child(built, verb, "kill") as one:
        one.communicate("\n", timeout=60)
    assert one.returncode == -signal.SIGKILL
    half = opened(built, fresh=False)
    half._pin()
    assert len(half.postings("note")) == 300
    half.close()
    index = opened(built)
    assert found(index, "later") == [("memory/later.md", 1, "Later.")]
    shown = everything(index)
    index.close()
    assert shown == as_it_should_be(built, opened)


@pytest.mark.slow
def test_a_hundred_thousand_small_files(git: Git, opened: Opener) -> None:
    for folder in range(100):
        (git.root / f"memory/{folder}").mkdir(parents=True)
        for number in range(1000):
            (git.root / f"memory/{folder}/{number}.md").write_text(f"- note {folder}x{number}\n")
    index = opened(git)
    assert (index.count, len(index.postings("99x999"))) == (100_000, 1)
    shutil.rmtree(git.root / "memory/7")
    assert (index.refresh().changed, index.count) == (1_000, 99_000)


def test_a_deep_and_broken_workspace_is_walked(git: Git) -> None:
    folder = git.root / "memory" / "/".join("abcdefgh" * 8)
    folder.mkdir(parents=True)
    (folder / "x.md").write_text("- deep\n")
    (git.root / "memory/dangling.md").symlink_to("nowhere")
    with open_index(place_of(git), Reach(git.root)) as index:
        assert index.refresh()[:4] == (1, 1, 1, 0)
