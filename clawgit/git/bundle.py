"""Writes a whole workspace to one git bundle and back, and lists uncommitted files.

Beside the references, a bundle of ours has one more, `SAVED`: a commit with the files as they were
on disk, and with what no commit of the workspace holds.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from clawgit.core.errors import UnsupportedRepoError
from clawgit.git.cgit import CGit
from clawgit.git.dirt import flagged_rows, index_with
from clawgit.git.gitdir import FORMATS
from clawgit.git.place import NO_OBJECT, RepoPlace

SAVED = "refs/clawgit/backup"
FILES = "files"

_RAW = "* -text -filter -ident -working-tree-encoding\n"
"""What no commit holds is kept byte for byte, whatever the attributes of a file say."""

_BY = ("-c", "user.name=clawgit", "-c", "user.email=clawgit@clawgit.invalid")

# A name that another system takes for git's own folder is not checked out here either.
_GUARDED = ("-c", "core.protectNTFS=true", "-c", "core.protectHFS=true")


def gathered(git: CGit, place: RepoPlace, folder: Path, env: Mapping[str, str]) -> CGit:
    """A repository beside this one, with its references and, by a link, its objects: what is
    written there, this one never gets.
    """
    if place.is_shallow:
        raise UnsupportedRepoError(
            f"{place.root} is a shallow clone: the beginning of its history is missing.",
            hint="git fetch --unshallow",
        )
    refs = read_refs(git)
    refs.pop(SAVED, None)  # a clone of a backup has one
    told = git.text("worktree", "list", "--porcelain")
    told += git.text("log", "-g", "--format=HEAD %H", "refs/stash", "--", ok=(0, 128))
    for line in told.splitlines():
        # The commit of a worktree or of an older stash may be reachable from nothing else.
        oid = line.removeprefix("HEAD ")
        if oid not in (line, NO_OBJECT, *refs.values()):
            refs[f"refs/clawgit/kept/{oid}"] = oid
    beside = _new(folder, env)
    links = folder / ".git/objects/info/alternates"
    links.write_bytes(os.fsencode(place.common_dir.resolve() / "objects") + b"\n")
    _set(beside, refs)
    return beside


def write_bundle(
    git: CGit, beside: CGit, paths: Iterable[str], more: Iterable[Path], file: Path
) -> None:
    """Bundles everything, with these files as they are on disk (or are not there any more), and
    `more` beside them.
    """
    _raw(beside).write_text(_RAW, "ascii")
    beside.run("read-tree", "HEAD")
    update = ("update-index", "--add", "--remove", "--replace", "-z", "--stdin")
    listed = b"".join(os.fsencode(path) + b"\0" for path in paths)
    git.run(f"--git-dir={beside.root}/.git", *update, stdin=listed)
    rows = [f"040000 tree {beside.text('write-tree').strip()}\t{FILES}\n"]
    for source in more:
        oid = beside.text("hash-object", "-w", "--no-filters", str(source)).strip()
        rows.append(f"100644 blob {oid}\t{source.name}\n")
    tree = beside.text("mktree", stdin="".join(rows).encode()).strip()
    commit = beside.text(*_BY, "commit-tree", "-m", "What no commit holds", tree).strip()
    beside.run("update-ref", SAVED, commit)
    beside.run("bundle", "create", "--quiet", str(file), "--all")


def open_bundle(file: Path, root: Path, env: Mapping[str, str]) -> CGit:
    """A new repository at `root`, absent or empty, with the references of a bundle; no file is on
    disk yet. No hook runs, as with every git of ours.
    """
    git = _new(root, env)
    git.run("bundle", "unbundle", str(file))
    heads = git.text("bundle", "list-heads", str(file)).splitlines()
    _set(git, {name: oid for oid, name in map(str.split, heads)})
    return git


def parted(changed: Mapping[str, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files that are there, and those that were deleted."""
    gone = tuple(path for path, oid in changed.items() if oid == NO_OBJECT)
    return tuple(path for path in changed if path not in gone), gone


def take_out(git: CGit, folder: Path) -> None:
    """Writes what was saved beside the history and the files."""
    folder.mkdir()
    # A link that somebody put there could name any file of this machine.
    plain = (f"--work-tree={folder}", "-c", "core.symlinks=false")
    git.run(*plain, "restore", f"--source={SAVED}", "--", f":(exclude){FILES}")


def check_out(git: CGit, head: str) -> dict[str, str]:
    """Puts the files on disk as they were, HEAD at a branch, or detached. Returns the uncommitted
    ones.
    """
    if head != "HEAD":
        git.run("symbolic-ref", "HEAD", head)
    git.run(*_GUARDED, "reset", "--quiet", "--hard")
    if changed := unsaved(git):
        _raw(git).write_text(_RAW, "ascii")
        git.run(*_GUARDED, "read-tree", "--reset", "-u", "HEAD", f"{SAVED}:{FILES}")
        _raw(git).unlink()
        git.run("reset", "--quiet")
    return changed


def unsaved(git: CGit) -> dict[str, str]:
    """The files that no commit holds, each with its blob; `NO_OBJECT` for one that was deleted."""
    told = git.run("diff-tree", "-r", "-z", "--no-renames", "HEAD", f"{SAVED}:{FILES}").split(b"\0")
    rows = zip(told[:-1:2], told[1::2], strict=True)
    return {os.fsdecode(path): row.split(b" ")[3].decode() for row, path in rows}


def drop_saved(git: CGit) -> None:
    """Lets go of what is on disk again: what is to be forgotten later must not be in git too."""
    git.run("update-ref", "-d", SAVED)
    git.run("repack", "-a", "-d", "-q")


def read_refs(git: CGit) -> dict[str, str]:
    """Every ref, HEAD too, with its object."""
    rows = git.text("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    return {"HEAD": git.text("rev-parse", "HEAD").strip(), **dict(map(str.split, rows))}


def uncommitted(git: CGit) -> list[str]:
    """The paths that differ from HEAD on disk, with new files of any kind, without ignored ones.

    A nested repository is named with a slash at its end.
    """
    changes = ("--name-only", "-z", "--no-renames", "--no-relative", "--ignore-submodules=all")
    with index_with(git, [*flagged_rows(git).values()]) as index:
        changed = git.run("diff", *changes, "HEAD", index=index)
    new = git.run("ls-files", "-z", "--others", "--exclude-standard")
    return sorted({os.fsdecode(path) for path in (changed + new).split(b"\0") if path})


def _new(root: Path, env: Mapping[str, str]) -> CGit:
    root.mkdir(parents=True, exist_ok=True)
    CGit(root, {**env, **FORMATS}).run("init", "--quiet", "--template=")
    return CGit(root, env)


def _raw(git: CGit) -> Path:
    """The attributes of a repository that go before all others."""
    file = git.root / ".git/info/attributes"
    file.parent.mkdir(exist_ok=True)
    return file


def _set(git: CGit, refs: Mapping[str, str]) -> None:
    """Sets references in an empty repository; HEAD is detached."""
    rows = (f"create {name} {oid}\n" for name, oid in refs.items() if name != "HEAD")
    git.run("update-ref", "--stdin", stdin="".join(rows).encode("utf-8", "surrogateescape"))
    # Alone: the branch that it names may be among them.
    git.run("update-ref", "--no-deref", "HEAD", refs.get("HEAD", ""))
