"""What a crash cut off, finished: the journal rolled forward, parked changes applied, displaced
files looked at again.

Recovery never takes back. Files that are old are written, foreign edits merged, a HEAD that moved
gets what it lacks.
"""

import time
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import pygit2

from clawgit.domain.change.actors import SNAPSHOT
from clawgit.domain.change.history import parse_message
from clawgit.domain.change.merge import holds_all, merge_files
from clawgit.errors import BusyError, PathRefusedError
from clawgit.stores.git.foreign import meanwhile
from clawgit.stores.git.gitindex import Blob
from clawgit.stores.git.held import Displaced
from clawgit.stores.git.landing import Plan, PlanOutdatedError, journal_ref, land
from clawgit.stores.git.objects import blob_at, changed_paths, write_tree
from clawgit.stores.git.placing import Write
from clawgit.stores.git.repo import Head, RefMovedError, Repo
from clawgit.stores.git.stranded import StrandedCommit
from clawgit.stores.git.worktree import read_file, read_settled

_ATTEMPTS = 8
_LOCK_TIMEOUT = 10.0
_REF_LOCK_PATIENCE = 0.1
_ON_BRANCH = (
    "`git switch NAME` goes to a branch, `git switch -c NAME` makes one here; the next "
    "command finishes it."
)


class Stranded(NamedTuple):
    """A commit that never became part of HEAD, and the reference that keeps it. One that was
    `parked` stands for itself; of an interrupted transaction, the snapshots before it belong to it.
    """

    tip: str
    ref: str
    parked: bool = False


def parked_prefix(repo: Repo) -> str:
    return f"refs/clawgit/parked/{repo.place.worktree}/"


def needs_recovery(repo: Repo) -> bool:
    """A cheap look: did a crash leave something, or does a parked change wait?"""
    return (
        repo.ref(journal_ref(repo)) is not None
        or repo.index.lock_is_ours()
        or bool(repo.placer.held)
        or bool(parked(repo))
    )


def parked(repo: Repo) -> list[Stranded]:
    """The changes that wait until a branch may be moved, oldest first."""
    names = [name for name in repo.raw.references if name.startswith(parked_prefix(repo))]
    refs = [Stranded(repo.ref(name) or "", name, parked=True) for name in names]
    return sorted(refs, key=lambda one: (repo.commit(one.tip).commit_time, one.ref))


def adopt(repo: Repo, stranded: Iterable[StrandedCommit]) -> list[str]:
    """Parks what was left behind, each commit for itself and in its order; what kept it before goes
    afterwards.
    """
    oids: list[str] = []
    for one in stranded:
        chain = (
            _chain(repo, None, one.oid)
            if one.ref.startswith("refs/clawgit/tx/")
            else [repo.commit(one.oid)]
        )
        oids += [str(commit.id) for commit in chain]
        for commit in chain:
            repo.set_ref(
                f"{parked_prefix(repo)}{len(oids):04}-{str(commit.id)[:12]}", str(commit.id)
            )
        if one.ref:
            repo.delete_ref(one.ref)
    return oids


def recover(repo: Repo, now: datetime) -> bool:
    """Finishes what a crash cut off; the caller holds the workspace lock. True when there was
    something to finish.
    """
    journal = repo.ref(journal_ref(repo))
    if journal is not None:
        _clear_branch_lock(repo, journal)
        roll_forward(repo, Stranded(journal, journal_ref(repo)), now)
    settle(repo, now, wait=journal is not None)
    return journal is not None


def settle(repo: Repo, now: datetime, *, wait: bool) -> None:
    """Looks once more at what was displaced. What somebody saved into it is on disk by then, and
    becomes history here, whatever he has made of the file since.
    """
    displaced = repo.placer.settle(wait=wait)
    if not displaced:
        return
    head = repo.head().oid
    tip = head
    for one in displaced:
        tip = _kept(repo, tip, one, now)
    if tip is not None and tip != head:
        roll_forward(repo, Stranded(tip, journal_ref(repo)), now)
    for one in displaced:
        one.card.drop()


def _kept(repo: Repo, tip: str | None, one: Displaced, now: datetime) -> str | None:
    """A commit on `tip` that holds what was saved meanwhile. Mostly that is the file as it lies
    there: what was saved stands in it by now. Where an editor has saved over it since, history gets
    it by a merge with what history has.

    What is there is asked by lines, not by merging: a merge would put a line where its base had the
    place for it, which is not where it was appended, and history would show a file that never was.
    """
    before = repo.blob_at(tip, one.path)
    base, late = repo.clean(one.path, one.base), repo.clean(one.path, one.late)
    on_disk = _on_disk(repo, one.path, repo.data(before))
    if on_disk is not None and holds_all(base, on_disk, late):
        after: bytes | None = on_disk
    else:
        after = merge_files(base, repo.data(before) or b"", late, keep_both=True, again=True).data
    blob = repo.store_blob(after, before.mode if before else 0o100644)
    if blob == before:
        return tip
    return repo.commit_on(tip, {one.path: blob}, meanwhile(repo, one.path, before, after), now)


def _on_disk(repo: Repo, path: str, known: bytes | None) -> bytes | None:
    """The file as git would keep it, when it stands still; None where there is none, or something
    else.
    """
    try:
        state = read_settled(repo.place.root, path, repo.smudge(path, known))
    except PathRefusedError:
        return None
    return None if state.data is None else repo.clean(path, state.data)


def roll_forward(repo: Repo, stranded: Stranded, now: datetime) -> str | None:
    """Makes a stranded commit part of HEAD: files that are old are written, foreign edits merged,
    and a HEAD that moved meanwhile gets what it lacks. The commit that did it; None where HEAD, or
    a branch, had it already.
    """
    landed = None
    for _ in range(_ATTEMPTS):
        head = repo.head()
        # The reference goes on keeping the change: a detached HEAD would keep it only until the
        # next checkout.
        if head.detached:
            raise BusyError(
                "HEAD has left its branch; an interrupted change waits until it is on one.",
                hint=_ON_BRANCH,
            )
        if repo.landed(stranded.tip):
            if repo.contains(head.oid, stranded.tip):
                _finish_index(repo, stranded.tip)
            break
        plan = _plan_for(repo, head, stranded, now)
        if plan is None:
            break
        try:
            land(repo, plan)
        except (PlanOutdatedError, RefMovedError):
            continue
        landed = plan.tip
        break
    else:
        raise BusyError(
            "HEAD keeps moving; an interrupted change could not be finished.",
            hint="Run this again.",
        )
    repo.delete_ref(stranded.ref)
    return landed


def _plan_for(repo: Repo, head: Head, stranded: Stranded, now: datetime) -> Plan | None:
    """How to land a stranded commit now; None when HEAD holds all of it under another name."""
    tip = stranded.tip
    base = repo.raw.merge_base(head.oid, tip) if head.oid else None
    fork = str(base) if base else None
    if stranded.parked and _came_in(repo, head.oid, fork, tip):
        return None
    chain = [repo.commit(tip)] if stranded.parked else _chain(repo, fork, tip)
    parents = chain[0].parent_ids
    goal = (
        tip
        if head.oid == (str(parents[0]) if parents else None)
        else _replayed(repo, chain, head.oid, now)
    )
    if goal == head.oid or goal is None:
        return None
    changed = changed_paths(repo.tree(head.oid), repo.tree(goal))
    staged = repo.index.read(changed)
    if staged.conflicted:
        raise BusyError(
            "Git's index holds a conflict.", hint="Resolve it (`git status` names the files)."
        )
    sparse = repo.left_out(staged)
    index = {}
    for path in changed:
        entry = staged.entries.get(path)
        index[path] = _index_goal(repo, path, entry.blob if entry else None, chain, goal)
    writes = tuple(
        write
        for write in _writes(repo, chain, goal, parked=stranded.parked)
        if write.path not in sparse
    )
    return Plan(
        head, goal, writes, index, sparse, staged.mark, "clawgit: recovered", once_more=True
    )


def _came_in(repo: Repo, head: str | None, fork: str | None, tip: str) -> bool:
    """Whether HEAD got this very change since they parted, by a cherry-pick or before a crash. Its
    text is not asked: somebody may have edited it since, and the merge would bring the old one back
    beside it.
    """
    wanted = set(parse_message(repo.commit(tip).message).ids)
    if head is None or not wanted:
        return False
    walker = repo.raw.walk(pygit2.Oid(hex=head))
    if fork is not None:
        walker.hide(pygit2.Oid(hex=fork))
    return any(not wanted.isdisjoint(parse_message(commit.message).ids) for commit in walker)


def _chain(repo: Repo, fork: str | None, tip: str) -> list[pygit2.Commit]:
    """The commits of one interrupted transaction, oldest first: snapshots, then the change itself.
    What HEAD stood on before is not of them, even where an amended commit or an orphan branch has
    made it a stranger to HEAD.
    """
    chain: list[pygit2.Commit] = []
    been = _once_head(repo)
    commit: pygit2.Commit | None = repo.commit(tip)
    while commit is not None and str(commit.id) != fork:
        if chain and (str(commit.id) in been or parse_message(commit.message).verb != SNAPSHOT):
            break
        chain.append(commit)
        commit = commit.parents[0] if commit.parents else None
    return chain[::-1]


def _once_head(repo: Repo) -> set[str]:
    return {str(entry.oid_new) for entry in repo.raw.lookup_reference("HEAD").log()}


def _replayed(
    repo: Repo, chain: list[pygit2.Commit], onto: str | None, now: datetime
) -> str | None:
    """The same changes on another HEAD, merged by entries; what is there already is left out."""
    for commit in chain:
        before = _parent_tree(commit)
        tree = repo.tree(onto)
        changes: dict[str, Blob | None] = {}
        for path in changed_paths(before, commit.tree):
            base, ours = blob_at(before, path), blob_at(commit.tree, path)
            theirs = repo.blob_at(onto, path)
            merged = merge_files(
                repo.data(base), repo.data(ours), repo.data(theirs), keep_both=True, again=True
            ).data
            blob = repo.store_blob(merged, (ours or theirs or base or Blob("", 0)).mode)
            if blob != theirs:
                changes[path] = blob
        if changes:
            built = write_tree(repo.raw, tree, changes)
            onto = repo.create_commit(commit.author, commit.message, built, onto, now)
    return onto


def _writes(repo: Repo, chain: list[pygit2.Commit], goal: str, *, parked: bool) -> Iterator[Write]:
    """What the change itself does to the disk. Snapshots came from there and write nothing, but one
    that was parked comes from another checkout. Where something else than a file lies now, our text
    stays in history alone.
    """
    goal_tree = repo.tree(goal)
    for path, base, own in _own_changes(chain, parked=parked):
        try:
            read_file(repo.place.root, path)
        except PathRefusedError:
            continue
        after = blob_at(goal_tree, path)
        mode = (after or own or base or Blob("", 0o100644)).mode
        yield Write(
            path, repo.smudge(path, repo.data(base)), repo.smudge(path, repo.data(after)), mode
        )


def _own_changes(
    chain: list[pygit2.Commit], *, parked: bool
) -> Iterator[tuple[str, Blob | None, Blob | None]]:
    """The files that the change itself touches, as they were before it and as it leaves them."""
    for commit in chain:
        if parse_message(commit.message).verb == SNAPSHOT and not parked:
            continue
        before = _parent_tree(commit)
        for path in changed_paths(before, commit.tree):
            yield path, blob_at(before, path), blob_at(commit.tree, path)


def _index_goal(
    repo: Repo, path: str, entry: Blob | None, chain: list[pygit2.Commit], goal: str
) -> Blob | None:
    """What the index shall hold: the new blob, merged with what somebody staged after the crash."""
    base, after = blob_at(_parent_tree(chain[0]), path), repo.blob_at(goal, path)
    if entry in {base, after, *(blob_at(commit.tree, path) for commit in chain)}:
        return after
    merged = merge_files(
        repo.data(base), repo.data(after), repo.data(entry), keep_both=True, again=True
    ).data
    return repo.store_blob(merged, (after or entry or Blob("", 0)).mode)


def _finish_index(repo: Repo, tip: str) -> None:
    """The branch moved and then came the crash: entries that still hold an older text of the chain
    are renewed.
    """
    older: dict[str, set[Blob | None]] = {}
    for commit in _chain(repo, None, tip):
        before = _parent_tree(commit)
        for path in changed_paths(before, commit.tree):
            older.setdefault(path, set()).add(blob_at(before, path))
    staged = repo.index.read(sorted(older))
    stale: dict[str, Blob | None] = {}
    for path, blobs in older.items():
        entry = staged.entries[path].blob if path in staged.entries else None
        current = repo.blob_at(repo.head().oid, path)
        if entry != current and entry in blobs:
            stale[path] = current
    if not stale or staged.conflicted:
        return
    sparse = repo.left_out(staged)
    repo.index.lock(tip, _LOCK_TIMEOUT)
    try:
        if repo.index.unchanged_since(staged.mark):
            with repo.index.preparing(stale, sparse):
                pass
            repo.index.publish()
    finally:
        repo.index.discard()
        repo.index.unlock()


def clear_locks(repo: Repo) -> None:
    """Removes locks that a crash of ours left, and only those that are provably ours."""
    repo.index.unlock()
    for stray in repo.place.git_dir.glob("clawgit-index-lock.*"):
        stray.unlink(missing_ok=True)
    repo.index.discard()
    ours = repo.place.common_dir / "refs" / "clawgit"
    for stray in (
        ours / "tx" / f"{repo.place.worktree}.lock",
        *(ours / "parked" / repo.place.worktree).glob("*.lock"),
    ):
        stray.unlink(missing_ok=True)


def _clear_branch_lock(repo: Repo, journal: str) -> None:
    """The lock of the branch that the interrupted change was about to move."""
    for name, folder in ((repo.head().ref, repo.place.common_dir), ("HEAD", repo.place.git_dir)):
        _clear_ref_lock(folder / f"{name}.lock", journal)


def _clear_ref_lock(lock: Path, journal: str) -> None:
    deadline = time.monotonic() + _REF_LOCK_PATIENCE
    while lock.exists():
        text = lock.read_text("ascii", "replace").strip()
        if text not in ("", journal):
            return
        if time.monotonic() >= deadline:
            lock.unlink(missing_ok=True)
            return
        time.sleep(_REF_LOCK_PATIENCE / 5)


def _parent_tree(commit: pygit2.Commit) -> pygit2.Tree | None:
    return commit.parents[0].tree if commit.parents else None
