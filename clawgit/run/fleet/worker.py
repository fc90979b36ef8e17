"""A worker: it starts a process for each task, keeps the fleet going beside that, and comes back
after the database was away. A job that hangs, dies or fails harms no other.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

from clawgit.core.disk.program import Child
from clawgit.core.resources import own_program
from clawgit.run.fleet import queue
from clawgit.run.fleet.database import Address, Fleet, FleetError, opened
from clawgit.run.fleet.queue import Hands, Pace
from clawgit.run.fleet.ticking import rescue, tick
from clawgit.run.schedule import PAUSES
from clawgit.safety.rules.secrets import masked

MACHINE = 75
"""The exit code, as `sysexits.h` has it, of a task that failed for no reason of its own: this disk
is full, or the database is away. That is no try; another machine may do it at once."""

_MOMENT = 0.1
_FAREWELL = 2.0


class Post(NamedTuple):
    """Where a worker works, and how it tells."""

    address: Address
    cache: Path
    slots: int
    pace: Pace
    env: Mapping[str, str]
    tell: Callable[[str], None]


def serve(post: Post, over: Event) -> None:
    """Works until `over`."""
    tending = Thread(target=_tend, args=(post, over))
    tending.start()
    told = ""
    while not over.is_set():
        trouble = ""
        try:
            hands = Hands(post.slots, post.pace, partial(_one, post, over), post.tell)
            queue.work(post.address, hands, over)
        except FleetError as error:
            trouble = error.message
        if trouble and trouble != told:
            post.tell(trouble)
        told = trouble
        over.wait(_MOMENT if over.is_set() else min(post.pace.tick, 5.0))
    tending.join()


def _tend(post: Post, over: Event) -> None:
    """Writes what is due and frees what is stalled, outside of the queue: a queue that stands
    still would free nobody.
    """
    told = ""
    while not over.is_set():
        trouble = ""
        try:
            with opened(post.address) as fleet:
                trouble = "; ".join(rescue(fleet, post.pace.stale))
                tick(fleet)
        except FleetError as error:
            trouble = error.message
        if trouble and trouble != told:
            post.tell(trouble)
        told = trouble
        over.wait(post.pace.tick)


def _one(post: Post, over: Event, due: int, task: int) -> None:
    """Does one task in a process of its own, and records if it fails."""
    command = [*own_program(), "fleet", "work", str(due), "--cache", str(post.cache)]
    child = Child(command, post.cache, post.env)
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
    # If it cannot be recorded, the next tick tries the row again, as after a crash.
    with suppress(FleetError), opened(post.address) as fleet:
        _fail(fleet, due, task, trouble, counts)
    if not counts:
        # Others should take what is due, while this machine cannot.
        over.wait(post.pace.stale)


def _fail(fleet: Fleet, due: int, task: int, trouble: str, counts: int) -> None:
    pauses = [pause.total_seconds() for pause in PAUSES]
    told = masked(trouble)[:300]
    fleet.run(
        "fail", due=due, task=task, trouble=told, counts=counts, pauses=pauses, most=len(pauses)
    )


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
    if not code:
        return "", 0
    lines = child.last_words().splitlines() or [f"ended with {code}"]
    errors = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
    return (errors or lines)[-1], int(code != MACHINE)
