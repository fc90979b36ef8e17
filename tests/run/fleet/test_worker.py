"""Workers as processes: killed, stopped, with a database that goes away; and 200 workspaces."""

import os
import random
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event, Thread

import pytest

from bench.fleet_ground import Ground, ground
from clawgit.core.errors import StorageError
from clawgit.front.cli.root import run
from clawgit.git.lock import workspace_lock
from clawgit.git.rules.actors import AGENT
from clawgit.run.fleet import commands, database, working
from clawgit.run.fleet import worker as workers
from clawgit.run.fleet.database import Address, Fleet, FleetError
from clawgit.run.fleet.queue import Pace, Post
from clawgit.run.fleet.worker import MACHINE
from clawgit.workspace.workspace import Caller
from tests.conftest import program
from tests.ended import until
from tests.run.fleet.lab import Lab, in_a_child, replaced


@pytest.fixture
def here(lab: Lab, tmp_path: Path) -> Iterator[Ground]:
    folder = tmp_path / "fleet"
    folder.mkdir()
    made = Ground(folder, lab.address)
    yield made
    made.end()


def test_what_a_killed_worker_had_is_done_once_by_another(here: Ground) -> None:
    agents = here.add(2)
    for agent in agents:
        here.say(agent, 0)
    here.due()
    here.start("first")
    here.wait(undone=3)
    here.kill("first")
    here.query("UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 hour'")
    here.start("second")
    assert here.wait(seconds=100)[:2] == (4, 4)
    assert here.wrong(agents) == []


def _post(lab: Lab, told: list[str], longest: float = 60) -> Post:
    env = {**lab.caller().env, "CLAWGIT_FLEET": lab.address.plain}
    pace = Pace(tick=0.1, stale=0.1, longest=longest)
    return Post(lab.address, lab.folder, 1, pace, env, told.append)


def test_a_job_that_hangs_is_ended_and_counts_as_a_try(lab: Lab) -> None:
    due, task = lab.given()
    told: list[str] = []
    with replaced(workers, "own_program", lambda *_: ("sh", "-c", "sleep 100", "#")):
        workers._one(_post(lab, told, longest=0.2), Event(), due, task)
    assert lab.query("SELECT tries, done FROM due") == [(1, None)]
    assert "took longer than" in told[0]


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGKILL, marks=pytest.mark.slow)]
)
def test_a_push_that_hangs_ends_with_its_worker(here: Ground, number: int) -> None:
    (agent,) = here.add(1)
    pid = here.folder / "pid"
    hook_of(here, agent, f"echo $$ > {pid}; exec sleep 1000")
    here.say(agent, 0)
    here.due()
    here.start("first")
    until(lambda: pid.exists() and pid.read_text())
    here.kill("first", number)
    until(lambda: not Path(f"/proc/{pid.read_text().strip()}/cmdline").exists())
    [lock] = (here.folder / "first").glob("*.lock")
    with workspace_lock(lock, "a test", 10):
        assert lock.with_suffix(".in-use").exists()  # so that it is made anew


@pytest.mark.parametrize("error", [StorageError("The disk is full."), FleetError("It is away.")])
def test_a_full_disk_is_no_fault(
    lab: Lab, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setenv("CLAWGIT_FLEET", lab.address.plain)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    with replaced(working, "work", fails):
        assert run(["fleet", "work", "1", "--cache", str(lab.folder)]) == MACHINE


def test_a_job_does_not_get_the_password_of_the_database(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[Caller] = []

    def look(_: object, __: int, ___: Path, caller: Caller, ____: str) -> None:
        seen.append(caller)
        raise FleetError("No.")

    monkeypatch.setenv("PGPASSWORD", "")
    monkeypatch.setenv("CLAWGIT_FLEET", "postgresql://joe:swordfish@/fleet")
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    with replaced(working, "work", look):
        run(["fleet", "work", "1", "--cache", str(lab.folder)])
    assert os.environ["PGPASSWORD"] == "swordfish"
    assert "swordfish" not in f"{seen[0].env} {os.environ['CLAWGIT_FLEET']} {capsys.readouterr()}"
    assert seen[0].actor == AGENT
    assert run(["fleet", "status", "--database", "postgresql://joe:swordfish@/fleet"]) == 2
    assert "swordfish" not in str(capsys.readouterr())


def test_what_failed_by_a_full_disk_is_due_at_once_for_others(lab: Lab) -> None:
    due, task = lab.given()
    told: list[str] = []
    program = ("sh", "-c", f"echo 'error: full' >&2; exit {MACHINE}", "#")
    with replaced(workers, "own_program", lambda *words: (*program, *words)):
        workers._one(_post(lab, told), Event(), due, task)
    assert told == [f"due {due}: full"]
    assert lab.query("SELECT tries, failed, again <= now() FROM due") == [(0, False, True)]


def test_a_worker_without_a_database_says_so_and_goes_on(lab: Lab) -> None:
    told: list[str] = []
    asked: list[Address] = []
    over, real = Event(), database.opened

    def asks(address: Address) -> AbstractContextManager[Fleet]:
        asked.append(address)
        return real(address)

    away = lab.address._replace(parts=(("host", "/nowhere"), ("dbname", "none")))
    post = _post(lab, told)._replace(address=away)
    serving = Thread(target=workers.serve, args=(post, over))
    with replaced(workers, "opened", asks):
        serving.start()
        until(lambda: told and len(asked) > 3)
        over.set()
        serving.join(30)
    assert not serving.is_alive()
    assert told[0].startswith("The fleet's database")
    assert len(told) == len({*told})


def test_sigterm_ends_a_worker_whose_database_does_not_answer(tmp_path: Path) -> None:
    """It takes connections and says nothing; the pool of the queue would go on to ask it."""
    with socket.create_server(("127.0.0.1", 0)) as silent, replaced(commands, "_FAREWELL", 1):
        away = f"postgresql://nobody@127.0.0.1:{silent.getsockname()[1]}/none"
        call = ["fleet", "worker", "--database", away, "--cache", str(tmp_path)]
        worker = in_a_child(partial(run, call))
        asking, _ = silent.accept()
        began = time.monotonic()
        os.kill(worker, signal.SIGTERM)
        assert os.waitpid(worker, 0)[1] == 0
        assert time.monotonic() - began < 5
        asking.close()


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_two_hundred_workspaces_and_three_workers_lose_nothing() -> None:
    """Kills, stops, a restart of the database, commits by hand, clocks an hour apart, remotes that
    die in mid-push, one that hangs and one that is damaged."""
    lot = random.Random(69)
    with ground() as (here, database):
        agents = here.add(200)
        lost = [agents.pop(), agents.pop()]
        hook_of(here, lost[0], "sleep 1000")
        for file in here.remote(lost[1]).rglob("objects/*/*"):
            file.chmod(0o600)
            file.write_bytes(b"poison")
        for agent in agents[:10]:
            hook_of(here, agent, 'rm "$0"; kill -9 $PPID')
        for agent in (*agents, lost[0]):
            here.say(agent, 0)
        here.due()
        clocks = ("2026-11-28T08:00:00+00:00", "2026-11-28T09:00:00+00:00", "")
        names = [f"worker-{number}" for number in range(3)]
        for name, clock in zip(names, clocks, strict=True):
            here.start(name, 30, **({"CLAWGIT_NOW": clock} if clock else {}))
        over, hands = Event(), count()
        by_hand = Thread(target=_by_hand, args=(here, agents, over, hands))
        by_hand.start()
        for harm in range(12):
            time.sleep(lot.uniform(2, 8))
            name = lot.choice(names)
            if harm == 6:
                database.restart()
            elif harm % 3 == 2:
                still = here.stop(name)
                time.sleep(10)
                here.go_on(still)
            else:
                here.kill(name)
                here.start(name, 30)
        _wait_for(here, agents)
        over.set()
        by_hand.join()
        assert here.wrong(agents) == []
        counts = here.query("""SELECT count(*), count(*) FILTER (WHERE outcome = 'done') FROM due
            JOIN workspace ON workspace.id = workspace WHERE agent <> ALL(%s)""", lost)  # fmt: skip
        assert counts == [(2 * len(agents), 2 * len(agents))]
        print(here.counts())


def hook_of(here: Ground, agent: str, script: str) -> None:
    program(here.remote(agent) / "hooks" / "pre-receive", script)


def _by_hand(here: Ground, agents: list[str], over: Event, hands: Iterator[int]) -> None:
    while not over.is_set() and (number := next(hands)) < len(agents):
        here.by_hand(agents[number], "by hand")


def _wait_for(here: Ground, agents: list[str]) -> None:
    """Pauses after a failure are a minute and more: they are cut short here."""
    until = time.monotonic() + 2000
    sql = """SELECT count(*) FROM due JOIN workspace ON workspace.id = workspace
        WHERE done IS NULL AND agent = ANY(%s)"""
    while here.query(sql, agents) != [(0,)]:
        assert time.monotonic() < until, here.counts()
        here.query("UPDATE procrastinate_jobs SET scheduled_at = NULL WHERE status = 'todo'")
        time.sleep(1)
