"""What is left to do after a merge: git merges file by file, and a driver can write only one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from clawgit.domain.change.actors import CLAWGIT
from clawgit.domain.change.history import FOLLOW, Intent
from clawgit.domain.claims.conflicts import (
    ARCHIVE,
    PATH,
    Conflict,
    all_conflicts,
    appended,
    decided,
)
from clawgit.domain.claims.disputed_pairs import (
    DECIDED_TWICE,
    decided_twice,
    disputed_again,
    disputed_pairs,
)
from clawgit.domain.merging.memories import merge_memories
from clawgit.domain.merging.memory import merge_memory
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.transaction import Outcome, Transaction

_SIDES = 2


class _Edit(NamedTuple):
    """A file as git merged it, and as it is to be; None is no file."""

    before: bytes | None
    after: bytes | None


class _Left(NamedTuple):
    """The conflicts that a merge left: new ones, and decided ones that are open again."""

    found: Sequence[Conflict]
    reopened: Sequence[Conflict]


def after_merge(workspace: Workspace, git: CGit, since: str) -> Outcome | None:
    """Sets right what a merge since a commit could not do file by file, by a commit of its own.

    An entry that one side moved to another file stands once. CONFLICTS.md names each pair of texts
    that the merge left disputed, and opens again what two machines decided differently. None where
    nothing is to be done; HEAD is not moved then.
    """
    if not since or workspace.git.pause():
        return None
    edits = _across_files(workspace, git)
    files = _files(git, "HEAD", _changed(workspace, git, since, "HEAD"))
    files.update({path: edit.after for path, edit in edits.items() if edit.after})
    left = _Left(_new_conflicts(git, files), _reopened(git, files))
    edits.update(_disputed_again(git, edits, left.reopened))
    return _written(workspace, edits, left) if edits or any(left) else None


def _new_conflicts(git: CGit, files: Mapping[str, bytes]) -> Sequence[Conflict]:
    disputed = {path: _text(data) for path, data in files.items() if b"status=disputed" in data}
    return disputed_pairs(disputed, _known(git)) if disputed else ()


def _reopened(git: CGit, files: Mapping[str, bytes]) -> Sequence[Conflict]:
    beaten = {path: data for path, data in files.items() if b"status=superseded" in data}
    if not beaten:
        return ()
    known = _known(git)
    elsewhere = {side.path for pair in known for side in (pair.a, pair.b)} - beaten.keys()
    texts = {**beaten, **_files(git, "HEAD", sorted(elsewhere))}
    return decided_twice({path: _text(data) for path, data in texts.items()}, known)


def _disputed_again(
    git: CGit, edits: Mapping[str, _Edit], reopened: Sequence[Conflict]
) -> Iterator[tuple[str, _Edit]]:
    paths = sorted({side.path for pair in reopened for side in (pair.a, pair.b)})
    for path, before in _files(git, "HEAD", paths).items():
        now = edits[path].after if path in edits else before
        if now:
            after = disputed_again(_text(now), reopened)
            yield path, _Edit(before, after.encode("utf-8", "surrogateescape"))


def _written(workspace: Workspace, edits: Mapping[str, _Edit], left: _Left) -> Outcome:
    why = "A merge left it: git merges file by file, and this concerns several."
    intent = Intent(CLAWGIT, FOLLOW, "what the merge left to do", why)
    with workspace.git.transaction(intent, workspace.now) as tx:
        # Who has written to one of the files meanwhile knows better.
        if all(tx.read(path) == edit.before for path, edit in edits.items()):
            _write(tx, edits)
        if any(left):
            outcomes = {conflict.id: DECIDED_TWICE for conflict in left.reopened}
            log = decided(tx.read_text(PATH) or "", outcomes)
            tx.put(PATH, appended(log, left.found) if left.found else log)
    return tx.outcome


def _write(tx: Transaction, edits: Mapping[str, _Edit]) -> None:
    for path, edit in edits.items():
        if edit.after is None:
            tx.delete(path)
        else:
            tx.put(path, edit.after)


def _across_files(workspace: Workspace, git: CGit) -> dict[str, _Edit]:
    """The files of a merge that are to be otherwise than git merged them, each on its own."""
    sides = git.text("rev-list", "--parents", "-n1", "HEAD").split()[1:]
    bases = git.text("merge-base", "--all", *sides).split() if len(sides) == _SIDES else []
    if len(bases) != 1:
        return {}
    paths = [*_changed(workspace, git, bases[0], sides[0])]
    paths = sorted({*paths, *_changed(workspace, git, bases[0], sides[1])})
    base, ours, theirs, now = (_files(git, rev, paths) for rev in (*bases, *sides, "HEAD"))
    edits: dict[str, _Edit] = {}
    for path, joined in merge_memories(base, ours, theirs).items():
        alone = merge_memory(path, base.get(path), ours.get(path), theirs.get(path))
        if not joined.conflict and joined != alone and now.get(path) == alone.data:
            edits[path] = _Edit(alone.data, joined.data)
    return edits


def _known(git: CGit) -> tuple[Conflict, ...]:
    paths = git.text("ls-tree", "-r", "-z", "--name-only", "HEAD", "--", PATH, ARCHIVE).split("\0")
    files = _files(git, "HEAD", [path for path in paths if path])
    return all_conflicts({path: _text(data) for path, data in files.items()})


def _changed(workspace: Workspace, git: CGit, base: str, to: str) -> list[str]:
    flags = ("-r", "-z", "--name-only", "--no-renames")
    paths = git.text("diff-tree", *flags, base, to, "--").split("\0")
    markdown = (path for path in paths if path.lower().endswith(".md") and "\n" not in path)
    return [path for path in markdown if workspace.scope.covers(path)]


def _files(git: CGit, rev: str, paths: Iterable[str]) -> dict[str, bytes]:
    paths = list(paths)
    objects = Batch(git).read(f"{rev}:{path}" for path in paths)
    return {path: found.data for path, found in zip(paths, objects, strict=True) if found}


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
