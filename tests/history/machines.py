"""Machines that share one memory by a bare remote: each a clone with its own operator."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from clawgit.core.markdown.entry import entries
from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import OPERATOR, Actor
from clawgit.history.sync import sync
from clawgit.history.synced import Synced
from clawgit.workspace.workspace import Caller, Workspace
from tests import ready
from tests.conftest import NOW, Git, program, run_to_end
from tests.git.test_transaction import age

BRANCH = "main"


class Machine(Git):
    """One clone. Its clock goes on by a minute with each question."""

    def __init__(self, root: Path, now: datetime = NOW) -> None:
        super().__init__(root)
        self.now = now

    def workspace(self, actor: Actor = OPERATOR, env: dict[str, str] | None = None) -> Workspace:
        self.now += timedelta(minutes=1)
        settings = {**os.environ, "CLAWGIT_SEARCH_MODE": "core", **(env or {})}
        caller = Caller(actor, settings, self.now, Path(os.environ["HOME"]))
        return Workspace(find_repo(self.root), caller)

    def sync(
        self, env: dict[str, str] | None = None, *, dry_run: bool = False, **wishes: object
    ) -> Synced:
        workspace = self.workspace(env=env)
        workspace = workspace.dry() if dry_run else workspace
        try:
            return sync(workspace, **wishes)  # type: ignore[arg-type]
        finally:
            workspace.close()

    def save(self, path: str, text: str) -> None:
        """As an editor that was closed a while ago."""
        age(self.write(path, text))

    def append(self, text: str, path: str = "MEMORY.md") -> None:
        file = self.root / path
        self.save(path, (file.read_text() if file.exists() else "") + text)

    def text(self, path: str = "MEMORY.md") -> str:
        return (self.root / path).read_text()

    def texts(self) -> Iterator[str]:
        """All that is remembered."""
        for file in sorted(self.root.rglob("*.md")):
            yield file.read_text()

    def tree(self) -> str:
        return self("rev-parse", "HEAD^{tree}").strip()

    def objects(self) -> bytes:
        """All that its repository holds, whether anything refers to it or not."""
        every = ["git", "cat-file", "--batch-all-objects", "--batch"]
        return subprocess.run(every, cwd=self.root, capture_output=True, check=True).stdout

    def left_over(self) -> str:
        """What a sync left in the work tree or in git's own folder that does not belong there."""
        git = self.root / ".git"
        litter = [
            *self.root.rglob(".clawgit-*"), *git.glob("*.lock"), *(git / "refs").rglob("*.lock"),
            *git.glob("clawgit-*"), *(git / "clawgit/held").glob("*"),
        ]  # fmt: skip
        journals = self("for-each-ref", "refs/clawgit/tx")
        return "\n".join([self.status(), *map(str, litter), journals]).strip()


class Hub(Git):
    """A bare remote."""

    @classmethod
    def new(cls, folder: Path) -> "Hub":
        hub = cls(folder / "hub.git")
        hub.root.mkdir()
        hub("init", "-q", "--bare", "-b", BRANCH, "--template=")
        (hub.root / "hooks").mkdir()
        return hub

    def hook(self, name: str, script: str) -> None:
        program(self.root / "hooks" / name, script)


Pair = tuple[Hub, Machine, Machine]


def machines(ws: Git, folder: Path, count: int) -> tuple[Hub, list[Machine]]:
    """A remote that holds the memory of `ws`, and clones of it."""
    (ws.root / ".git/clawgit").mkdir(exist_ok=True)
    hub = Hub.new(folder)
    ws("remote", "add", "origin", str(hub.root))
    ws("push", "-q", "-u", "origin", BRANCH)
    clones = []
    for number in range(count):
        root = folder / f"machine{number}"
        shutil.copytree(ws.root, root)
        clones.append(Machine(root, NOW + timedelta(seconds=7 * number)))
    for clone in clones:
        clone("status", "--porcelain")  # refreshes what git knows of the copied files
    return hub, clones


def copied(made: Path, folder: Path, age: timedelta = timedelta()) -> Pair:
    """A remote and two clones that were made once, each with a later clock."""
    for name in ("hub.git", "machine0", "machine1"):
        shutil.copytree(made / name, folder / name)
    clones = [Machine(folder / name, NOW + age) for name in ("machine0", "machine1")]
    clones[1].now += timedelta(seconds=7)
    for clone in clones:
        config = clone.root / ".git/config"
        config.write_text(config.read_text().replace(str(made), str(folder)))
    return Hub(folder / "hub.git"), clones[0], clones[1]


def ids_of(machine: Machine) -> dict[str, str]:
    """Each entry by its id, as its text and status stand."""
    found: dict[str, str] = {}
    for file in sorted(machine.root.rglob("*.md")):
        for entry in entries(file.read_text()):
            if entry.meta and entry.meta.id:
                found[entry.meta.id] = f"{entry.text} {entry.meta.status}"
    return found


def meet(clones: list[Machine], rounds: int = 2, **wishes: Any) -> list[Synced]:
    """Every machine syncs in turn, until all have what the others had."""
    return [clone.sync(None, **wishes) for _ in range(rounds) for clone in clones]


def killed_at(machine: Machine, step: str) -> int:
    """A sync in a process of its own that dies at a step; its exit code."""
    return in_a_child(machine, step)[0]


def in_a_child(machine: Machine, step: str) -> tuple[int, str]:
    """The exit code of such a sync, and what it printed."""
    name, _, times = step.partition(":")
    machine.now += timedelta(minutes=1)
    child = Path(__file__).with_name("sync_child.py")
    args = [ready.python(), str(child), str(machine.root), machine.now.isoformat(), name]
    done = run_to_end(*args, times or "1", cwd=child.parents[2], timeout=60)
    return done.returncode, done.stdout.strip()
