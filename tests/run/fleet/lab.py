"""A fleet on one machine: a real PostgreSQL, bare remotes, and workers that work in this process, or
in a child that dies where a test says so. A test module imports `server`, `mold` and `lab`."""

import os
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

from clawgit.git.rules.actors import AGENT, OPERATOR, Actor
from clawgit.run.fleet import database, members, queue
from clawgit.run.fleet import working as tasks
from clawgit.run.fleet.database import Address, DroppedError, Fleet, address_of
from clawgit.run.fleet.worker import tick
from clawgit.talk.rules.chat import USER, Message, told
from clawgit.talk.stores.chat.postgres import PostgresChat
from clawgit.workspace.workspace import Caller
from tests.conftest import Git
from tests.talk.stores.chat.servers import server as server  # noqa: PLC0414 - tests take it here

_names = count(1)
MINER = "memory-miner"
DECIDED = "We decided to use PostgreSQL for billing from now on."


def _named(server: Path, name: str) -> str:
    return f"postgresql://postgres@/{name}?host={server}"


_EMPTY = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid();
DO $$ BEGIN EXECUTE (SELECT format('TRUNCATE %s RESTART IDENTITY', string_agg(t::text, ', '))
    FROM (SELECT format('%I.%I', schemaname, tablename) t FROM pg_tables
        WHERE schemaname LIKE 'clawgit%' AND tablename <> 'migration') tables); END $$"""


def _made(server: Path) -> Address:
    name = f"fleet_{os.getpid()}_{next(_names)}"
    with psycopg.connect(_named(server, "postgres"), autocommit=True) as db:
        db.execute(f"CREATE DATABASE {name}".encode())
    address = address_of(_named(server, name))[0]
    queue.init(address)
    return address


@pytest.fixture(scope="session")
def mold(server: Path) -> Address:
    """A database that is a fleet; each test finds it empty."""
    return _made(server)


@pytest.fixture
def lab(mold: Address, tmp_path: Path, molds: Path) -> "Lab":
    with psycopg.connect(mold.conninfo(), autocommit=True) as db:
        db.execute(_EMPTY)
    return Lab(mold, tmp_path, molds / "begun")


@pytest.fixture
def own_lab(server: Path, tmp_path: Path, molds: Path) -> "Lab":
    """For who changes tables, or makes what no `lab` empties: a database of its own."""
    return Lab(_made(server), tmp_path, molds / "begun")


class Lab:
    """One fleet. `since` is when it began, by the clock of the database."""

    def __init__(self, address: Address, folder: Path, begun: Path) -> None:
        self.address, self.folder, self._begun = address, folder, begun
        ((self.since,),) = self.query("SELECT now()")

    def open(self, role: str = database.WORKER) -> AbstractContextManager[Fleet]:
        return database.opened(self.address, role)

    def caller(self, actor: Actor = OPERATOR, **env: str) -> Caller:
        known = {**os.environ, "CLAWGIT_SEARCH_MODE": "core", **env}
        return Caller(actor, known, datetime.now(UTC), Path.home())

    def remote(self, agent: str) -> Git:
        """Its bare repository."""
        return Git(self.folder / f"{agent}.git")

    def add(self, agent: str = "coder", *, config: str = "", accepted: Path | None = None) -> Git:
        """A workspace in the fleet, its schedule read."""
        remote = self.remote(agent)
        if not remote.root.exists():
            Git(self.folder)(
                "clone", "-q", "--bare", "--no-hardlinks", str(self._begun), str(remote.root)
            )
        if config:
            by_hand = self.clone(agent)
            by_hand.commit_file("CONFIG.md", f"# Config\n\n```yaml\n{config}\n```\n", "settings")
            by_hand("push", "-q")
        members.add(self.address, self.caller(), str(remote.root), agent, "main", accepted)
        return remote

    def clone(self, agent: str = "coder") -> Git:
        """A new clone by hand."""
        folder = self.folder / f"by-hand-{next(_names)}"
        Git(self.folder)("clone", "-q", str(self.remote(agent).root), str(folder))
        return Git(folder)

    def says(self, agent: str, *texts: str) -> None:
        """The operator says something to an agent."""
        with PostgresChat(self.address.chat(agent)) as chat:
            chat.put([*map(self.message, texts)])

    def message(self, text: str) -> Message:
        return told("main", USER, text, self.since - timedelta(hours=1), text[-20:])

    def due(self, agent: str = "coder", job: str = MINER, days: int = 1) -> int:
        """A row that is due."""
        at = self.since + timedelta(days=days)
        with self.open() as fleet:
            ((workspace,),) = self.query("SELECT id FROM workspace WHERE agent = %s", agent)
            fleet.rows("write due", workspaces=[workspace], jobs=[job], times=[at], coming=[at])
        ((due,),) = self.query("SELECT max(id) FROM due")
        return int(due)

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """What anybody who owns the database may ask."""
        with psycopg.connect(self.address.conninfo(), autocommit=True) as db:
            done = db.execute(sql.encode(), values)
            return done.fetchall() if done.description else []

    def given(self) -> tuple[int, int]:
        """A row that is due, and the number of its task."""
        self.add()
        self.tick()
        ((due, task),) = self.query("SELECT id, task FROM due")
        return due, task

    def work(self, due: int, cache: str = "cache") -> bool:
        """Does a row in this process; False if it was dropped."""
        worker = self.caller(AGENT)
        try:
            tasks.work(self.address, due, self.folder / cache, worker, cache)
        except DroppedError:
            return False
        return True

    def work_off(self, cache: str = "cache") -> None:
        """Does all that is due, in order."""
        for (due,) in self.query("SELECT id FROM due WHERE done IS NULL ORDER BY id"):
            self.work(due, cache)

    def tick(self, **later: float) -> int:
        with self.open() as fleet:
            return tick(fleet, self.since + timedelta(**later))

    def outcomes(self, job: str = MINER) -> list[str]:
        sql = "SELECT outcome FROM due WHERE job = %s ORDER BY at"
        return [str(outcome) for (outcome,) in self.query(sql, job)]

    def made_for(self, agent: str = "coder") -> list[str]:
        """The times of jobs that commits of the remote were made for, the oldest first."""
        return self.remote(agent)("log", "--reverse", "--format=%(trailers:key=Clawgit-Job,"
            "valueonly,separator=%x2C)", "main").split()  # fmt: skip

    def text(self, path: str, agent: str = "coder") -> str:
        return self.remote(agent)("show", f"main:{path}")

    def tree(self, agent: str = "coder") -> str:
        return self.remote(agent)("rev-parse", "main^{tree}").strip()


@contextmanager
def replaced(module: object, name: str, act: object) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, name, act)
        yield


def in_a_child(act: Callable[[], object]) -> int:
    """Does it in a child; gives its number."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads, of which none is used
        pid = os.fork()
    if not pid:
        try:
            act()
        finally:
            os._exit(0)
    return pid


def dies(act: Callable[[], object]) -> None:
    """Does it in a child, which must be killed by it."""
    assert os.WTERMSIG(os.waitpid(in_a_child(act), 0)[1]) == signal.SIGKILL


def killed(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)
