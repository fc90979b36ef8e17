"""Rewrites all of history without forgotten words: refuses, rewrites, checks, moves the refs."""

import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache, partial

from clawgit.core import NamedTuple
from clawgit.core.errors import ClawgitError, ConflictError, UnsupportedRepoError, first_of
from clawgit.git import RECORD
from clawgit.git.batch import Object
from clawgit.git.cgit import CGit, listed
from clawgit.git.guards.belonging import is_bare
from clawgit.git.place import FORGOTTEN_REF, MAIN, RepoPlace
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
from clawgit.history.forgetting.places import Ground, holds, wiped_name
from clawgit.history.rules.record import Forgetting, Forgotten, written
from clawgit.history.rules.wiping import wiped_bytes

_REMOTE = ("refs/remotes/", "refs/clawgit/remote/")
"""The refs of remotes, by git and by `sync`."""

_SIGNATURE = b"\ngpgsig "
"""How the signature of a commit begins."""

_PLAIN_FILE = 0o100644


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
    refuse_own_hook(git)
    for why, step in _obstacles(place, git):
        raise UnsupportedRepoError(why, hint=step)


def _obstacles(place: RepoPlace, git: CGit) -> Iterator[tuple[str, str]]:
    """What stands against a rewrite, and what to do about it."""
    objects = place.common_dir / "objects"
    if place.is_shallow:
        why = f"{place.root} is a shallow clone: what came before is not here to be rewritten."
        yield why, "git fetch --unshallow"
    borrowed = objects / "info" / "alternates"
    if borrowed.is_file() and borrowed.read_bytes().strip():
        why = f"{place.root} borrows objects from another repository, which would keep the words."
        yield why, "git repack -a -d && rm .git/objects/info/alternates"
    for kept in sorted((objects / "pack").glob("*.keep")):
        yield f"{kept.name} tells git to keep a pack, whatever is in it.", f"rm '{kept}'"
    if git.run("for-each-ref", "refs/stash"):
        yield (
            "There are stashes. A rewrite empties the log in which git keeps them.",
            "git stash list; apply each (`git stash pop`) or drop it, then try again.",
        )
    if others := _others(place):
        # Each has a HEAD, logs and an index of its own, which would keep the words.
        step = "`git worktree list` names the main one first: commit what is in each other, remove "
        step += "it (git worktree remove DIR; its branch stays), and run this in the main one."
        yield f"{place.root} has other worktrees: {first_of(others)}.", step
    if odd := [ref.name for ref in _refs(git) if ref.kind != "commit"]:
        yield (
            f"These tags have a message of their own, or name no commit: {first_of(odd)}.",
            "A rewrite does not follow them. git tag -d NAME; make them again afterwards.",
        )


def _others(place: RepoPlace) -> list[str]:
    """The names of the other worktrees of the repository."""
    trees = sorted(tree.name for tree in place.common_dir.glob("worktrees/*"))
    others = [name for name in trees if place.worktree != f"worktrees/{name}"]
    return others if place.worktree == MAIN or is_bare(place) else [MAIN, *others]


def rewrite(ground: Ground, act: Forgetting, record: Forgotten) -> Mapping[str, str]:
    """Rewrites every ref, and lets git delete the old objects. Then the act records it. Returns the
    new commit of each old one that has another hash.
    """
    workspace = ground.workspace
    with workspace.git.alone(workspace.now) as repo:
        rewriting = Rewriting(repo.raw, _wipes(ground))
        # Under the lock, and all of them: one that is left out keeps every old object.
        refs = _refs(repo.git)
        rewriting.follow(in_order(repo.git, sorted({ref.oid for ref in refs})))
        moved = _moved(rewriting, refs)
        _refuse_standing(rewriting, repo)
        told = Forgotten((act._replace(first=tuple(sorted(rewriting.first))),))
        known = repo.ref(FORGOTTEN_REF) or ""
        # It moves with the other refs: a history without the words and without its record would
        # take them back from the next clone.
        kept = store_forgotten(repo, record.united(told), workspace.now)
        moved[FORGOTTEN_REF] = (known, kept)
        _check(repo, rewriting, moved, ground)
        land_rewrite(repo, Rewrite(moved, rewriting.commits))
        return rewriting.commits


def signed(git: CGit) -> int:
    """How many commits have a signature, which a rewrite takes from those that it changes."""
    return git.run("rev-list", "--all", "--header").count(_SIGNATURE)


def _wipes(ground: Ground) -> Wipes:
    matcher = ground.matcher
    return Wipes(
        lambda path, data: wiped_bytes(path, data, matcher),
        matcher.without,
        # Cached: the same few names are in each tree.
        cache(partial(wiped_name, ground)),
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


def _refuse_standing(rewriting: Rewriting, repo: Repo) -> None:
    """Raises unless the files on disk are those of the new HEAD: git would take them for an
    edit.
    """
    head = repo.tip
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
    repo.git.run("rev-list", "--objects", "--quiet", "--stdin", stdin=listed(new))
    kinds = (("blob", rewriting.blobs.values()), ("commit", rewriting.commits.values()))
    for kind, oids in kinds:
        for oid in oids:
            if holds(Object(oid, kind, rewriting.read(oid)), ground.matcher):
                raise ClawgitError(
                    f"The new {kind} {oid} would still hold the words. History was left as it is.",
                    hint="Report this as a bug of clawgit.",
                )
