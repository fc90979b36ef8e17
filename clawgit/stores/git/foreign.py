"""Edits that clawgit did not make: found, looked at closely, attributed, and built into commits of
their own.
"""

from collections.abc import Iterable
from typing import NamedTuple

import pygit2

from clawgit.domain.change.actors import SNAPSHOT, UNKNOWN, Actor
from clawgit.domain.change.attribution import attribute, loss_alert
from clawgit.domain.change.history import Intent
from clawgit.stores.git.dirt import folders_on_the_way, why_not_taken
from clawgit.stores.git.gitindex import Blob, Staged
from clawgit.stores.git.objects import blob_at
from clawgit.stores.git.repo import Repo
from clawgit.stores.git.rules import Alarm
from clawgit.stores.git.worktree import ABSENT, FileState, read_settled

_FEW = 3
_EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


class Look(NamedTuple):
    """What was found at a path: HEAD's file, the index's, and the one on disk (in the form that git
    keeps).
    """

    path: str
    head: Blob | None
    raw: FileState
    data: bytes | None
    sparse: bool = False

    @property
    def blob_id(self) -> str | None:
        return None if self.data is None else str(pygit2.hash(self.data))


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
    """Like `look`, for a path that is not ours to write: one that has become a folder, or whose
    folder has become a file, is deleted, as git sees it.
    """
    file = repo.place.root / path
    if file.is_dir() or any(
        folder.is_file() for folder in folders_on_the_way(repo.place.root, path)
    ):
        return Look(path, blob_at(tree, path), ABSENT, None)
    return look(repo, tree, path)


def foreign_groups(
    repo: Repo, looks: Iterable[Look], staged: Staged, touched: frozenset[str], alarm: Alarm
) -> list[Group]:
    """What others did, as the commits it becomes: first what was staged and is elsewhere no more,
    then the disk, one commit for each actor. `touched` are paths that count as tracked because our
    own change writes them.
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
    return _grouped(repo, from_index, "staged", alarm) + _grouped(repo, from_disk, "edited", alarm)


def _grouped(
    repo: Repo, found: dict[str, tuple[Look, Blob | None, bytes | None]], how: str, alarm: Alarm
) -> list[Group]:
    openclaw = (repo.place.root / ".openclaw").is_dir()
    by_actor: dict[Actor, dict[str, tuple[Look, Blob | None, bytes | None]]] = {}
    for path, change in found.items():
        actor = attribute(path, repo.data(change[0].head), change[2], openclaw=openclaw)
        by_actor.setdefault(actor, {})[path] = change
    groups = []
    for actor, changes in sorted(by_actor.items()):
        alerts: list[str] = []
        for path, (one, _, data) in sorted(changes.items()):
            before = repo.data(one.head)
            alerts += filter(
                None, [loss_alert(path, before, data), *alarm(path, before, data, actor)]
            )
        summary = _summary(
            {path: (one.head, blob) for path, (one, blob, _) in changes.items()}, how
        )
        intent = Intent(actor, SNAPSHOT, summary, _reason(actor), alerts=tuple(alerts))
        groups.append(Group(intent, {path: blob for path, (_, blob, _) in changes.items()}))
    return groups


def meanwhile(repo: Repo, path: str, before: Blob | None, after: bytes | None) -> Intent:
    """What to say of an edit that was made while a transaction replaced the file."""
    actor = attribute(
        path, repo.data(before), after, openclaw=(repo.place.root / ".openclaw").is_dir()
    )
    return Intent(actor, SNAPSHOT, f"{path} edited while clawgit wrote it", _reason(actor))


def _is_staged_elsewhere(one: Look, index: Blob | None) -> bool:
    """Staged, different from HEAD, and not what lies on disk either: it would be lost if only the
    disk were taken.
    """
    if index == one.head:
        return False
    if index is None:
        return one.data is not None
    empty_intent = one.head is None and index.oid == _EMPTY_BLOB
    return index.oid != one.blob_id and not empty_intent


def _same(before: Blob | None, one: Look) -> bool:
    if before is None:
        return one.data is None
    return before.oid == one.blob_id and (before.mode == one.raw.mode or not one.raw.mode)


def _taken(repo: Repo, one: Look, tracked: bool) -> bool:
    if tracked or one.head is None:
        return tracked or why_not_taken(repo.place.root, one.path, repo.scope) is None
    return why_not_taken(
        repo.place.root, one.path, repo.scope
    ) is None and not repo.raw.path_is_ignored(one.path)  # after `git rm --cached`


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
