"""Lets a job run only once at a time, and ends runs that were cut off."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from clawgit.errors import BusyError
from clawgit.ops.conversation.queue import Clock
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import runs
from clawgit.stores.git.lock import lock_holder, workspace_lock
from clawgit.stores.git.proposal_refs import WAITING
from clawgit.stores.runs import Run
from clawgit.stores.state import State

PATIENCE = 5.0
_GIT_FAILED = 128


@contextmanager
def lock_of(workspace: Workspace, job: str, seconds: float = PATIENCE) -> Iterator[None]:
    """Holds the lock of a job while it runs; BusyError names the process that has it."""
    path = workspace.place.shared / f"run-{job}.lock"
    with ExitStack() as stack:
        try:
            stack.enter_context(workspace_lock(path, job, seconds))
        except BusyError as error:
            holder = lock_holder(path) or "another process"
            raise BusyError(
                f"{job} is already running: {holder}.", hint="Try again when it has finished."
            ) from error
        yield


def settle_left_over(workspace: Workspace, state: State, job: str, clock: Clock) -> None:
    """Ends the runs of a job that a crash cut off; the caller holds the lock of the job.

    A run that had made all its commits counts. Any other is made again, by an agent that sees
    what is there already.
    """
    for run in runs.unfinished(state, job):
        made = commits_of(workspace, run)
        if run.steps and len(made) >= run.steps:
            runs.finish(state, run.id, clock(), runs.DONE, trouble="cut off after its last commit")
        else:
            runs.finish(state, run.id, clock(), runs.CUT_OFF, trouble="it did not finish")


def commits_of(workspace: Workspace, run: Run) -> list[str]:
    """The commits that a run has made, oldest first, and its waiting proposals."""
    git, store = workspace.cgit, workspace.git
    if store.head().oid is None:
        return []
    log = ["log", "--reverse", "--format=%H", "--fixed-strings", f"--grep=Run: {run.id}", "HEAD"]
    commits: list[str] = []
    if run.base:
        commits = git.text(*log, f"^{run.base}", ok=(0, _GIT_FAILED)).split()
        # The base may be gone, after a rebase for example: then all of history is searched.
        commits = commits or git.text(*log).split()
    else:
        commits = git.text(*log, ok=(0, _GIT_FAILED)).split()
    waiting = store.refs_below(WAITING).values()
    return [*commits, *(oid for oid in waiting if store.commit(oid).message.run == run.id)]
