"""Damage, kills and other processes: no word is lost, and none is made up."""

import multiprocessing
import os
import random
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from multiprocessing.context import ForkProcess

import pytest

from clawgit.search.index.live import LiveIndex, as_it_stands, behind, file_of
from clawgit.workspace.discover import Reach
from tests.conftest import Git
from tests.search.index.conftest import Opener, everything, found, place_of


@pytest.fixture
def built(ws: Git, opened: Opener) -> Git:
    """A workspace with an index at rest."""
    ws.write("memory/more.md", "".join(f"- note {number} of many\n" for number in range(300)))
    opened(ws).close()
    return ws


def as_it_should_be(git: Git, opened: Opener) -> list[tuple[object, ...]]:
    shutil.rmtree(place_of(git).shared)
    return everything(opened(git))


FAULTS: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "garbage": lambda _: b"not a database" * 1000,
    "header": lambda data: data[:100],
    "half": lambda data: data[: len(data) // 2],
    "pages": lambda data: data[:4096] + b"\xff" * (len(data) - 4096),
    "tail": lambda data: data[:-5000] + b"\0" * 5000,
    "schema": lambda data: data.replace(b"CREATE TABLE", b"CREATE TA\xa5LE"),
    "another version": lambda data: data[:60] + b"\0\0\0\x63" + data[64:],
    "another text": lambda data: data.replace(b"note 7 of many", b"note 8 of many"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_becomes_of_the_file_no_word_is_lost(
    built: Git, opened: Opener, fault: str
) -> None:
    file = file_of(place_of(built))
    file.write_bytes(FAULTS[fault](file.read_bytes()))
    built.write("memory/new.md", "- Something new.\n")
    index = opened(built, fresh=False)
    assert index.refresh().behind == 0
    answered = index.asked(lambda one: [len(found(one, word)) for word in ("note", "new", "ana")])
    assert answered == [300, 1, 1]
    shown = index.asked(everything)
    index.close()
    assert shown == as_it_should_be(built, opened)


def test_a_file_with_a_torn_item_is_read_again_when_it_changes(built: Git, opened: Opener) -> None:
    file = file_of(place_of(built))
    file.write_bytes(file.read_bytes().replace(b"note 7 of many", b"note 8 of many"))
    built.write("memory/more.md", "- Little is left.\n")
    index = opened(built)
    assert (found(index, "note"), len(found(index, "left"))) == ([], 1)
    shown = everything(index)
    index.close()
    assert shown == as_it_should_be(built, opened)


def test_while_another_writes_the_answer_comes_from_what_is_there(
    built: Git, opened: Opener
) -> None:
    index = opened(built, patience=0)
    with closing(sqlite3.connect(file_of(place_of(built)), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        built.write("MEMORY.md", "- Said while it was locked.\n")
        built.write("memory/2026-02-13.md", "- Said while it was locked, too.\n")
        told = index.refresh()
        assert (told.behind >= 2, told.changed) == (True, 0)
        assert told.note == "another process is indexing"
        assert len(found(index, "note")) == 300
        seen = as_it_stands(file_of(place_of(built)))
        assert seen is not None
        with seen:
            assert (seen.count, behind(seen, Reach(built.root)) >= 2) == (304, True)
    assert (index.refresh().behind, len(found(index, "locked"))) == (0, 2)


def test_where_nothing_can_be_written_the_answer_is_made_in_memory(ws: Git, opened: Opener) -> None:
    shown = everything(opened(ws))
    shared = place_of(ws).shared
    shutil.rmtree(shared)
    (shared / "search.db" / "inside").mkdir(parents=True)
    assert everything(opened(ws)) == shown
    # What is in the way is kept beside it: nobody knows whose it is.
    assert (shared / "search.db.folder-0" / "inside").is_dir()
    shutil.rmtree(shared)
    shared.write_text("a file where a folder should be")
    index = opened(ws, fresh=False)
    assert index.refresh().note.startswith("the index cannot be written")
    assert everything(index) == shown
    assert as_it_stands(file_of(place_of(ws))) is None


_FORK = multiprocessing.get_context("fork")


def indexing(git: Git, verb: str, *, fatal: bool = False) -> ForkProcess:
    """Another process that indexes; a `fatal` one dies when its first batch is done."""

    def work() -> None:
        with LiveIndex(place_of(git), Reach(git.root), patience=30) as index:
            index.refresh(told, anew=verb == "rebuild")

    def told(_done: int, _all: int) -> None:
        if fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    child = _FORK.Process(target=work)
    child.start()
    return child


def test_indexers_at_once_make_one_index(ws: Git, opened: Opener) -> None:
    for number in range(40):
        ws.write(f"memory/{number}.md", "".join(f"- note {at} of {number}\n" for at in range(20)))
    children = [indexing(ws, verb) for verb in ("refresh", "refresh", "rebuild")]
    for child in children:
        child.join(60)
    assert [child.exitcode for child in children] == [0, 0, 0]
    index = opened(ws)
    assert (len(found(index, "note")), index.count) == (800, 804)
    shown = everything(index)
    index.close()
    assert shown == as_it_should_be(ws, opened)


@pytest.mark.parametrize("verb", ["refresh", "rebuild"])
def test_an_indexer_that_is_killed_half_way_leaves_what_others_can_go_on_with(
    built: Git, opened: Opener, verb: str
) -> None:
    # So large that it fills a batch.
    large = built.write("memory/a-large-one.md", "- A word at first.\n" * 1_000)
    os.truncate(large, 5 << 20)
    built.write("memory/later.md", "- Later.\n")
    child = indexing(built, verb, fatal=True)
    child.join(60)
    assert child.exitcode == -signal.SIGKILL
    half = as_it_stands(file_of(place_of(built)))
    assert half is not None
    with half:
        # What the first batch had written stays; a rebuild begins with nothing.
        assert len(found(half, "note")) == (300 if verb == "refresh" else 0)
        assert len(found(half, "word")) == 1_000
        assert found(half, "later") == []
    index = opened(built)
    assert found(index, "later") == [("memory/later.md", 1, "Later.")]
    shown = everything(index)
    index.close()
    assert shown == as_it_should_be(built, opened)


@pytest.mark.parametrize("rounds", [8, pytest.param(200, marks=pytest.mark.slow)])
def test_whenever_indexers_are_killed_the_next_question_finds_all(
    built: Git, opened: Opener, rounds: int
) -> None:
    chance = random.Random(rounds)
    for number in range(rounds):
        for at in chance.sample(range(40), 20):
            lines = "".join(f"- storm {number} line {line}\n" for line in range(50))
            built.write(f"memory/storm-{at}.md", lines)
        (built.root / f"memory/storm-{chance.randrange(40)}.md").unlink(missing_ok=True)
        child = indexing(built, chance.choice(("refresh", "refresh", "rebuild")))
        time.sleep(chance.random() * 0.2)
        child.kill()
        child.join(60)
        index = opened(built)
        count = sum("storm" in path for path in index.every_file()) * 50
        assert (len(found(index, "storm")), len(found(index, "note"))) == (count, 300)
        shown = everything(index)
        assert len(shown) == count + 304
        index.close()
    assert shown == as_it_should_be(built, opened)


@pytest.mark.slow
def test_a_hundred_thousand_small_files(git: Git, opened: Opener) -> None:
    for folder in range(100):
        (git.root / f"memory/{folder}").mkdir(parents=True)
        for number in range(1000):
            (git.root / f"memory/{folder}/{number}.md").write_text(f"- note {folder}x{number}\n")
    index = opened(git)
    assert (index.count, len(found(index, "99x999"))) == (100_000, 1)
    shutil.rmtree(git.root / "memory/7")
    assert (index.refresh().changed, index.count) == (1_000, 99_000)
