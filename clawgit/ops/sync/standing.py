"""How the workspace stands to its remote, from what git and the last sync left: no network."""

from dataclasses import dataclass
from datetime import datetime

from clawgit.ops.runner.schedule import errand_series
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import runs
from clawgit.stores.git.cgit import CGit
from clawgit.stores.state import repository_state

SERIES = errand_series("sync")
"""Where the state keeps what became of each sync: beside the failures of the runner's errands."""


@dataclass(frozen=True, slots=True)
class SyncStanding:
    """`ahead` and `behind` count commits against what was last heard of the remote's branch."""

    remote: str
    ahead: int
    behind: int


def counted(git: CGit, ours: str, theirs: str) -> tuple[int, int]:
    """How many commits one side has and the other lacks, and the other way round."""
    rows = git.text("rev-list", "--left-right", "--count", f"{ours}...{theirs}").split()
    return int(rows[0]), int(rows[1])


def standing(git: CGit, branch: str | None) -> SyncStanding | None:
    """None where the branch follows no branch of a remote, or nothing was fetched of it yet."""
    if branch is None:
        return None
    name = f"refs/heads/{branch}"
    row = git.text("for-each-ref", "--format=%(upstream)", name).strip()
    if not row.startswith("refs/remotes/"):
        return None
    if not git.text("for-each-ref", "--format=%(objectname)", row).strip():
        return None
    return SyncStanding(row.removeprefix("refs/remotes/"), *counted(git, name, row))


def note_sync(workspace: Workspace, state: str, began: datetime, *, failed: bool, why: str) -> None:
    """Keeps on record how a sync ended."""
    caller, run = workspace.caller, runs.new_run()
    with repository_state(workspace.place, caller.env, caller.home, workspace.now) as kept:
        runs.begin(kept, SERIES, run, began)
        outcome = runs.FAILED if failed else runs.DONE
        runs.finish(kept, run, began, outcome, trouble=why, report={"state": state})
