"""How a change gets from the object database into the work tree, the branch and git's index.

The reference `refs/clawgit/tx/<worktree>` is the journal: while it exists, the commit that it names
is meant to become HEAD. A transaction lands its plan; after a crash `recovery` takes the same steps
again from what the journal says.
"""

from typing import NamedTuple

from clawgit.stores.git.gitindex import Blob, Mark
from clawgit.stores.git.placing import Write
from clawgit.stores.git.repo import Head, Repo

_LOCK_TIMEOUT = 10.0


class Plan(NamedTuple):
    """Commits that are built and wait to be landed: the way from `head` to `tip`."""

    head: Head
    tip: str
    writes: tuple[Write, ...]
    staged: dict[str, Blob | None]
    """What git's index shall hold."""
    sparse: frozenset[str]
    index_mark: Mark
    note: str
    once_more: bool = False
    """After a crash: some of the writes may have been made already, and the journal outlives every
    failure."""


class PlanOutdatedError(Exception):
    """HEAD or the index changed after the plan was made; nothing has been written yet."""


def journal_ref(repo: Repo) -> str:
    return f"refs/clawgit/tx/{repo.place.worktree}"


def land(repo: Repo, plan: Plan, lock_timeout: float = _LOCK_TIMEOUT) -> None:
    """Replaces the files, moves the branch, updates git's index. Raises `PlanOutdatedError` before
    anything is written, `RefMovedError` when the branch moved under our hands afterwards: then
    `recover` brings it home.

    The journal comes first: from then on no crash and no `git gc` can take the commits. Git's lock
    comes before HEAD is looked at once more, so that nobody commits between that look and the end.
    Files come before the branch: a crash between the two leaves edits that everybody sees, where
    the other way round the next `git commit -a` would take our change back in silence. The journal
    goes last of all.
    """
    repo.set_ref(journal_ref(repo), plan.tip)
    repo.seam("journaled")
    try:
        repo.index.lock(plan.tip, lock_timeout)
    except BaseException:
        _give_up(repo, plan)
        raise
    try:
        repo.seam("index-locked")
        _prepare(repo, plan)
        repo.seam("prepared")
        for write in plan.writes:
            repo.placer.place(write, once_more=plan.once_more)
            repo.seam("placed")
        repo.placer.sync(plan.writes)
        repo.move_ref(plan.head.ref, plan.head.oid, plan.tip, plan.note)
        repo.seam("ref-moved")
        repo.index.publish()
        repo.seam("index-published")
    finally:
        repo.index.discard()
        repo.index.unlock()
    repo.seam("unlocked")
    repo.delete_ref(journal_ref(repo))
    repo.seam("done")


def _prepare(repo: Repo, plan: Plan) -> None:
    """Everything that can fail for want of space or rights, while nothing is replaced yet."""
    try:
        _refuse_outdated(repo, plan)
        repo.refuse_immovable(plan.head.ref)
        with repo.index.preparing(plan.staged, plan.sparse):
            for write in plan.writes:
                repo.placer.prepare(write)
    except BaseException:
        _give_up(repo, plan)
        raise


def _refuse_outdated(repo: Repo, plan: Plan) -> None:
    if repo.head() != plan.head or not repo.index.unchanged_since(plan.index_mark):
        raise PlanOutdatedError


def _give_up(repo: Repo, plan: Plan) -> None:
    """Takes back what is not yet seen by anybody; what a crash began must still be finished, and
    stays journaled.
    """
    for write in plan.writes:
        repo.placer.discard(write)
    if not plan.once_more:
        repo.delete_ref(journal_ref(repo))
