"""A storm over one workspace: writers of ours, an editor, plain git, and kill -9 at random.

Appended lines and acknowledged writes must stand in the file exactly once. An editor that saves
whole files may drop what it had not read; then every line of ours and every line of its own must be
on disk or in history.

In a storm of kills writers die at random moments, N of them, while the editor saves again and again,
somebody commits by hand and collects git's garbage, and HEAD leaves its branch and comes back. Where
lines are only appended, no commit may then have a line twice, and none may take one out.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from clawgit.core.errors import BusyError, ClawgitError
from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import Actor
from clawgit.git.rules.history import Intent
from clawgit.git.store import GitStore
from tests.world import litter

FILE = "MEMORY.md"
MINER = Actor("memory-miner", "Memory Miner")
HOUSE = Path(__file__).parent.parent
CALM = "calm"
"""The file beside the workspace that ends a storm of kills."""

_ANEW = 50
"""Kills after which it is measured again how long a transaction takes: the file grows, and whoever
writes waits for his turn."""

_LONG = 0.2
"""Seconds that a transaction is taken to last at most: on a busy machine a storm must end, too."""

_CREW = 2
_HEADINGS, _CLOSES, _COLLECTS = 0.3, 0.7, 0.2
_LONGEST = 1800


class Report(NamedTuple):
    foreign: int
    written: int
    killed: int
    lost: tuple[str, ...]
    doubled: tuple[str, ...]
    fsck: str
    status: str
    leftovers: tuple[str, ...]
    parked: int = 0
    commits: int = 0
    untrue: tuple[str, ...] = ()
    """The commits that have a line twice, or that took one out which nobody had taken out of the
    file."""

    @property
    def wrong(self) -> tuple[str, ...]:
        """Everything that should not be: empty after a storm that did no harm."""
        lost = [f"lost: {line}" for line in self.lost[:9]]
        doubled = [f"doubled: {line}" for line in self.doubled[:9]]
        others = (self.fsck, self.status, *self.leftovers, *self.untrue[:9])
        return tuple(filter(None, (*lost, *doubled, *others)))


def store_at(root: Path) -> GitStore:
    return GitStore(find_repo(root), os.environ)


def write_until(root: Path, name: str, end: float) -> None:
    """A writer: one transaction after another; each is acknowledged on standard output when it has
    returned."""
    number = 0
    while time.time() < end:
        store = store_at(root)
        for _ in range(5):
            number += 1
            line = f"- ours {name} {os.getpid()} {number}{_END}"
            try:
                with store.transaction(Intent(MINER, "storm", line), datetime.now(UTC)) as tx:
                    tx.put(FILE, _with_line(tx.read_text(FILE), line))
            except BusyError:
                continue
            # Line and line end at once: who is killed between two writes would tell half a line.
            os.write(1, f"{line}\n".encode())
        store.close()


def _with_line(text: str, line: str) -> str:
    """A file may be met half written, in the middle of a line."""
    return f"{text}{'' if text.endswith(chr(10)) else chr(10)}{line}\n"


_END = "."
"""At the end of each line. If somebody commits a file of which an editor has written half, the line
that is cut off there would look like another one: “- ours k2 1” of “- ours k2 13”.
"""

_WHOLE = (_END, " #decision")
"""How a line ends that nobody has cut off: one of ours, the editor's, or of the file at first."""


def _append(file: Path, line: str) -> None:
    """A memory flush: opens, appends one line, closes."""
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND)
    os.write(descriptor, f"{line}\n".encode())
    os.close(descriptor)


def _rename(file: Path, line: str) -> None:
    """An editor that writes a new file beside the old one and renames it."""
    beside = file.with_name("editor.tmp")
    beside.write_text(_with_line(file.read_text(), line))
    beside.replace(file)


_PAUSES = (0.002, 0.002, 0.1)
"""Seconds between the two halves, at most: now and then as long as on a busy machine."""


def _rewrite(file: Path, line: str) -> None:
    """An editor that cuts the file to nothing and writes it again, in two pieces."""
    text = _with_line(file.read_text(), line).encode()
    descriptor = os.open(file, os.O_WRONLY | os.O_TRUNC)
    os.write(descriptor, text[: len(text) // 2])
    time.sleep(random.uniform(0, random.choice(_PAUSES)))
    os.write(descriptor, text[len(text) // 2 :])
    os.close(descriptor)


EDITORS = {"append": _append, "rename": _rename, "rewrite": _rewrite}


def write_until_killed(root: Path, name: str, log: int) -> None:
    """A writer of the crew. It tells what was acknowledged, adds a heading now and then, and goes
    on when refused."""
    pick, number = random.Random(name), 0
    while True:
        store = store_at(root)
        for _ in range(pick.randint(1, 3)):
            number += 1
            line = f"- ours {name} {number}{_END}"
            heading = f"\n## Part {name} {number}\n\n" if pick.random() < _HEADINGS else ""
            try:
                with store.transaction(
                    Intent(MINER, "storm", line), datetime.now(UTC), parkable=True
                ) as tx:
                    tx.put(FILE, _with_line(tx.read_text(FILE), f"{heading}{line}"))
            except ClawgitError as error:
                if not isinstance(error, BusyError):
                    os.write(log, f"{error.message}\n".encode())
                continue
            os.write(log, f"{'parked ' if tx.outcome.parked else ''}{line}\n".encode())
        if pick.random() < _CLOSES:
            store.close()


def crew(root: Path, kills: int) -> None:
    """Forks writers and kills them at random moments. A process of its own: a test runner has
    threads."""
    log = os.open(root.parent / "acknowledged", os.O_WRONLY | os.O_APPEND)
    lasts = 0.0
    running = [_forked(root, f"w{number}", log) for number in range(_CREW)]
    for number in range(kills):
        if number % _ANEW == 0:
            lasts = min(_lasts(root, number), _LONG)
        time.sleep(random.uniform(0, 5 * lasts))
        place = random.randrange(_CREW)
        _kill(running[place])
        running[place] = _forked(root, f"k{number}", log)
    for pid in running:
        _kill(pid)
    (root.parent / CALM).touch()


def _lasts(root: Path, kill: int) -> float:
    """How long a transaction takes here and now, among all others: each writer lives for about
    five.
    """
    begun = time.monotonic()
    store = store_at(root)
    for number in range(_CREW):
        try:
            with store.transaction(
                Intent(MINER, "storm", "try"), datetime.now(UTC), parkable=True
            ) as tx:
                tx.put(FILE, _with_line(tx.read_text(FILE), f"- tried {kill} {number}{_END}"))
        except BusyError:
            continue
    store.close()
    return (time.monotonic() - begun) / _CREW


def _forked(root: Path, name: str, log: int) -> int:
    pid = os.fork()
    if not pid:
        try:
            write_until_killed(root, name, log)
        finally:
            os._exit(1)
    return pid


def _kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def walk_until(root: Path, end: float) -> None:
    """Somebody at a terminal, who types one command after the other: he commits by hand, collects
    garbage, and HEAD leaves its branch and comes back, as with `git bisect`, or to look at
    something.
    """
    while _blows(root, end):
        for _ in range(random.randint(4, 12)):
            time.sleep(random.uniform(0.02, 0.3))
            _git(root, "commit", "-qam", "by hand")
        if random.random() < _COLLECTS:
            _git(root, "gc", "-q")
        away = random.choice([("checkout", "-q", "--detach"), ("bisect", "start")])
        _git(root, *away)
        for _ in range(random.randint(0, 2)):
            time.sleep(random.uniform(0.02, 0.3))
            _git(root, "commit", "-qam", "by hand, away")
        come_back(root)


def come_back(root: Path) -> None:
    """To the branch, with what was committed by hand on the way. A lock may keep git from it for a
    moment."""
    deadline = time.monotonic() + 60
    while (root / ".git/BISECT_START").exists() and time.monotonic() < deadline:
        _git(root, "bisect", "reset")
    while (
        _git(root, "rev-parse", "--abbrev-ref", "HEAD").strip() == "HEAD"
        and time.monotonic() < deadline
    ):
        _git(root, "checkout", "-q", "-B", "main")


def _blows(root: Path, end: float) -> bool:
    return time.time() < end and not (root.parent / CALM).exists()


def edit_until(root: Path, how: str, end: float, *, slowly: bool = False) -> list[str]:
    lines: list[str] = []
    while _blows(root, end):
        line = f"- foreign {len(lines)}{_END}"
        EDITORS[how](root / FILE, line)
        lines.append(line)
        time.sleep(random.uniform(0.0005, 0.004) * _pace(how, slowly=slowly))
    return lines


def _pace(how: str, *, slowly: bool) -> int:
    if slowly:
        return 30  # so that the file stands still now and then, and writers get to write
    return 1 if how == "append" else 10


def _call(root: Path, end: float, *what: str, program: str = sys.executable) -> list[str]:
    return [program, "-m", "tests.storm", str(root), *what, "--end", str(end)]


def storm(
    root: Path, seconds: float, *, writers: int = 3, editor: str = "", program: str = sys.executable
) -> Report:
    """Lets it blow over a repository that has a MEMORY.md, and tells what is left."""
    end = time.time() + seconds
    calls = [_call(root, end, "--write", str(name), program=program) for name in range(writers)]
    if editor:
        calls.append(_call(root, end, "--edit", editor, program=program))
    foreign, told = list[str](), list[str]()
    for process in [_started(call) for call in calls]:
        for line in _said(process):
            (foreign if line.startswith("- foreign") else told).append(line)
    return _report(root, foreign, told, 0, editor)


def _started(call: list[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=HOUSE)


def _said(process: "subprocess.Popen[bytes]") -> list[str]:
    said = process.communicate(timeout=_LONGEST)[0].decode().splitlines()
    return [line for line in said if line]


def storm_of_kills(root: Path, kills: int, editor: str = "append") -> Report:
    """Kills so many writers while an editor saves, somebody uses git, and HEAD goes and comes."""
    end, log = time.time() + _LONGEST, root.parent / "acknowledged"
    log.write_bytes(b"")
    (root.parent / CALM).unlink(missing_ok=True)
    helpers = [("--edit", editor, "--slowly"), ("--walk",)]
    running = [_started(_call(root, end, *what)) for what in helpers]
    subprocess.run(_call(root, end, "--crew", str(kills)), check=True, cwd=HOUSE)
    foreign = [line for helper in running for line in _said(helper)]
    # A lock of a writer that died last would keep git from coming back.
    store_at(root).heal(datetime.now(UTC))
    come_back(root)
    told = log.read_text().splitlines()
    report = _report(root, foreign, [line.removeprefix("parked ") for line in told], kills, editor)
    parked = sum(line.startswith("parked ") for line in told)
    commits, untrue = _untrue(root) if editor == "append" else (0, [])
    return report._replace(parked=parked, commits=commits, untrue=tuple(untrue))


def _untrue(root: Path) -> tuple[int, list[str]]:
    """How many commits there are, and those of which the file is in a state that never was: lines
    are only added."""
    oids = _git(root, "rev-list", "--reverse", "--all").split()
    line = set(_git(root, "rev-list", "--first-parent", "main").split())
    faults: list[str] = []
    before: set[str] = set()
    for oid in oids:
        text = _git(root, "cat-file", "blob", f"{oid}:{FILE}").splitlines()
        lines = Counter(each for each in text if each.startswith("- "))
        if twice := [each for each, count in lines.items() if count > 1]:
            subject = _git(root, "log", "-1", "--format=%s", oid).strip()
            faults.append(f"twice in {oid[:10]} {subject}: {twice[:3]}")
        if oid in line:
            if gone := before - lines.keys():
                faults.append(f"taken out by {oid[:10]}: {sorted(gone)[:3]}")
            before = set(lines)
    return len(oids), faults


def _report(root: Path, foreign: list[str], told: list[str], killed: int, editor: str) -> Report:
    store = store_at(root)
    store.heal(datetime.now(UTC))
    store.close()
    time.sleep(0.06)
    store.snapshot(datetime.now(UTC))
    store.close()
    found = Counter((root / FILE).read_text().splitlines())
    kept = set(found) if editor in ("", "append") else set(found) | _ever_added(root)
    ours = [line for line in told if line.startswith("- ours ")]
    unexpected = [line for line in told if not line.startswith("- ours ")]
    return Report(
        len(foreign), len(ours), killed,
        tuple(line for line in (*foreign, *ours) if line not in kept) + tuple(unexpected),
        tuple(line for line in found if line.endswith(_WHOLE) and found[line] > 1),
        _git(root, "fsck", "--strict", "--no-dangling"), _git(root, "status", "--porcelain"),
        tuple(litter(root)),
    )  # fmt: skip


def _ever_added(root: Path) -> set[str]:
    patch = _git(root, "log", "--all", "-p", "-U0", "--format=", "--", FILE)
    return {line[1:] for line in patch.splitlines() if line.startswith("+- ")}


def _git(root: Path, *args: str) -> str:
    done = subprocess.run(["git", *args], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def _main() -> None:
    """One of those who make a storm, as a process of its own."""
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=Path)
    parser.add_argument("--write")
    parser.add_argument("--crew", type=int)
    parser.add_argument("--walk", action="store_true")
    parser.add_argument("--slowly", action="store_true")
    parser.add_argument("--edit")
    parser.add_argument("--end", type=float, default=0)
    given = parser.parse_args()
    if given.write:
        write_until(given.root, given.write, given.end)
    elif given.edit:
        print("\n".join(edit_until(given.root, given.edit, given.end, slowly=given.slowly)))
    elif given.crew:
        crew(given.root, given.crew)
    else:
        walk_until(given.root, given.end)


if __name__ == "__main__":
    _main()
