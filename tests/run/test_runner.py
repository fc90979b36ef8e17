"""The runner: each due job once, whatever happens to the machine, the clock, the runner itself or a
job."""

import os
import random
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from clawgit.core.disk.program import Child
from clawgit.core.errors import BusyError, StorageError
from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import OPERATOR, actor_named
from clawgit.git.rules.history import Intent
from clawgit.run.runner import LONGEST_JOB, Errand, Runner, World
from clawgit.run.schedule import JobState, job_name, jobs_of, next_due, schedule
from clawgit.workspace.workspace import Workspace
from tests.conftest import Git
from tests.making import asker

Start = tuple[str, ...]
MINUTE = timedelta(minutes=1)


class Job(Child):
    """A child that somebody tells how to end."""

    def __init__(self, code: int | None, words: str = "") -> None:
        self.code, self.words = code, words
        self.was_ended = False

    def ended(self) -> int | None:
        return self.code

    def last_words(self) -> str:
        return self.words

    def ask_to_end(self, *, with_all: bool = False) -> None:  # noqa: ARG002 - as a real one
        self.code = self.code if self.code is not None else -15

    def wait(self, seconds: float) -> int | None:  # noqa: ARG002 - the signature of a real one
        return self.code

    def end(self) -> None:
        self.was_ended = True
        self.ask_to_end()


INDEX = Errand("index", 60, ("memory", "index"), lambda _: True)


class Machine:
    """A computer with a clock that we set. Each job ends at once and well, unless `fate` says
    otherwise."""

    def __init__(self, root: Path, start: str, zone: str) -> None:
        self.zone = ZoneInfo(zone)
        self.now = datetime.fromisoformat(start).replace(tzinfo=self.zone)
        self.seconds = 0.0
        self.started: list[tuple[str, datetime]] = []
        self.errands: list[Start] = []
        self.children: list[Job] = []
        self.said: list[str] = []
        self.fate: Callable[[str], Job] = lambda _: Job(0)
        self._root = root
        self.runner = self._booted()

    def workspace(self) -> Workspace:
        return Workspace(find_repo(self._root), asker(OPERATOR, self.now))

    def look(self, passed: timedelta = timedelta(0)) -> None:
        """Time goes by, then the runner looks twice: it sees a job end, and begins the next."""
        self.sleep(passed)
        self.runner.look()
        while self.runner.is_busy and all(child.code is not None for child in self.children):
            self.runner.look()

    def sleep(self, passed: timedelta) -> None:
        self.now = (self.now.astimezone(UTC) + passed).astimezone(self.zone)
        self.seconds += passed.total_seconds()

    def crash(self) -> None:
        """The runner dies with all it has, and another one comes up."""
        self.runner._held.close()
        self.children.clear()
        self.runner = self._booted()

    def jobs(self) -> dict[str, JobState]:
        return {row.name: row for row in schedule(self.workspace()).jobs}

    def next_due(self) -> datetime:
        settings = self.workspace().config.settings
        rules = jobs_of(settings).values()
        return min(next_due(rule, self.now, self.zone) for rule in rules)

    def _booted(self) -> Runner:
        world = World(lambda: self.now, lambda: self.seconds, self._start, self.said.append)
        return Runner(self.workspace(), world, (INDEX,))

    def _start(self, _: Workspace, command: Sequence[str]) -> Job:
        if command[:2] != ("run", "--once"):
            self.errands.append(tuple(command))
            child = self.fate("errand")
        else:
            self.started.append((command[2], datetime.fromisoformat(command[4])))
            child = self.fate(command[2])
        self.children.append(child)
        return child


def machine(git: Git, start: str = "2026-02-14T00:00", zone: str = "Europe/Berlin") -> Machine:
    git.commit_file("CONFIG.md", f"# Config\n\n```yaml\ntimezone: {zone}\n```\n", "config")
    made = Machine(git.root, start, zone)
    made.look()
    return made


def test_a_day_runs_each_job_once_in_its_order(ws: Git) -> None:
    day = machine(ws)
    for _ in range(24 * 4):
        day.look(timedelta(minutes=15))
    assert [name for name, _ in day.started] == [
        "soul-keeper", "upkeep", "memory-miner", "conflict-detector",
    ]  # fmt: skip
    assert [f"{at:%H:%M}" for _, at in day.started] == ["02:30", "04:15", "06:00", "07:00"]


def test_what_was_missed_asleep_is_caught_up_once_and_in_order(ws: Git) -> None:
    slept = machine(ws, "2026-02-14T12:00")
    slept.look(timedelta(days=9))
    assert [name for name, _ in slept.started] == [
        "weekly-review", "memory-compactor", "vector-hygiene", "soul-keeper", "upkeep",
        "memory-miner", "conflict-detector",
    ]  # fmt: skip
    slept.look(timedelta(hours=1))
    assert len(slept.started) == len({name for name, _ in slept.started})


def test_a_job_that_fails_is_tried_again_later_and_stops_no_other(ws: Git) -> None:
    broken = machine(ws)
    broken.fate = lambda name: (
        Job(1, "note: x\nerror: the model is away\n") if name == "memory-miner" else Job(0)
    )
    for _ in range(12 * 6):
        broken.look(10 * MINUTE)
    tries = Counter(name for name, _ in broken.started)
    assert tries["conflict-detector"] == 1
    assert 3 < tries["memory-miner"] < 10
    row = broken.jobs()["memory-miner"]
    assert (row.outcome, row.trouble) == ("failed", "the model is away")
    assert row.failures == tries["memory-miner"]
    assert row.next is not None
    assert row.next > broken.now
    broken.fate = lambda _: Job(0)
    broken.look(timedelta(hours=4))
    assert broken.jobs()["memory-miner"].outcome == "done"
    assert broken.jobs()["memory-miner"].failures == 0


def test_a_job_that_hangs_is_ended_and_the_next_one_runs(ws: Git) -> None:
    stuck = machine(ws)
    stuck.fate = lambda name: Job(None if name == "soul-keeper" else 0)
    stuck.look(timedelta(hours=3))
    assert [child.was_ended for child in stuck.children] == [False]
    stuck.look(timedelta(seconds=LONGEST_JOB + 1))
    stuck.fate = lambda _: Job(0)
    stuck.look(timedelta(hours=5))
    assert stuck.children[0].was_ended
    assert [name for name, _ in stuck.started][-3:] == [
        "upkeep", "memory-miner", "conflict-detector",
    ]  # fmt: skip
    assert "took longer than 30 minutes" in stuck.said[0]


def test_a_runner_that_died_in_a_job_tries_it_again(ws: Git) -> None:
    dead = machine(ws)
    dead.fate = lambda _: Job(None)
    dead.look(timedelta(hours=3))
    dead.crash()
    dead.fate = lambda _: Job(0)
    dead.look(timedelta(minutes=5))
    dead.look(timedelta(minutes=5))
    assert [name for name, _ in dead.started] == ["soul-keeper", "soul-keeper"]
    assert dead.jobs()["soul-keeper"].outcome == "done"


def grows(of: Machine, name: str, due: datetime) -> None:
    """A job has made its commit."""
    job = job_name(name, due)
    intent = Intent(actor_named(name), "edit", "grew", "why", ("x",), job=job)
    space = of.workspace()
    with space.git.transaction(intent, of.now) as tx:
        tx.put("SOUL.md", "# Soul\n\n- Be kind.\n- Be brief.\n- Be bold.\n")
    space.close()


def test_what_the_history_says_was_done_is_not_done_again(ws: Git) -> None:
    dead = machine(ws)
    dead.fate = lambda _: Job(None)
    dead.look(timedelta(hours=3))
    [(name, due)] = dead.started
    grows(dead, name, due)
    dead.crash()
    dead.look(timedelta(minutes=5))
    assert len(dead.started) == 1


def test_a_job_whose_end_the_state_missed_is_not_begun_again(ws: Git) -> None:
    busy = machine(ws)
    busy.fate = lambda _: Job(None)
    busy.look(timedelta(hours=3))
    place = busy.workspace().place
    state, aside = place.shared / "state.db", place.shared / "aside.db"
    state.rename(aside)
    with closing(sqlite3.connect(state)) as db:  # nothing can be written there
        db.execute("PRAGMA user_version = 999")
    busy.children[0].code = 0
    busy.runner.look()
    state.unlink()
    aside.rename(state)
    busy.runner.look()
    busy.runner.look()
    assert [name for name, _ in busy.started] == ["soul-keeper"]
    assert busy.jobs()["soul-keeper"].outcome == "done"


def test_a_workspace_that_is_gone_is_not_made_anew(ws: Git, tmp_path: Path) -> None:
    away = machine(ws)
    away.fate = lambda _: Job(None)
    away.look(timedelta(hours=3))
    ws.root.rename(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match="is gone"), away.runner:
        away.runner.look()
    assert (ws.root.exists(), [child.was_ended for child in away.children]) == (False, [True])


def test_a_lost_state_is_made_up_from_the_history(ws: Git) -> None:
    """Of what was done in the morning nothing is done again, though `state.db` and its log are
    gone."""
    lost = machine(ws)
    due = datetime(2026, 2, 14, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    grows(lost, "soul-keeper", due)
    logs = Path(os.environ["HOME"]).rglob("state.jsonl")
    for file in (*lost.workspace().place.shared.glob("state.db*"), *logs):
        file.unlink()
    lost.look(timedelta(days=1, hours=2))
    # 02:00 of the next day: the history says that the last night was seen to.
    assert lost.started == []
    lost.look(timedelta(hours=1))
    assert lost.started[0][0] == "soul-keeper"


def test_a_second_runner_is_refused(ws: Git) -> None:
    machine(ws)
    with pytest.raises(BusyError, match="clawgit run"):
        Machine(ws.root, "2026-02-14T00:00", "Europe/Berlin")


def test_an_errand_that_fails_is_told_once_and_paused(ws: Git) -> None:
    errands = machine(ws)
    errands.fate = lambda _: Job(1, "error: no space left\n")
    for _ in range(40):
        errands.sleep(timedelta(seconds=10))
        errands.runner.errand(INDEX)
        errands.runner.look()
    assert len(errands.errands) == 2
    assert errands.said == ["index: no space left"]


def year(git: Git, zone: str, start: str, days: int, seed: int) -> Counter[tuple[str, datetime]]:
    """Lives through days with sleep, crashes, clocks set back and jobs that fail or hang; gives
    what was done."""
    rng = random.Random(seed)
    world = machine(git, start, zone)
    done: Counter[tuple[str, datetime]] = Counter()
    until = world.now + timedelta(days=days)

    def fate(_: str) -> Job:
        chance = rng.random()
        if chance < 0.9:
            done[world.started[-1]] += 1
            return Job(0)
        return Job(1, "error: bad luck") if chance < 0.97 else Job(None)

    world.fate = fate
    while world.now < until:
        world.look(max(world.next_due() - world.now, MINUTE))
        chance = rng.random()
        if chance < 0.05:
            world.look(timedelta(hours=rng.randrange(6, 60)))
        elif chance < 0.1:
            world.crash()
        elif chance < 0.13:
            world.look(timedelta(hours=-rng.randrange(1, 6)))
        while any(child.code is None for child in world.children):
            world.look(timedelta(seconds=LONGEST_JOB + 1))
        for _ in range(3):
            world.look(timedelta(minutes=20))
        world.children.clear()
    return done


YEAR = ("2026-01-01T00:00", 365)


@pytest.mark.parametrize(
    ("zone", "start", "days"),
    [
        ("Europe/Berlin", "2026-03-27T00:00", 4),
        ("America/New_York", "2026-10-30T00:00", 4),
        pytest.param("Europe/Berlin", *YEAR, marks=pytest.mark.slow),
        pytest.param("America/New_York", *YEAR, marks=pytest.mark.slow),
        pytest.param("Australia/Lord_Howe", *YEAR, marks=pytest.mark.slow),
    ],
)
def test_a_change_of_the_clocks_runs_each_job_once(
    ws: Git, zone: str, start: str, days: int
) -> None:
    done = year(ws, zone, start, days, seed=7)
    assert max(done.values()) == 1
    jobs = Counter(name for name, _ in done)
    assert {*jobs} >= {"soul-keeper", "memory-miner", "conflict-detector", "memory-compactor"}
    assert jobs["memory-miner"] > 0.8 * (days - 2)
