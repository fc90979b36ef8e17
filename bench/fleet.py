"""`python -m bench fleet`: what a job costs in a fleet beside `clawgit run --once`; jobs a second by
workers and workspaces; what the database does with the rows of 100,000 workspaces."""

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence

import psycopg

from bench.fleet_ground import Ground, ground
from clawgit.core.resources import own_program
from clawgit.run.fleet.database import opened
from clawgit.run.fleet.worker import tick

JOB = "upkeep"
LAPS = 7
CREWS = ((50, 1), (50, 2), (50, 4), (200, 4))
"""Workspaces and workers, with two slots each."""

MANY = 100_000


def report() -> str:
    return "\n\n".join(("\n".join(_overhead()), "\n".join(_crews()), "\n".join(_rows())))


def _overhead() -> Iterator[str]:
    yield f"| {LAPS} laps of {JOB} | wall ms | CPU ms |"
    yield "| --- | ---: | ---: |"
    with ground() as (here, _):
        (agent,) = here.add(1)
        clone = here.folder / "alone"
        here.git(here.folder, "clone", "-q", str(here.remote(agent)), str(clone))
        (clone / ".git" / "clawgit").mkdir()
        here.query("UPDATE due SET done = now()")
        here.query("""INSERT INTO due (workspace, job, at) SELECT id, %s, now() + n * interval '1s'
            FROM workspace, generate_series(0, %s) n""", JOB, LAPS)  # fmt: skip
        due = iter([ident for (ident,) in here.query("SELECT id FROM due WHERE done IS NULL")])
        ways: dict[str, Callable[[], Sequence[str]]] = {
            "clawgit run --once": lambda: ("-C", str(clone), "run", "--once", JOB),
            "a task of a fleet": lambda: (
                "fleet", "work", str(next(due)), "--cache", str(here.folder / "cache")
            ),
        }  # fmt: skip
        laps = {name: [_timed(here, words())] for name, words in ways.items()}
        for _ in range(LAPS):
            for name, words in ways.items():
                laps[name].append(_timed(here, words()))
    for name, taken in laps.items():
        wall, cpu = (statistics.median(times) * 1000 for times in zip(*taken[1:], strict=True))
        yield f"| {name} | {wall:.0f} | {cpu:.0f} |"


def _timed(here: Ground, words: Sequence[str]) -> tuple[float, float]:
    """Seconds by the wall, and of CPU with all that it started."""
    before, began = os.times(), time.monotonic()
    subprocess.run([*own_program(), *words], env=here.env, check=True, capture_output=True)
    wall, after = time.monotonic() - began, os.times()
    cpu = after.children_user + after.children_system
    return wall, cpu - before.children_user - before.children_system


def _crews() -> Iterator[str]:
    yield "| workspaces | workers | seconds | jobs a second |"
    yield "| ---: | ---: | ---: | ---: |"
    for workspaces, workers in CREWS:
        with ground() as (here, _):
            here.add(workspaces)
            for number in range(workers):
                here.start(f"worker-{number}")
            # The first job of each makes its clone.
            here.wait(seconds=3600)
            began = time.monotonic()
            here.due(JOB)
            here.wait(seconds=3600)
            took = time.monotonic() - began
        yield f"| {workspaces} | {workers} | {took:.1f} | {workspaces / took:.1f} |"


def _rows() -> Iterator[str]:
    yield f"| the database with {MANY:,} workspaces, all due at once | |"
    yield "| --- | ---: |"
    with ground() as (here, _):
        here.query("""INSERT INTO workspace (agent, remote, branch, key, accepted, signature)
            SELECT 'a' || n, '/srv/a' || n || '.git', 'main', '', '', ''
            FROM generate_series(1, %s) n""", MANY)  # fmt: skip
        here.query("INSERT INTO generation (workspace) SELECT id FROM workspace")
        here.query("""INSERT INTO schedule SELECT id, 'memory-miner', 0, '06:00', 'UTC', now()
            FROM workspace""")  # fmt: skip
        here.query("ANALYZE")
        with opened(here.address) as fleet:
            yield f"| tick: 10,000 written, 2,000 in the queue | {_seconds(lambda: tick(fleet)):.1f} s |"
            while here.query("SELECT 1 FROM schedule WHERE next <= now() LIMIT 1"):
                tick(fleet)
            yield f"| tick: nothing is due | {_seconds(lambda: tick(fleet)) * 1000:.0f} ms |"
        here.query("ANALYZE")
        ((worker,),) = here.query("SELECT procrastinate_register_worker_v1()")
        taking = "SELECT procrastinate_fetch_job_v2(ARRAY['clawgit'], %s)"
        with psycopg.connect(here.address.conninfo(), autocommit=True) as db:
            took = [_seconds(lambda: db.execute(taking, (worker,))) for _ in range(20)]
        yield f"| one task taken | {statistics.median(took) * 1000:.1f} ms |"
        for table in ("workspace", "schedule", "due", "procrastinate_jobs", "procrastinate_events"):
            ((size,),) = here.query("SELECT pg_total_relation_size(%s::regclass)", table)
            yield f"| bytes a row, {table} | {size / MANY:.0f} |"


def _seconds(act: Callable[[], object]) -> float:
    began = time.monotonic()
    act()
    return time.monotonic() - began
