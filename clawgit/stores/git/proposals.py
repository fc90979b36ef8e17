"""Changes that wait for the operator: each a commit under `refs/clawgit/proposals/`, on what it was
made on.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from secrets import randbits

from clawgit.domain.change.actors import SNAPSHOT, UNKNOWN
from clawgit.domain.change.history import Intent, change_id
from clawgit.domain.change.merge import merge_files
from clawgit.stores.git.gitindex import Blob
from clawgit.stores.git.repo import Repo
from clawgit.stores.git.rules import Rules
from clawgit.stores.git.transaction import Edit, Outcome, commit

WAITING = "refs/clawgit/proposals/"
REJECTED = "refs/clawgit/rejected/"
"""What was turned down stays findable: a commit with the operator's reason, on the one that was
proposed."""


def keep(
    repo: Repo,
    edits: Iterable[Edit],
    intent: Intent,
    now: datetime,
    rules: Rules,
    *,
    why: tuple[str, ...],
) -> Outcome:
    """Keeps a change as a proposal; its alerts say why it is held. What others changed is committed
    first, as before any change of ours. The caller holds the workspace lock.
    """
    wanted = [edit for edit in edits if edit.before != edit.after]
    if not wanted:
        return Outcome()
    repo.refuse_when_busy()
    paths = tuple(edit.path for edit in wanted)
    seen = commit(repo, (), Intent(UNKNOWN, SNAPSHOT, ""), now, rules, more=paths)
    head, ident = repo.head().oid, change_id(randbits(32))
    tip = repo.commit_on(
        head,
        {edit.path: _blob(repo, head, edit) for edit in wanted},
        replace(intent, alerts=why),
        now,
        ident,
    )
    repo.set_ref(f"{WAITING}{ident}", tip)
    return replace(seen, commit=None, id=ident, changed=paths, held=why)


def lay_aside(repo: Repo, name: str, tip: str, intent: Intent, now: datetime) -> str:
    """Moves a proposal among the rejected ones; gives the commit that says why."""
    told = repo.commit_on(tip, {}, intent, now)
    repo.set_ref(f"{REJECTED}{name}", told)
    repo.delete_ref(f"{WAITING}{name}")
    return told


def _blob(repo: Repo, head: str | None, edit: Edit) -> Blob | None:
    """The proposed file. One that changed since it was read gets the same edit."""
    there = repo.blob_at(head, edit.path)
    after = merge_files(edit.before, edit.after, repo.data(there), keep_both=True).data
    return repo.store_blob(after, there.mode if there else edit.mode)
