"""Edits that clawgit did not make: found, looked at closely, attributed, and built into commits of their own."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import pygit2

from clawgit.domain.actors import UNKNOWN, Actor
from clawgit.domain.attribution import attribute, shrink_alert
from clawgit.domain.history import SNAPSHOT, Intent
from clawgit.errors import BusyError, MassDeletionError
from clawgit.stores.git.gitindex import Blob, Staged
from clawgit.stores.git.objects import blob_at, files_of
from clawgit.stores.git.repo import Head, Repo
from clawgit.stores.git.worktree import ABSENT, FileState, read_settled

NEW_FILE_LIMIT = 2 * 1024 * 1024
_FEW = 3


class Look(NamedTuple):
    """What was found at a path: HEAD's file, the index's, and the one on disk (in the form that git keeps)."""

    path: str
    head: Blob | None
    raw: FileState
    data: bytes | None
    sparse: bool = False

    @property
    def blob_id(self) -> str | None:
        return None if self.data is None else str(pygit2.hash(self.data))


class Dirt(NamedTuple):
    """The paths of a scan. `skipped` are new files that are never taken, with the reason."""

    paths: tuple[str, ...]
    deleted: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]
    conflicted: tuple[str, ...]


class Group(NamedTuple):
    """Foreign changes that make one commit."""

    intent: Intent
    changes: dict[str, Blob | None]


def look(repo: Repo, tree: pygit2.Tree | None, path: str) -> Look:
    """Reads one path. A fresh edit is read again until it stands still."""
    head = blob_at(tree, path)
    known = repo.smudge(path, repo.data(head))
    state = read_settled(repo.place.root, path, known)
    if head is not None and state.exists and not repo.keeps_modes:
        state = FileState(state.data, head.mode)
    if state.data == known and head is not None:
        return Look(path, head, state, repo.data(head))
    return Look(path, head, state, None if state.data is None else repo.clean(path, state.data))


def follow(repo: Repo, tree: pygit2.Tree | None, path: str) -> Look:
    """Like `look`, for a path that is not ours to write: one that has become a folder, or whose folder has become a
    file, is deleted, as git sees it.
    """
    file = repo.place.root / path
    if file.is_dir() or any(folder.is_file() for folder in _folders_of(repo, path)):
        return Look(path, blob_at(tree, path), ABSENT, None)
    return look(repo, tree, path)


def scan(repo: Repo) -> Dirt:
    """Asks C git for everything that differs from HEAD; libgit2 would take a sparse checkout for deletions."""
    listing = repo.git.run("status", "--porcelain=v2", "-z", "-uall", "--no-renames", "--no-ahead-behind")
    paths, deleted, skipped, conflicted = [], [], [], []
    for record in listing.split(b"\0"):
        kind, _, rest = record.partition(b" ")
        if kind == b"u":
            conflicted.append(os.fsdecode(rest.split(b" ", 9)[9]))
        if kind not in (b"1", b"?"):
            continue
        path = os.fsdecode(rest.split(b" ", 7)[7] if kind == b"1" else rest)
        reason = _why_not_followed(repo, path, rest) if kind == b"1" else _why_not_taken(repo, path)
        if reason is None:
            paths.append(path)
            if kind == b"1" and rest[:2] in (b"D.", b".D", b"MD", b"TD", b"AD"):
                deleted.append(path)
        elif reason:
            skipped.append((path, reason))
    return Dirt(tuple(sorted(paths)), tuple(deleted), tuple(skipped), tuple(conflicted))


def _why_not_followed(repo: Repo, path: str, record: bytes) -> str | None:
    """Why the change of a tracked file is left to its owner; None where it is taken."""
    _, sub, *modes = record.split(b" ", 5)[:5]
    if sub.startswith(b"S") or not {b"120000", b"160000"}.isdisjoint(modes):
        return "a symlink or a submodule"
    return _why_out_of_reach(repo, path)


def _why_out_of_reach(repo: Repo, path: str) -> str | None:
    for folder in _folders_of(repo, path):
        if folder.is_symlink():
            return "behind a symlink"
        if (folder / ".git").exists():
            return "in a repository of its own"
    file = repo.place.root / path
    if file.is_file() and not os.access(file, os.R_OK):
        return "it cannot be read"
    return _why_unnameable(path)


def _folders_of(repo: Repo, path: str) -> list[Path]:
    """The folders on the way to a path, the workspace itself left out."""
    return [repo.place.root / part for part in PurePosixPath(path).parents][:-1]


def _why_unnameable(path: str) -> str | None:
    """libgit2's tree builder takes names in UTF-8 only."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return "its name is not UTF-8"
    return None


def refuse_mass_deletion(repo: Repo, dirt: Dirt, head: Head) -> None:
    """More than half of the files, or all memory, is missing: more likely a disaster than a decision."""
    tree = repo.tree(head.oid)
    gone = {path for path in dirt.deleted if not (repo.place.root / path).exists()}
    if tree is None or not gone:
        return
    tracked = [path for path, _ in files_of(repo.raw, tree)]
    memory = [path for path in tracked if path in ("MEMORY.md", "memory.md") or path.startswith("memory/")]
    lost_memory = len(memory) > 1 and gone.issuperset(memory)
    if len(gone) * 2 <= len(tracked) and not lost_memory:
        return
    what = "all of its memory" if lost_memory else f"{len(gone)} of {len(tracked)} files"
    raise MassDeletionError(
        f"The workspace has lost {what}; this is not committed.",
        hint="Bring it back with `git checkout -- .`, or, if you meant it, `clawgit snapshot --accept-deletions`.",
        missing=sorted(gone)[:20],
    )


def foreign_groups(repo: Repo, looks: Iterable[Look], staged: Staged, touched: frozenset[str]) -> list[Group]:
    """What others did, as the commits it becomes: first what was staged and is elsewhere no more, then the disk,
    one commit for each actor. `touched` are paths that count as tracked because our own change writes them.
    """
    from_index: dict[str, tuple[Look, Blob | None, bytes | None]] = {}
    from_disk: dict[str, tuple[Look, Blob | None, bytes | None]] = {}
    for one in looks:
        entry = staged.entries.get(one.path)
        index = entry.blob if entry else None
        before = one.head
        if _is_staged_elsewhere(one, index) and not one.sparse:
            from_index[one.path] = (one, index, repo.data(index))
            before = index
        tracked = index is not None or one.path in touched
        if (
            one.sparse
            or _same(before, one)
            or (index is None and one.data is not None and not _taken(repo, one, tracked))
        ):
            continue
        blob = repo.store_blob(one.data, one.raw.mode)
        if before is not None and blob is not None and not repo.keeps_modes:
            blob = Blob(blob.oid, before.mode)
        if blob != before:
            from_disk[one.path] = (one, blob, one.data)
    return _grouped(repo, from_index, "staged") + _grouped(repo, from_disk, "edited")


def _grouped(repo: Repo, found: dict[str, tuple[Look, Blob | None, bytes | None]], how: str) -> list[Group]:
    openclaw = (repo.place.root / ".openclaw").is_dir()
    by_actor: dict[Actor, dict[str, tuple[Look, Blob | None, bytes | None]]] = {}
    for path, change in found.items():
        actor = attribute(path, repo.data(change[0].head), change[2], openclaw=openclaw)
        by_actor.setdefault(actor, {})[path] = change
    groups = []
    for actor, changes in sorted(by_actor.items()):
        alerts = (shrink_alert(path, repo.data(one.head), data) for path, (one, _, data) in sorted(changes.items()))
        summary = _summary({path: (one.head, blob) for path, (one, blob, _) in changes.items()}, how)
        intent = Intent(actor, SNAPSHOT, summary, _reason(actor), alerts=tuple(alert for alert in alerts if alert))
        groups.append(Group(intent, {path: blob for path, (_, blob, _) in changes.items()}))
    return groups


def meanwhile(repo: Repo, path: str, before: Blob | None, after: bytes | None) -> Intent:
    """What to say of an edit that was made while a transaction replaced the file."""
    actor = attribute(path, repo.data(before), after, openclaw=(repo.place.root / ".openclaw").is_dir())
    return Intent(actor, SNAPSHOT, f"{path} edited while clawgit wrote it", _reason(actor))


def refuse_conflicts(conflicted: Sequence[str] | bool) -> None:
    if conflicted:
        raise BusyError(
            "Git's index holds a conflict; clawgit does not interfere.",
            hint="Resolve it (`git status` names the files), then run this again. Nothing was changed.",
        )


def _is_staged_elsewhere(one: Look, index: Blob | None) -> bool:
    """Staged, different from HEAD, and not what lies on disk either: it would be lost if only the disk were taken."""
    if index == one.head:
        return False
    if index is None:
        return one.data is not None
    empty_intent = one.head is None and index.oid == _EMPTY_BLOB
    return index.oid != one.blob_id and not empty_intent


_EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


def _same(before: Blob | None, one: Look) -> bool:
    if before is None:
        return one.data is None
    return before.oid == one.blob_id and (before.mode == one.raw.mode or not one.raw.mode)


def _taken(repo: Repo, one: Look, tracked: bool) -> bool:
    if tracked or one.head is None:
        return tracked or _why_not_taken(repo, one.path) is None
    return _why_not_taken(repo, one.path) is None and not repo.raw.path_is_ignored(one.path)  # after `git rm --cached`


def _why_not_taken(repo: Repo, path: str) -> str | None:
    """Why a new file stays out of history: "" where that goes without saying, None where it is taken."""
    if path.endswith("/"):
        return "a repository of its own"
    if not path.lower().endswith(".md"):
        return ""
    file = repo.place.root / path
    if file.is_symlink():
        return "a symlink"
    try:
        size = file.stat().st_size
    except OSError:
        return ""
    return "over 2 MiB, which OpenClaw refuses" if size > NEW_FILE_LIMIT else _why_out_of_reach(repo, path)


def _summary(changes: dict[str, tuple[Blob | None, Blob | None]], how: str) -> str:
    words = [
        f"{path} {'new' if before is None else 'deleted' if after is None else how}"
        for path, (before, after) in sorted(changes.items())
    ]
    more = f" and {len(words) - _FEW} more" if len(words) > _FEW else ""
    return ", ".join(words[:_FEW]) + more


def _reason(actor: Actor) -> str:
    if actor == UNKNOWN:
        return "Found in the workspace; nothing tells who wrote it."
    return f"Found in the workspace; its marks say: {actor.name}."
