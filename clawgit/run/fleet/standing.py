"""`fleet status`: who works, and what is due, running, late and failed; `retry` of what failed."""

from datetime import datetime
from typing import NamedTuple

from clawgit.run.fleet.database import Address, Fleet, opened
from clawgit.run.fleet.members import unknown
from clawgit.safety.rules.remotes import shown_address


class WorkerRow(NamedTuple):
    """A worker by its number in the queue. Not `alive`: it has sent no heartbeat for a while."""

    worker: int
    alive: bool
    running: int
    seen: datetime


class WorkspaceRow(NamedTuple):
    """A workspace: the jobs that run now; how many times are due (these included), late, given up,
    done, missed because a later one came; and how many finishes were refused.
    """

    agent: str
    remote: str
    running: str
    due: int
    late: int
    failed: int
    done: int
    missed: int
    refused: int
    last: datetime | None
    trouble: str


class FleetStatus(NamedTuple):
    workers: tuple[WorkerRow, ...]
    workspaces: tuple[WorkspaceRow, ...]

    @property
    def ok(self) -> bool:
        return not any(row.failed or row.late for row in self.workspaces)


class Retried(NamedTuple):
    """A time of a job that is tried again."""

    agent: str
    job: str
    at: datetime


def status(address: Address, stale: float, agent: str = "") -> FleetStatus:
    """All workers and workspaces, or those of one agent."""
    with opened(address) as fleet:
        _refuse_unknown(fleet, agent)
        workers = fleet.rows("workers", stale=stale)
        rows = fleet.rows("workspaces")
    return FleetStatus(
        tuple(WorkerRow(ident, alive, running, seen) for ident, seen, running, alive in workers),
        tuple(
            WorkspaceRow(row[0], shown_address(row[1]), *row[2:])
            for row in rows
            if agent in ("", row[0])
        ),
    )


def retry(address: Address, agent: str = "") -> tuple[Retried, ...]:
    """Tries again at once what has failed, of one agent or of all."""
    with opened(address) as fleet, fleet.together():
        _refuse_unknown(fleet, agent)
        rows = fleet.rows("retry", agent=agent)
        fleet.run("retry now", tasks=[row[3] for row in rows if row[3]])
    return tuple(Retried(*row[:3]) for row in rows)


def _refuse_unknown(fleet: Fleet, agent: str) -> None:
    if agent and not fleet.rows("known", agent=agent):
        raise unknown(agent)
