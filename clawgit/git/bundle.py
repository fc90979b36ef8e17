"""Writes a whole repository to one file and back, by git bundles, and lists uncommitted files."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from clawgit.core.errors import UnsupportedRepoError
from clawgit.git.cgit import CGit
from clawgit.git.dirt import flagged_rows, index_with
from clawgit.git.place import RepoPlace, is_shallow
from clawgit.git.repo import Head

_FORMS = {"GIT_DEFAULT_HASH": "sha1", "GIT_DEFAULT_REF_FORMAT": "files"}


class Bundled(NamedTuple):
    """The contents of a new bundle, and the refs that are missing in it."""

    head: str | None
    refs: Mapping[str, str]
    commits: int
    missing: tuple[str, ...]


def write_bundle(git: CGit, place: RepoPlace, file: Path) -> Bundled:
    """Bundles all refs, HEAD and what they reach.

    The result is read from the bundle, since refs may move meanwhile.
    """
    if is_shallow(place):
        raise UnsupportedRepoError(
            f"{place.root} is a shallow clone: the beginning of its history is missing.",
            hint="git fetch --unshallow",
        )
    git.run("bundle", "create", str(file), "--all")
    oids = bundle_heads(git, file)
    head = oids.pop("HEAD", None)
    commits = int(
        git.run("rev-list", "--count", "--stdin", stdin="\n".join(oids.values()).encode())
    )
    return Bundled(head, oids, commits, tuple(sorted(read_refs(git).keys() - oids.keys())))


def bundle_heads(git: CGit, file: Path) -> dict[str, str]:
    """The references that a bundle itself names, and HEAD, with their objects."""
    lines = (
        line.split(" ", 1) for line in git.text("bundle", "list-heads", str(file)).splitlines()
    )
    return {_kept_as(name): oid for oid, name in lines}


def _kept_as(name: str) -> str:
    """A ref name for the HEAD of another worktree, whose commit may be reachable from nothing
    else.
    """
    return name if name == "HEAD" or name.startswith("refs/") else f"refs/clawgit/kept/{name}"


def open_bundle(file: Path, root: Path, env: Mapping[str, str], head: Head) -> CGit:
    """A new repository at `root`, absent or empty, with the references of a bundle and HEAD's files
    on disk. No hook runs, as with every git of ours.
    """
    root.mkdir(parents=True, exist_ok=True)
    git = CGit(root, {**env, **_FORMS})
    git.run("init", "--quiet", "--template=")
    git.run("bundle", "unbundle", str(file))
    plain = (
        f"create {name} {oid}\n" for name, oid in bundle_heads(git, file).items() if name != "HEAD"
    )
    git.run("update-ref", "--stdin", stdin="".join(plain).encode("utf-8", "surrogateescape"))
    if head.detached:
        git.run("update-ref", "--no-deref", "HEAD", str(head.oid))
    else:
        git.run("symbolic-ref", "HEAD", head.ref)
    # A name that another system takes for git's own folder is not checked out here either.
    git.run(
        "-c", "core.protectNTFS=true", "-c", "core.protectHFS=true", "reset", "--quiet", "--hard"
    )
    return git


def read_refs(git: CGit) -> dict[str, str]:
    """Every ref except HEAD with its object."""
    rows = git.text("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    return dict(row.split(" ") for row in rows)


def uncommitted(git: CGit) -> list[str]:
    """The paths that differ from HEAD on disk, with new files of any kind, without ignored ones.

    A nested repository is named with a slash at its end.
    """
    changes = ("--name-only", "-z", "--no-renames", "--no-relative", "--ignore-submodules=all")
    with index_with(git, [*flagged_rows(git).values()]) as index:
        changed = git.run("diff", *changes, "HEAD", index=index)
    new = git.run("ls-files", "-z", "--others", "--exclude-standard")
    return sorted({os.fsdecode(path) for path in (changed + new).split(b"\0") if path})


def is_ignored(git: CGit, path: Path) -> bool:
    return git.call("check-ignore", "--quiet", "--", str(path), ok=(0, 1))[0] == 0
