"""Finds commits of ours that no branch reaches.

They were made on a detached HEAD, or parked in a worktree that is gone. What a reset, an amend or a
deleted branch has removed is not searched for: that was somebody's decision.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from clawgit.domain.change.history import parse_message
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.dirt import made_detached, worktrees_with_refs
from clawgit.stores.git.looked import PARKED
from clawgit.stores.git.place import RepoPlace


class StrandedCommit(NamedTuple):
    """A commit of ours on no branch. `ref` holds it; "" if only a reflog does."""

    oid: str
    name: str
    summary: str
    time: datetime
    ref: str = ""


def stranded_commits(place: RepoPlace, git: CGit) -> list[StrandedCommit]:
    """The stranded commits, in the order in which they were made.

    Git is started only if a few small files show that there may be one, since doctor and status
    call this each time.
    """
    kept = dict(_of_lost_worktrees(place, git)) if worktrees_with_refs(place) else {}
    candidates = dict.fromkeys([*kept, *made_detached(place)])
    if not candidates:
        return []
    lost = _unreached(git, candidates)
    return _described(git, [oid for oid in candidates if oid in lost], kept)


def _of_lost_worktrees(place: RepoPlace, git: CGit) -> Iterator[tuple[str, str]]:
    """The commits that wait for a worktree that no longer exists, and their references."""
    prefixes = (f"{PARKED}worktrees/", "refs/clawgit/tx/worktrees/")
    rows = git.text("for-each-ref", "--format=%(objectname) %(refname)", *prefixes)
    for row in rows.splitlines():
        oid, ref = row.split(" ", 1)
        worktree = ref.split("/")[4]
        if not (place.common_dir / "worktrees" / worktree).is_dir():
            yield oid, ref


def _unreached(git: CGit, candidates: Iterable[str]) -> set[str]:
    reached = ("--not", "--branches", "--tags", "--remotes")
    listed = "".join(f"{oid}\n" for oid in candidates).encode()
    return set(
        git.run("rev-list", "--ignore-missing", "--stdin", *reached, stdin=listed).decode().split()
    )


def _described(git: CGit, oids: list[str], kept: dict[str, str]) -> list[StrandedCommit]:
    """The commits, without those whose change a branch has under another hash.

    A cherry-pick or a rebase keeps the change's id, which stands in the message.
    """
    if not oids:
        return []
    commits = Batch(git).read_commits(oids)
    all_ids = {ident for commit in commits for ident in commit.message.ids}
    on_branches = _ids_on_branches(git, all_ids, oids)
    return [
        StrandedCommit(sha, commit.name, commit.message.summary, commit.time, kept.get(sha, ""))
        for sha, commit in zip(oids, commits, strict=True)
        if on_branches.isdisjoint(commit.message.ids)
    ]


def _ids_on_branches(git: CGit, ids: set[str], lost: Iterable[str]) -> set[str]:
    """Those of the ids that a branch has.

    The history below the lost commits is left out: it cannot hold a copy of them.
    """
    if not ids:
        return set()
    named = [f"--grep=Clawgit-Id: {ident}" for ident in sorted(ids)]
    where = ("--branches", "--tags", "--remotes", "--not", *lost)
    bodies = git.text("log", "-z", "--format=%B", "--fixed-strings", *named, *where)
    return {ident for body in bodies.split("\0") for ident in parse_message(body).ids} & ids
