"""What differs from HEAD right now, asked of C git: libgit2 would take a sparse checkout for
deletions, and a command that only looks has no time to load it.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from clawgit.domain.workspace.scope import EVERYTHING, Scope
from clawgit.errors import BusyError, MassDeletionError
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.filters import filtered, why_filtered
from clawgit.stores.git.hidden import Hidden, hidden_files

NEW_FILE_LIMIT = 2 * 1024 * 1024
_DELETED = ("D.", ".D", "MD", "TD", "AD")
_BEGUN: Mapping[str, str] = {
    "rebase-merge": "a rebase",
    "rebase-apply/applying": "`git am`",
    "rebase-apply": "a rebase",
    "MERGE_HEAD": "a merge",
    "REVERT_HEAD": "a revert",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "sequencer/todo": "a series of cherry-picks or reverts",
    "BISECT_LOG": "a bisect",
    "BISECT_START": "a bisect",
}


class Pause(NamedTuple):
    """Why clawgit moves no branch at the moment, and what the user types to go on."""

    why: str
    hint: str


class Skipped(NamedTuple):
    """A change that is left to its owner."""

    path: str
    reason: str


class Dirt(NamedTuple):
    """`paths` wait for a snapshot, `new` are those of them that HEAD does not have, `skipped` are
    never taken. `head` is None on a branch without a commit, `branch` where HEAD is detached.
    """

    head: str | None
    branch: str | None
    paths: tuple[str, ...]
    deleted: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    conflicted: tuple[str, ...]
    new: tuple[str, ...] = ()
    hidden: tuple[Hidden, ...] = ()
    """The files that git is told not to look at; those of them that were edited are in `paths`
    too."""

    def without(self, skipped: tuple[Skipped, ...]) -> "Dirt":
        """With some of its paths left to their owners."""
        left = {one.path for one in skipped}
        kept, new = (
            tuple(path for path in paths if path not in left) for paths in (self.paths, self.new)
        )
        return self._replace(paths=kept, new=new, skipped=(*self.skipped, *skipped))


def scan(git: CGit, scope: Scope = EVERYTHING) -> Dirt:
    """One call of C git, and a look at what it does not look at. What lies outside of the scope is
    not told at all.
    """
    return _without_filtered(git, _with_hidden(git, scope, _asked(git, scope)))


def _with_hidden(git: CGit, scope: Scope, dirt: Dirt) -> Dirt:
    """Adds the edits that the index hides, by their content."""
    hidden = tuple(one for one in hidden_files(git) if scope.covers(one.path))
    known = {*dirt.paths, *dirt.conflicted, *(skipped.path for skipped in dirt.skipped)}
    edited = {one.path: one for one in hidden if one.edited and one.path not in known}
    reasons = {path: _why_hidden_stays(git.root, path) for path in edited}
    skipped = tuple(Skipped(path, reason) for path, reason in reasons.items() if reason)
    taken = [path for path, reason in reasons.items() if reason is None]
    return dirt._replace(
        paths=tuple(sorted({*dirt.paths, *taken})),
        deleted=(*dirt.deleted, *(path for path in taken if edited[path].gone)),
        skipped=(*dirt.skipped, *skipped),
        hidden=hidden,
    )


def _without_filtered(git: CGit, dirt: Dirt) -> Dirt:
    """What lies under a filter that nobody has trusted is left alone: as it lies on disk it must
    not be kept.
    """
    names = filtered(git, dirt.paths)
    left = dirt.without(
        tuple(Skipped(path, why_filtered(name)) for path, name in sorted(names.items()))
    )
    return left._replace(deleted=tuple(path for path in left.deleted if path not in names))


def _why_hidden_stays(root: Path, path: str) -> str | None:
    return "a symlink" if (root / path).is_symlink() else _why_out_of_reach(root, path)


def _asked(git: CGit, scope: Scope) -> Dirt:
    told = git.run(
        "status", "--porcelain=v2", "-z", "--branch", "-uall", "--no-renames", "--no-ahead-behind"
    )
    head, branch = None, None
    paths, deleted, skipped, conflicted, new = [], [], [], [], []
    for record in map(os.fsdecode, told.split(b"\0")):
        kind, _, rest = record.partition(" ")
        if kind == "#":
            key, _, value = rest.partition(" ")
            head = value if key == "branch.oid" and value != "(initial)" else head
            branch = value if key == "branch.head" and value != "(detached)" else branch
        elif kind == "u":
            conflicted.append(rest.split(" ", 9)[9])
        elif kind in ("1", "?"):
            path = rest.split(" ", 7)[7] if kind == "1" else rest
            if not scope.covers(f"{path}_.md" if path.endswith("/") else path):
                continue  # of a folder it matters whether Markdown in it would be ours
            reason = (
                _why_not_followed(git.root, path, rest)
                if kind == "1"
                else why_not_taken(git.root, path, scope)
            )
            if reason is None:
                paths.append(path)
                deleted += [path] if kind == "1" and rest[:2] in _DELETED else []
                new += [path] if kind == "?" or rest[:1] == "A" else []
            elif reason:
                skipped.append(Skipped(path, reason))
    found = tuple(sorted(set(paths)))
    return Dirt(
        head, branch, found, tuple(deleted), tuple(skipped), tuple(conflicted), tuple(sorted(new))
    )


def why_not_taken(root: Path, path: str, scope: Scope = EVERYTHING) -> str | None:
    """Why a new file stays out of history: "" where that goes without saying, None where it is
    taken.
    """
    if path.endswith("/"):
        return "a repository of its own"
    if not scope.covers(path) or (scope == EVERYTHING and not path.lower().endswith(".md")):
        return ""
    file = root / path
    if file.is_symlink():
        return "a symlink"
    try:
        size = file.stat().st_size
    except OSError:
        return ""
    return (
        "over 2 MiB, which OpenClaw refuses"
        if size > NEW_FILE_LIMIT
        else _why_out_of_reach(root, path)
    )


def folders_on_the_way(root: Path, path: str) -> Iterator[Path]:
    """The folders between the workspace and a path, the workspace itself left out."""
    return (root / part for part in [*PurePosixPath(path).parents][:-1])


def refuse_conflicts(conflicted: object) -> None:
    if conflicted:
        raise BusyError(
            "Git's index holds a conflict; clawgit does not interfere.",
            hint="Resolve it (`git status` names the files), then run this again. Nothing was "
            "changed.",
        )


def refuse_mass_deletion(git: CGit, dirt: Dirt, scope: Scope = EVERYTHING) -> None:
    """More than half of the files, or all memory, is missing: more likely a disaster than a
    decision.
    """
    gone = {path for path in dirt.deleted if not (git.root / path).exists()}
    if not gone or dirt.head is None:
        return
    tracked = list(filter(scope.covers, _tracked(git, dirt.head)))
    memory = [
        path for path in tracked if path in ("MEMORY.md", "memory.md") or path.startswith("memory/")
    ]
    lost_memory = len(memory) > 1 and gone.issuperset(memory)
    if len(gone) * 2 <= len(tracked) and not lost_memory:
        return
    what = "all of its memory" if lost_memory else f"{len(gone)} of {len(tracked)} files"
    raise MassDeletionError(
        f"The workspace has lost {what}; this is not committed.",
        hint="Bring it back with `git checkout -- .`, or, if you meant it, `clawgit snapshot "
        "--accept-deletions`.",
        missing=sorted(gone)[:20],
    )


def unfinished(git_dir: Path) -> str | None:
    """What git has begun here and not finished, in words. A bisect counts: it leaves HEAD on no
    branch.
    """
    return next((what for name, what in _BEGUN.items() if (git_dir / name).exists()), None)


def is_detached(git_dir: Path) -> bool:
    """Whether HEAD names a commit and no branch. Very old repositories have a symlink for HEAD,
    which names one.
    """
    head = git_dir / "HEAD"
    return not head.is_symlink() and head.is_file() and not head.read_bytes().startswith(b"ref:")


def pause(git_dir: Path) -> Pause | None:
    """Why a commit made now could be lost: what git is in the middle of may throw it away when it
    is aborted, and on a detached HEAD the next checkout leaves it behind.
    """
    if doing := unfinished(git_dir):
        return Pause(
            f"Git is in the middle of {doing}", "Finish it or abort it (`git status` says how)"
        )
    if is_detached(git_dir):
        hint = "`git switch NAME` goes to a branch, `git switch -c NAME` makes one here"
        return Pause("HEAD is on no branch, so a checkout would leave a commit behind", hint)
    return None


def _tracked(git: CGit, head: str) -> Iterable[str]:
    """The files of a commit; symlinks and submodules are none."""
    for record in map(os.fsdecode, git.run("ls-tree", "-r", "-z", head).split(b"\0")):
        if record.startswith("100"):
            yield record.partition("\t")[2]


def _why_not_followed(root: Path, path: str, record: str) -> str | None:
    """Why the change of a tracked file is left to its owner; None where it is taken."""
    _, sub, *modes = record.split(" ", 5)[:5]
    if sub.startswith("S") or not {"120000", "160000"}.isdisjoint(modes):
        return "a symlink or a submodule"
    return _why_out_of_reach(root, path)


def _why_out_of_reach(root: Path, path: str) -> str | None:
    for folder in folders_on_the_way(root, path):
        if folder.is_symlink():
            return "behind a symlink"
        if (folder / ".git").exists():
            return "in a repository of its own"
    file = root / path
    if file.is_file() and not os.access(file, os.R_OK):
        return "it cannot be read"
    return _why_unnameable(path)


def _why_unnameable(path: str) -> str | None:
    """libgit2's tree builder takes names in UTF-8 only."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return "its name is not UTF-8"
    return None
