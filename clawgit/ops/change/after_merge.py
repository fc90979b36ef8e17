"""What is left to do after a merge: git merges file by file, and a merge driver writes one file.

The store imports this module before it writes, so Workspace is imported for its type only.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
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
    unknown,
)
from clawgit.domain.markdown.decoding import exact_bytes, exact_text
from clawgit.domain.merging.memories import merge_memories
from clawgit.domain.merging.memory import merge_memory
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.looked import FOLLOWED, advance, keep_noted, noted
from clawgit.stores.git.transaction import Outcome, Transaction

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace import Workspace

_SIDES = 2

_MOST = 20
"""How many merges are followed up at once, the newest first. A branch may bring in hundreds."""


_Edit = tuple[bytes | None, bytes | None]
"""A file as git merged it, and as it should be; None is no file."""


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


def after_merge(workspace: "Workspace", git: CGit, since: str = "") -> Outcome | None:
    """Finishes, in a commit of its own, what merges since a commit could not do file by file.

    An entry that one side moved to another file is there once. CONFLICTS.md lists each text that a
    merge left disputed, and what two machines decided differently is open again. None if there is
    nothing to do; HEAD then stays. Without a commit: since this was last done; if that is unknown,
    only HEAD itself is looked at.
    """
    place, head = workspace.place, _commit(git, "HEAD")
    since = since or noted(place, FOLLOWED)
    if not head or since == head or workspace.git.pause():
        return None
    known = _commit(git, since) if since else ""
    which = ("-n", str(_MOST), head, f"^{since}") if known else ("--no-walk", head)
    listed = git.text("rev-list", "--min-parents=2", "--parents", *which)
    rows = [row.split() for row in listed.splitlines()]
    outcome = _finished(workspace, git, head, known and since, rows) if rows else None
    keep_noted(place, FOLLOWED, head)
    if outcome and outcome.commit:
        made = [*outcome.snapshots, outcome.commit]
        advance(place, head, made, workspace.git.parent_of)
    return outcome


def _finished(
    workspace: "Workspace", git: CGit, head: str, since: str, rows: Sequence[Sequence[str]]
) -> Outcome | None:
    """Does what is left to do of these merges, each with its parents; None if nothing is."""
    merges = [_read_merge(workspace, git, head, row) for row in rows]
    edits = dict(chain.from_iterable(map(_across_files, merges)))
    files = _files(git, head, _changed(workspace, git, since or rows[0][1], head))
    files.update({path: after for path, (_, after) in edits.items() if after})
    reopened = [*chain.from_iterable(_decided_twice(git, merge, head) for merge in merges)]
    found = _new_conflicts(git, files, merges)
    edits.update(_disputed_again(git, edits, reopened))
    if not any((edits, reopened, found)):
        return None
    why = "Git merges file by file; this concerns several files."
    intent = Intent(CLAWGIT, FOLLOW, "bring the files of the merge into line", why)
    with workspace.git.transaction(intent, workspace.now) as tx:
        _put(tx, edits)
        if reopened or found:
            tx.put(PATH, _logged(tx.read_text(PATH) or "", found, reopened))
    return tx.outcome


def _put(tx: Transaction, edits: Mapping[str, _Edit]) -> None:
    # If somebody edited one of the files meanwhile, all are left as they are.
    if all(tx.read(path) == before for path, (before, _) in edits.items()):
        for path, (_, after) in edits.items():
            tx.put(path, after)


def _logged(log: str, found: Sequence[Conflict], reopened: Sequence[Conflict]) -> str:
    log = decided(log, {conflict.id: DECIDED_TWICE for conflict in reopened})
    # Another process may have followed up the same merge since we looked.
    left = unknown(found, conflicts(log))
    return appended(log, left) if left else log


def _commit(git: CGit, rev: str) -> str:
    """The id of a commit; "" if there is none."""
    return git.text("rev-parse", "-q", "--verify", f"{rev}^{{commit}}", ok=(0, 1, 128)).strip()


def _new_conflicts(
    git: CGit, files: Mapping[str, bytes], merges: Iterable[_Merge]
) -> Sequence[Conflict]:
    disputed = {
        path: exact_text(data) for path, data in files.items() if b"status=disputed" in data
    }
    of_merges = (kept_though_removed(merge.texts._replace(now=disputed)) for merge in merges)
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
        _, now = edits.get(path, (before, before))
        if now:
            after = disputed_again(exact_text(now), reopened)
            yield path, (before, exact_bytes(after))


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
            yield path, (alone.data, joined.data)


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
