"""The queue, by procrastinate: its tables, and a process that works. Nobody else knows of it."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event

from clawgit.core import NamedTuple
from clawgit.core.doors import concurrent, procrastinate, psycopg
from clawgit.run.fleet import database
from clawgit.run.fleet.database import QUERIES, Address, FleetError, must_be_installed, opened

QUEUE = "clawgit"
TASK = "work"

_OURS = "migration 3 queue"

_MOMENT = 0.2
_FAREWELL = 3.0
"""Seconds that tasks get to end. What runs on after that has an older generation."""


class Pace(NamedTuple):
    """Seconds between two ticks, until a worker without a heartbeat is dead, and a job hangs."""

    tick: float = 10.0
    stale: float = 60.0
    longest: float = 30 * 60.0


class Post(NamedTuple):
    address: Address
    cache: Path
    slots: int
    pace: Pace
    env: Mapping[str, str]
    tell: Callable[[str], None]


class Initialised(NamedTuple):
    applied: tuple[str, ...]


def init(address: Address) -> Initialised:
    """Makes the tables, or brings them up to date, by migrations that are each applied once."""
    must_be_installed(procrastinate)
    done: list[str] = []
    with opened(address, role="") as fleet, fleet.together("init"):
        fleet.script(QUERIES["migrations known"].decode())
        for name, text in _migrations():
            is_new = fleet.rows("apply", name=name)
            # The queue's tables are made with all of its changes in them.
            if is_new and (name.startswith("migration ") or _OURS not in done):
                fleet.script(text)
                done.append(name)
    return Initialised(tuple(done))


def _migrations() -> Iterator[tuple[str, str]]:
    there = "SET LOCAL search_path TO clawgit_queue;\n{}\nRESET search_path;\n{}"
    for name, query in QUERIES.items():
        if name == _OURS:
            first = procrastinate.schema.SchemaManager.get_schema()
            for change, text in ((name, first), *changes()):
                # What a change has made is granted as the rest was.
                yield change, there.format(text, query.decode())
        elif name.startswith("migration "):
            yield name, query.decode()


def changes() -> Iterator[tuple[str, str]]:
    """The changes of the queue's tables that the installed version knows."""
    folder = Path(procrastinate.schema.SchemaManager.get_migrations_path())
    for file in sorted(folder.glob("*.sql")):
        yield f"queue {file.stem}", file.read_text("utf-8")


def work(post: Post, run: Callable[[int, int], None], over: Event) -> None:
    """Until `over`, calls `run` in a thread with a row that is due, and the number of its task."""
    must_be_installed(procrastinate)
    for name in ("procrastinate", "psycopg.pool"):
        # Their own logs repeat what we tell, with tracebacks.
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        asyncio.run(_until(over, _work(post, run)))
    except (procrastinate.exceptions.ConnectorException, psycopg.Error, OSError) as error:
        raise FleetError(f"The fleet's database is away: {type(error).__name__}.") from error


async def _work(post: Post, run: Callable[[int, int], None]) -> None:
    connector = procrastinate.PsycopgConnector(
        conninfo=post.address.conninfo(database.WORKER), min_size=1, max_size=post.slots + 2
    )
    app, loop = procrastinate.App(connector=connector), asyncio.get_running_loop()
    pool = concurrent.futures.ThreadPoolExecutor(post.slots)
    # A task that was taken from this worker while it stood still cannot be ended by it.
    loop.set_exception_handler(lambda _, said: post.tell(f"queue: {said['message']}"))

    @app.task(name=TASK, queue=QUEUE, pass_context=True)
    async def one(context: "procrastinate.JobContext", due: int) -> None:
        await loop.run_in_executor(pool, run, due, context.job.id or 0)

    async with app.open_async():
        await app.run_worker_async(
            queues=[QUEUE],
            concurrency=post.slots,
            # What was due, and what became of it, stands in our own table.
            delete_jobs="always",
            install_signal_handlers=False,
            update_heartbeat_interval=min(post.pace.stale / 3, 10),
            stalled_worker_timeout=post.pace.stale,
            fetch_job_polling_interval=post.pace.tick,
            shutdown_graceful_timeout=_FAREWELL,
        )


async def _until(over: Event, work: Coroutine[None, None, None]) -> None:
    task = asyncio.create_task(work)
    while not (task.done() or over.is_set()):
        await asyncio.wait({task}, timeout=_MOMENT)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
