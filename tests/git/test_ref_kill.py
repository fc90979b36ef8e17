"""kill -9 inside the move of a reference, for real: a watcher strikes the moment its lock
file appears."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import NOW, Git, OpenStore
from tests.git.test_crash import assert_whole

HOUSE = Path(__file__).parents[2]
_BLOWS = 60
_WRITER = """
import os, sys, time
from pathlib import Path
from tests.storm import write_until

root, lock, sync = Path(sys.argv[1]), sys.argv[2], os.fsync


def slow(descriptor):
    sync(descriptor)
    if os.path.exists(lock):
        time.sleep(1)


write_until(root, "first", time.time() + 0.001)
os.fsync = slow  # the lock stands for a second: on a busy machine it is seen, too
os.write(1, b"watch\\n")
write_until(root, "w", time.time() + 20)
"""


def strike(ws: Git, lock: Path) -> list[str]:
    """Kills a writer as soon as `lock` exists; the lines that it had acknowledged by then."""
    call = [sys.executable, "-c", _WRITER, str(ws.root), str(lock)]
    writer = subprocess.Popen(call, stdout=subprocess.PIPE, cwd=HOUSE, bufsize=0)
    assert writer.stdout is not None
    told = []
    while (line := writer.stdout.readline().decode().strip()) != "watch":
        assert line, "it ended by itself"
        told.append(line)
    path, deadline = str(lock), time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.stat(path)  # noqa: PTH116 - the window is a millisecond, and pathlib is slow
        except FileNotFoundError:
            continue
        break
    writer.send_signal(signal.SIGKILL)
    told += writer.communicate(timeout=60)[0].decode().splitlines()
    assert writer.returncode == -signal.SIGKILL
    return told


@pytest.mark.parametrize("ref", ["refs/heads/main", "refs/clawgit/tx/main"])
def test_a_kill_while_the_reference_is_locked(ws: Git, open_store: OpenStore, ref: str) -> None:
    lock, hits, told = ws.root / f".git/{ref}.lock", 0, []
    for _ in range(_BLOWS):
        told += strike(ws, lock)
        hits += lock.exists()
        store = open_store(ws.root)
        store.heal(NOW)
        store.snapshot(NOW)
        store.close()
        assert_whole(ws)
        if hits:
            break
    assert hits
    lines = ws("show", "HEAD:MEMORY.md").splitlines()
    assert [line for line in told if lines.count(line) != 1] == []
