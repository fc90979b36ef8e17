"""What is left to do after a merge: git merges file by file, and a merge driver writes one file.

The store imports this module before it writes, so Workspace is imported for its type only.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from clawgit.domain.change.actors import CLAWGIT
from clawgit.domain.change.history import FOLLOW, Intent
from clawgit.domain.claims.conflicts import (
    PATH,
    Conflict,
    appended,
    conflicts,
    decided,
)
from clawgit.domain.claims.disputed_pairs import (
    DECIDED_TWICE,
    Sides,
    decided_twice,
    disputed_again,
    disputed_pairs,
    kept_though_removed,
    reworded_twice,
    unknown,
)
from clawgit.domain.markdown.decoding import exact_bytes, exact_text
from clawgit.domain.merging.memories import merge_memories
from clawgit.domain.merging.memory import merge_memory
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.looked import FOLLOWED, advance, keep_noted, noted
from clawgit.stores.git.transaction import Outcome

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace import Workspace

_SIDES = 2

_MOST = 20
"""How many merges are followed up at once, the newest first. A branch may bring in hundreds."""


class _Edit(NamedTuple):
    """A file as git merged it, and as it should be; None is no file."""

    before: bytes | None
    after: bytes | None


class _Merge(NamedTuple):
    """A merge commit: the files that either side changed, in its three versions and in HEAD."""

    oid: str
    base: Mapping[str, bytes]
    ours: Mapping[str, bytes]
    theirs: Mapping[str, bytes]
    now: Mapping[str, bytes]

    @property
    def texts(self) -> Sides:
        base, ours, theirs, now = (
            {path: exact_text(data) for path, data in files.items()} for files in self[1:]
        )
        return Sides(base, ours, theirs, now)


class _Left(NamedTuple):
    """The conflicts that a merge left: new ones, and decided ones that it opened again."""

    found: Sequence[Conflict]
    reopened: Sequence[Conflict]


class LeftToDo(NamedTuple):
    """What merges could not do file by file. `head` is the commit up to which it was looked for."""

    head: str
    edits: Mapping[str, _Edit] = MappingProxyType({})
    left: _Left = _Left((), ())

    @property
    def is_nothing(self) -> bool:
        return not self.edits and not any(self.left)


def after_merge(workspace: "Workspace", git: CGit, since: str = "") -> Outcome | None:
    """Finishes, in a commit of its own, what merges since a commit could not do file by file.

    An entry that one side moved to another file is there once. CONFLICTS.md lists each text that a
    merge left disputed, and what two machines decided differently is open again. None if there is
    nothing to do; HEAD then stays. Without a commit: since this was last done.
    """
    if workspace.git.pause():
        return None
    place = workspace.place
    todo = left_by_merges(workspace, git, since)
    outcome = None if todo.is_nothing else _written(workspace, todo)
    if todo.head:
        keep_noted(place, FOLLOWED, todo.head)
    if outcome and outcome.commit:
        made = [*outcome.snapshots, outcome.commit]
        advance(place, todo.head, made, workspace.git.parent_of)
    return outcome


def left_by_merges(workspace: "Workspace", git: CGit, since: str = "") -> LeftToDo:
    """What the merges in HEAD's history since a commit, or since the last time, have left.

    Changes nothing. If the last time is unknown, only HEAD itself is looked at.
    """
    head = git.text("rev-parse", "-q", "--verify", "HEAD^{commit}", ok=(0, 1)).strip()
    since = since or noted(workspace.place, FOLLOWED)
    if not head or since == head:
        return LeftToDo(head)
    known = since and git.text("rev-parse", "-q", "--verify", f"{since}^{{commit}}", ok=(0, 1, 128))
    which = ("-n", str(_MOST), head, f"^{since}") if known else ("--no-walk", head)
    rows = git.text("rev-list", "--min-parents=2", "--parents", *which).splitlines()
    if not rows:
        return LeftToDo(head)
    merges = [_read_merge(workspace, git, head, row.split()) for row in rows]
    return _left_to_do(workspace, git, (since if known else rows[0].split()[1], head), merges)


def _left_to_do(
    workspace: "Workspace", git: CGit, span: tuple[str, str], merges: Sequence[_Merge]
) -> LeftToDo:
    """What there is to do between two commits, the second of which is HEAD."""
    head = span[1]
    edits = {path: edit for merge in merges for path, edit in _across_files(merge)}
    files = _files(git, head, _changed(workspace, git, *span))
    files.update({path: edit.after for path, edit in edits.items() if edit.after})
    reopened = [one for merge in merges for one in _decided_twice(git, merge, head)]
    left = _Left(_new_conflicts(git, files, merges), reopened)
    edits.update(_disputed_again(git, edits, left.reopened))
    return LeftToDo(head, edits, left)


def _new_conflicts(
    git: CGit, files: Mapping[str, bytes], merges: Iterable[_Merge]
) -> Sequence[Conflict]:
    disputed = {
        path: exact_text(data) for path, data in files.items() if b"status=disputed" in data
    }
    of_merges = (
        (*kept_though_removed(sides._replace(now=disputed)), *reworded_twice(sides))
        for sides in (merge.texts for merge in merges)
    )
    found = [*disputed_pairs(disputed), *chain.from_iterable(of_merges)]
    return unknown(found, _known(git)) if found else ()


def _decided_twice(git: CGit, merge: _Merge, head: str) -> Iterator[Conflict]:
    """The conflicts that the sides decided differently, and that were not opened again since."""
    if any(PATH not in files for files in (merge.ours, merge.theirs, merge.now)):
        return
    twice = decided_twice(*(texts.get(PATH, "") for texts in merge.texts))
    asked = _asked_since(git, merge.oid, head) if twice else frozenset()
    yield from (conflict for conflict in twice if conflict.id not in asked)


def _asked_since(git: CGit, merge: str, head: str) -> frozenset[str]:
    """The conflicts that were open in a version of CONFLICTS.md after a merge."""
    since = git.text("rev-list", f"{merge}..{head}", "--", PATH).split()
    versions = [found for found in Batch(git).read(f"{oid}:{PATH}" for oid in since) if found]
    open_ones = (
        one.id for found in versions for one in conflicts(exact_text(found.data)) if one.open
    )
    return frozenset(open_ones)


def _disputed_again(
    git: CGit, edits: Mapping[str, _Edit], reopened: Sequence[Conflict]
) -> Iterator[tuple[str, _Edit]]:
    paths = sorted({side.path for pair in reopened for side in (pair.a, pair.b)})
    for path, before in _files(git, "HEAD", paths).items():
        now = edits[path].after if path in edits else before
        if now:
            after = disputed_again(exact_text(now), reopened)
            yield path, _Edit(before, exact_bytes(after))


def _written(workspace: "Workspace", todo: LeftToDo) -> Outcome:
    edits, left = todo.edits, todo.left
    why = "Git merges file by file; this concerns several files."
    intent = Intent(CLAWGIT, FOLLOW, "bring the files of the merge into line", why)
    with workspace.git.transaction(intent, workspace.now) as tx:
        # If somebody edited one of the files meanwhile, all are left as they are.
        if all(tx.read(path) == edit.before for path, edit in edits.items()):
            for path, edit in edits.items():
                tx.put(path, edit.after)
        if any(left):
            tx.put(PATH, _logged(tx.read_text(PATH) or "", left))
    return tx.outcome


def _logged(log: str, left: _Left) -> str:
    log = decided(log, {conflict.id: DECIDED_TWICE for conflict in left.reopened})
    # Another process may have followed up the same merge since we looked.
    found = unknown(left.found, conflicts(log))
    return appended(log, found) if found else log


def _read_merge(workspace: "Workspace", git: CGit, head: str, row: Sequence[str]) -> _Merge:
    """A merge commit, given with its parents: the files that either side changed."""
    oid, *sides = row
    bases = git.text("merge-base", "--all", *sides).split() if len(sides) == _SIDES else []
    if len(bases) != 1:
        return _Merge(oid, {}, {}, {}, {})
    paths = [*_changed(workspace, git, bases[0], sides[0])]
    paths = sorted({*paths, *_changed(workspace, git, bases[0], sides[1])})
    return _Merge(oid, *(_files(git, rev, paths) for rev in (*bases, *sides, head)))


def _across_files(merge: _Merge) -> Iterator[tuple[str, _Edit]]:
    """The files that need a change, since git merged each of them on its own."""
    base, ours, theirs, now = merge[1:]
    for path, joined in merge_memories(base, ours, theirs).items():
        alone = merge_memory(path, base.get(path), ours.get(path), theirs.get(path))
        if not joined.conflict and joined != alone and now.get(path) == alone.data:
            yield path, _Edit(alone.data, joined.data)


def _known(git: CGit) -> tuple[Conflict, ...]:
    return conflicts(exact_text(_files(git, "HEAD", [PATH]).get(PATH, b"")))


def _changed(workspace: "Workspace", git: CGit, base: str, to: str) -> list[str]:
    flags = ("-r", "-z", "--name-only", "--no-renames")
    paths = git.text("diff-tree", *flags, base, to, "--").split("\0")
    markdown = (path for path in paths if path.lower().endswith(".md") and "\n" not in path)
    return [path for path in markdown if workspace.scope.covers(path)]


def _files(git: CGit, rev: str, paths: Iterable[str]) -> dict[str, bytes]:
    paths = list(paths)
    objects = Batch(git).read(f"{rev}:{path}" for path in paths)
    return {path: found.data for path, found in zip(paths, objects, strict=True) if found}
