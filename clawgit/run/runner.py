"""The scheduled runner: one process that starts each job of a workspace when it is due, once.

It does no work itself. Every job is a child process, so a job that hangs, dies or takes too much
memory harms no other. Between jobs it does errands: messages, calls, edits and the index.
"""

from collections.abc import Callable, Container, Sequence
from contextlib import AbstractContextManager, ExitStack
from datetime import datetime
from functools import partial
from typing import Self

from schedule import Scheduler

from clawgit.core import NamedTuple
from clawgit.core.disk.failures import keep_bug
from clawgit.core.disk.program import Child
from clawgit.core.errors import ClawgitError, StorageError
from clawgit.git.dirt import pause, refuse_mass_deletion, scan
from clawgit.git.lock import workspace_lock
from clawgit.history.synced import is_due
from clawgit.run.schedule import (
    JobState,
    Past,
    due,
    failures,
    is_in_history,
    job_name,
    jobs_of,
    mended,
    past_of,
    runner_lock,
    schedule,
    tasks_of,
    work_state,
)
from clawgit.search.index.live import IndexState, index_state
from clawgit.search.side import is_wanted, vectors_in
from clawgit.search.stores.vectors import is_unfinished
from clawgit.talk.stores import queue
from clawgit.workspace.stores import openclaw, runs
from clawgit.workspace.stores.runs import errand_series, series
from clawgit.workspace.stores.state import State
from clawgit.workspace.workspace import Workspace

LOOK_SECONDS = 5

LONGEST_JOB = 30 * 60.0
"""Seconds after which a job counts as hanging. With a model a job may be slow."""

_LONGEST_ERRAND = 10 * 60.0
"""The same for an errand, which needs no model."""

_PAUSE = 5 * 60.0
"""Seconds after which an errand that failed is tried again."""

_FAREWELL = 0.5
"""Seconds that a child gets to end its own children, and a transaction in progress, when it is
asked to end. What a killed one leaves is finished by the next command."""

_MOMENT = 0.05


class World(NamedTuple):
    """What a front end provides: the time of day, a clock that never jumps, how to start a command
    of ours, and how to tell the user.
    """

    clock: Callable[[], datetime]
    seconds: Callable[[], float]
    start: Callable[[Workspace, Sequence[str]], Child]
    tell: Callable[[str], None]


class Errand(NamedTuple):
    """A command of ours, and how often the runner looks whether it is needed.

    If it `stays`, it runs until the runner ends.
    """

    name: str
    seconds: int
    command: tuple[str, ...]
    is_needed: Callable[[Workspace], bool]
    stays: bool = False


def _has_transcripts(workspace: Workspace) -> bool:
    return openclaw.agent_in(workspace.root, workspace.caller) is not None


def _has_calls(workspace: Workspace) -> bool:
    with workspace.state() as state:
        return bool(queue.waiting(state, workspace.now))


def _has_edits(workspace: Workspace) -> bool:
    if pause(workspace.place.git_dir):
        return False  # git is in the middle of something; the next look comes soon
    git = workspace.cgit
    dirt = scan(git, workspace.scope)
    try:
        refuse_mass_deletion(git, dirt, workspace.scope)
    except ClawgitError:
        # `status` raises the alarm. Nothing is committed until the operator has looked.
        return False
    return bool(dirt.paths)


def _is_behind(workspace: Workspace) -> bool:
    state = index_state(workspace)
    if state.behind > 0 or state == IndexState():  # behind, or never built
        return True
    return is_wanted(workspace) and is_unfinished(vectors_in(workspace))


SYNC = Errand("sync", 10, ("sync",), is_due)
"""Runs after each job if `sync_remote` is set. Its failure does not fail the job."""

ERRANDS: tuple[Errand, ...] = (
    Errand("queue", 5, ("run", "--queue"), _has_calls),
    Errand("ingest", 60, ("chat", "ingest", "--openclaw"), _has_transcripts),
    Errand("snapshot", 300, ("snapshot",), _has_edits),
    Errand("index", 60, ("memory", "index"), _is_behind),
    SYNC,
)

SERVING = Errand("serve", 5, ("serve",), lambda _: True, stays=True)
"""With `run --serve`: the process that keeps the memory open, and owns Chroma."""


class Round(NamedTuple):
    """The result of `run --once`: the jobs that were due, as they are now; what failed beside
    them; the runner that does all this here, null if there is none.
    """

    ran: tuple[JobState, ...] = ()
    failed: tuple[str, ...] = ()
    runner: str | None = None

    @property
    def ok(self) -> bool:
        bad = (runs.FAILED, runs.CUT_OFF)
        return not self.failed and not any(row.outcome in bad for row in self.ran)


def work(
    workspace: Workspace, world: World, is_over: Callable[[float], bool], *, serving: bool
) -> None:
    """Runs what is due until `is_over`, which waits for some seconds and says whether to stop."""
    errands = (*ERRANDS, SERVING) if serving else ERRANDS
    timetable = Scheduler()
    with Runner(workspace, world, errands) as runner:
        timetable.every(LOOK_SECONDS).seconds.do(runner.look)
        for errand in errands:
            timetable.every(errand.seconds).seconds.do(runner.errand, errand)
        timetable.run_all()
        while not is_over(LOOK_SECONDS):
            if (timetable.idle_seconds or 0) > LOOK_SECONDS:
                # The clock was set back: all would wait until the old time comes again.
                timetable.run_all()
            timetable.run_pending()


def once(workspace: Workspace, world: World, is_over: Callable[[float], bool]) -> Round:
    """Imports messages, processes waiting calls, runs each job that is due, and returns; leaves all
    of that to a runner that is there.
    """
    began, known = world.clock(), schedule(workspace)
    if known.runner:
        return Round(runner=known.runner)
    before = {(row.name, row.last) for row in known.jobs}
    with Runner(workspace, world) as runner:
        runner.look()
        for errand in ERRANDS:
            runner.errand(errand)
        _finish(runner, is_over)
        # The jobs of this round are done only now.
        runner.start(SYNC)
        _finish(runner, is_over)
    states, _ = work_state(workspace)
    return _told([row for row in states if row.last and row.last >= began], before)


def _told(new: Sequence[JobState], before: Container[tuple[str, datetime | None]]) -> Round:
    """The jobs by the clock that ran in this round, and what failed beside them."""
    ran = tuple(row for row in new if row.when and (row.name, row.last) not in before)
    failed = failures(row for row in new if row not in ran)
    return Round(ran, tuple(each.why for each in failed))


def _finish(runner: "Runner", is_over: Callable[[float], bool]) -> None:
    while runner.is_busy and not is_over(_MOMENT):
        runner.look()


class _UnderWay(NamedTuple):
    """A child, since when it runs and how long it may. `run` is that of its job, "" for an errand.

    If it `stays`, it may not end at all.
    """

    child: Child
    since: float
    longest: float
    run: str = ""
    stays: bool = False


class Runner:
    """The runner of one workspace. It holds a lock until it is left, so there is no second one."""

    def __init__(
        self, workspace: Workspace, world: World, errands: Sequence[Errand] = ERRANDS
    ) -> None:
        self._workspace, self._world = workspace, world
        self._out: dict[str, _UnderWay] = {}
        self._next: dict[str, float] = {}
        self._said: dict[str, str] = {}
        self._held = ExitStack()
        # Locked before the past is settled: otherwise a second runner would take the first one's
        # jobs for those of a dead runner, and start them again.
        self._held.enter_context(workspace_lock(runner_lock(workspace.place), "clawgit run", 0))
        with self._state() as state:
            self._settle_the_past(state)
            lasts = runs.lasts(state)
        ends = {errand.name: lasts.get(errand_series(errand.name)) for errand in errands}
        self._failed = {name for name, end in ends.items() if end and end.outcome == runs.FAILED}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # The lock is released last: until then no other runner may start what is still ending here.
        with self._held:
            self.stop()

    @property
    def is_busy(self) -> bool:
        return bool(self._out)

    def look(self) -> None:
        """Checks on what runs, and starts the next job that is due."""
        if not self._is_there:
            raise StorageError(
                f"{self._workspace.root} is gone.", hint="Start the runner again once it is back."
            )
        # What runs first: once the end of a job is recorded, the next may start in the same look.
        self._settle_all()
        if not any(under.run for under in self._out.values()):
            self._guarded("jobs", self._begin_next)

    def errand(self, errand: Errand) -> None:
        """Starts an errand, unless it pauses after a failure."""
        if self._world.seconds() >= self._next.get(errand.name, 0):
            self._guarded(errand.name, partial(self.start, errand))

    def start(self, errand: Errand) -> None:
        """Starts an errand, unless it runs or there is nothing to do."""
        if errand.name in self._out:
            return
        workspace = self._now()
        if errand.is_needed(workspace):
            self._out[errand.name] = _UnderWay(
                self._world.start(workspace, errand.command),
                self._world.seconds(),
                _LONGEST_ERRAND,
                stays=errand.stays,
            )

    def stop(self) -> None:
        """Ends all child processes.

        Nothing is recorded for a workspace that is gone: that would create its folder again.
        """
        if self._is_there:
            self._settle_all()
        running = [*self._out.values()]
        # All are asked before any is waited for: together they take as long as the slowest.
        for under in running:
            under.child.ask_to_end()
        for under in running:
            _let_go(under.child)
        self._out.clear()
        for job in running:
            if job.run and self._is_there:
                self._finish(job, runs.CUT_OFF, "the runner was stopped")

    @property
    def _is_there(self) -> bool:
        return (self._workspace.place.git_dir / "HEAD").is_file()

    def _settle_the_past(self, state: State) -> None:
        """Ends the runs of a runner that died: done if history has their commits, else tried
        again.
        """
        workspace = self._now()
        for task in tasks_of(workspace.settings):
            for row in runs.unfinished(state, series(task.name)):
                done = is_in_history(workspace, row.by)
                outcome, trouble = (runs.DONE, "") if done else (runs.CUT_OFF, "the runner died")
                runs.finish(state, row.id, workspace.now, outcome, trouble=trouble)

    def _begin_next(self) -> None:
        """Starts the job that is due first. One at a time: after it, what is due is worked out
        again, with the time of then.
        """
        workspace = self._now()
        now, zone = workspace.now, workspace.local_zone
        # What is invalid in CONFIG.md is told once; the jobs go on without it.
        problems = workspace.config.problems
        wrong = "; ".join(f"{problem.where}: {problem.message}" for problem in problems)
        self._say_once("config", f"{wrong}; clawgit config" if wrong else "")
        jobs = jobs_of(workspace.settings)
        with self._state() as state:
            known: dict[str, Past] = {}
            for name, rule in jobs.items():
                if past := past_of(state, name):
                    known[name] = mended(past, rule, now, zone)
                else:
                    # Known from now on, it waits for its next time.
                    runs.note(state, series(name), now, runs.NOTHING, by=job_name(name, now))
            for name, at in due(jobs, known, now, zone)[:1]:
                # Recorded before it starts: after a kill -9 in between, the next runner finds a run
                # without an end and tries again. The other way round, a job could run without a
                # record.
                run = runs.new_run()
                runs.begin(state, series(name), run, now, by=job_name(name, at))
                command = ("run", "--once", name, "--due", at.isoformat(timespec="seconds"))
                child = self._world.start(workspace, command)
                self._out[name] = _UnderWay(child, self._world.seconds(), LONGEST_JOB, run)

    def _settle_all(self) -> None:
        for name in [*self._out]:
            self._guarded(name, partial(self._settle, name))

    def _settle(self, name: str) -> None:
        """Records the end of a child that is over or hangs.

        It counts as running until that is in the state: a job without an end there would be started
        again.
        """
        under = self._out[name]
        trouble = self._trouble_of(under)
        if trouble is None:
            return
        if under.run:
            self._finish(under, runs.FAILED if trouble else runs.DONE, trouble)
        else:
            self._note(name, trouble)
        del self._out[name]
        self._say_once(name, trouble)

    def _trouble_of(self, under: _UnderWay) -> str | None:
        """What went wrong with a child that is over, "" if nothing; None while it may go on."""
        code, trouble = under.child.ended(), ""
        if code is None:
            if under.stays or self._world.seconds() - under.since <= under.longest:
                return None
            trouble = f"took longer than {under.longest / 60:.0f} minutes"
        elif code or under.stays:
            trouble = under.child.error() or f"ended with {code}"
        _let_go(under.child)
        return trouble

    def _finish(self, job: _UnderWay, outcome: str, trouble: str) -> None:
        took = {"seconds": round(self._world.seconds() - job.since, 1)}
        with self._state() as state:
            runs.finish(state, job.run, self._world.clock(), outcome, trouble=trouble, report=took)

    def _note(self, name: str, trouble: str) -> None:
        """Records an errand that fails, or succeeds again: each run would fill the state."""
        if trouble:
            self._next[name] = self._world.seconds() + _PAUSE
        if bool(trouble) != (name in self._failed):
            with self._state() as state:
                outcome, now = runs.FAILED if trouble else runs.DONE, self._world.clock()
                runs.note(state, errand_series(name), now, outcome, trouble=trouble)
            self._failed ^= {name}

    def _guarded(self, name: str, action: Callable[[], None]) -> None:
        """An error is logged, told once, and the action is tried again later."""
        try:
            action()
        except Exception as error:  # noqa: BLE001 - the scheduler's border: logged with its traceback
            keep_bug(error, self._workspace.env, self._workspace.caller.home)
            self._say_once(f"{name}, error", str(error))
        else:
            self._said.pop(f"{name}, error", None)

    def _say_once(self, about: str, words: str) -> None:
        if words and self._said.get(about) != words:
            self._world.tell(f"{about.partition(',')[0]}: {words}")
        self._said[about] = words

    def _now(self) -> Workspace:
        """The workspace as of now: its settings are read again if CONFIG.md has changed."""
        return self._workspace.at(self._world.clock())

    def _state(self) -> AbstractContextManager[State]:
        return self._workspace.state(self._world.clock())


def _let_go(child: Child) -> None:
    """Ends a child. It is asked first, so that it can end its own children."""
    child.ask_to_end()
    child.wait(_FAREWELL)
    child.end()
