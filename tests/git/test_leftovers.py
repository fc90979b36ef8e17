"""What a command takes for the work of a crash when it opens a workspace, and what for another's
who is at work.
"""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.git.gitdir import find_repo
from clawgit.git.lock import lock_holder, may_need_recovery, workspace_lock
from clawgit.git.place import RepoPlace
from clawgit.git.store import GitStore
from tests.conftest import Git
from tests.git.test_transaction import add_line

OpenStore = Callable[..., GitStore]


@pytest.fixture
def place(ws: Git, open_store: OpenStore) -> RepoPlace:
    """A workspace in which somebody has just written: what he replaced is still held."""
    add_line(open_store(ws.root), "MEMORY.md", "- Learned.")
    return find_repo(ws.root)


def cards(place: RepoPlace) -> list[Path]:
    return [*(place.private / "held").glob("*.json")]


def dated(file: Path, seconds: float) -> None:
    os.utime(file, (seconds, seconds))


def test_what_was_replaced_a_moment_ago_is_no_work_for_others(
    place: RepoPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = cards(place)[0].stat().st_mtime
    ages = []
    for age in (0.01, 0.06, -5.0):
        monkeypatch.setattr("clawgit.git.lock.time.time", lambda age=age: now + age)
        ages.append(may_need_recovery(place))
    assert ages == [False, True, True]


def test_what_was_left_is_finished_by_whoever_can_get_the_lock(place: RepoPlace) -> None:
    dated(cards(place)[0], 0)
    with workspace_lock(place.private / "lock", "at work", 0):
        assert not may_need_recovery(place)
    assert may_need_recovery(place)


def test_what_has_no_card_is_swept_away_by_the_next_write(
    place: RepoPlace, open_store: OpenStore
) -> None:
    cards(place)[0].unlink()
    assert not may_need_recovery(place)
    store = open_store(place.root)
    add_line(store, "MEMORY.md", "- Learned more.")
    store.close()
    assert [*(place.private / "held").iterdir()] == []


def test_what_was_set_aside_for_a_person_waits_for_him(place: RepoPlace) -> None:
    card = cards(place)[0]
    card.rename(card.with_suffix(".torn"))
    assert not may_need_recovery(place)


def test_an_interrupted_change_is_finished(place: RepoPlace) -> None:
    dated(cards(place)[0], 0)
    journal = place.common_dir / "refs/clawgit/tx/main"
    for card in cards(place):
        for file in card.parent.glob(f"{card.stem}.*"):
            file.unlink()
    assert not may_need_recovery(place)
    journal.parent.mkdir(parents=True, exist_ok=True)
    journal.touch()
    assert may_need_recovery(place)


def test_who_asks_for_the_holder_is_not_taken_for_one(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with workspace_lock(lock, "a job", 0):
        pass
    asking = os.open(lock, os.O_RDWR)
    try:
        fcntl.flock(asking, fcntl.LOCK_SH)
        assert lock_holder(lock) is None
    finally:
        os.close(asking)
