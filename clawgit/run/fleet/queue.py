"""The queue, by procrastinate: its tables, and a process that works. Nobody else knows of it."""

import asyncio
from collections.abc import Callable, Iterator
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


def work(
    address: Address, slots: int, pace: Pace, run: Callable[[int, int], None], over: Event
) -> None:
    """Works on tasks until `over`; FleetError if the database is lost.

    `run` is called in a thread with the row that is due, and the number of its task.
    """
    try:
        asyncio.run(_work(address, slots, pace, run, over))
    except (procrastinate.exceptions.ConnectorException, psycopg.Error, OSError) as error:
        raise FleetError(f"The fleet's database is away: {type(error).__name__}.") from error


async def _work(
    address: Address, slots: int, pace: Pace, run: Callable[[int, int], None], over: Event
) -> None:
    connector = procrastinate.PsycopgConnector(
        conninfo=address.conninfo(WORKER), min_size=1, max_size=slots + 2
    )
    app, pool = procrastinate.App(connector=connector), concurrent.futures.ThreadPoolExecutor(slots)

    @app.task(name=TASK, queue=QUEUE, pass_context=True)
    async def one(context: "procrastinate.JobContext", due: int) -> None:
        task = context.job.id or 0
        await asyncio.get_running_loop().run_in_executor(pool, run, due, task)

    async with app.open_async():
        working = asyncio.create_task(
            app.run_worker_async(
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
        )
        while not (working.done() or over.is_set()):
            await asyncio.wait({working}, timeout=_MOMENT)
        if over.is_set():
            working.cancel()
        with suppress(asyncio.CancelledError):
            await working
