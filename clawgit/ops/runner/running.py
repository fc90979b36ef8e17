"""The runner at work: looks and errands on the `schedule` package's timetable, until it is told to
stop.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from clawgit.ops.runner.runner import Runner, World
from clawgit.ops.runner.runner_tasks import ERRANDS, SERVING, Errand
from clawgit.ops.runner.schedule import Scheduled, schedule
from clawgit.ops.workspace.workspace import Workspace

if TYPE_CHECKING:
    from schedule import Scheduler

LOOK_SECONDS = 5
_SET_BACK = timedelta(seconds=LOOK_SECONDS)
_MOMENT = 0.05


@dataclass(frozen=True, slots=True)
class Round:
    """What `run --once` did: the jobs that were due, as they stand now."""

    ran: tuple[Scheduled, ...]


def work(
    served: Callable[[], Sequence[Workspace]],
    world: World,
    is_over: Callable[[float], bool],
    *,
    serving: bool = False,
) -> None:
    """Runs what is due until `is_over`, which waits for some seconds and says whether to stop."""
    from schedule import Scheduler  # noqa: PLC0415 - only the runner needs it

    errands = (*ERRANDS, SERVING) if serving else ERRANDS
    runner = Runner(served, world, errands)
    timetable, seen = Scheduler(), world.clock()
    _fill(timetable, runner, errands)
    runner.look()
    try:
        while not is_over(min(max(timetable.idle_seconds or 0, _MOMENT), LOOK_SECONDS)):
            if (
                world.clock() < seen - _SET_BACK
            ):  # the package would sit still until the old time comes again
                _fill(timetable, runner, errands)
            seen = world.clock()
            timetable.run_pending()
    finally:
        runner.close()


def once(
    served: Callable[[], Sequence[Workspace]], world: World, is_over: Callable[[float], bool]
) -> Round:
    """Takes messages in, has calls worked off, runs each job that is due, and comes back."""
    before = {str(one.root): _ended(one) for one in served()}
    runner = Runner(served, world)
    try:
        runner.look()
        for errand in ERRANDS:
            runner.errand(errand.name)
        while runner.is_busy and not is_over(_MOMENT):
            runner.look()
            for errand in ERRANDS:
                runner.settle(errand.name)
    finally:
        runner.close()
    ran = (
        row
        for one in served()
        for row in schedule(one).jobs
        if (row.name, row.last) not in before[str(one.root)]
    )
    return Round(tuple(row for row in ran if row.last is not None))


def _ended(workspace: Workspace) -> set[tuple[str, datetime | None]]:
    return {(row.name, row.last) for row in schedule(workspace).jobs}


def _fill(timetable: "Scheduler", runner: Runner, errands: Sequence[Errand]) -> None:
    timetable.clear()
    timetable.every(LOOK_SECONDS).seconds.do(runner.look)
    for errand in errands:
        timetable.every(errand.seconds).seconds.do(runner.errand, errand.name)
