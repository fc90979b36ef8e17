"""How the workspace compares with its remote, by the last fetch or sync, without the network."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import runs
from clawgit.stores.git.cgit import CGit
from clawgit.stores.runs import Run, errand_series, is_job

SERIES = errand_series("sync")
"""Where the state stores how each sync ended, next to the failures of the runner's errands."""


OFFLINE = "offline"
"""The state of a sync whose remote could not be reached."""

_AGAIN = timedelta(minutes=15)
_REMOTES = "refs/remotes/"
_GONE = "gone"


class SyncStanding(NamedTuple):
    """`ahead` and `behind` count commits against the remote's branch as last fetched."""

    remote: str
    ahead: int
    behind: int


def counted(git: CGit, ours: str, theirs: str) -> tuple[int, int]:
    """How many commits only the first side has, and how many only the second."""
    rows = git.text("rev-list", "--left-right", "--count", f"{ours}...{theirs}").split()
    return int(rows[0]), int(rows[1])


def standing(git: CGit, branch: str | None) -> SyncStanding | None:
    """None if the branch follows no remote branch, or if that was never fetched."""
    shape = "--format=%(upstream)%00%(upstream:track,nobracket)"
    row = git.text("for-each-ref", shape, f"refs/heads/{branch}").strip() if branch else ""
    upstream, _, track = row.partition("\0")
    if not upstream.startswith(_REMOTES) or track == _GONE:
        return None
    counts = dict(part.split(" ") for part in track.split(", ") if part)
    ahead, behind = (int(counts.get(side, 0)) for side in ("ahead", "behind"))
    return SyncStanding(upstream.removeprefix(_REMOTES), ahead, behind)


def is_due(workspace: Workspace) -> bool:
    """Whether the runner should sync: after each job, and again after a while if that failed."""
    if not workspace.config.settings.sync_remote:
        return False
    with state_of(workspace) as state:
        newest = runs.lasts(state)
    ended, last = _last_job(newest), newest.get(SERIES)
    if ended is None or last is None:
        return ended is not None
    return last.started < ended or (_is_open(last) and last.started < workspace.now - _AGAIN)


def _last_job(newest: Mapping[str, Run]) -> datetime | None:
    """When a job by the clock last ended."""
    jobs = (run for name, run in newest.items() if is_job(name))
    return max((run.ended for run in jobs if run.ended), default=None)


def _is_open(last: Run) -> bool:
    """Whether a sync is to be tried again."""
    return last.outcome == runs.FAILED or last.told.get("state") == OFFLINE


def note_sync(workspace: Workspace, state: str, began: datetime, *, failed: bool, why: str) -> None:
    """Records how a sync ended."""
    run = runs.new_run()
    with state_of(workspace) as kept:
        runs.begin(kept, SERIES, run, began)
        outcome = runs.FAILED if failed else runs.DONE
        runs.finish(kept, run, began, outcome, trouble=why, report={"state": state})
