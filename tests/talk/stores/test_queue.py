"""The queues: each item handled once, by one consumer, whoever dies and whatever fails."""

import os
import signal
import subprocess
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from clawgit.core.errors import BusyError, NotFoundError
from clawgit.talk.stores import queue
from clawgit.talk.stores.queue import (
    LEASE,
    MOST_TRIES,
    QueueItem,
    claim,
    done,
    fail,
    listed,
    settle,
    waiting,
)
from clawgit.workspace.stores.state import State
from tests import ready
from tests.conftest import NOW

CHILD = Path(__file__).with_name("queue_child.py")
AFTER_LEASE = NOW + LEASE
TOMORROW = NOW + timedelta(days=1)


def put(state: State, *texts: str, rank: int = 0, name: str = "miner") -> list[int]:
    with state.write() as db:
        return [queue.put(db, name, {"text": text}, rank, NOW) for text in texts]


def claimed(state: State, now: datetime = NOW) -> QueueItem:
    found = claim(state, "miner", now)
    assert found is not None
    return found


def taken(state: State, name: str = "miner") -> list[str]:
    found = []
    while claimed := claim(state, name, NOW):
        found.append(claimed.told["text"])
    return found


def test_items_come_by_rank_and_then_in_their_order(state: State) -> None:
    put(state, "one", "two")
    put(state, "urgent", rank=2)
    put(state, "other", name="validator")
    assert waiting(state, NOW) == ["miner", "validator"]
    assert taken(state) == ["urgent", "one", "two"]
    assert waiting(state, NOW) == ["validator"]
    assert taken(state, "validator") == ["other"]


def test_what_is_done_is_gone_and_what_is_taken_back_writes_nothing(state: State) -> None:
    put(state, "one")
    with suppress(ZeroDivisionError), state.write() as db:
        queue.put(db, "miner", {"text": "two"}, 0, NOW)
        raise ZeroDivisionError
    item = claimed(state)
    assert [item.held for item in listed(state, NOW)] == [True]
    assert done(state, item)
    assert not done(state, item)
    assert listed(state, NOW) == []


def test_an_item_whose_lease_has_ended_goes_to_the_next_and_the_first_is_told(state: State) -> None:
    put(state, "one")
    first = claimed(state)
    assert claim(state, "miner", AFTER_LEASE - timedelta(seconds=1)) is None
    second = claimed(state, AFTER_LEASE)
    assert second.tries == 2
    assert not done(state, first)
    assert not fail(state, first, "late", TOMORROW)
    assert done(state, second)


def test_what_fails_is_tried_again_after_a_pause_that_grows_and_then_set_aside(
    state: State,
) -> None:
    put(state, "poison")
    now = NOW
    for minutes in (0, 1, 2):
        now += timedelta(minutes=minutes)
        assert minutes == 0 or claim(state, "miner", now - timedelta(seconds=1)) is None
        assert fail(state, claimed(state, now), f"no, after {minutes}", now)
    assert claim(state, "miner", TOMORROW) is None
    assert waiting(state, TOMORROW) == []
    [item] = listed(state, TOMORROW)
    assert (item.aside, item.tries, item.trouble) == (True, 3, "no, after 2")


def test_an_item_that_kills_whoever_takes_it_is_set_aside_and_tried_anew_or_dropped(
    state: State,
) -> None:
    [ident] = put(state, "deadly")
    for number in range(MOST_TRIES):
        assert claim(state, "miner", NOW + number * LEASE)
    assert claim(state, "miner", NOW + MOST_TRIES * LEASE) is None
    [item] = listed(state, TOMORROW)
    assert (item.aside, item.trouble) == (True, "its consumer died, or took too long")
    assert settle(state, ident, TOMORROW, drop=False, dry_run=True).aside
    assert [item.aside for item in listed(state, TOMORROW)] == [True]
    assert settle(state, ident, TOMORROW, drop=False).trouble
    [item] = listed(state, TOMORROW)
    assert (item.aside, item.tries, item.trouble) == (False, 0, "")
    again = claimed(state, TOMORROW)
    for drop in (False, True):
        with pytest.raises(BusyError, match="is being worked on"):
            settle(state, ident, TOMORROW, drop=drop)
    assert fail(state, again, "no", TOMORROW)
    assert settle(state, ident, TOMORROW, drop=True, dry_run=True).id == ident
    assert settle(state, ident, TOMORROW, drop=True).id == ident
    with pytest.raises(NotFoundError):
        settle(state, ident, TOMORROW, drop=True)
    assert listed(state, TOMORROW) == []


def child(folder: Path, mode: str, minutes: int = 0) -> "subprocess.Popen[str]":
    command = [ready.python(), str(CHILD), str(folder), mode, NOW.isoformat(), str(minutes)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_two_consumers_share_a_queue_and_one_that_is_killed_gives_its_item_back(
    state: State, tmp_path: Path
) -> None:
    idents = put(state, *(str(number) for number in range(20)))
    with child(tmp_path, "hold") as killed:
        assert killed.stdout is not None
        held = int(killed.stdout.readline())
        os.kill(killed.pid, signal.SIGKILL)
    consumers = [child(tmp_path, "work") for _ in range(2)]
    lines = [line for one in consumers for line in one.communicate(timeout=60)[0].splitlines()]
    assert sorted(map(int, lines)) == sorted(set(idents) - {held})
    with child(tmp_path, "work", minutes=6) as last:
        assert last.stdout is not None
        assert last.stdout.read().splitlines() == [str(held)]
    assert listed(state, TOMORROW) == []
