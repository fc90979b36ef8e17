"""Merges the files of two branches by entries; outside the scope, one side's version is taken.

Only libgit2 is used: C git would run the merge drivers that a repository names.
"""

from collections.abc import Iterable, Iterator

from clawgit.core import NamedTuple
from clawgit.core.doors import pygit2
from clawgit.git.gitindex import Blob
from clawgit.git.objects import TREE, blob_at, changed_paths, is_link, write_tree
from clawgit.git.repo import Repo, storage_errors
from clawgit.git.transaction import Edit
from clawgit.git.worktree import LEADS_AWAY, folders_on_the_way, leads_away
from clawgit.history.rules.memory import merge_memories

_PLAIN = 0o100644

_BOTH = "both sides changed it"
_GONE = "one side changed it and the other removed it"
_NO_FILE = "it is a symlink, a submodule or a folder on one side"


class JoinConflict(NamedTuple):
    """A file in which the two branches cannot be joined without a decision."""

    path: str
    why: str


class Joined(NamedTuple):
    """What bringing a branch in changes in the files of HEAD, if there is no conflict."""

    edits: tuple[Edit, ...]
    conflicts: tuple[JoinConflict, ...]


class _Sides(NamedTuple):
    base: "pygit2.Tree | None"
    ours: "pygit2.Tree | None"
    theirs: "pygit2.Tree | None"

    def blobs(self, path: str) -> tuple[Blob | None, Blob | None, Blob | None]:
        base, ours, theirs = (blob_at(tree, path) for tree in self)
        return base, ours, theirs


class _Tree(NamedTuple):
    """The changes that turn our tree into the joined one, and what could not be joined."""

    changes: dict[str, Blob | None]
    conflicts: list[JoinConflict]


def joined(repo: Repo, tip: str) -> Joined | None:
    """What a branch would change in the files of HEAD; None if the two have no common history."""
    head = repo.tip
    with storage_errors():
        base = _base_of(repo, head, tip, {}) if head else None
        if base is None:
            return None
        sides = _Sides(base, repo.tree(head), repo.tree(tip))
        changes, conflicts = _joined_trees(repo, sides)
        edits = (_edit(repo, sides.ours, path, blob) for path, blob in sorted(changes.items()))
        return Joined(tuple(edits), tuple(sorted(set(conflicts))))


def _edit(repo: Repo, ours: "pygit2.Tree | None", path: str, blob: Blob | None) -> Edit:
    before = blob_at(ours, path)
    chmod = before is not None and blob is not None and before.mode != blob.mode
    return Edit(path, repo.data(before), repo.data(blob), blob.mode if blob else _PLAIN, chmod)


def _base_of(
    repo: Repo, one: str, other: str, known: "dict[frozenset[str], pygit2.Tree | None]"
) -> "pygit2.Tree | None":
    """The files from which both commits began; None if they have no common history.

    After criss-cross merges there are several such commits. They are joined: with only one of them,
    an entry that the others had, and that one side removed since, would come back.
    """
    pair = frozenset((one, other))
    if pair in known:
        return known[pair]
    bases = repo.git.text("merge-base", "--all", one, other, ok=(0, 1)).split()
    ordered = sorted(bases, key=lambda oid: (repo.raw_commit(oid).commit_time, oid))
    base = repo.tree(ordered[0]) if ordered else None
    for oid in ordered[1:]:
        below = _base_of(repo, ordered[0], oid, known)
        sides = _Sides(below, base, repo.tree(oid))
        base = _written(repo, sides, _joined_trees(repo, sides))
    known[pair] = base
    return base


def _written(repo: Repo, sides: _Sides, tree: _Tree) -> "pygit2.Tree":
    """A joined tree for use as a base: in a conflict, it has the version before it."""
    before = {conflict.path: blob_at(sides.base, conflict.path) for conflict in tree.conflicts}
    oid = write_tree(repo.objects, sides.ours, tree.changes | before)
    return repo.raw[oid].peel(pygit2.Tree)


def _joined_trees(repo: Repo, sides: _Sides) -> _Tree:
    mine = frozenset(changed_paths(sides.base, sides.ours))
    other = frozenset(changed_paths(sides.base, sides.theirs))
    tree = _Tree({}, [])
    odd = {path: why for path in mine | other if (why := _why_not_ours(sides, path))}
    tree.conflicts.extend(JoinConflict(path, odd[path]) for path in other.intersection(odd))
    inside, outside = repo.scope.split(sorted((mine | other).difference(odd)))
    if mine.isdisjoint(inside) or other.isdisjoint(inside):
        # Only one side changed the memory: its files are taken as they are.
        outside += inside
    else:
        _join_memory(repo, sides, inside, tree)
    for path in other.intersection(outside):
        _join_file(sides, path, tree)
    tree.conflicts.extend(_in_the_way(sides.ours, tree.changes))
    return tree


def _why_not_ours(sides: _Sides, path: str) -> str:
    """Why clawgit does not write this file; "" if it does."""
    if leads_away(path):
        return LEADS_AWAY
    return _NO_FILE if any(is_link(side, path) for side in sides) else ""


def _kind(tree: "pygit2.Tree | None", path: str) -> int:
    """The mode of what is at a path; 0 if nothing is."""
    if tree is None or path not in tree:
        return 0
    return int(tree[path].filemode)


def _join_memory(repo: Repo, sides: _Sides, paths: list[str], tree: _Tree) -> None:
    base, ours, theirs = (dict(_files(repo, side, paths)) for side in sides)
    for path, file in merge_memories(base, ours, theirs).items():
        if file.conflict:
            tree.conflicts.append(JoinConflict(path, _BOTH))
            continue
        blobs = sides.blobs(path)
        blob = repo.store_blob(file.data, _mode(*blobs))
        if blob != blobs[1]:
            tree.changes[path] = blob


def _files(
    repo: Repo, tree: "pygit2.Tree | None", paths: Iterable[str]
) -> Iterator[tuple[str, bytes]]:
    for path in paths:
        data = repo.data(blob_at(tree, path))
        if data is not None:
            yield path, data


def _join_file(sides: _Sides, path: str, tree: _Tree) -> None:
    """One file outside the scope that theirs changed; if ours changed it too, git must merge it."""
    base, ours, theirs = sides.blobs(path)
    if ours == theirs:
        return
    if ours == base:
        tree.changes[path] = theirs
    elif ours is None or theirs is None:
        tree.conflicts.append(JoinConflict(path, _GONE))
    elif ours.oid == theirs.oid:
        tree.changes[path] = Blob(ours.oid, _mode(base, ours, theirs))
    else:
        tree.conflicts.append(JoinConflict(path, _BOTH))


def _mode(base: Blob | None, ours: Blob | None, theirs: Blob | None) -> int:
    """The mode of a joined file: the one that a side changed it to, else ours."""
    if ours is None or theirs is None:
        return (ours or theirs or base or Blob("", _PLAIN)).mode
    return theirs.mode if base is not None and ours.mode == base.mode else ours.mode


def _in_the_way(
    ours: "pygit2.Tree | None", changes: dict[str, Blob | None]
) -> Iterator[JoinConflict]:
    """Conflicts of new files: ours has a folder at the path, or a file where a folder is needed."""
    for path, blob in changes.items():
        if blob is None:
            continue
        if _kind(ours, path) == TREE:
            yield JoinConflict(path, _NO_FILE)
        above = folders_on_the_way("", path)
        yield from (
            JoinConflict(folder[1:], _NO_FILE)
            for folder in above
            if _kind(ours, folder[1:]) not in (0, TREE)
        )
