"""A worker: it starts a process for each task, keeps the fleet going beside that, and comes back
after the database was away.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from functools import partial
from threading import Event, Thread

from clawgit.core.disk.program import Child
from clawgit.core.doors import zoneinfo
from clawgit.core.resources import own_program
from clawgit.run.fleet import queue
from clawgit.run.fleet.database import Fleet, FleetError, opened
from clawgit.run.fleet.queue import QUEUE, TASK, Post
from clawgit.run.schedule import PAUSES, last_due, next_due, rule_of
from clawgit.safety.rules.secrets import masked

MACHINE = 75
"""The exit code of a task that failed since this disk is full, or the database away: no try."""

_MOMENT = 0.1
_FAREWELL = 2.0

_QUEUED = 2_000
"""Tasks that wait in the queue at most; the others wait as rows that are due."""


def serve(post: Post, over: Event) -> None:
    tending = Thread(target=_again, args=(post, over, partial(_tend, post)))
    tending.start()
    _again(post, over, lambda: queue.work(post, partial(_one, post, over), over))
    tending.join()


def _again(post: Post, over: Event, act: Callable[[], str | None]) -> None:
    told: str | None = ""
    while not over.is_set():
        try:
            trouble = act()
        except FleetError as error:
            trouble = error.message
        if trouble and trouble != told:
            post.tell(trouble)
        told = trouble
        over.wait(post.pace.tick)


def _tend(post: Post) -> str:
    """Outside of the queue: one that stands still would free nobody."""
    with opened(post.address) as fleet:
        trouble = "; ".join(rescue(fleet, post.pace.stale))
        tick(fleet)
    return trouble


def tick(fleet: Fleet, now: datetime | None = None) -> int:
    """Writes the jobs whose time has come, by the clock of the database, and gives a task to those
    that are undone and have none, the oldest first, while the queue is short; returns how many.
    Any number of workers may do it at once.
    """
    _write_due(fleet, now)
    # A crash before this loses nothing: the next tick finds the rows without a task.
    # One tick at a time: a row that another has just released would be given a second task, since
    # the statement sees the queue as it was when it began.
    with fleet.together("tick"):
        given = fleet.rows("defer", most=_QUEUED, queue=QUEUE, task=TASK)
    fleet.rows("prune")
    return len(given)


def _write_due(fleet: Fleet, now: datetime | None) -> None:
    with fleet.together():
        columns = [*zip(*_times(fleet.rows("ripe", now=now)), strict=True)]
        if columns:
            names = ("workspaces", "jobs", "times", "coming")
            fleet.rows("write due", **dict(zip(names, map(list, columns), strict=True)))


def _times(
    ripe: list[tuple[int, str, str, str, datetime]],
) -> Iterator[tuple[int, str, datetime, datetime]]:
    """Their last and next times. One whose zone is not known here waits for newer data."""
    for workspace, job, text, name, now in ripe:
        with suppress(ValueError, zoneinfo.ZoneInfoNotFoundError):
            rule, zone = rule_of(text), zoneinfo.ZoneInfo(name)
            if rule:
                yield workspace, job, last_due(rule, now, zone), next_due(rule, now, zone)


def rescue(fleet: Fleet, stale: float) -> list[str]:
    """Ends the tasks of workers without a heartbeat, each for itself; returns what went wrong."""
    troubles = []
    for (task,) in fleet.rows("stalled", queue=QUEUE, stale=stale):
        try:
            fleet.rows("release", task=task)
        except FleetError as error:
            troubles.append(f"task {task}: {error.message}")
    return troubles


def _one(post: Post, over: Event, due: int, task: int) -> None:
    how = ("--cache", str(post.cache), "--worker", str(os.getpid()))
    child = Child(own_program("fleet", "work", str(due), *how), post.cache, post.env)
    try:
        child.start()
        trouble, counts = _trouble(child, over, post.pace.longest)
    except OSError as error:
        trouble, counts = f"cannot be started: {error.strerror}", 0
    finally:
        child.end()
    if not trouble:
        return
    post.tell(f"due {due}: {trouble}")
    pauses = [pause.total_seconds() for pause in PAUSES]
    known = {"due": due, "task": task, "trouble": masked(trouble)[:300], "counts": counts}
    # If it cannot be recorded, the next tick tries the row again, as after a crash.
    with suppress(FleetError), opened(post.address) as fleet:
        fleet.rows("fail", **known, pauses=pauses, most=len(pauses))
    if not counts:
        # Others should take what is due, while this machine cannot.
        over.wait(post.pace.stale)


def _trouble(child: Child, over: Event, longest: float) -> tuple[str, int]:
    """What went wrong, "" if nothing, and whether it counts as a try."""
    waited = 0.0
    while (code := child.wait(_MOMENT)) is None:
        waited += _MOMENT
        if waited > longest:
            return f"took longer than {longest / 60:.0f} minutes", 1
        if over.is_set():
            # With a `git push` to a remote that hangs; the clone is made anew.
            child.ask_to_end(with_all=True)
            child.wait(_FAREWELL)
            return "", 0
    return (child.error() or f"ended with {code}") if code else "", int(code != MACHINE)
