"""The scheduled runner: one process that starts each job of each workspace when it is due, once.

It does no work itself. Every job is a child process, so a job that hangs, dies or takes too much
memory harms no other.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, Protocol

from clawgit.domain.runner.schedule import PAUSES, DueJob, due, mended
from clawgit.errors import BusyError, ClawgitError
from clawgit.ops.runner.jobs import jobs_of, tasks_of
from clawgit.ops.runner.runner_tasks import ERRANDS, Errand
from clawgit.ops.runner.schedule import (
    begin_to_know,
    is_in_history,
    job_name,
    pasts,
    runner_lock,
)
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import runs
from clawgit.stores.bugs import keep_bug
from clawgit.stores.git.lock import lock_holder, workspace_lock
from clawgit.stores.runs import errand_series, series
from clawgit.stores.state import State

LONGEST_JOB = 30 * 60.0
"""Seconds after which a job counts as hanging. With a model a job may be slow."""

_LONGEST_ERRAND = 10 * 60.0
"""The same for an errand, which needs no model."""

_PATIENCE = 0.8
"""Seconds that a stop waits for a transaction in progress. A killed one is finished by the next
command."""

_FAREWELL = 0.2
"""Seconds that a child gets to end its own children when it is asked to end."""

_MOMENT = 0.02
_GONE = "{} is gone; it is served again once it is back."
_UNNAMED = "{} no longer belongs to an agent; it is served again once it is."


class Beside(Protocol):
    """A child process."""

    @property
    def pid(self) -> int: ...
    def ended(self) -> int | None: ...
    def last_words(self) -> str: ...
    def ask_to_end(self) -> None: ...
    def wait(self, seconds: float) -> int | None: ...
    def end(self) -> None: ...


class World(NamedTuple):
    """What a front end provides: the time of day, a clock that never jumps, how to start a command
    of ours, how to wait, and how to tell the user.
    """

    clock: Callable[[], datetime]
    seconds: Callable[[], float]
    start: Callable[[Workspace, Sequence[str]], Beside]
    pause: Callable[[float], None]
    tell: Callable[[str], None]


@dataclass
class _UnderWay:
    child: Beside
    since: float
    due: DueJob | None = None
    run: str = ""
    became: tuple[str, str] | None = None
    """Outcome and trouble, remembered until they are in the state: a job without an end there would
    be started again."""


@dataclass
class _Trouble:
    failures: int
    since: float


class Post:
    """The runner's work for one workspace.

    It holds a lock until `close`, so no other runner serves it.
    """

    def __init__(
        self, workspace: Workspace, world: World, errands: Sequence[Errand] = ERRANDS
    ) -> None:
        self._workspace, self._world = workspace, world
        self._job: _UnderWay | None = None
        self._errands = {errand.name: errand for errand in errands}
        self._out: dict[str, _UnderWay] = {}
        self._troubles: dict[str, _Trouble] = {}
        self._wrong = ""
        self._held = ExitStack()
        # Locked before the past is settled: otherwise a second runner would take the first one's
        # jobs for those of a dead runner, and start them again.
        self._held.enter_context(workspace_lock(runner_lock(workspace.place), "clawgit run", 0))
        with self._state() as state:
            self._settle_the_past(state)

    @property
    def name(self) -> str:
        return str(self._workspace.root)

    @property
    def is_busy(self) -> bool:
        return self._job is not None or bool(self._out)

    @property
    def is_there(self) -> bool:
        return _is_there(self._workspace)

    def look(self) -> None:
        """Checks on the job that runs, and starts the next one that is due."""
        with self._state() as state:
            # The running job first: once its end is recorded, the next may start in the same look.
            if self._job is not None:
                self._see_to_job(state, self._job)
            if self._job is None and (coming := self._coming(state)) is not None:
                self._begin(state, coming)

    def errand(self, name: str) -> None:
        """Starts an errand if there is something to do, unless it runs or has just failed."""
        # Before `settle`, so that an errand is tried again at once after its first failure.
        must_pause = self._must_pause(name)
        self.settle(name)
        if name in self._out or must_pause:
            return
        errand, workspace = self._errands[name], self._now()
        if errand.is_needed(workspace):
            child = self._world.start(workspace, errand.command)
            self._out[name] = _UnderWay(child, self._world.seconds())

    def _must_pause(self, name: str) -> bool:
        """Whether an errand failed so recently that it is not tried again yet."""
        trouble = self._troubles.get(name)
        if trouble is None:
            return False
        return self._world.seconds() < trouble.since + _pause(trouble.failures)

    def settle(self, name: str) -> None:
        """Records the end of a running errand, and ends one that hangs."""
        running, errand = self._out.get(name), self._errands[name]
        if running is None:
            return
        trouble = self._trouble_of(running, _LONGEST_ERRAND, stays=errand.stays)
        if trouble is None:
            return
        del self._out[name]
        self._tell_of(errand, trouble)

    def stop(self) -> None:
        """Ends all child processes, after a transaction in progress.

        Nothing is recorded for a workspace that is gone: that would create its folder again.
        """
        running = (*self._out.values(), self._job)
        children = [each.child for each in running if each is not None]
        lock, until = self._workspace.place.private / "lock", self._world.seconds() + _PATIENCE
        # A child that holds the workspace lock is in a transaction. If it ended there, recovery
        # would have to finish its change, and the user's git would be locked until then.
        while self._is_any_in(children, lock) and self._world.seconds() < until:
            self._world.pause(_MOMENT)
        # All are asked before any is waited for: together they take as long as the slowest.
        for child in children:
            child.ask_to_end()
        for child in children:
            _let_go(child)
        self._out.clear()
        job, self._job = self._job, None
        if job is not None and self.is_there:
            with self._state() as state:
                self._finish(state, job, *(job.became or (runs.CUT_OFF, "the runner was stopped")))

    def close(self) -> None:
        # The lock is released last: until then no other runner may start what is still ending here.
        with self._held:
            self.stop()

    def _is_any_in(self, children: Sequence[Beside], lock: Path) -> bool:
        return any(child.ended() is None for child in children) and lock_holder(lock) is not None

    def _settle_the_past(self, state: State) -> None:
        """Ends the runs of a runner that died: done if history has their commits, else tried
        again.
        """
        workspace = self._now()
        for task in tasks_of(workspace.config.settings):
            for row in runs.unfinished(state, series(task.name)):
                at = datetime.fromisoformat(row.by.partition("@")[2])
                done = is_in_history(workspace, task.name, at)
                trouble = "" if done else "the runner died"
                runs.finish(
                    state,
                    row.id,
                    workspace.now,
                    runs.DONE if done else runs.CUT_OFF,
                    trouble=trouble,
                )

    def _coming(self, state: State) -> DueJob | None:
        workspace = self._now()
        settings, now, zone = workspace.config.settings, workspace.now, workspace.local_zone
        self._tell_what_is_wrong_in(workspace)
        jobs = jobs_of(settings)
        known = pasts(state, (job.name for job in jobs))
        for job in jobs:
            if job.name not in known:
                begin_to_know(workspace, state, job.name)
        known = {
            job.name: mended(known[job.name], job.rule, now, zone)
            for job in jobs
            if job.name in known
        }
        # One at a time: after it, what is due is worked out again, with the time of then.
        return next(iter(due(jobs, known, now, zone)), None)

    def _tell_what_is_wrong_in(self, workspace: Workspace) -> None:
        """Reports once what is invalid in CONFIG.md; the jobs go on without it."""
        wrong = "; ".join(
            f"{problem.where}: {problem.message}" for problem in workspace.config.problems
        )
        if wrong and wrong != self._wrong:
            self._world.tell(f"{self._workspace.root.name}: {wrong}; clawgit config")
        self._wrong = wrong

    def _begin(self, state: State, coming: DueJob) -> None:
        workspace, run = self._now(), runs.new_run()
        # Recorded before it starts: after a kill -9 in between, the next runner finds a run without
        # an end and tries again. The other way round, a job could run without a record.
        runs.begin(
            state, series(coming.name), run, workspace.now, by=job_name(coming.name, coming.at)
        )
        command = ("run", "--once", coming.name, "--due", coming.at.isoformat(timespec="seconds"))
        self._job = _UnderWay(
            self._world.start(workspace, command), self._world.seconds(), coming, run
        )

    def _see_to_job(self, state: State, job: _UnderWay) -> None:
        if job.became is None:
            job.became = self._became(job)
        if job.became is not None:
            self._finish(state, job, *job.became)
            self._job = None

    def _became(self, job: _UnderWay) -> tuple[str, str] | None:
        """How a job ended; None while it may go on."""
        trouble = self._trouble_of(job, LONGEST_JOB)
        if trouble is None:
            return None
        return runs.FAILED if trouble else runs.DONE, trouble

    def _trouble_of(self, running: _UnderWay, longest: float, *, stays: bool = False) -> str | None:
        """What went wrong with a child that is over, "" if nothing; None while it may go on."""
        code, trouble = running.child.ended(), ""
        if code is None:
            if stays or self._world.seconds() - running.since <= longest:
                return None
            trouble = f"took longer than {longest / 60:.0f} minutes"
        elif code or stays:
            trouble = _last_line(running.child) or f"ended with {code}"
        _let_go(running.child)
        return trouble

    def _finish(self, state: State, job: _UnderWay, outcome: str, trouble: str) -> None:
        assert job.due is not None  # noqa: S101 - a job has a time, an errand has none
        took = round(self._world.seconds() - job.since, 1)
        runs.finish(
            state, job.run, self._world.clock(), outcome, trouble=trouble, report={"seconds": took}
        )
        if trouble:
            self._world.tell(f"{self._workspace.root.name}: {job.due.name}: {trouble}")

    def _tell_of(self, errand: Errand, trouble: str) -> None:
        """Records an errand that fails, or succeeds again.

        A record of each run would fill the state.
        """
        known = self._troubles.pop(errand.name, None)
        if trouble:
            self._troubles[errand.name] = _Trouble(
                known.failures + 1 if known else 1, self._world.seconds()
            )
        if not trouble and known is None:
            return
        with self._state() as state:
            run, now = runs.new_run(), self._world.clock()
            runs.begin(state, errand_series(errand.name), run, now)
            runs.finish(state, run, now, runs.FAILED if trouble else runs.DONE, trouble=trouble)
        if trouble and known is None:
            self._world.tell(f"{self._workspace.root.name}: {errand.name}: {trouble}")

    def _now(self) -> Workspace:
        """The workspace as of now: its settings are read again if CONFIG.md has changed."""
        return self._workspace.at(self._world.clock())

    def _state(self) -> AbstractContextManager[State]:
        return state_of(self._workspace, self._world.clock())

    def keep(self, error: Exception) -> None:
        """Writes the traceback where every bug of clawgit is logged."""
        keep_bug(error, self._workspace.caller.env, self._workspace.caller.home)


class Runner:
    """Serves all workspaces that `served` names, each by a post of its own.

    It asks again each time, and drops those that are no longer named. One that another runner
    serves is waited for.
    """

    def __init__(
        self,
        served: Callable[[], Sequence[Workspace]],
        world: World,
        errands: Sequence[Errand] = ERRANDS,
    ) -> None:
        self._served, self._world, self._errands = served, world, errands
        self._named: Sequence[Workspace] | None = None
        self._posts: dict[str, Post] = {}
        self._last_said: dict[str, str] = {}

    @property
    def is_busy(self) -> bool:
        return any(post.is_busy for post in self._posts.values())

    def look(self) -> None:
        self._leave_what_is_gone()
        served = self._served_now()
        self._leave_all_but({str(workspace.root) for workspace in served})
        for workspace in served:
            name = str(workspace.root)
            if name in self._posts:
                continue
            post = self._taken(workspace, alone=len(served) == 1)
            if post is not None:
                self._posts[name] = post
        for post in self._posts.values():
            self._guarded(post, post.look)

    def errand(self, name: str) -> None:
        self._leave_what_is_gone()
        for post in self._posts.values():
            self._guarded(post, lambda post=post: post.errand(name))  # type: ignore[misc]  # bound to this round's post

    def settle(self, name: str) -> None:
        """Checks on a running errand, and starts none."""
        for post in self._posts.values():
            self._guarded(post, lambda post=post: post.settle(name))  # type: ignore[misc]  # bound to this round's post

    def close(self) -> None:
        for post in self._posts.values():
            self._guarded(post, post.close)
        self._posts.clear()

    def _served_now(self) -> Sequence[Workspace]:
        """If the list cannot be read, the runner goes on with the workspaces that it has."""
        try:
            self._named = self._served()
        except ClawgitError as error:
            if self._named is None:
                raise
            self._say_once("", f"{error.message} {error.hint}".strip())
        else:
            self._last_said.pop("", None)
        return self._named

    def _leave_what_is_gone(self) -> None:
        """A workspace that is gone, on a removed disk perhaps, is served again once it is back."""
        self._leave([name for name, post in self._posts.items() if not post.is_there], _GONE)

    def _leave_all_but(self, named: Collection[str]) -> None:
        self._leave([name for name in self._posts if name not in named], _UNNAMED)

    def _leave(self, names: Iterable[str], why: str) -> None:
        for name in names:
            self._say_once(name, why.format(name))
            # Removed from the table first: even if closing fails, it is not looked at again.
            post = self._posts.pop(name)
            self._guarded(post, post.close)

    def _guarded(self, post: Post, action: Callable[[], None]) -> None:
        """Runs an action for one workspace; its error stops no other.

        The error is logged, reported once, and the action is tried again later.
        """
        try:
            action()
        except Exception as error:  # noqa: BLE001 - the scheduler's border: logged with its traceback
            post.keep(error)
            self._say_once(post.name, f"{post.name}: {error}")

    def _taken(self, workspace: Workspace, *, alone: bool) -> Post | None:
        """The post of a workspace; None if it has to wait.

        With a single workspace the error is raised, so that the user sees it at once.
        """
        name = str(workspace.root)
        if not _is_there(workspace):
            self._say_once(name, _GONE.format(name))
            return None
        try:
            post = Post(workspace, self._world, self._errands)
        except BusyError as error:
            self._say_once(name, f"{name}: {error.message} Its jobs wait.")
            return None
        except ClawgitError as error:
            if alone:
                raise
            self._say_once(name, f"{name}: {error.message} {error.hint}".strip())
            return None
        self._last_said.pop(name, None)
        return post

    def _say_once(self, name: str, words: str) -> None:
        if self._last_said.get(name) != words:
            self._world.tell(words)
        self._last_said[name] = words


def _pause(failures: int) -> float:
    return PAUSES[min(failures, len(PAUSES)) - 1].total_seconds()


def _is_there(workspace: Workspace) -> bool:
    """Whether the repository is still where it was."""
    return (workspace.place.git_dir / "HEAD").is_file()


def _let_go(child: Beside) -> None:
    """Ends a child. It is asked first, so that it can end its own children."""
    child.ask_to_end()
    child.wait(_FAREWELL)
    child.end()


def _last_line(child: Beside) -> str:
    lines = child.last_words().splitlines()
    errors = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
    # A process that was killed has printed no error of its own.
    return (errors or lines or [""])[-1]
