"""The lock of a workspace: those who wait, and what the dead leave behind."""

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from clawgit.core.errors import BusyError
from clawgit.git.lock import lock_holder, workspace_lock
from tests.conftest import Git, OpenStore
from tests.git.test_transaction import add_line

_LONG = 60.0
_CHILD = """
import sys
from pathlib import Path
from clawgit.git.lock import workspace_lock
with workspace_lock(Path(sys.argv[1]), "the child", 60):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "lock"


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


def _hold(lock: Path) -> None:
    with workspace_lock(lock, "the next", _LONG):
        pass


def test_the_next_one_goes_on_when_the_holder_is_killed(lock: Path) -> None:
    with child(lock) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        waiter = Thread(target=_hold, args=(lock,))
        waiter.start()
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        waiter.join()


def test_who_asks_for_the_holder_is_not_taken_for_one(lock: Path) -> None:
    with workspace_lock(lock, "a job", 0):
        pass
    with lock.open("r+b") as asking:
        fcntl.flock(asking, fcntl.LOCK_SH)
        assert lock_holder(lock) is None


def test_who_gives_up_is_told_who_holds_it(lock: Path) -> None:
    with workspace_lock(lock, "a long job", 0):
        with pytest.raises(BusyError, match="a long job"), workspace_lock(lock, "work", 0.01):
            pass
        assert "a long job" in str(lock_holder(lock))
    assert lock_holder(lock) is None


def test_nobody_holds_the_lock_while_he_waits_for_editors(
    ws: Git, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moment in which somebody may still save into a replaced file belongs to all writers."""
    store = open_store(ws.root)
    add_line(store, "MEMORY.md", "- Learned.")
    holders = []

    def sleep(_seconds: float) -> None:
        holders.append(lock_holder(store.place.private / "lock"))
        for card in (store.place.private / "held").glob("*.json"):
            os.utime(card, (0, 0))

    monkeypatch.setattr("clawgit.git.held.time.sleep", sleep)
    store.close()
    assert holders == [None]
    assert not any((store.place.private / "held").iterdir())
