"""Finishes what a crash cut off: the journaled commit, parked changes, displaced files.

Recovery never takes anything back: somebody may have built on what was on disk since the crash. Old
files are replaced, foreign edits are merged in, and a HEAD that has moved gets what it lacks. What
each crash leaves, step by step: the docstring of `landing`.
"""

import time
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.doors import pygit2
from clawgit.core.errors import BusyError, PathRefusedError
from clawgit.git.dirt import refuse_conflicts
from clawgit.git.foreign import PLAIN_FILE, meanwhile
from clawgit.git.gitindex import Blob, IndexEntries
from clawgit.git.held import Note
from clawgit.git.landing import LandingPlan, PlanOutdatedError, goal_of, land
from clawgit.git.looked import MOVING, PARKED, keep_noted, lands_here, noted_names, parked_here
from clawgit.git.objects import blob_at, changed_paths, write_tree
from clawgit.git.placing import Write
from clawgit.git.repo import Head, RefMovedError, Repo, holds_all, merged
from clawgit.git.rules.actors import SNAPSHOT
from clawgit.git.rules.history import parse_message
from clawgit.git.worktree import read_file, read_settled

_ATTEMPTS = 8
"""How often it is tried to bring a stranded commit onto a HEAD that keeps moving."""

_REF_LOCK_PATIENCE = 1.0
"""Seconds after which the lock of a ref counts as left by a crash. Git holds one for microseconds,
and under the workspace lock no other clawgit does."""

_NO_BLOB = Blob("", PLAIN_FILE)

_ON_BRANCH = (
    "`git switch NAME` goes to a branch, `git switch -c NAME` makes one here; the next "
    "command finishes it."
)


class Stranded(NamedTuple):
    """A commit that never became part of HEAD, and the ref that holds it.

    A `parked` one is a single commit; an interrupted transaction includes the snapshots before it.
    """

    tip: str
    ref: str
    parked: bool = False


def parked(repo: Repo) -> list[Stranded]:
    """The changes that wait until a branch may be moved, oldest first."""
    names = parked_here(repo.place)
    return [Stranded(oid, name, parked=True) for name in names if (oid := repo.ref(name))]


def recover(repo: Repo, now: datetime) -> bool:
    """Finishes what a crash cut off; True if there was anything. The caller holds the lock."""
    journal = repo.ref(repo.journal)
    if journal is not None:
        # A crash while the branch was moved leaves the branch's lock, which git never removes.
        _clear_branch_lock(repo, journal)
        roll_forward(repo, Stranded(journal, repo.journal), now)
    # After the journal: what an editor saved meanwhile is committed on top of the change that
    # displaced it. Before it, the file on disk may still lack that change.
    settle(repo, now, wait=journal is not None)
    return journal is not None


def settle(repo: Repo, now: datetime, *, wait: bool) -> None:
    """Looks once more at the displaced files, and commits what somebody has saved into them."""
    displaced = repo.placer.settle(wait=wait)
    head = tip = repo.tip
    for card in displaced:
        tip = _kept(repo, tip, card.note, now)
    if tip is not None and tip != head:
        roll_forward(repo, Stranded(tip, repo.journal), now)
    # The cards are dropped once history has everything. After a kill -9 before this, the next
    # command looks at the same files again, finds their text in history, and drops them.
    for card in displaced:
        card.drop()


def _kept(repo: Repo, tip: str | None, file: Note, now: datetime) -> str | None:
    """A commit on `tip` with what was saved meanwhile; `tip` itself if it has that already.

    Mostly it is the file on disk, to which those lines were added. If an editor has overwritten it
    since, they are merged with history. Whether the file on disk has them is decided line by line,
    not by a merge: a merge could put a line somewhere else than where it was appended, and history
    would show a file that never existed.
    """
    before = repo.blob_at(tip, file.path)
    base, late = repo.clean(file.path, file.base), repo.clean(file.path, file.seen)
    after: bytes | None
    on_disk = _on_disk(repo, file.path, repo.data(before))
    if on_disk is not None and holds_all(base, on_disk, late):
        after = on_disk
    else:
        after = merged(base, repo.data(before) or b"", late, again=True)
    blob = repo.store_blob(after, (before or _NO_BLOB).mode)
    if blob == before:
        return tip
    return repo.commit_on(tip, {file.path: blob}, meanwhile(repo, file.path, before, after), now)


def _on_disk(repo: Repo, path: str, known: bytes | None) -> bytes | None:
    """The file as git would store it, once it no longer changes; None if there is no regular
    file.
    """
    try:
        state = read_settled(repo.place.root, path, repo.smudge(path, known))
    except PathRefusedError:
        return None
    return None if state.data is None else repo.clean(path, state.data)


def roll_forward(repo: Repo, stranded: Stranded, now: datetime) -> str | None:
    """Makes a stranded commit part of HEAD, and then deletes its ref.

    Returns the new commit; None if HEAD, or a branch, had it already.
    """
    landed = _brought_in(repo, stranded, now)
    # Last: as long as the ref exists, the next command finishes a crash in here.
    repo.delete_ref(stranded.ref)
    return landed


def _brought_in(repo: Repo, stranded: Stranded, now: datetime) -> str | None:
    for _ in range(_ATTEMPTS):
        head = repo.head()
        # The ref stays: a detached HEAD would hold the change only until the next checkout.
        if head.detached:
            raise BusyError(
                "HEAD has left its branch; an interrupted change waits until it is on one.",
                hint=_ON_BRANCH,
            )
        # The crash came after the branch had moved. Somebody may have switched branches since; then
        # the index belongs to another branch, and needs no update.
        meant = goal_of(repo, stranded.tip)
        is_landed = repo.landed(meant)
        plan = None
        if not is_landed:
            plan = _plan_for(repo, head, stranded, now)
        elif head.oid and repo.contains(head.oid, meant):
            chain = _chain(repo, None, stranded.tip)
            paths = changed_paths(_parent_tree(chain[0]), chain[-1].tree)
            plan = _plan(repo, head, chain, paths, head.oid, stranded.tip)
        if plan is None:
            return None
        try:
            land(repo, plan)
        except (PlanOutdatedError, RefMovedError):
            continue
        return None if is_landed else plan.tip
    raise BusyError(
        "HEAD keeps moving; an interrupted change could not be finished.", hint="Run this again."
    )


def _plan_for(repo: Repo, head: Head, stranded: Stranded, now: datetime) -> LandingPlan | None:
    """How to land a stranded commit now; None if HEAD has all of it in other commits.

    As in a transaction, HEAD was read before the index: `land` compares both.
    """
    base = repo.raw.merge_base(head.oid, stranded.tip) if head.oid else None
    fork = str(base) if base else None
    if stranded.parked and _came_in(repo, head.oid, fork, stranded.tip):
        return None
    chain = [repo.raw_commit(stranded.tip)] if stranded.parked else _chain(repo, fork, stranded.tip)
    parent = str(chain[0].parent_ids[0]) if chain[0].parent_ids else None
    # If nothing was committed meanwhile, the commits of the transaction themselves land. Otherwise
    # they are made again on the new HEAD.
    journal = stranded.tip if head.oid == parent else _replayed(repo, chain, head.oid, now)
    if journal is None or journal == head.oid:
        return None
    goal = goal_of(repo, journal)
    paths = changed_paths(repo.tree(head.oid), repo.tree(goal))
    plan = _plan(repo, head, chain, paths, goal, journal)
    return plan._replace(writes=tuple(_writes(repo, chain, journal, goal)))


def _plan(
    repo: Repo, head: Head, chain: "list[pygit2.Commit]", paths: list[str], goal: str, journal: str
) -> LandingPlan:
    """The plan that brings HEAD to a commit, and the index along, by the commits of a chain."""
    staged = repo.index.read(paths)
    refuse_conflicts(staged.conflicted)
    return LandingPlan(
        head=head,
        tip=goal,
        writes=(),
        staged=_index_goals(repo, paths, staged, chain, goal),
        index_mark=staged.mark,
        note="clawgit: recovered",
        journal=journal,
        once_more=True,
    )


def _came_in(repo: Repo, head: str | None, fork: str | None, tip: str) -> bool:
    """Whether HEAD got this change since they diverged, by a cherry-pick or before a crash.

    Its id decides, not its text: somebody may have edited that since, and a merge would bring the
    old text back.
    """
    ids = set(parse_message(repo.raw_commit(tip).message).ids)
    if head is None or not ids:
        return False
    walker = repo.raw.walk(pygit2.Oid(hex=head))
    if fork is not None:
        walker.hide(pygit2.Oid(hex=fork))
    return any(not ids.isdisjoint(parse_message(commit.message).ids) for commit in walker)


def _chain(repo: Repo, fork: str | None, tip: str) -> "list[pygit2.Commit]":
    """The commits of one interrupted transaction, oldest first: snapshots, then the change itself.

    It ends before any commit that was once HEAD: after an amend, or on an orphan branch, it would
    otherwise bring in a whole other history.
    """
    chain: list[pygit2.Commit] = []
    log = repo.raw.lookup_reference("HEAD").log()
    once_head = {str(entry.oid_new) for entry in log}
    commit: pygit2.Commit | None = repo.raw_commit(tip)
    while commit is not None and str(commit.id) != fork:
        is_snapshot = parse_message(commit.message).verb == SNAPSHOT
        if chain and (str(commit.id) in once_head or not is_snapshot):
            break
        chain.append(commit)
        commit = commit.parents[0] if commit.parents else None
    return chain[::-1]


def _replayed(
    repo: Repo, chain: "list[pygit2.Commit]", onto: str | None, now: datetime
) -> str | None:
    """The same changes on another HEAD, merged by entries; what is there already is left out.

    They keep their messages, and so their ids.
    """
    for commit in chain:
        changes = _changes_onto(repo, commit, onto)
        # A merge also brings history in, unless somebody has brought that in by now.
        brings = [str(oid) for oid in commit.parent_ids[1:] if not repo.contains(onto, str(oid))]
        if changes or brings:
            tree = write_tree(repo.objects, repo.tree(onto), changes)
            parents = [oid for oid in (onto, *brings) if oid]
            onto = repo.create_commit(commit.author, commit.message, tree, parents, now)
    return onto


def _changes_onto(repo: Repo, commit: "pygit2.Commit", onto: str | None) -> dict[str, Blob | None]:
    """What a commit changes, merged with the files of another one."""
    changes: dict[str, Blob | None] = {}
    for path, base, ours in _changes_of(commit):
        theirs = repo.blob_at(onto, path)
        # Theirs first: of changes that were parked one after the other, the later one stands below.
        merged = _merged(repo, base, theirs, ours)
        blob = repo.store_blob(merged, (ours or theirs or base or _NO_BLOB).mode)
        if blob != theirs:
            changes[path] = blob
    return changes


def _merged(repo: Repo, base: Blob | None, ours: Blob | None, theirs: Blob | None) -> bytes | None:
    """A merge that loses nothing of either side; `again`, since theirs may have parts of ours
    already.
    """
    return merged(*map(repo.data, (base, ours, theirs)), again=True)


def _writes(repo: Repo, chain: "list[pygit2.Commit]", journal: str, goal: str) -> Iterator[Write]:
    """What the change itself writes to disk.

    Snapshots came from the disk and write nothing. If something other than a file is at a path now,
    our text stays only in history.
    """
    onto, goal_tree = _parent_tree(repo.raw_commit(journal)), repo.tree(goal)
    for commit in chain:
        if parse_message(commit.message).verb == SNAPSHOT:
            continue
        for path, base, own in _changes_of(commit):
            try:
                read_file(repo.place.root, path)
            except PathRefusedError:
                continue
            after = blob_at(goal_tree, path)
            old_text = _still_there(repo.data(base), repo.data(blob_at(onto, path)))
            new_text = repo.data(after)
            mode = (after or own or base or _NO_BLOB).mode
            yield Write(path, repo.smudge(path, old_text), repo.smudge(path, new_text), mode)


def _still_there(old: bytes | None, onto: bytes | None) -> bytes | None:
    """A text without the lines that somebody has taken out of history since: where the disk has
    them, an editor has written them back.
    """
    kept = {*(onto or b"").splitlines(keepends=True)}
    return old and b"".join(filter(kept.__contains__, old.splitlines(keepends=True)))


def _changes_of(commit: "pygit2.Commit") -> Iterator[tuple[str, Blob | None, Blob | None]]:
    """The files that a commit changes, as they were before it and as it leaves them."""
    before = _parent_tree(commit)
    for path in changed_paths(before, commit.tree):
        yield path, blob_at(before, path), blob_at(commit.tree, path)


def _index_goals(
    repo: Repo, paths: Iterable[str], staged: IndexEntries, chain: "list[pygit2.Commit]", goal: str
) -> dict[str, Blob | None]:
    """The new index entries: the new blobs, merged with what was staged after the crash."""
    goals: dict[str, Blob | None] = {}
    first_parent = _parent_tree(chain[0])
    for path in paths:
        current = staged.blobs.get(path)
        base, after = blob_at(first_parent, path), repo.blob_at(goal, path)
        ours = {base, after, *(blob_at(commit.tree, path) for commit in chain)}
        if current in ours:
            goals[path] = after
        else:
            merged = _merged(repo, base, after, current)
            goals[path] = repo.store_blob(merged, (after or current or _NO_BLOB).mode)
    return goals


def clear_locks(repo: Repo) -> None:
    """Removes locks that a crash of ours left, and only those that are provably ours.

    The caller holds the workspace lock, so no living clawgit holds any of them.
    """
    repo.index.unlock()
    repo.index.discard()
    common = repo.place.common_dir
    (common / f"{repo.journal}.lock").unlink(missing_ok=True)
    for lock in (common / PARKED).rglob("*.lock"):
        if lands_here(repo.place, lock.relative_to(common).as_posix()):
            lock.unlink(missing_ok=True)
    if moved := noted_names(repo.place, MOVING):
        # A kill while we moved these leaves their locks, which git never removes. Only theirs: of
        # any other, a git that the machine holds up may be about to make its reference.
        for folder in {common, repo.place.git_dir}:
            for lock in (*folder.glob("*.lock"), *(folder / "refs").rglob("*.lock")):
                if lock.relative_to(folder).with_suffix("").as_posix() in moved:
                    _clear_ref_lock(lock)
        keep_noted(repo.place, MOVING, "")


def _clear_branch_lock(repo: Repo, journal: str) -> None:
    """Removes the lock of the branch that the interrupted change was about to move."""
    ours = ("", goal_of(repo, journal))
    for name, folder in ((repo.head().ref, repo.place.common_dir), ("HEAD", repo.place.git_dir)):
        _clear_ref_lock(folder / f"{name}.lock", ours)


def _clear_ref_lock(lock: Path, ours: tuple[str, ...] = ()) -> None:
    """Removes an old lock, if given with one of these texts in it. A move writes the new commit
    into it: with another commit, it is somebody else's.
    """
    deadline = time.monotonic() + _REF_LOCK_PATIENCE
    while lock.exists():
        if ours and lock.read_text("ascii", "replace").strip() not in ours:
            return
        if time.monotonic() >= deadline:
            lock.unlink(missing_ok=True)
            return
        time.sleep(_REF_LOCK_PATIENCE / 50)


def _parent_tree(commit: "pygit2.Commit") -> "pygit2.Tree | None":
    return commit.parents[0].tree if commit.parents else None
