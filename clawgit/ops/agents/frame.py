"""One run of a job at a time, and what becomes of one that was cut off."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from clawgit.errors import BusyError
from clawgit.ops.conversation.queue import Clock
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import runs
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.lock import lock_holder, workspace_lock
from clawgit.stores.git.proposals import WAITING
from clawgit.stores.runs import Run
from clawgit.stores.state import State

PATIENCE = 5.0
_GIT_FAILED = 128


@contextmanager
def lock_of(workspace: Workspace, job: str, seconds: float = PATIENCE) -> Iterator[None]:
    """Holds a job for this process; its end frees it. BusyError names who has it."""
    path = workspace.place.shared / f"run-{job}.lock"
    with ExitStack() as stack:
        try:
            stack.enter_context(workspace_lock(path, job, seconds))
        except BusyError as error:
            who = lock_holder(path) or "another process"
            raise BusyError(
                f"{job} runs already: {who}.", hint="Try again when it has finished."
            ) from error
        yield


def settle_left_over(workspace: Workspace, state: State, job: str, clock: Clock) -> None:
    """Ends the runs of a job that a crash cut off. One that had made all its commits counts; any
    other is made again, by an agent that sees what is there already. The caller holds the lock of
    the job.
    """
    for run in runs.unfinished(state, job):
        made = commits_of(workspace, run)
        if run.steps and len(made) >= run.steps:
            runs.finish(state, run.id, clock(), runs.DONE, trouble="cut off after its last commit")
        else:
            runs.finish(state, run.id, clock(), runs.CUT_OFF, trouble="it did not come to its end")


def commits_of(workspace: Workspace, run: Run) -> list[str]:
    """The commits that a run has made, oldest first, and its proposals that wait."""
    git, store = CGit(workspace.root, workspace.caller.env), workspace.git
    if store.head().oid is None:
        return []
    since = [f"^{run.base}"] if run.base else []
    asked = ["log", "--reverse", "--format=%H", "--fixed-strings", f"--grep=Run: {run.id}", "HEAD"]
    found = git.text(*asked, *since, ok=(0, _GIT_FAILED)).split() or (
        git.text(*asked).split() if since else []
    )
    held = store.refs_below(WAITING).values()
    return [*found, *(oid for oid in held if store.commit(oid).message.run == run.id)]
