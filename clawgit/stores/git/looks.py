"""Reads the files that a transaction may write, and those that others edited."""

from collections.abc import Iterable, Mapping

from clawgit.errors import ConflictError
from clawgit.stores.git.foreign import Look, look_at, look_at_foreign
from clawgit.stores.git.gitindex import IndexEntries
from clawgit.stores.git.repo import Head, Repo
from clawgit.stores.git.worktree import FileState, refuse_unwritable


def look_at_all(
    repo: Repo, head: Head, paths: list[str], touched: frozenset[str], sparse: frozenset[str]
) -> dict[str, Look]:
    tree = repo.tree(head.oid)
    looks = {}
    with repo.conversions.known_for(paths):
        for path in paths:
            if path in sparse:
                looks[path] = sparse_look(repo, head, path)
            elif path in touched:
                looks[path] = look_at(repo, tree, path)
            else:
                looks[path] = look_at_foreign(repo, tree, path)
    return looks


def first_look(repo: Repo, head: Head, path: str, *, from_head: bool) -> Look:
    look = look_at(repo, repo.tree(head.oid), path)
    if from_head:
        return sparse_look(repo, head, path)
    if look.head is not None and look.data is None and _left_out(repo, path):
        return sparse_look(repo, head, path)
    return look


def sparse_look(repo: Repo, head: Head, path: str) -> Look:
    """A file that is not on disk, or must not be read from there: HEAD's version is used."""
    blob = repo.blob_at(head.oid, path)
    data = repo.data(blob)
    return Look(path, blob, FileState(data, blob.mode if blob else 0), data, sparse=True)


def _left_out(repo: Repo, path: str) -> bool:
    entry = repo.index.read([path]).entries.get(path)
    return entry is not None and entry.sparse


def refuse_edited(
    repo: Repo,
    expected: Iterable[tuple[str, bytes | None]],
    looks: Mapping[str, Look],
    staged: IndexEntries,
) -> None:
    """Raises if a file must not be written, or if one outside the scope is not as expected. clawgit
    neither commits nor merges edits there: whoever made one decides about it.
    """
    for path, before in expected:
        refuse_unwritable(repo.place.root, path)
        if repo.scope.covers(path):
            continue
        look, entry = looks[path], staged.entries.get(path)
        is_staged = (entry.blob if entry else None) != look.head
        if is_staged or look.data != repo.data(look.head):
            raise ConflictError(
                f"{path} has edits that are not committed, and is outside the scope.",
                hint=f"Commit it, or set it aside: git stash push -- '{path}'",
            )
        if look.data != before:
            raise ConflictError(f"{path} was changed meanwhile.", hint="Run this again.")
