"""How a sync ended: one word, its message, and the next step; and when the next one is due."""

from collections.abc import Callable
from datetime import datetime, timedelta

from clawgit.core import NamedTuple
from clawgit.core.errors import counted
from clawgit.git.remotes.transport import OfflineError, RemoteError
from clawgit.safety.rules.secrets import masked
from clawgit.workspace.stores import runs
from clawgit.workspace.stores.runs import errand_series, is_job
from clawgit.workspace.workspace import Workspace

SERIES = errand_series("sync")
"""Where the state stores how each sync ended, next to the failures of the runner's errands."""

_AGAIN = timedelta(minutes=15)

OFFLINE = "offline"
"""The state of a sync whose remote could not be reached."""

IN_SYNC = "in_sync"
PUSHED = "pushed"
MERGED = "merged"
AHEAD = "ahead"
BEHIND = "behind"
DIVERGED = "diverged"
CONFLICT = "conflict"
PUSH_FAILED = "push_failed"
NO_REMOTE = "no_remote"
FAILED = frozenset({DIVERGED, CONFLICT, PUSH_FAILED, NO_REMOTE})
"""The states in which somebody must do something: the exit code is 1."""

Tell = Callable[[str], None]


class Synced(NamedTuple):
    """How a sync ended: `state` is one of the words in docs/history.md, `next` what to type.

    `ahead` and `behind` count the commits that were, or would be, sent and brought in. `commit` is
    the merge, or the commit to which HEAD moved; `rescue` is the ref of the one before.
    """

    state: str
    message: str
    next: str = ""
    remote: str | None = None
    branch: str | None = None
    ahead: int = 0
    behind: int = 0
    commit: str | None = None
    id: str | None = None
    changed: tuple[str, ...] = ()
    snapshots: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    rescue: str | None = None
    conflicts: tuple[dict[str, str], ...] = ()
    dry_run: bool = False

    @property
    def failed(self) -> bool:
        return self.state in FAILED


def with_message(done: Synced) -> Synced:
    """The same, with its message."""
    name = f"{done.remote}/{done.branch}"
    came = counted(done.behind, "commit")
    went = counted(done.ahead, "commit") if done.ahead else "the branch"
    would = "the edits on disk" if done.notes and not done.ahead else went
    more = f", and sent {went}" if done.ahead else ""
    to_send = f" and send {went}" if done.ahead else ""
    words = {
        IN_SYNC: (f"In sync with {name}.", ""),
        PUSHED: (f"Sent {went} to {name}.", ""),
        MERGED: (f"Brought in {came} from {name}{more}.", ""),
        AHEAD: (f"Would send {would} to {name}.", "clawgit sync"),
        BEHIND: (f"Would bring in {came} from {name}{to_send}.", "clawgit sync"),
    }
    message, step = words[done.state]
    return done._replace(message=message, next=step)


def away(so_far: Synced, error: OfflineError, *, was_met: bool) -> Synced:
    """The result if the remote cannot be reached.

    If it never was, its address is probably wrong.
    """
    is_local = error.data.get("local")
    if is_local and not was_met:
        raise RemoteError(error.message, hint=error.hint) from error
    step = error.hint if is_local else "clawgit sync, later"
    if not was_met:
        step = "check the address, which `git remote -v` shows; then clawgit sync"
    return so_far._replace(state=OFFLINE, message=error.message, next=step)


def is_due(workspace: Workspace) -> bool:
    """Whether the runner should sync: after each job, and again after a while if that failed."""
    if not workspace.settings.sync_remote:
        return False
    with workspace.state() as state:
        newest = runs.lasts(state)
    ends = (run.ended for name, run in newest.items() if is_job(name))
    ended, last = max(filter(None, ends), default=None), newest.get(SERIES)
    if ended is None or last is None:
        return ended is not None
    if last.outcome == runs.FAILED or last.told.get("state") == OFFLINE:
        ended = max(ended, workspace.now - _AGAIN)
    return last.started < ended


def note_sync(workspace: Workspace, state: str, began: datetime, *, failed: bool, why: str) -> None:
    """Records how a sync ended. An address in a message may have a password."""
    outcome, trouble = runs.FAILED if failed else runs.DONE, " ".join(masked(why).split())
    with workspace.state() as kept:
        runs.note(kept, SERIES, began, outcome, trouble=trouble, report={"state": state})
