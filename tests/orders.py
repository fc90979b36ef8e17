"""Every order of events around a transaction: what others do to its file, and kill -9, at each step.

usage: python -m tests.orders ROOT DEPTH [--tasks add,twice,…] [--events asd…]
       python -m tests.orders ROOT 0 --order 'add prepared:s exchanged:d' [--order …]

A process of ours does a task and stops at each of its steps; others then do to the file what the
order says, or it is killed. All orders of up to DEPTH events are tried. Each ends with recovery and
a snapshot, and then `faults` must find nothing.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pygit2

from clawgit.git import held, lock, placing, recovery, worktree
from clawgit.git import placing as exchange
from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import Actor
from clawgit.git.rules.history import Intent
from clawgit.git.store import GitStore
from clawgit.git.transaction import Transaction
from tests.world import EVENTS, FILE, GIT, SEED, World, history, litter

NOW = datetime(2026, 2, 14, 9, 0, tzinfo=UTC)
MINER = Actor("memory-miner", "Memory Miner")

KILL, OTHER = "k", "o"
"""Events of ours: kill -9, and another process that adds a line where none has the lock."""

DEAD, FREE = "dead", "free"
"""Steps of ours at which none has the lock."""

_SETTLED = 0.003
"""Seconds that a file must not change: here nobody writes between two steps."""

Seam = Callable[[str], None]
Body = Callable[[Seam, Seam], None]
"""What a process does: it stops at each step of the first, and says something by the second."""

Edit = Callable[[Transaction], None]


class Task(NamedTuple):
    """Transactions, one after the other: what each does, and the line that it adds. `removes`:
    lines that are taken out."""

    edits: tuple[Edit, ...]
    adds: tuple[str, ...] = ("",)
    removes: frozenset[str] = frozenset()


def _add(line: str, above: str = "") -> Edit:
    return lambda tx: tx.put(FILE, f"{tx.read_text(FILE)}{above}{line}\n")


def _take_out(tx: Transaction) -> None:
    tx.put(FILE, tx.read_text(FILE).replace("- second\n", ""))


TASKS = {
    "add": Task((_add("- ours 1"),), ("- ours 1",)),
    "twice": Task((_add("- ours 1"), _add("- ours 2")), ("- ours 1", "- ours 2")),
    "heading": Task((_add("- ours 1", "\n## New\n\n"),), ("- ours 1",)),
    "undo": Task((_take_out,), removes=frozenset({"- second"})),
    "delete": Task((lambda tx: tx.put(FILE, None),), removes=frozenset(SEED.splitlines())),
}


class Process:
    """A process of ours. `step` says where it stopped last; "" if it has ended."""

    def __init__(self, body: Body, shut: list[int] | tuple[()] = ()) -> None:
        told, tell = os.pipe()
        heard, hear = os.pipe()
        self.said: list[str] = []
        self._pid = os.fork()
        if not self._pid:
            # An editor's descriptor that we have open, too, would look as if it was still at it.
            for descriptor in (told, hear, *shut):
                os.close(descriptor)
            _run(body, tell, heard)
        os.close(tell)
        os.close(heard)
        self._told, self._hear = os.fdopen(told), hear
        self.step = self._next()

    def go_on(self) -> None:
        os.write(self._hear, b".")
        self.step = self._next()

    def kill(self) -> None:
        os.kill(self._pid, signal.SIGKILL)
        self.step = self._next()

    def end(self) -> list[str]:
        """Lets it run to its end; returns what it said."""
        while self.step:
            self.go_on()
        return self.said

    def _next(self) -> str:
        for line in self._told:
            kind, _, text = line.rstrip("\n").partition(" ")
            if kind == "step":
                return text
            self.said.append(line.rstrip("\n"))
        self._told.close()
        os.close(self._hear)
        os.waitpid(self._pid, 0)
        return ""


def _run(body: Body, tell: int, heard: int) -> None:
    def say(text: str) -> None:
        os.write(tell, f"{text}\n".encode())

    def seam(name: str) -> None:
        say(f"step {name}")
        if not os.read(heard, 1):
            os._exit(1)

    try:
        _more_steps(seam)
        body(seam, say)
    except BaseException:  # noqa: BLE001 - whoever started it reads how it ended
        say(f"error {traceback.format_exc()[-900:]!r}")
    finally:
        os._exit(0)


def _more_steps(seam: Seam) -> None:
    """Steps between those that the product names."""

    def before(name: str, call: Callable[..., object]) -> Callable[..., object]:
        def stopped(*args: object, **kwargs: object) -> object:
            seam(name)
            return call(*args, **kwargs)

        return stopped

    def after(name: str, call: Callable[..., object]) -> Callable[..., object]:
        def stopped(*args: object, **kwargs: object) -> object:
            result = call(*args, **kwargs)
            seam(name)
            return result

        return stopped

    for module, name, step in (
        (placing, "exchange", before("exchanging", exchange.exchange)),
        (recovery, "read_settled", after("looked-again", worktree.read_settled)),
        *((held.Card, name, before(f"noting-{name}", getattr(held.Card, name))) for name in _NOTES),
    ):
        setattr(module, name, step)
    for module in (lock, worktree):
        vars(module)["SETTLE_SECONDS"] = _SETTLED
    worktree._PATIENCE_SECONDS = 2 * _SETTLED


_NOTES = ("see", "hold", "drop", "forget")


def _work(root: Path, task: Task, first: int, seam: Seam, say: Seam) -> None:
    store = _store(root, seam)
    for number in range(first, len(task.edits)):
        say(f"begun {number}")
        with store.transaction(Intent(MINER, "edit", "a change"), NOW) as tx:
            task.edits[number](tx)
        say(f"done {number}")
        seam(FREE)
    store.close()


def _mend(root: Path, seam: Seam, _say: Seam) -> None:
    store = _store(root, seam)
    store.heal(NOW)
    store.close()


def _look(root: Path, _seam: Seam, say: Seam) -> None:
    for _ in range(2):
        _mend(root, lambda _: None, say)
        store = _store(root, lambda _: None)
        store.snapshot(NOW)
        store.close()


def _store(root: Path, seam: Seam) -> GitStore:
    return GitStore(find_repo(root), os.environ, seam=seam)


class Order(NamedTuple):
    """A task, and which event comes at which step: that of a number, or the next of a name."""

    task: str
    events: tuple[tuple[int | str, str], ...]


class Run(NamedTuple):
    """`is_whole`: each step of the order was reached."""

    steps: tuple[str, ...]
    faults: tuple[str, ...]
    is_whole: bool


class _Course:
    """One order as it runs."""

    def __init__(self, root: Path, order: Order) -> None:
        self.root, self.task = root, TASKS[order.task]
        self.world = World(root, early=any(event == "e" for _, event in order.events))
        self.steps: list[str] = []
        self.left = list(order.events)
        self.begun, self.acknowledged = 0, set[str]()
        self.errors: list[str] = []

    def run(self) -> None:
        is_killed = True
        while is_killed and self.begun < len(self.task.edits):
            is_killed = self._drive(partial(_work, self.root, self.task, self.begun))
        self._drive(partial(_mend, self.root))
        self.world.finish()
        time.sleep(2 * _SETTLED)
        self.errors += Process(partial(_look, self.root)).end()

    def _drive(self, body: Body) -> bool:
        """Runs one process of ours; True if it was killed."""
        process = Process(body, self.world.descriptors())
        is_killed = False
        while process.step:
            self.steps.append(process.step)
            if self._others(process):
                process.go_on()
            else:
                is_killed = True
        for line in process.said:
            kind, _, number = line.partition(" ")
            if kind == "begun":
                self.begun = int(number) + 1
            elif kind == "done":
                self.acknowledged.add(self.task.adds[int(number)])
            else:
                self.errors.append(line)
        if is_killed:
            self.steps.append(DEAD)
            self._others(process)
        return is_killed

    def _others(self, process: Process) -> bool:
        """Does what the order says of this step; False if it kills the process."""
        while self.left and self.left[0][0] in (len(self.steps) - 1, self.steps[-1]):
            _, event = self.left[0]
            if event == OTHER and self.steps[-1] not in (DEAD, FREE):
                break  # on a slow machine a look at a held file came earlier, or later
            self.left.pop(0)
            if event == KILL:
                process.kill()
                return False
            if event == OTHER:
                self._write_too()
            else:
                self.world.does(event)
        return True

    def _write_too(self) -> None:
        line = self.world.line("other")
        task = Task((_add(line),), (line,))
        said = Process(partial(_work, self.root, task, 0), self.world.descriptors()).end()
        self.errors += [text for text in said if text not in ("begun 0", "done 0")]
        self.world.saved(line)


def run(root: Path, seed: Path, order: Order) -> Run:
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(seed, root)
    course = _Course(root, order)
    course.run()
    found = () if course.left else (*course.errors, *faults(course))
    return Run(tuple(course.steps), found, is_whole=not course.left)


def faults(course: _Course) -> Iterator[str]:
    """Everything that should not be after a course."""
    world, task = course.world, course.task
    disk, states = world.text(), history(world.root)
    standing = Counter(disk.splitlines())
    known = world.known | {*task.adds} - {""}
    ever = {line for text in (disk, *states) for line in text.splitlines()}
    for line in sorted(known):
        if standing[line] > 1:
            yield f"twice on disk: {line}"
        if any(text.splitlines().count(line) > 1 for text in states):
            yield f"twice in a commit: {line}"
    for line in sorted((world.expected | course.acknowledged - {""}) - world.free):
        if line not in ever:
            yield f"lost: {line}"
        elif line not in standing and line not in world.taken | task.removes:
            yield f"only in history: {line}"
    # An editor that writes into a file may leave the end of a line.
    ends = tuple(standing.keys() - known - {"", "## New"})
    if strange := [line for line in ends if not any(each.endswith(line) for each in known)]:
        yield f"unknown on disk: {sorted(strange)}"
    went = {line for newer, older in pairwise(states) for line in _gone(older, newer)}
    if odd := sorted((went & standing.keys()) - task.removes - world.taken):
        yield f"taken out by a commit and back: {odd}"
    yield from _untidy(world.root, "" if states[0] == disk else "HEAD is not what is on disk")


def _gone(older: str, newer: str) -> set[str]:
    return {*older.splitlines()} - {*newer.splitlines()} - {""}


def _untidy(root: Path, other: str) -> Iterator[str]:
    if other:
        yield other
    repo = pygit2.Repository(str(root))
    ignored = pygit2.enums.FileStatus.IGNORED
    if status := {name: flag for name, flag in repo.status().items() if flag != ignored}:
        yield f"status: {status}"
    if refs := [name for name in repo.references if not name.startswith("refs/heads/")]:
        yield f"refs: {refs}"
    repo.free()
    if left := litter(root):
        yield f"left: {left}"


# all orders

_SAME = frozenset({"built", "journaled", "index-locked", "ref-moved", "index-published", "locked"})
"""Steps before which nothing of the file was read or written since the step before."""


def orders(
    root: Path, seed: Path, task: str, depth: int, events: str
) -> Iterator[tuple[Order, Run]]:
    """Each order of up to so many events, and what came of it."""

    def deeper(before: tuple[tuple[int, str], ...]) -> Iterator[tuple[Order, Run]]:
        order = Order(task, before)
        done = run(root, seed, order)
        yield order, done
        start, last = before[-1] if before else (0, "")
        if len(before) < depth:
            for place in range(start + (last == KILL), len(done.steps)):
                for event in filter(partial(_is_worth, done.steps[place]), events):
                    yield from deeper((*before, (place, event)))

    yield from deeper(())


def _is_worth(step: str, event: str) -> bool:
    """Whether an event at a step is not the same as at the step before, or without effect."""
    if event == KILL:
        return step not in (DEAD, FREE)
    if event == OTHER:
        return step in (DEAD, FREE)
    if event in "cm":
        return not step.startswith("noting")
    return step not in _SAME and not step.startswith("noting")


def seeded(folder: Path) -> Path:
    """The repository that each order begins with."""
    folder.mkdir(parents=True)
    for name, text in ((FILE, SEED), (".gitignore", "editor.tmp\n"), ("SOUL.md", "# Soul\n")):
        (folder / name).write_text(text)
    for call in (
        ("init", "-q", "-b", "main", "--template="), ("add", "-A"), ("commit", "-qm", "1"),
    ):  # fmt: skip
        subprocess.run([*GIT, *call], cwd=folder, check=True, capture_output=True)
    return folder


def typed(text: str) -> Order:
    """An order as it is printed, or typed with the names of steps."""
    task, *events = text.split()
    pairs = [event.rpartition(":") for event in events]
    return Order(
        task, tuple((int(step) if step.isdigit() else step, event) for step, _, event in pairs)
    )


def told(order: Order, done: Run) -> str:
    events = " ".join(f"{step}:{event}" for step, event in order.events)
    steps = (done.steps[step] if isinstance(step, int) else step for step, _ in order.events)
    return f"{order.task} {events} ({', '.join(steps)}): {'; '.join(done.faults)}"


def _chosen(given: argparse.Namespace, root: Path, seed: Path) -> Iterator[tuple[Order, Run]]:
    for order in given.order or ():
        done = run(root, seed, order)
        never = () if done.is_whole else (f"it only came to {' '.join(done.steps)}",)
        yield order, done._replace(faults=(*done.faults, *never))
    for task in () if given.order else given.tasks.split(","):
        yield from orders(root, seed, task, given.depth, given.events)


def _main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=Path)
    parser.add_argument("depth", type=int)
    parser.add_argument("--tasks", default=",".join(TASKS))
    parser.add_argument("--events", default="".join([*EVENTS, KILL, OTHER]))
    parser.add_argument("--order", action="append", type=typed)
    given = parser.parse_args()
    shutil.rmtree(given.root, ignore_errors=True)
    seed, root = seeded(given.root / "seed"), given.root / "ws"
    total = bad = 0
    for order, done in _chosen(given, root, seed):
        total += 1
        if done.faults:
            bad += 1
            print(told(order, done), flush=True)
    print(f"{total} orders, {bad} of them with faults")
    sys.exit(bool(bad))


if __name__ == "__main__":
    _main()
