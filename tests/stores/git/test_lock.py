"""The lock of a workspace: the order of those who wait, and what the dead leave behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from clawgit.errors import BusyError
from clawgit.stores.git.lock import lock_holder, workspace_lock
from clawgit.stores.git.store import GitStore
from tests.conftest import Git
from tests.stores.git.test_transaction import add_line

OpenStore = Callable[..., GitStore]

_LONG = 60.0
_CHILD = """
import sys
from pathlib import Path
from clawgit.stores.git.lock import workspace_lock
with workspace_lock(Path(sys.argv[1]), "the child", 60):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "lock"


def tickets(lock: Path) -> list[Path]:
    return sorted(lock.parent.glob("lock.waits-*"))


def until_waiting(lock: Path, count: int) -> None:
    while len(tickets(lock)) < count:
        os.sched_yield()


@contextmanager
def child(lock: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that takes the lock, and keeps it until its standard input ends."""
    with subprocess.Popen(
        [sys.executable, "-c", _CHILD, str(lock)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        process.kill()


def killed(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait()


def _hold(lock: Path) -> None:
    with workspace_lock(lock, "the next", _LONG):
        pass


def test_each_waiter_gets_its_turn_before_anybody_gets_a_third(lock: Path) -> None:
    waiters, turns = 6, 3
    order: list[int] = []

    def work(number: int) -> None:
        for _ in range(turns):
            with workspace_lock(lock, "work", _LONG):
                order.append(number)

    threads = [Thread(target=work, args=(number,)) for number in range(waiters)]
    with workspace_lock(lock, "the test", 0):
        for thread in threads:
            thread.start()
        until_waiting(lock, waiters)
    for thread in threads:
        thread.join()
    assert len(order) == waiters * turns
    thirds = [at for at, number in enumerate(order) if order[:at].count(number) == turns - 1]
    assert {*order[: thirds[0]]} == {*range(waiters)}
    assert tickets(lock) == []


def test_those_who_wait_are_served_in_the_order_in_which_they_came(lock: Path) -> None:
    order: list[int] = []

    def work(number: int) -> None:
        with workspace_lock(lock, "work", _LONG):
            order.append(number)

    threads = [Thread(target=work, args=(number,)) for number in range(5)]
    with workspace_lock(lock, "the test", 0):
        for number, thread in enumerate(threads, 1):
            thread.start()
            until_waiting(lock, number)
    for thread in threads:
        thread.join()
    assert order == [0, 1, 2, 3, 4]


def test_a_newcomer_does_not_pass_one_who_waits(lock: Path) -> None:
    """The lock is free, but somebody has come before."""
    earlier = lock.with_name(f"lock.waits-{0:020d}-1-1")
    earlier.touch()
    now = time.time()
    os.utime(earlier, (now, now + 0.9))  # it is touched for as long as the newcomer is patient
    with pytest.raises(BusyError), workspace_lock(lock, "the newcomer", 0.01):
        pass
    with workspace_lock(lock, "one that would not wait", 0):
        pass


def test_the_ticket_of_a_killed_waiter_holds_nobody_up(lock: Path) -> None:
    with workspace_lock(lock, "the test", 0), child(lock) as waiter:
        until_waiting(lock, 1)
        killed(waiter)
        [ticket] = tickets(lock)
        os.utime(ticket, (0, 0))
    with workspace_lock(lock, "the next", _LONG):
        assert tickets(lock) == []


@pytest.mark.parametrize("touched", [0.0, 4_102_444_800.0])
def test_a_ticket_of_another_time_is_removed(lock: Path, touched: float) -> None:
    """Its process is dead or stopped, or the clock was set back."""
    earlier = lock.with_name(f"lock.waits-{0:020d}-1-1")
    earlier.touch()
    os.utime(earlier, (touched, touched))
    with workspace_lock(lock, "work", 0.001):
        assert tickets(lock) == []


def test_the_next_one_goes_on_when_the_holder_is_killed(lock: Path) -> None:
    with child(lock) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        waiter = Thread(target=_hold, args=(lock,))
        waiter.start()
        until_waiting(lock, 1)
        killed(holder)
        waiter.join()
    assert tickets(lock) == []


def test_who_gives_up_leaves_the_line(lock: Path) -> None:
    with workspace_lock(lock, "a long job", 0):
        with pytest.raises(BusyError, match="a long job"), workspace_lock(lock, "work", 0.01):
            pass
        assert tickets(lock) == []
    assert lock_holder(lock) is None


def test_a_folder_that_takes_no_ticket_still_has_a_lock(
    lock: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full: one waits as before, behind those who have a ticket."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "touch", full)
    with (
        workspace_lock(lock, "a long job", 0),
        pytest.raises(BusyError, match="a long job"),
        workspace_lock(lock, "work", 0.01),
    ):
        pass
    with workspace_lock(lock, "work", 0.01):
        pass


def test_nobody_holds_the_lock_while_he_waits_for_editors(
    ws: Git, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moment in which somebody may still save into a replaced file belongs to all writers."""
    store = open_store(ws.root)
    add_line(store, "MEMORY.md", "- Learned.")
    holders = []

    def sleep(_seconds: float) -> None:
        holders.append(store.lock_holder())
        for card in (store.place.private / "held").glob("*.json"):
            os.utime(card, (0, 0))

    monkeypatch.setattr("clawgit.stores.git.held.time.sleep", sleep)
    store.close()
    assert holders == [None]
    assert not any((store.place.private / "held").iterdir())
