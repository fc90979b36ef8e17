"""Finds commits of ours that no branch reaches.

They were made on a detached HEAD, or parked in a worktree that is gone. What a reset, an amend or a
deleted branch has removed is not searched for: that was somebody's decision.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.change.history import parse_message
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.dirt import is_detached
from clawgit.stores.git.place import RepoPlace

PARKED = "refs/clawgit/parked/"
"""Refs of changes that wait until HEAD is on a branch, by worktree."""

_NOTE = b"clawgit: "
"""How the reflog message of a commit of ours begins."""

_LEFT_DETACHED = re.compile(rb"checkout: moving from [0-9a-f]{40} to ")
"""Git writes a branch's name here, or a full hash if HEAD was on no branch."""

_NEWEST = 4_000_000
"""How many bytes of a reflog are read: about 20,000 entries."""


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
    kept: dict[str, str] = {}
    if _worktrees_with_refs(place):
        kept = dict(_of_lost_worktrees(place, git))
    candidates = dict.fromkeys(kept)
    for git_dir in [place.common_dir, *sorted((place.common_dir / "worktrees").glob("*"))]:
        candidates.update(dict.fromkeys(_made_detached(git_dir)))
    if not candidates:
        return []
    lost = _unreached(git, candidates)
    return _described(git, [oid for oid in candidates if oid in lost], kept)


def _made_detached(git_dir: Path) -> Iterator[str]:
    """Our commits that were made while HEAD was on no branch, by HEAD's reflog."""
    since: list[bytes] = []
    for line in _reflog(git_dir):
        head, _, note = line.partition(b"\t")
        if note.startswith(_NOTE):
            since.append(head.split(b" ")[1])
        elif note.startswith(b"checkout: moving from "):
            if _LEFT_DETACHED.match(note):
                yield from map(bytes.decode, since)
            since = []
    if is_detached(git_dir):
        yield from map(bytes.decode, since)


def _reflog(git_dir: Path) -> list[bytes]:
    try:
        with (git_dir / "logs" / "HEAD").open("rb") as log:
            start = max(0, log.seek(0, 2) - _NEWEST)
            log.seek(start)
            text = log.read()
    except OSError:
        return []
    if _NOTE not in text:
        return []
    return text.split(b"\n")[1 if start else 0 : -1]


def _worktrees_with_refs(place: RepoPlace) -> bool:
    """Whether a linked worktree ever parked a change or was cut off, by loose or packed refs."""
    ours, packed = place.common_dir / "refs" / "clawgit", place.common_dir / "packed-refs"
    if any((ours / kind / "worktrees").is_dir() for kind in ("parked", "tx")):
        return True
    return packed.is_file() and b"/worktrees/" in packed.read_bytes()


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
