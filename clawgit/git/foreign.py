"""Edits that clawgit did not make: reads them, attributes them, and groups them into commits."""

import os
from collections.abc import Iterable, Mapping

from clawgit.core import NamedTuple
from clawgit.core.doors import pygit2
from clawgit.core.errors import ConflictError, first_of
from clawgit.git.commit_rules import Changes, Derived, Leaks, PendingChange
from clawgit.git.dirt import why_not_taken
from clawgit.git.gitindex import Blob, IndexEntries
from clawgit.git.objects import blob_at
from clawgit.git.repo import Head, Repo
from clawgit.git.rules.actors import SNAPSHOT, UNKNOWN, Actor
from clawgit.git.rules.authority import attribute, loss_alert
from clawgit.git.rules.history import Intent
from clawgit.git.worktree import (
    ABSENT,
    FileState,
    folders_on_the_way,
    read_settled,
    refuse_unwritable,
)

PLAIN_FILE = 0o100644

OwnChanges = dict[str, tuple[bytes | None, int]]
"""Path → what we put there, and its mode."""

_EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


class Look(NamedTuple):
    """What was found at a path: HEAD's file, and the one on disk.

    `raw` is the file on disk, `data` its content in the form that git stores.
    """

    path: str
    head: Blob | None
    raw: FileState
    data: bytes | None

    @property
    def blob_id(self) -> str | None:
        return None if self.data is None else str(pygit2.hash(self.data))


class ForeignGroup(NamedTuple):
    """Foreign changes that make one commit."""

    intent: Intent
    changes: dict[str, Blob | None]


def look_at(repo: Repo, tree: "pygit2.Tree | None", path: str) -> Look:
    """Reads one path, and again until a recent edit no longer changes."""
    head = blob_at(tree, path)
    known = repo.smudge(path, repo.data(head))
    state = read_settled(repo.place.root, path, known)
    if head and state.data is not None and not repo.keeps_modes:
        state = FileState(state.data, head.mode)
    if state.data == known and head is not None:
        return Look(path, head, state, repo.data(head))
    return Look(path, head, state, None if state.data is None else repo.clean(path, state.data))


def look_at_foreign(repo: Repo, tree: "pygit2.Tree | None", path: str) -> Look:
    """Like `look_at`, for a path that is not ours to write.

    If it became a folder, or its folder became a file, git sees it as deleted.
    """
    root = repo.place.root
    if os.path.isdir(f"{root}/{path}") or any(  # noqa: PTH112 - asked for each file of a snapshot
        map(os.path.isfile, folders_on_the_way(root, path))
    ):
        return Look(path, blob_at(tree, path), ABSENT, None)
    return look_at(repo, tree, path)


def look_at_all(
    repo: Repo, head: Head, paths: list[str], touched: frozenset[str]
) -> dict[str, Look]:
    tree = repo.tree(head.oid)
    return {
        path: (look_at if path in touched else look_at_foreign)(repo, tree, path) for path in paths
    }


def first_look(repo: Repo, head: Head, path: str, *, from_head: bool) -> Look:
    """A file as the body of a transaction sees it: HEAD's version, if no branch may be moved."""
    look = look_at(repo, repo.tree(head.oid), path)
    if not from_head:
        return look
    data = repo.data(look.head)
    return Look(path, look.head, FileState(data, look.head.mode if look.head else 0), data)


def refuse_edited(
    repo: Repo,
    expected: Iterable[tuple[str, bytes | None]],
    looks: Mapping[str, Look],
    staged: IndexEntries,
) -> None:
    """Raises if a file must not be written, or if one that git ignores or that is outside the scope
    is not as expected. clawgit neither commits nor merges edits there: whoever made one decides.
    """
    for path, before in expected:
        refuse_unwritable(repo.place.root, path)
        look, index = looks[path], staged.blobs.get(path)
        if index is look.head is None and look.data is not None and repo.raw.path_is_ignored(path):
            raise ConflictError(
                f"{path} is ignored by git here, and comes from the other side.",
                hint="Move it away, then run this again.",
            )
        if repo.scope.covers(path):
            continue
        if index != look.head or look.data != repo.data(look.head):
            raise ConflictError(
                f"{path} has edits that are not committed, and is outside the scope.",
                hint=f"Commit it, or set it aside: git stash push -u -- '{path}'",
            )
        if look.data != before:
            raise ConflictError(f"{path} was changed meanwhile.", hint="Run this again.")


class _Change(NamedTuple):
    """A foreign change of one file, for a commit."""

    look: Look
    blob: Blob | None
    data: bytes | None


def foreign_groups(
    repo: Repo, looks: Iterable[Look], staged: IndexEntries, touched: frozenset[str], leaks: Leaks
) -> list[ForeignGroup]:
    """What others did, grouped into commits, one for each actor.

    `touched` are paths that count as tracked because our own change writes them.
    """
    from_index: dict[str, _Change] = {}
    from_disk: dict[str, _Change] = {}
    for look in looks:
        path, before, index = look.path, look.head, staged.blobs.get(look.path)
        from_here = index is not None or path in touched or _taken(repo, look)
        # What is on disk is not deleted: only git's index has lost it.
        if _is_staged_elsewhere(look, index) and (index or not from_here):
            from_index[path] = _Change(look, index, repo.data(index))
            before = index
        if from_here:
            blob = _edited_blob(repo, look, before)
            if blob != before:
                from_disk[path] = _Change(look, blob, look.data)
    # Staged changes first: they are only in the index, which our commit will replace. The disk is
    # newer, so it comes second; the other way round the edit would seem to be reverted.
    return [
        *_grouped(repo, from_index, "staged", leaks),
        *_grouped(repo, from_disk, "edited", leaks),
    ]


def _edited_blob(repo: Repo, look: Look, before: Blob | None) -> Blob | None:
    """The file on disk as a blob, stored if it is not `before`."""
    mode = look.raw.mode
    if before and not (repo.keeps_modes and mode):
        mode = before.mode  # where the disk has no modes, one that was staged stays
    return before if before == (look.blob_id, mode) else repo.store_blob(look.data, mode)


def _grouped(
    repo: Repo, changes_by_path: dict[str, _Change], how: str, leaks: Leaks
) -> list[ForeignGroup]:
    by_actor: dict[Actor, dict[str, _Change]] = {}
    for path, change in changes_by_path.items():
        actor = _actor_of(repo, path, change.look.head, change.data)
        by_actor.setdefault(actor, {})[path] = change
    return [_group(repo, actor, changes, how, leaks) for actor, changes in sorted(by_actor.items())]


def _group(
    repo: Repo, actor: Actor, changes: dict[str, _Change], how: str, leaks: Leaks
) -> ForeignGroup:
    alerts: list[str] = []
    words: list[str] = []
    for path, change in sorted(changes.items()):
        words.append(f"{path} {_what_happened(change, how)}")
        before = repo.data(change.look.head)
        loss = loss_alert(path, before, change.data)
        alerts += [loss] if loss else []
        alerts += leaks(path, before, change.data)
    what = first_of(words)
    intent = Intent(actor, SNAPSHOT, what, _reason(actor), alerts=tuple(alerts))
    return ForeignGroup(intent, {path: change.blob for path, change in changes.items()})


def meanwhile(repo: Repo, path: str, before: Blob | None, after: bytes | None) -> Intent:
    """The intent of an edit that was made while a transaction replaced the file."""
    actor = _actor_of(repo, path, before, after)
    return Intent(actor, SNAPSHOT, f"{path} edited while clawgit wrote it", _reason(actor))


def _actor_of(repo: Repo, path: str, before: Blob | None, after: bytes | None) -> Actor:
    openclaw = (repo.place.root / ".openclaw").is_dir()
    return attribute(path, repo.data(before), after, openclaw=openclaw)


def _is_staged_elsewhere(look: Look, index: Blob | None) -> bool:
    """Whether the index has content that neither HEAD nor the disk has, and that would be lost."""
    if index == look.head:
        return False
    if index is None:
        return look.data is not None
    # `git add --intent-to-add` puts an empty blob there, which is no content.
    empty_intent = look.head is None and index.oid == _EMPTY_BLOB
    return index.oid != look.blob_id and not empty_intent


def _taken(repo: Repo, look: Look) -> bool:
    """Whether the change of a file that the index does not have is committed."""
    if look.data is None:
        return True
    if why_not_taken(repo.place.root, look.path, repo.scope) is not None:
        return False
    # After `git rm --cached` HEAD still has the file. If an ignore rule covers it, the user wants
    # it out of history.
    return look.head is None or not repo.raw.path_is_ignored(look.path)


def _what_happened(change: _Change, how: str) -> str:
    if change.look.head is None:
        return "new"
    return "deleted" if change.blob is None else how


def _reason(actor: Actor) -> str:
    if actor == UNKNOWN:
        return "Found in the workspace; nothing says who wrote it."
    return f"Found in the workspace; its marks say: {actor.name}."


def before_and_after(own: OwnChanges, looks: Mapping[str, Look]) -> Changes:
    return {path: (looks[path].data, after) for path, (after, _) in own.items()}


def with_derived(
    derived: Iterable[Derived], pending: PendingChange, own: OwnChanges, looks: Mapping[str, Look]
) -> OwnChanges:
    """Our changes, with updates of the files derived from them."""
    changes = dict(own)
    for file in derived:
        look = looks[file.path]
        text, mode = changes.pop(file.path, (look.data, look.raw.mode or PLAIN_FILE))
        text = file.text(pending, text)
        if text != look.data:
            changes[file.path] = text, mode
    return changes


def followed(
    repo: Repo,
    derived: Iterable[Derived],
    looks: Mapping[str, Look],
    pending: PendingChange,
    group: ForeignGroup,
) -> OwnChanges:
    """Updates of derived files in the commit of the last foreign edits, if only others have changed
    their sources. Missing files are not created: adopting a folder must not add files.
    """
    there = [file for file in derived if file.path in looks and looks[file.path].data is not None]
    if not there:
        return {}
    files = {
        path: (repo.data(repo.blob_at(pending.parent, path)), repo.data(blob))
        for path, blob in group.changes.items()
    }
    return with_derived(there, pending._replace(files=files), {}, looks)
