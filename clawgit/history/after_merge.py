"""What is left to do after a merge: git merges file by file, and a merge driver writes one file.

The store imports this module before it writes, so Workspace is imported for its type only.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from clawgit.core.markdown.decoding import exact_text
from clawgit.git.looked import FOLLOWED, keep_noted, noted
from clawgit.git.revisions import commit_named
from clawgit.git.rules.actors import CLAWGIT
from clawgit.git.rules.history import FOLLOW, Intent
from clawgit.git.transaction import Change, Transaction
from clawgit.history.rules.memory import merge_memories, merge_memory
from clawgit.memory.rules.conflict_log import (
    DECIDED_TWICE,
    PATH,
    Conflict,
    LeftByMerge,
    appended,
    conflicts,
    decided,
    disputed_again,
    left_by_merge,
)

if TYPE_CHECKING:
    from clawgit.workspace.workspace import Workspace


_SIDES = 2

_Moved = tuple[str, bytes | None, bytes | None]
"""A file as git merged it, and as it should be; None is no file."""

_MOST = 20
"""How many merges are followed up at once, the newest first. A branch may bring in hundreds."""


def after_merge(workspace: "Workspace", since: str = "") -> Change | None:
    """Follows up, in a commit of its own, the merges since a commit.

    An entry that one side moved to another file is there once. CONFLICTS.md lists each text that a
    merge left disputed, and what two machines decided differently is open again. None if there is
    nothing to do; HEAD then stays. Without a commit: since this was last done; if that is unknown,
    only HEAD itself is looked at.
    """
    place, git = workspace.place, workspace.cgit
    head = commit_named(git, "HEAD")
    since = since or noted(place, FOLLOWED)
    if not head or since == head or workspace.git.pause():
        return None
    start = commit_named(git, since) if since else None
    if not start and commit_named(git, "HEAD^2"):
        start = commit_named(git, f"{head}^1")
    listing = ("rev-list", "--min-parents=2", "--parents", "-n", str(_MOST), head, f"^{start}")
    merges = git.text(*listing).splitlines() if start else []
    outcome = _followed(workspace, (start, head), merges) if start and merges else None
    # After the commit: cut off before, the same merges are looked at again, and nothing is written
    # twice.
    keep_noted(place, FOLLOWED, head)
    return outcome


def _followed(
    workspace: "Workspace", span: tuple[str, str], merges: Iterable[str]
) -> Change | None:
    """Looks at the files that have changed, and at all that a changed CONFLICTS.md names."""
    moved = {*chain.from_iterable(_across_files(workspace, row.split()) for row in merges)}
    changed, head = _changed(workspace, *span), span[1]
    files = _texts(workspace, head, {*changed, PATH}) | {
        path: exact_text(now) for path, _, now in moved
    }
    known = conflicts(files.pop(PATH, ""))
    if PATH in changed:
        sides = {side.path for one in known for side in one.sides}
        files |= _texts(workspace, head, sides - files.keys())
    left = left_by_merge(files, known)
    return _written(workspace, moved, left) if moved or any(left) else None


def _written(workspace: "Workspace", moved: Iterable[_Moved], left: LeftByMerge) -> Change:
    why = "Git merges file by file; this concerns several files."
    intent = Intent(CLAWGIT, FOLLOW, "bring the files of the merge into line", why)
    with workspace.transaction(intent) as tx:
        # If somebody edited one of the files meanwhile, all are left as they are.
        if all(tx.read(path) == before for path, before, _ in moved):
            for path, _, after in moved:
                tx.put(path, after)
        if any(left):
            tx.put(PATH, _logged(tx.read_text(PATH), left))
        _dispute_again(tx, left.reopened)
    return tx.outcome


def _dispute_again(tx: Transaction, reopened: Iterable[Conflict]) -> None:
    for conflict in reopened:
        for path in {side.path for side in conflict.sides}:
            if text := tx.read_text(path):
                tx.put(path, disputed_again(text, [conflict]))


def _logged(log: str, left: LeftByMerge) -> str:
    log = decided(log, {one.id: DECIDED_TWICE for one in left.reopened})
    # Another process may have followed up the same merge since we looked.
    logged = {one.id for one in conflicts(log)}
    new = [one for one in left.found if one.id not in logged]
    return appended(log, new) if new else log


def _across_files(workspace: "Workspace", row: list[str]) -> Iterator[_Moved]:
    """The files of a merge, given with its parents, that need a change since git merged each of
    them on its own.
    """
    sides = row[1:]
    start = _base(workspace, sides)
    if not start:
        return
    paths = {path for side in sides for path in _changed(workspace, start, side)}
    revs = (start, *sides, workspace.git.tip or "")
    base, ours, theirs, now = (_files(workspace, rev, paths) for rev in revs)
    for path, joined in merge_memories(base, ours, theirs).items():
        alone = merge_memory(path, base.get(path), ours.get(path), theirs.get(path))
        # Only where the file stands as git merged it: any other text is somebody's.
        is_gits = now.get(path) == alone.data
        if is_gits and joined != alone and not joined.conflict:
            yield path, alone.data, joined.data


def _base(workspace: "Workspace", sides: list[str]) -> str:
    """The only merge base of two sides; "" if there are more, of either."""
    if len(sides) != _SIDES:
        return ""
    bases = workspace.cgit.text("merge-base", "--all", *sides, ok=(0, 1)).split()
    return bases[0] if len(bases) == 1 else ""


def _changed(workspace: "Workspace", base: str, to: str) -> list[str]:
    return [
        path
        for path in workspace.git.changed_paths(base, to)
        if path.lower().endswith(".md") and workspace.scope.covers(path)
    ]


def _texts(workspace: "Workspace", rev: str, paths: Iterable[str]) -> dict[str, str]:
    return {path: exact_text(data) for path, data in _files(workspace, rev, paths).items()}


def _files(workspace: "Workspace", rev: str, paths: Iterable[str]) -> dict[str, bytes]:
    read = ((path, workspace.git.read(rev, path)) for path in sorted(paths))
    return {path: data for path, data in read if data is not None}
