"""The runner at work: it looks for due jobs and errands on a timetable, until it is stopped."""

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain

from schedule import Scheduler

from clawgit.ops.agents.status import failures, work_state
from clawgit.ops.runner.runner import Runner, World
from clawgit.ops.runner.runner_tasks import ERRANDS, SERVING, SYNC, Errand
from clawgit.ops.runner.schedule import Scheduled, schedule
from clawgit.ops.workspace.status import corrected_in_chat
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.runs import CUT_OFF, FAILED

LOOK_SECONDS = 5
_SET_BACK = timedelta(seconds=LOOK_SECONDS)
_MOMENT = 0.05
_Ended = set[tuple[str, datetime | None]]


@dataclass(frozen=True, slots=True)
class Round:
    """The result of `run --once`: the jobs that were due, as they are now; what failed beside them;
    and how many memories chat has corrected since yesterday, in words.
    """

    ran: tuple[Scheduled, ...]
    failed: tuple[str, ...] = ()
    corrected: tuple[str, ...] = ()

    @property
    def is_done(self) -> bool:
        return not self.failed and not any(row.outcome in (FAILED, CUT_OFF) for row in self.ran)


def work(
    served: Callable[[], Sequence[Workspace]],
    world: World,
    is_over: Callable[[float], bool],
    *,
    serving: bool = False,
) -> None:
    """Runs what is due until `is_over`, which waits for some seconds and says whether to stop."""
    errands = (*ERRANDS, SERVING) if serving else ERRANDS
    runner = Runner(served, world, errands)
    timetable, seen = Scheduler(), world.clock()
    _fill(timetable, runner, errands)
    runner.look()
    try:
        while not is_over(min(max(timetable.idle_seconds or 0, _MOMENT), LOOK_SECONDS)):
            if world.clock() < seen - _SET_BACK:
                # The clock was set back: the package would wait until the old time comes again.
                _fill(timetable, runner, errands)
            seen = world.clock()
            timetable.run_pending()
    finally:
        runner.close()


def once(
    served: Callable[[], Sequence[Workspace]], world: World, is_over: Callable[[float], bool]
) -> Round:
    """Imports messages, processes waiting calls, runs each job that is due, and returns."""
    began = world.clock()
    before = {str(workspace.root): _ended(workspace) for workspace in served()}
    runner = Runner(served, world)
    try:
        runner.look()
        for errand in ERRANDS:
            runner.errand(errand.name)
        _finish(runner, is_over)
        # The jobs of this round are done only now.
        runner.errand(SYNC.name)
        _finish(runner, is_over)
    finally:
        runner.close()
    ran: list[Scheduled] = []
    serving = served()
    for workspace in serving:
        ran += _ran(workspace, before.get(str(workspace.root)), began)
    names = {row.name for row in ran}
    failed = chain.from_iterable(_failed(workspace, began, names) for workspace in serving)
    corrected = filter(None, map(corrected_in_chat, serving))
    return Round(tuple(ran), tuple(failed), tuple(corrected))


def _ran(workspace: Workspace, known: _Ended | None, began: datetime) -> Iterator[Scheduled]:
    """The jobs that ended in this round. `known`: what had ended before it.

    An agent added meanwhile has no earlier run to compare with, so its runs are told by time.
    """
    for row in schedule(workspace).jobs:
        if row.last is None:
            continue
        is_new = row.last >= began if known is None else (row.name, row.last) not in known
        if is_new:
            yield row


def _failed(workspace: Workspace, began: datetime, but: Container[str]) -> Iterator[str]:
    """What failed since this round began, without the jobs of these names."""
    jobs, *_ = work_state(workspace)
    new = (job for job in jobs if job.last and job.last >= began and job.job not in but)
    for what, _ in failures(new):
        yield what


def _finish(runner: Runner, is_over: Callable[[float], bool]) -> None:
    while runner.is_busy and not is_over(_MOMENT):
        runner.look()
        for errand in ERRANDS:
            runner.settle(errand.name)


def _ended(workspace: Workspace) -> _Ended:
    return {(row.name, row.last) for row in schedule(workspace).jobs}


def _fill(timetable: Scheduler, runner: Runner, errands: Sequence[Errand]) -> None:
    timetable.clear()
    timetable.every(LOOK_SECONDS).seconds.do(runner.look)
    for errand in errands:
        timetable.every(errand.seconds).seconds.do(runner.errand, errand.name)
