"""Eight programs that write into one workspace at once: how many writes a second, how long each
waits, and how much of the time the lock is held. Then one that writes alone."""

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

from bench.lab import Lab, open_lab
from bench.race import timing
from bench.workspaces import copy, plant

WRITERS = 8
WRITES = 6
"""The number of writes by each writer. The first one is not counted: it warms caches."""

_FILES = 100
_SAMPLE = 0.01
"""Seconds between two looks at the lock. Looked at every 2 ms it took part of the time."""

_CLAWGIT = "from clawgit.__main__ import main; main()"
"""What the installed command runs. `python -m` would load 3 ms of modules that it does not need."""

_COMMIT = """
import fcntl, sys, pygit2
with open(".git/reference.lock", "w") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    repo = pygit2.Repository(".")
    who = pygit2.Signature("Bench", "bench@example.org")
    name, head = repo.head.name, repo.head.peel()
    repo.create_commit(name, who, who, sys.argv[1], head.tree_id, [head.id])
"""
"""The least that a program in Python can do: load libgit2, and make a commit of nothing new."""

Write = Callable[[str], Sequence[str]]
"""A fact → the command that keeps it."""


class Load(NamedTuple):
    """The measured waits. `held`: the share of the time in which somebody held the lock, if it was
    measured."""

    seconds: float
    laps_ms: Sequence[float]
    held: float | None


def report() -> str:
    """A table: cold, by the service, and the reference, each in a workspace like the others."""
    rows = [
        f"| {WRITERS} writers | writes/s | p50 ms | p99 ms | p99 ÷ p50 | lock held |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    with tempfile.TemporaryDirectory(prefix="clawgit-bench-") as folder:
        lab = open_lab(Path(folder))
        original = plant(lab, "load", files=_FILES)
        clawgit = [sys.executable, "-c", _CLAWGIT]

        def add(fact: str) -> Sequence[str]:
            return [*clawgit, "--actor", "bench", "memory", "add", fact]

        def commit(fact: str) -> Sequence[str]:
            return [sys.executable, "-c", _COMMIT, fact]

        lab.finish(original, *clawgit, "init", ".")
        # Each in a copy of its own: a notebook that those before it have filled takes longer.
        alone, cold, served, again = (
            copy(lab, original, name) for name in ("alone", "cold", "served", "again")
        )
        own, reference = ".git/clawgit/lock", ".git/reference.lock"
        rows.append(_row("pygit2 alone", _loaded(lab, alone, commit, alone / reference)))
        rows.append(_row("cold", _loaded(lab, cold, add, cold / own)))
        with _serving(lab, served, clawgit):
            rows.append(_row("by the service", _loaded(lab, served, add, served / own)))
            single = _loaded(lab, served, add, served / own, range(WRITERS, WRITERS + 1))
            rows.append(_row("one alone by the service", single))
        rows.append(_row("pygit2 again", _loaded(lab, again, commit, again / reference)))
    return "\n".join(rows)


def _loaded(
    lab: Lab, root: Path, write: Write, lock: Path, writers: range = range(WRITERS)
) -> Load:
    lab.finish(root, *write("Nobody waits for the first fact."))
    with ThreadPoolExecutor(len(writers)) as pool, _watched(lock) as samples:
        began = time.perf_counter()
        columns = [*pool.map(lambda writer: _laps(lab, root, write, writer), writers)]
        seconds = time.perf_counter() - began
    laps = [lap for column in columns for lap in column]
    return Load(seconds, laps, sum(samples) / max(1, len(samples)))


def _laps(lab: Lab, root: Path, write: Write, writer: int) -> list[float]:
    laps = []
    for number in range(WRITES):
        fact = f"Machine {writer} of hall {number} runs since {2000 + writer * WRITES + number}."
        began = time.perf_counter()
        lab.finish(root, *write(fact))
        laps.append((time.perf_counter() - began) * 1000)
    return laps


def _row(what: str, load: Load) -> str:
    half = timing(load.laps_ms).p50_ms
    worst = sorted(load.laps_ms)[max(0, round(0.99 * len(load.laps_ms)) - 1)]
    rate = len(load.laps_ms) / load.seconds
    held = "" if load.held is None else f"{load.held:.0%}"
    return f"| {what} | {rate:.1f} | {half:.0f} | {worst:.0f} | {worst / half:.1f} | {held} |"


@contextmanager
def _watched(lock: Path) -> Iterator[list[bool]]:
    """Samples whether the lock is held. Only the kernel is asked, so no writer is delayed."""
    samples: list[bool] = []
    ended = Event()

    def watch() -> None:
        inode = f":{lock.stat().st_ino} "
        while not ended.wait(_SAMPLE):
            held = Path("/proc/locks").read_text(encoding="ascii").splitlines()
            samples.append(any(inode in line and "->" not in line for line in held))

    watcher = Thread(target=watch)
    watcher.start()
    try:
        yield samples
    finally:
        ended.set()
        watcher.join()


@contextmanager
def _serving(lab: Lab, root: Path, clawgit: Sequence[str]) -> Iterator[None]:
    argv = [*clawgit, "serve"]
    null = subprocess.DEVNULL
    with subprocess.Popen(
        argv, cwd=root, env=lab.env, stdin=null, stderr=subprocess.PIPE
    ) as service:
        assert service.stderr is not None
        assert b"answering on" in service.stderr.readline()
        try:
            yield
        finally:
            service.send_signal(signal.SIGTERM)
