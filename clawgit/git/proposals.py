"""Waiting changes, each a commit on no branch: proposals wait for the operator under
`refs/clawgit/proposals/`, parked changes for a branch under `refs/clawgit/parked/`.
"""

import time
from collections.abc import Iterable
from datetime import datetime

from clawgit.git.commit_rules import Rules
from clawgit.git.gitindex import Blob
from clawgit.git.looked import PARKED, REJECTED, WAITING
from clawgit.git.repo import Head, Repo, merged, new_id
from clawgit.git.rules.history import Intent
from clawgit.git.transaction import OF_OTHERS, Change, Edit, commit


def keep(
    repo: Repo,
    edits: Iterable[Edit],
    intent: Intent,
    now: datetime,
    rules: Rules,
    *,
    why: tuple[str, ...],
) -> Change:
    """Stores a change as a proposal; its alerts say why it is held.

    The caller holds the workspace lock.
    """
    changed = [edit for edit in edits if edit.before != edit.after]
    if not changed:
        return Change()
    repo.refuse_when_busy()
    # What others changed is committed first, as before any change of ours: the proposal is based on
    # their text, so that approving it later takes nothing of theirs back.
    paths = tuple(edit.path for edit in changed)
    snapshot, _ = commit(repo, (), OF_OTHERS, now, rules, more=paths)
    head, ident = repo.tip, new_id()
    blobs = {edit.path: _blob(repo, head, edit) for edit in changed}
    tip = repo.commit_on(head, blobs, intent._replace(alerts=why), now, ident)
    repo.set_ref(f"{WAITING}{ident}", tip)
    return snapshot._replace(commit=None, id=ident, changed=paths, held=why)


def park(
    repo: Repo, edits: Iterable[Edit], intent: Intent, now: datetime, rules: Rules, *, head: Head
) -> Change:
    """Stores a change as a commit under a ref of ours, until a branch may be moved again.

    It is not committed on a detached HEAD: after the next checkout only the reflog would have it,
    and that expires. `head` is the one that the edits were made on. HEAD may have moved since; a
    commit on the newer one would take back what came in with it.
    """
    changed = [edit for edit in edits if edit.before != edit.after]
    if not changed:
        return Change()
    ident = new_id()
    blobs = {edit.path: repo.store_blob(edit.after, edit.mode) for edit in changed}
    leaks = [leak for edit in changed for leak in rules.leaks(edit.path, edit.before, edit.after)]
    warned = intent._replace(alerts=(*intent.alerts, *leaks))
    tip = repo.commit_on(head.oid, blobs, warned, now, ident)
    repo.set_ref(f"{PARKED}{repo.place.worktree}/{time.time_ns()}-{ident}", tip)
    return Change(None, ident, tuple(sorted(blobs)), parked=True)


def lay_aside(repo: Repo, name: str, tip: str, intent: Intent, now: datetime) -> str:
    """Moves a proposal to the rejected ones; returns the commit with the reason."""
    rejection = repo.commit_on(tip, {}, intent, now)
    # The new ref before the old one is deleted: after a kill -9 in between it has both, and can be
    # rejected again. The other way round `git gc` could delete it.
    repo.set_ref(f"{REJECTED}{name}", rejection)
    repo.delete_ref(f"{WAITING}{name}")
    return rejection


def _blob(repo: Repo, head: str | None, edit: Edit) -> Blob | None:
    """The proposed file. If the file changed since it was read, the edit is merged into it."""
    current = repo.blob_at(head, edit.path)
    after = merged(edit.before, edit.after, repo.data(current), again=False)
    return repo.store_blob(after, current.mode if current else edit.mode)
