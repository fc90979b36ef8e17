"""How a change gets from the object database into the work tree, the branch and git's index.

The reference `refs/clawgit/tx/<worktree>` is the journal: while it exists, the commit that it names
is meant to become HEAD. A transaction lands its plan; after a crash `recovery` takes the same steps
again from what the journal says.

What `kill -9` leaves after each seam, and what the next command does about it (it starts with
`GitStore._recover`, unless somebody holds the lock or git is busy):

- before `journaled`: objects without a ref. Nothing has happened; `git gc` removes them.
- `journaled`: the journal. The commit is landed, as if there had been no crash.
- `index-locked`, `prepared`: also our index.lock, cards, and new texts next to the old files. Plain
  git refuses to commit while the lock exists; the next command removes it first.
- `exchanged`, `placed` (between exchange and ref): some files are new and some old, the branch and
  the index are old, and our index.lock still keeps plain git from committing this half. The next
  command first puts back what an exchange took out of a file (`Placer.bring_back`), then removes
  the lock, then lands the plan again: a new file is exchanged for the same text, an old one for
  the new one, whatever somebody wrote in between is merged in, and the branch moves.
- `ref-moved`: files and branch are new, the index is old: `git status` shows our change as staged
  backwards. The index entries are renewed (`recovery`), and the journal goes.
- `index-published`, `unlocked`: only the journal, and perhaps the lock, are left; they go.
"""

from datetime import UTC, datetime
from functools import partial

from clawgit.core import NamedTuple
from clawgit.core.doors import hashlib, pygit2
from clawgit.git.gitindex import Blob, Mark
from clawgit.git.objects import signature
from clawgit.git.placing import Write
from clawgit.git.repo import Head, Repo
from clawgit.git.rules.actors import CLAWGIT
from clawgit.git.rules.history import SYNC, Intent, render_message
from clawgit.git.rules.ids import change_id

_MERGED = 2
"""The parents of a merge."""

_LOCK_TIMEOUT = 10.0
"""Seconds to wait for another git process; `git commit` with an editor open holds it longer."""


class LandingPlan(NamedTuple):
    """Commits that are built but not landed: the way from `head` to `tip`."""

    head: Head
    tip: str
    writes: tuple[Write, ...]
    staged: dict[str, Blob | None]
    """The entries that git's index will have."""
    index_mark: Mark
    note: str
    journal: str
    """The commit that the journal names; `goal_of` says which commit becomes HEAD."""
    once_more: bool = False
    """After a crash: some files may be written already, so the journal stays on failure."""


def goal_of(repo: Repo, journal: str) -> str:
    """The commit that becomes HEAD when a journaled commit lands: mostly that commit itself.

    When a branch is brought in, the journal is an internal merge of HEAD and the new HEAD, which
    contains HEAD and has the same files. So recovery knows where the change began, and how to go on
    if HEAD has moved since.
    """
    commit = repo.raw_commit(journal)
    if len(commit.parent_ids) != _MERGED:
        return journal
    head, tip = map(str, commit.parent_ids)
    same = commit.tree_id == repo.raw_commit(tip).tree_id
    return tip if same and repo.contains(tip, head) else journal


class PlanOutdatedError(Exception):
    """HEAD or the index changed after the plan was made; nothing has been written yet."""


def land(repo: Repo, plan: LandingPlan) -> None:
    """Replaces the files, moves the branch, updates git's index.

    Raises `PlanOutdatedError` before anything is written, and `RefMovedError` if the branch moved
    after the files were written: then `recovery.roll_forward` finishes the change.
    """
    # 1. The journal, before anything that can be seen: from here on a crash is finished forwards,
    #    and no `git gc` removes the commits. Written later, a crash would leave new files that no
    #    commit explains, and the next snapshot would take our change for somebody's edit.
    repo.keep_journal(repo.journal, plan.journal)
    repo.seam("journaled")

    # 2. Git's own lock, before the last look at HEAD and index (in `_prepare`). In the other order
    #    a `git add` could slip in between look and lock, and our index would overwrite it.
    try:
        repo.index.lock(plan.tip, _LOCK_TIMEOUT)
    except BaseException:
        _give_up(repo, plan)
        raise
    try:
        repo.seam("index-locked")

        # 3. Everything that can fail for want of space or rights, while nothing is replaced. Then
        #    the name of the journal is put on the disk, if the texts have not taken it along.
        _prepare(repo, plan)
        repo.sync_ref(repo.journal)
        repo.seam("prepared")

        # 4. The files, before the branch. A crash between the two leaves edits that everybody can
        #    see. With the branch moved first, the old files would look like edits that take our
        #    change back, and the next `git commit -a` would commit that.
        for write in plan.writes:
            repo.placer.place(write)
            repo.seam("placed")

        # 5. The branch, by compare-and-swap: index.lock stops `git commit` but not `git update-ref`
        #    or a push. An exception from here on, or in step 4, leaves the journal: what was placed
        #    cannot be taken back without risking somebody's edit, so it is finished forwards.
        #    The files are synced before it moves: after a power cut HEAD must not have a text that
        #    the work tree has lost, or the next snapshot would take that for somebody's edit.
        written = [write.path for write in plan.writes]
        found = plan.staged.keys() - set(written)
        sync_files = partial(repo.placer.sync, written, found)
        repo.move_ref(plan.head.ref, plan.head.oid, plan.tip, plan.note, sync_files)
        repo.seam("ref-moved")

        # 6. The index, after the branch. In the other order a crash would leave our change staged,
        #    and a user who removes the stale index.lock by hand would commit it as their own.
        repo.index.publish()
        repo.seam("index-published")
    finally:
        # On failure too: a lock left here would stop the user's git until our next command.
        repo.index.discard()
        repo.index.unlock()
    repo.seam("unlocked")

    # 7. The journal last: without it nothing would tell recovery that a step is missing.
    repo.delete_ref(repo.journal)
    repo.seam("done")


def _prepare(repo: Repo, plan: LandingPlan) -> None:
    """Writes the new index and the new texts next to the old ones; nothing is replaced yet."""
    try:
        _refuse_outdated(repo, plan)
        repo.refuse_immovable(plan.head.ref)
        repo.index.prepare(plan.staged)
        for write in plan.writes:
            repo.placer.prepare(write)
    except BaseException:
        _give_up(repo, plan)
        raise


def _refuse_outdated(repo: Repo, plan: LandingPlan) -> None:
    if (repo.head(), repo.index.mark()) != (plan.head, plan.index_mark):
        raise PlanOutdatedError


def _give_up(repo: Repo, plan: LandingPlan) -> None:
    """Removes what nobody has seen yet.

    The prepared texts are removed before the journal: after a kill -9 in between, the change is
    landed after all; the other way round, texts without a journal would stay in the work tree. A
    change that a crash cut off stays journaled, since some of its files may be on disk already.
    """
    for write in plan.writes:
        repo.placer.discard(write)
    if not plan.once_more:
        repo.delete_ref(repo.journal)


MEETING = Intent(CLAWGIT, SYNC, "bring two copies of this memory together")
"""The message names neither side, since each calls the other one the remote."""


def meeting(repo: Repo, tree: str, one: str, other: str) -> str:
    """A merge of two commits, as an object only; nothing refers to it yet.

    It depends only on the two: machines that merge at the same time make the same commit, and have
    nothing left to merge. It has the time of the newer one, clawgit as committer, and no signature:
    what others did is not the operator's act, whoever runs the sync.
    """
    if repo.contains(other, one) and str(repo.raw_commit(other).tree_id) == tree:
        return other  # a fast-forward: there is nothing to merge
    sides = sorted((repo.raw_commit(oid).commit_time, oid) for oid in (one, other))
    oids = [oid for _, oid in sides]
    when = datetime.fromtimestamp(sides[-1][0], UTC)
    digest = hashlib.sha256(" ".join(oids).encode()).digest()
    message = render_message(MEETING, change_id(int.from_bytes(digest[:4], "big")))
    by = signature(CLAWGIT.name, CLAWGIT.email, when)
    parents = [pygit2.Oid(hex=oid) for oid in oids]
    make = repo.raw.create_commit
    write = partial(make, None, by, by, message, pygit2.Oid(hex=tree), parents)
    return str(repo.objects.stored(write))
