"""Entries that a foreign edit brought back to a file from which they had moved elsewhere.

An editor that had a file open while an entry moved, was promoted or was compacted writes the old
text when it saves. Nothing is removed for that. The commit of the edit, and before that `status`,
have an alert with the command that repairs it.
"""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, islice
from typing import NamedTuple

from clawgit.domain.change.flips import Belief, words_of
from clawgit.domain.change.lines import TELLING, claw_id, normal
from clawgit.domain.markdown.comment import split
from clawgit.domain.markdown.entry import Entry, entries, holds_entries
from clawgit.domain.markdown.tags import untagged, visible
from clawgit.ops.change.reading import reading
from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.history.grep import GrepHit, grep
from clawgit.stores.git.history.pathlog import PathLog

_MOST = 200
"""How many new entries are searched for elsewhere; more are an import."""

_LONGEST = 80
"""Characters of an entry by which it is looked for."""

_VERSIONS = 50
"""How many versions back a file may have had an entry that comes back."""

_NAMED = 10

Changes = Iterable[tuple[str, tuple[bytes | None, bytes | None]]]


class _New(NamedTuple):
    """An entry that was not in the version before, and its first line."""

    path: str
    line: int
    head: str


_Pair = tuple[_New, GrepHit]


def returned_entries(workspace: WorkspaceBase, changes: Changes) -> tuple[str, ...]:
    """One alert for each file in which entries return that another file has by now.

    `changes` are the uncommitted edits on disk.
    """
    doubled = _doubled(workspace, list(islice(_new_entries(changes), _MOST)))
    if not doubled:
        return ()
    paths = dict.fromkeys(entry.path for entry, _ in doubled)
    with reading(workspace) as index:
        lines = {path: _older_lines(index, path) for path in paths}
    # Otherwise somebody wrote it here too, as a daily note may repeat what is known.
    back = [pair for pair in doubled if any(map(_belief(pair[0].head).has, lines[pair[0].path]))]
    by_path = groupby(back, key=lambda pair: pair[0].path)
    return tuple(_alert(path, list(pairs)) for path, pairs in by_path)


def _doubled(workspace: WorkspaceBase, new: Sequence[_New]) -> list[_Pair]:
    """The new entries that are in another file too, each with one such place."""
    own = {(entry.path, entry.line - 1) for entry in new}
    hits = [hit for hit in _hits(workspace, new) if (hit.path, hit.at) not in own]
    pairs = ((entry, _elsewhere(entry, hits)) for entry in new)
    return [(entry, hit) for entry, hit in pairs if hit]


def _hits(workspace: WorkspaceBase, new: Iterable[_New]) -> list[GrepHit]:
    needles = list(chain.from_iterable(_needles(entry.head) for entry in new))
    return grep(workspace.cgit, *needles) if needles else []


def _new_entries(changes: Changes) -> Iterator[_New]:
    for path, (before, after) in changes:
        if after is None or before is None or not holds_entries(path):
            continue
        known = set(map(_head, entries(normal(before))))
        for entry in entries(normal(after)):
            if _head(entry) not in known:
                yield _New(path, entry.line, _head(entry))


def _head(entry: Entry) -> str:
    return entry.raw.split("\n", 1)[0]


def _needles(head: str) -> Iterator[str]:
    """Texts to search for: each line with the same entry contains one of them."""
    if ident := claw_id(head):
        yield f"claw:{ident}"
    words = untagged(visible(split(head).visible)).lstrip("-+* \t").split(" #")[0]
    if len(words) >= TELLING:
        yield words[:_LONGEST]


def _belief(head: str) -> Belief:
    words = words_of(head)
    telling = {words} if len(words) >= TELLING else set[str]()
    return Belief(frozenset({claw_id(head)} - {""}), frozenset(telling))


def _elsewhere(entry: _New, hits: Iterable[GrepHit]) -> GrepHit | None:
    belief = _belief(entry.head)
    found = (hit for hit in hits if hit.path != entry.path and belief.has(hit.line))
    return next((hit for hit in found if holds_entries(hit.path)), None)


def _older_lines(index: PathLog, path: str) -> set[str]:
    """The lines of the last versions of a file."""
    blobs = [version.after for version in index.versions(path)[:_VERSIONS] if version.after]
    versions = filter(None, Batch(index.git).read(dict.fromkeys(blobs)))
    return {line for found in versions for line in normal(found.data).split("\n")}


def _alert(path: str, doubled: Sequence[_Pair]) -> str:
    places = ", ".join(dict.fromkeys(f"{hit.path}:{hit.at + 1}" for _, hit in doubled[:_NAMED]))
    named = " ".join(shlex.quote(f"{path}:{entry.line}") for entry, _ in doubled)
    what = "an entry" if len(doubled) == 1 else f"{len(doubled)} entries"
    return (
        f"{path} has {what} again that had moved to {places}, as after a stale save in an editor. "
        f"`clawgit memory rm {named}` removes the duplicate from {path}"
    )
