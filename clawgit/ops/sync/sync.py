"""`sync`: snapshot, fetch, merge, push. The result is one word."""

from dataclasses import replace
from typing import TYPE_CHECKING

from clawgit.domain.safety.secrets import masked
from clawgit.ops.sync.glance import Wishes, glance
from clawgit.ops.sync.standing import OFFLINE, note_sync
from clawgit.ops.sync.synced import Synced, Tell
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.git.remotes.refusals import RemoteError

if TYPE_CHECKING:
    from clawgit.ops.sync.following import Agree


def _quiet(_words: str) -> None:
    return


def sync(
    workspace: Workspace,
    remote: str = "",
    *,
    dry_run: bool = False,
    prompts: bool = False,
    tell: Tell = _quiet,
    agree: "Agree | None" = None,
) -> Synced:
    """Commits what others changed, brings the remote's branch in, and pushes.

    With `dry_run` it asks the remote and says what would happen. `prompts`: somebody is there to
    type a password. `agree` is asked before words that were forgotten elsewhere are removed here.
    The result is recorded.
    """
    began = workspace.now
    with workspace_lock(workspace.place.shared / "sync.lock", "clawgit sync", 0):
        try:
            done = _synced(workspace, Wishes(remote, dry_run, prompts, tell, agree))
        except RemoteError as error:
            if not dry_run:
                note_sync(workspace, error.kind, began, failed=True, why=_one_line(error.message))
            raise
    if not dry_run:
        why = _one_line(done.message) if done.failed or done.state == OFFLINE else ""
        note_sync(workspace, done.state, began, failed=done.failed, why=why)
    return replace(done, dry_run=dry_run)


def _one_line(message: str) -> str:
    return " ".join(masked(message).split())


def _synced(workspace: Workspace, wishes: Wishes) -> Synced:
    seen = glance(workspace, wishes)
    if seen.done:
        return seen.done
    from clawgit.ops.sync.moving import moved  # noqa: PLC0415 - see tests/test_architecture.py

    return moved(workspace, wishes, seen)
