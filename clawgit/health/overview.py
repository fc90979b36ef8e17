"""The status in full: with the jobs, the model and the index, which 80 modules are loaded for."""

from clawgit.core.errors import ClawgitError
from clawgit.git.lock import lock_holder
from clawgit.health.status import Status, status
from clawgit.run.schedule import runner_lock, work_state
from clawgit.search.index.live import index_state
from clawgit.workspace.workspace import Workspace


def overview(workspace: Workspace) -> Status:
    seen = status(workspace)._replace(index=index_state(workspace))
    try:
        jobs, model = work_state(workspace)
    except ClawgitError:  # an error of state.db is an alert, and must not hide the rest
        return seen
    if lock_holder(runner_lock(workspace.place)) is None:  # nobody is there to start them
        jobs = tuple(job._replace(next=None) for job in jobs)
    return seen._replace(jobs=jobs, model=model)
