"""Takes entries that a change brought out of the files to which later changes moved them."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from clawgit.domain.markdown.decoding import exact_bytes, exact_text
from clawgit.domain.markdown.entry import Entry, entries, holds_entries, removed, replaced
from clawgit.ops.change.merging import Clash, merge_in
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.history.streams import grep
from clawgit.stores.git.transaction import Transaction

_MANY = 500
"""So many ids are too long for a command line: then all files with entries are read."""


class FileSides(NamedTuple):
    """A file as a change left it, and before."""

    path: str
    brought: bytes | None
    before: bytes | None


def moved_away(tx: Transaction, sides: Iterable[FileSides]) -> dict[str, Entry]:
    """The entries that a change brought to a file and that are no longer in it, by id."""
    moved: dict[str, Entry] = {}
    # An entry that the change only moved is not taken out of where it was before.
    had: set[str] = set()
    for side in sides:
        if holds_entries(side.path):
            had |= _by_id(side.before).keys()
            there = _by_id(tx.read(side.path))
            brought = _by_id(side.brought)
            moved |= {ident: brought[ident] for ident in brought.keys() - there.keys()}
    return {ident: entry for ident, entry in moved.items() if ident not in had}


def take_out_moved(
    workspace: Workspace, tx: Transaction, sha: str, moved: Mapping[str, Entry]
) -> list[Clash]:
    """Takes these entries out of the files in which they are today. Returns the conflicts."""
    if not moved:
        return []
    conflicts: list[Clash] = []
    wanted = [f"claw:{ident}" for ident in moved] if len(moved) < _MANY else ["claw:"]
    found = {hit.path for hit in grep(workspace.cgit, *wanted)}
    inside, _ = workspace.git.scope.split(sorted(filter(holds_entries, found)))
    for path in sorted({*inside} - workspace.git.untouchable(inside).keys()):
        conflicts += _taken_out(workspace, tx, sha, path, moved)
    return conflicts


def _taken_out(
    workspace: Workspace, tx: Transaction, sha: str, path: str, moved: Mapping[str, Entry]
) -> list[Clash]:
    data = tx.read(path)
    there = _by_id(data)
    # A copy that was there already is not what the change brought.
    chosen = moved.keys() & there.keys() - _by_id(workspace.git.read(sha, path))
    if not chosen:
        return []
    base = goal = exact_text(data)
    # From below, so that the entries above keep their lines.
    for ident in sorted(chosen, key=lambda ident: there[ident].line, reverse=True):
        now = there[ident]
        base = replaced(base, now, _with_end_of(now.raw, moved[ident].raw))
        goal = removed(goal, now)
    return merge_in(tx, path, exact_bytes(base), exact_bytes(goal))


def _with_end_of(line: str, other: str) -> str:
    """The other text, ended as this one is: the last line of a file may have no end."""
    return other.rstrip("\r\n") + line[len(line.rstrip("\r\n")) :]


def _by_id(data: bytes | None) -> dict[str, Entry]:
    standing = entries(exact_text(data))
    return {entry.meta.id: entry for entry in standing if entry.meta and entry.meta.id}
