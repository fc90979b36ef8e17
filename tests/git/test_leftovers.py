"""What a command takes for the work of a crash when it opens a workspace, and what for another's
who is at work.
"""

import os
from pathlib import Path

import pytest

from clawgit.git.gitdir import find_repo
from clawgit.git.lock import may_need_recovery, workspace_lock
from clawgit.git.place import RepoPlace
from tests.conftest import Git, OpenStore
from tests.git.test_transaction import add_line


@pytest.fixture
def place(ws: Git, open_store: OpenStore) -> RepoPlace:
    """A workspace in which somebody has just written: what he replaced is still held."""
    add_line(open_store(ws.root), "MEMORY.md", "- Learned.")
    return find_repo(ws.root)


@pytest.fixture
def card(place: RepoPlace) -> Path:
    [found] = (place.private / "held").glob("*.json")
    return found


def test_what_was_replaced_a_moment_ago_is_no_work_for_others(
    place: RepoPlace, card: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = card.stat().st_mtime
    for age, is_left in ((0.01, False), (0.06, True), (-5.0, True)):
        monkeypatch.setattr("clawgit.git.lock.time.time", lambda age=age: now + age)
        assert may_need_recovery(place) is is_left


def test_what_was_left_is_for_whoever_can_get_the_lock(place: RepoPlace, card: Path) -> None:
    os.utime(card, (0, 0))
    with workspace_lock(place.private / "lock", "at work", 0):
        assert not may_need_recovery(place)
    assert may_need_recovery(place)
    # What was set aside for a person waits for him.
    card.rename(card.with_suffix(".torn"))
    assert not may_need_recovery(place)


def test_an_interrupted_change_is_finished(place: RepoPlace, card: Path) -> None:
    for file in card.parent.iterdir():
        file.unlink()
    assert not may_need_recovery(place)
    journal = place.common_dir / "refs/clawgit/tx/main"
    journal.parent.mkdir(parents=True, exist_ok=True)
    journal.touch()
    assert may_need_recovery(place)


def test_what_has_no_card_is_swept(place: RepoPlace, card: Path, open_store: OpenStore) -> None:
    card.unlink()
    assert not may_need_recovery(place)
    store = open_store(place.root)
    add_line(store, "MEMORY.md", "- Learned more.")
    store.close()
    assert [*card.parent.iterdir()] == []
