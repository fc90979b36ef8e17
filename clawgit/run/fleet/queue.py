"""The queue, by procrastinate: its tables, and a process that works. Nobody else knows of it."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import NamedTuple

from clawgit.core.doors import concurrent, procrastinate, psycopg
from clawgit.core.errors import MissingExtraError
from clawgit.run.fleet.database import WORKER, Address, FleetError, must_be_installed

QUEUE = "clawgit"
TASK = "work"

_MOMENT = 0.2
_FAREWELL = 5.0
"""Seconds that tasks get to end. What runs on after that has an older generation."""


class Pace(NamedTuple):
    """Seconds between looks at what is due and between heartbeats, after which a worker without one
    counts as dead, and after which a job counts as hanging.
    """

    tick: float = 10.0
    heartbeat: float = 10.0
    stale: float = 60.0
    longest: float = 30 * 60.0


def schema() -> str:
    """The SQL that makes the queue's tables, in the schema that comes first."""
    must_be_installed()
    try:
        return procrastinate.schema.SchemaManager.get_schema()
    except ImportError as error:
        raise MissingExtraError(
            "A fleet needs the package procrastinate.", hint="pip install 'clawgit[fleet]'"
        ) from error


def migrations() -> Iterator[tuple[str, str]]:
    """The changes of these tables that the installed version knows, by name, the oldest first."""
    folder = Path(procrastinate.schema.SchemaManager.get_migrations_path())
    for file in sorted(folder.glob("*.sql")):
        yield f"queue {file.stem}", file.read_text("utf-8")


class Hands(NamedTuple):
    """How many tasks at once, and how one is done: `run` is called in a thread with the row that is
    due, and the number of its task.
    """

    slots: int
    pace: Pace
    run: Callable[[int, int], None]
    tell: Callable[[str], None]


def work(address: Address, hands: Hands, over: Event) -> None:
    """Works on tasks until `over`; FleetError if the database is lost."""
    for name in ("procrastinate", "psycopg.pool"):
        # Their own logs repeat what we tell, with tracebacks.
        logging.getLogger(name).addHandler(logging.NullHandler())
        logging.getLogger(name).propagate = False
    try:
        asyncio.run(_until(over, _work(address, hands)))
    except (procrastinate.exceptions.ConnectorException, psycopg.Error, OSError) as error:
        raise FleetError(f"The fleet's database is away: {type(error).__name__}.") from error


async def _work(address: Address, hands: Hands) -> None:
    slots, pace = hands.slots, hands.pace
    connector = procrastinate.PsycopgConnector(
        conninfo=address.conninfo(WORKER), min_size=1, max_size=slots + 2
    )
    app, pool = procrastinate.App(connector=connector), concurrent.futures.ThreadPoolExecutor(slots)
    loop = asyncio.get_running_loop()
    # A task that was taken from this worker while it stood still cannot be ended by it.
    loop.set_exception_handler(lambda _, said: hands.tell(f"queue: {said['message']}"))

    @app.task(name=TASK, queue=QUEUE, pass_context=True)
    async def one(context: "procrastinate.JobContext", due: int) -> None:
        task = context.job.id or 0
        await loop.run_in_executor(pool, hands.run, due, task)

    async with app.open_async():
        await app.run_worker_async(
            queues=[QUEUE],
            concurrency=slots,
            # What was due, and what became of it, stands in our own table.
            delete_jobs="always",
            install_signal_handlers=False,
            update_heartbeat_interval=pace.heartbeat,
            stalled_worker_timeout=pace.stale,
            fetch_job_polling_interval=pace.tick,
            shutdown_graceful_timeout=_FAREWELL,
        )


async def _until(over: Event, work: Coroutine[None, None, None]) -> None:
    task = asyncio.create_task(work)
    while not (task.done() or over.is_set()):
        await asyncio.wait({task}, timeout=_MOMENT)
    if over.is_set():
        task.cancel()
    with suppress(asyncio.CancelledError):
        await task
