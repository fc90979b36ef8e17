"""Rewrites all of history without forgotten words: refuses, rewrites, checks, moves the refs."""

import os
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import NamedTuple

from clawgit.core.errors import ClawgitError, ConflictError, UnsupportedRepoError, first_of
from clawgit.git import RECORD
from clawgit.git.batch import Object
from clawgit.git.cgit import CGit
from clawgit.git.forgotten import FORGOTTEN_REF
from clawgit.git.guards.belonging import is_bare
from clawgit.git.place import MAIN, RepoPlace, is_shallow
from clawgit.git.repo import Repo
from clawgit.git.rewriting import (
    Rewrite,
    Rewriting,
    Wipes,
    in_order,
    land_rewrite,
    refuse_own_hook,
    renamed,
)
from clawgit.git.rules.actors import OPERATOR
from clawgit.git.rules.history import FORGET, Intent
from clawgit.history.forgetting.places import Ground, holds
from clawgit.history.rules.record import Forgetting, Forgotten, written
from clawgit.history.rules.wiping import wiped_bytes

_REMOTE = ("refs/remotes/", "refs/clawgit/remote/")
"""The refs of remotes, by git and by `sync`."""

_SIGNATURE = b"\ngpgsig "
"""How the signature of a commit begins."""

_FEW = 3

_PLAIN_FILE = 0o100644
_BRANCH = "refs/heads/"
_NAME = "forgotten"


class Rewritten(NamedTuple):
    """Old commit → new commit, and how many signatures were lost."""

    commits: Mapping[str, str]
    unsigned: int


NO_REWRITE = Rewritten({}, 0)


def store_forgotten(repo: Repo, forgotten: Forgotten, now: datetime) -> str:
    """Makes a commit with the record, after the previous one; moves no ref."""
    blob = repo.store_blob(written(forgotten), _PLAIN_FILE)
    intent = Intent(OPERATOR, FORGET, "keep the hashes of what was forgotten")
    return repo.commit_on(repo.ref(FORGOTTEN_REF), {RECORD: blob}, intent, now)


class _Ref(NamedTuple):
    name: str
    oid: str
    kind: str
    symbolic: str


def refuse_history(ground: Ground) -> None:
    """Raises if a rewrite could not remove all of the words, or would lose anything else."""
    place, git = ground.workspace.place, ground.workspace.cgit
    _refuse_borrowed(place)
    if git.run("for-each-ref", "refs/stash"):
        raise ClawgitError(
            "There are stashes. A rewrite empties the log in which git keeps them.",
            hint="git stash list; apply each (`git stash pop`) or drop it, then try again.",
        )
    refuse_own_hook(git)
    if others := _others(place):
        # Each has a HEAD, logs and an index of its own, which would keep the words.
        raise UnsupportedRepoError(
            f"{place.root} has other worktrees: {first_of(others, _FEW)}.",
            hint="Commit what is in each but the main one, which `git worktree list` names first; "
            "remove it (git worktree remove DIR; its branch stays), and run this in the main one.",
        )
    if odd := [ref.name for ref in _refs(git) if ref.kind != "commit"]:
        raise UnsupportedRepoError(
            f"These tags have a message of their own, or name no commit: {first_of(odd, _FEW)}.",
            hint="A rewrite does not follow them. git tag -d NAME; make them again afterwards.",
        )


def _others(place: RepoPlace) -> list[str]:
    """The names of the other worktrees of the repository."""
    trees = sorted(tree.name for tree in place.common_dir.glob("worktrees/*"))
    others = [name for name in trees if place.worktree != f"worktrees/{name}"]
    return others if place.worktree == MAIN or is_bare(place) else [MAIN, *others]


def rewrite(ground: Ground, act: Forgetting, record: Forgotten) -> Rewritten:
    """Rewrites every ref, and lets git delete the old objects. Then the act records it."""
    workspace = ground.workspace
    with workspace.git.alone("forget", workspace.now) as repo:
        rewriting = Rewriting(repo.raw, _wipes(ground))
        moved = _followed(rewriting, repo.git)
        _refuse_standing(rewriting, repo)
        tips, first = _branches(moved), tuple(sorted(rewriting.first))
        told = Forgotten((act._replace(tips=tips, first=first),))
        known = repo.ref(FORGOTTEN_REF) or ""
        kept = store_forgotten(repo, record.united(told), workspace.now)
        moved[FORGOTTEN_REF] = (known, kept)
        _check(repo, rewriting, moved, ground)
        land_rewrite(repo, Rewrite(moved, rewriting.commits))
        return Rewritten(rewriting.commits, rewriting.unsigned)


def signed(git: CGit) -> int:
    """How many commits have a signature, which a rewrite takes from those that it changes."""
    return git.run("rev-list", "--all", "--header").count(_SIGNATURE)


def _followed(rewriting: Rewriting, git: CGit) -> dict[str, tuple[str, str]]:
    """Rewrites all commits; returns the old and the new value of each ref."""
    refs = _refs(git)
    rewriting.follow(in_order(git, sorted({ref.oid for ref in refs})))
    return _moved(rewriting, refs)


def _refuse_borrowed(place: RepoPlace) -> None:
    objects = place.common_dir / "objects"
    if is_shallow(place):
        raise UnsupportedRepoError(
            f"{place.root} is a shallow clone: what came before is not here to be rewritten.",
            hint="git fetch --unshallow",
        )
    if _says(objects / "info" / "alternates"):
        raise UnsupportedRepoError(
            f"{place.root} borrows objects from another repository, which would keep the words.",
            hint="git repack -a -d && rm .git/objects/info/alternates",
        )
    kept = sorted((objects / "pack").glob("*.keep"))
    if kept:
        raise UnsupportedRepoError(
            f"{kept[0].name} tells git to keep a pack, whatever is in it.",
            hint=f"rm '{kept[0]}'",
        )


def _says(file: Path) -> bool:
    return file.is_file() and bool(file.read_bytes().strip())


def _wipes(ground: Ground) -> Wipes:
    matcher = ground.matcher
    return Wipes(
        lambda path, data: wiped_bytes(path, data, matcher),
        matcher.without,
        # Cached: the same few names are in each tree.
        cache(lambda name: matcher.without(name, _NAME)),
    )


def _refs(git: CGit) -> list[_Ref]:
    shape = "--format=%(refname)%00%(objectname)%00%(objecttype)%00%(symref)"
    rows = git.run("for-each-ref", shape).splitlines()
    return [_Ref(*map(os.fsdecode, row.split(b"\0"))) for row in rows]


def _moved(rewriting: Rewriting, refs: Iterable[_Ref]) -> dict[str, tuple[str, str]]:
    """The old and the new value of each ref.

    A remote may still have the words: our ref for it is deleted, and the next fetch brings it back.
    """
    moved: dict[str, tuple[str, str]] = {}
    for ref in refs:
        new = rewriting.commits.get(ref.oid, ref.oid)
        if ref.name.startswith(_REMOTE):
            if new != ref.oid:
                moved[ref.name] = (ref.oid, "")
        elif not ref.symbolic and ref.name != FORGOTTEN_REF:
            name = renamed(ref.name, rewriting.commits)
            if name != ref.name:
                moved[ref.name] = (ref.oid, "")
                moved[name] = ("", new)
            elif new != ref.oid:
                moved[name] = (ref.oid, new)
    return moved


def _branches(moved: Mapping[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """The branches of this clone, and those of remotes as they were, so that they can be
    recognised.
    """
    return {name: pair for name, pair in moved.items() if name.startswith((_BRANCH, *_REMOTE))}


def _refuse_standing(rewriting: Rewriting, repo: Repo) -> None:
    """Raises unless the files on disk are those of the new HEAD: git would take them for an
    edit.
    """
    head = repo.head().oid
    if head is None:
        return
    old, new = rewriting.tree_of(head)
    if old != new:
        raise ConflictError(
            "A file of the newest commit holds the words: it is outside the scope, or was changed "
            "just now.",
            hint="Remove them, commit, and run this again: history was not changed.",
        )


def _check(
    repo: Repo, rewriting: Rewriting, moved: Mapping[str, tuple[str, str]], ground: Ground
) -> None:
    """Checks the new history before the old one is deleted: it is complete, and has none of the
    words.
    """
    new = sorted({after for _, after in moved.values() if after})
    listed = "".join(f"{oid}\n" for oid in new).encode()
    repo.git.run("rev-list", "--objects", "--quiet", "--stdin", stdin=listed)
    kinds = (("blob", rewriting.blobs.values()), ("commit", rewriting.commits.values()))
    for kind, oids in kinds:
        for oid in oids:
            if holds(Object(oid, kind, rewriting.read(oid)), ground.matcher):
                raise ClawgitError(
                    f"The new {kind} {oid} would still hold the words. History was left as it is.",
                    hint="Report this as a bug of clawgit.",
                )
