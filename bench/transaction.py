"""What the basics cost: transactions, scans, histories, cold starts, imports, each compared with
git or bare Python.
"""

from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pygit2

from bench.lab import Lab
from bench.race import Race, Task
from bench.workspaces import NOW, copy, plant
from clawgit.git.cgit import CGit
from clawgit.git.gitdir import find_repo
from clawgit.git.history.pathlog import PathLog
from clawgit.git.rules.actors import AGENT
from clawgit.git.rules.history import Intent
from clawgit.git.store import GitStore
from clawgit.workspace.workspace import Caller, Workspace

MEMORY = "MEMORY.md"
DEPENDENCIES = ("pygit2", "click", "markdown_it", "yaml", "rapidfuzz", "json5", "sqlite3")


class Scale(NamedTuple):
    """How big and how often. `laps` are for what takes milliseconds, `long_laps` for what takes
    seconds."""

    sizes: tuple[int, ...]
    commits: int
    commits_files: int
    days: int
    laps: int
    long_laps: int


FULL = Scale(
    sizes=(100, 1_000, 10_000),
    commits=100_000,
    commits_files=1_000,
    days=3_650,
    laps=40,
    long_laps=7,
)
QUICK = Scale(sizes=(12,), commits=250, commits_files=24, days=24, laps=1, long_laps=1)

_TRANSACTION_MS = {1_000: 10.0, 10_000: 15.0}
_SCAN_MS = {10_000: 20.0}
_HISTORY_MS = 150.0
_STATUS_MS = 120.0
_HELP_MS = 60.0


def races(lab: Lab, quick: bool) -> Iterator[Race]:
    """Each race as its workspace stands ready; a workspace is given up when the next race is asked
    for."""
    scale = QUICK if quick else FULL
    for files in scale.sizes:
        root = plant(lab, f"files-{files}", files=files)
        size = f"{files:,} files"
        yield _scan(lab, root, size, scale.laps, _SCAN_MS.get(files))
        yield from _transaction(lab, root, size, scale.laps, _TRANSACTION_MS.get(files))
    root = plant(lab, "commits", files=scale.commits_files, commits=scale.commits)
    size = f"{scale.commits:,} commits"
    yield _by_id(lab, root, size, scale.long_laps)
    yield _log(lab, root, size, scale.long_laps)
    yield _why(lab, root, size, scale.long_laps)
    yield from _transaction(lab, root, size, scale.laps, _TRANSACTION_MS[1_000])
    yield _status(lab, plant(lab, "days", files=scale.days), f"{scale.days:,} files", scale.laps)
    yield from _cold_starts(lab, scale.laps)


def _transaction(
    lab: Lab, root: Path, size: str, laps: int, budget_ms: float | None
) -> Iterator[Race]:
    """One more entry in MEMORY.md, durable. Ours and libgit2's run in this process, git as its two
    commands."""
    with closing(_open(lab, root)) as store:
        plain, synced, indexed = (
            copy(lab, root, f"{root.name}-{name}") for name in ("git", "synced", "index")
        )
        references = {
            "git add, git commit": _by_git(lab, plain),
            "the same with core.fsync=all": _by_git(lab, synced, "-c", "core.fsync=all"),
            "pygit2 through the index": _through_index(indexed),
        }
        yield Race(f"one transaction, {size}", _by_us(store), references, laps, budget_ms)


def _scan(lab: Lab, root: Path, size: str, laps: int, budget_ms: float | None) -> Race:
    store = _open(lab, root)
    status = {"git status --porcelain": lab.git(root, "status", "--porcelain")}
    return Race(f"scan for foreign edits, {size}", store.dirt, status, laps, budget_ms)


def _by_id(lab: Lab, root: Path, size: str, laps: int) -> Race:
    return Race(
        f"a change by its id, {size}",
        _change_named(lab, root),
        {"git log --grep": lab.git(root, "log", "--grep=klmnopqr")},
        laps,
    )


def _log(lab: Lab, root: Path, size: str, laps: int) -> Race:
    """All changes of one path. `-n` is beyond their number, so that a page's length does not decide
    the race."""
    listed = ("log", "--oneline", "-n", "1000", "--", MEMORY)
    references = {
        "git log --oneline -- PATH": lab.git(root, *listed),
        "the same with path filters": lab.git(
            root, "-c", "commitGraph.readChangedPaths=true", *listed
        ),
    }
    return Race(
        f"clawgit log PATH, {size}",
        lab.clawgit(root, "log", MEMORY, "-n", "1000"),
        references,
        laps,
        _HISTORY_MS,
    )


def _why(lab: Lab, root: Path, size: str, laps: int) -> Race:
    """The middle line, which came about halfway through the history."""
    line = len((root / MEMORY).read_text().splitlines()) // 2
    blame = {"git blame -L": lab.git(root, "blame", f"-L{line},{line}", "--", MEMORY)}
    return Race(
        f"clawgit why PATH:LINE, {size}",
        lab.clawgit(root, "why", f"{MEMORY}:{line}"),
        blame,
        laps,
        _HISTORY_MS,
    )


def _bisect(lab: Lab, root: Path, size: str, laps: int) -> Race:
    """The words of the middle entry: both look through all of history."""
    lines = (root / MEMORY).read_text().splitlines()
    words = lines[len(lines) // 2].removeprefix("- ").partition(" #")[0]
    pickaxe = {"git log -S": lab.git(root, "log", "--format=%H", f"-S{words}")}
    return Race(f"clawgit why TEXT, {size}", lab.clawgit(root, "why", words), pickaxe, laps)


def _status(lab: Lab, root: Path, size: str, laps: int) -> Race:
    return Race(
        f"clawgit status, {size}",
        lab.clawgit(root, "status"),
        {"git status": lab.git(root, "status")},
        laps,
        _STATUS_MS,
    )


def _cold_starts(lab: Lab, laps: int) -> Iterator[Race]:
    bare = {"python -c pass": lab.python("pass")}
    references = {"git --help": lab.git(lab.root, "--help"), **bare}
    yield Race("clawgit --help", lab.clawgit(lab.root, "--help"), references, laps, _HELP_MS)
    for name in DEPENDENCIES:
        yield Race(f"import {name}", lab.python(f"import {name}"), bare, laps)


def _open(lab: Lab, root: Path) -> GitStore:
    """The store as commands open it, with the validation that they pass."""
    return Workspace(find_repo(root), Caller(AGENT, lab.env, NOW, lab.root)).git


def _by_us(store: GitStore) -> Task:
    intent, numbers = Intent(AGENT, "remember", "one more fact"), count()

    def commit() -> None:
        with store.transaction(intent, NOW) as tx:
            tx.put(MEMORY, (tx.read_text(MEMORY) or "") + _fact(next(numbers)))
        assert (tx.outcome.commit, tx.outcome.snapshots) == (store.head().oid, ()), (
            "not one commit of ours"
        )

    return commit


def _by_git(lab: Lab, root: Path, *settings: str) -> Task:
    add = lab.git(root, *settings, "add", MEMORY)
    record = lab.git(root, *settings, "commit", "-q", "-m", "one more fact")
    numbers = count()

    def commit() -> None:
        _append(root, next(numbers))
        add()
        record()

    return commit


def _through_index(root: Path) -> Task:
    repo, numbers = pygit2.Repository(str(root)), count()

    def commit() -> None:
        _append(root, next(numbers))
        repo.index.read(force=False)
        repo.index.add(MEMORY)
        repo.index.write()
        me, tree = repo.default_signature, repo.index.write_tree()
        repo.create_commit("HEAD", me, me, "one more fact", tree, [repo.head.target])

    return commit


def _change_named(lab: Lab, root: Path) -> Task:
    head = str(pygit2.Repository(str(root)).head.target)
    log = PathLog(CGit(root, lab.env), head)
    return lambda: log.by_change_id("klmnopqr")


def _append(root: Path, number: int) -> None:
    with (root / MEMORY).open("a") as file:
        file.write(_fact(number))


def _fact(number: int) -> str:
    return f"- Measured fact {number}. #knowledge\n"
