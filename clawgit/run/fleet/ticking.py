"""What keeps a fleet going, beside its queue: each worker does it now and then, and any number may
at once. `tick` writes what is due; `rescue` frees the tasks of workers that are gone.
"""

from datetime import datetime

from clawgit.core.doors import zoneinfo
from clawgit.run.fleet.database import Fleet, FleetError
from clawgit.run.fleet.queue import QUEUE, TASK
from clawgit.run.schedule import last_due, next_due, rule_of

_MOST = 10_000
"""Rows that one statement takes."""

_QUEUED = 2_000
"""Tasks that wait in the queue at most; the others wait as rows that are due."""

_TICKERS = 0x636C6177_74636B
"""The number of our advisory lock."""


def tick(fleet: Fleet, now: datetime | None = None) -> int:
    """Writes the jobs whose time has come, and gives a task to those that are undone and have none,
    the oldest first, while the queue is short; returns how many.

    The database says what time it is: clocks of workers may differ by hours.
    """
    while _written(fleet, now) == _MOST:
        continue
    # A crash before this loses nothing: the next tick finds the rows without a task.
    given = _deferred(fleet)
    fleet.run("prune")
    return given


def _written(fleet: Fleet, now: datetime | None) -> int:
    with fleet.together():
        now = now or fleet.rows("now")[0][0]
        ripe = fleet.rows("ripe", now=now, most=_MOST)
        read = [(*row[:2], *times) for row in ripe if (times := _times(row[2], row[3], now))]
        of = {"workspaces": [row[0] for row in read], "jobs": [row[1] for row in read]}
        due = [row[2] for row in read]
        fleet.run("write due", **of, times=due)
        fleet.run("miss older", **of, times=due)
        fleet.run("move on", **of, times=[row[3] for row in read])
    return len(read)


def _times(text: str, name: str, now: datetime) -> tuple[datetime, datetime] | None:
    """The last and the next time of a job; None where this machine does not know the zone, as
    another may that has newer data.
    """
    try:
        rule, zone = rule_of(text), zoneinfo.ZoneInfo(name)
    except (ValueError, zoneinfo.ZoneInfoNotFoundError):
        return None
    return (last_due(rule, now, zone), next_due(rule, now, zone)) if rule else None


def _deferred(fleet: Fleet) -> int:
    # One at a time: a row that another tick has just released would be given a second task, since
    # the statement sees the queue as it was when it began.
    with fleet.together():
        fleet.rows("one at a time", number=_TICKERS)
        return fleet.run("defer", most=_QUEUED, queue=QUEUE, task=TASK)


def rescue(fleet: Fleet, stale: float) -> list[str]:
    """Ends the tasks of workers without a heartbeat, so that the next tick gives new ones.

    One at a time: a task that cannot be ended holds up no other. Returns what went wrong.
    """
    troubles = []
    for (task,) in fleet.rows("stalled", queue=QUEUE, stale=stale):
        try:
            fleet.rows("release", task=task)
        except FleetError as error:
            troubles.append(f"task {task}: {error.message}")
    return troubles
