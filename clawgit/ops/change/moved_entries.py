"""Takes entries that a change brought out of the files to which later changes moved them."""

from collections.abc import Iterable, Mapping

from clawgit.domain.markdown.decoding import exact_bytes, exact_text
from clawgit.domain.markdown.entry import Entry, entries, holds_entries
from clawgit.domain.markdown.scan import lines_of
from clawgit.ops.change.merging import Clash, merge_in
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.history.grep import grep
from clawgit.stores.git.transaction import Transaction
from clawgit.values import NamedTuple

_MANY = 500
"""So many ids are too long for a command line: then all files with entries are read."""


class FileSides(NamedTuple):
    """A file as a change left it, and before."""

    path: str
    brought: bytes | None
    before: bytes | None


def moved_away(tx: Transaction, sides: Iterable[FileSides]) -> dict[str, Entry]:
    """The entries that a change brought and that are in none of its files any more, by id."""
    brought: dict[str, Entry] = {}
    others: set[str] = set()
    for side in sides:
        if holds_entries(side.path):
            brought |= _by_id(side.brought)
            # An entry that the change only moved is not taken out of where it was before.
            others |= {*_by_id(side.before), *_by_id(tx.read(side.path))}
    return {ident: entry for ident, entry in brought.items() if ident not in others}


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
        # A copy that was there already is not what the change brought.
        known = _by_id(workspace.git.read(sha, path))
        there = _by_id(tx.read(path))
        pairs = [(there[ident], moved[ident]) for ident in moved if ident in there.keys() - known]
        if pairs:
            text = exact_text(tx.read(path))
            base = _with(text, {now: then.raw for now, then in pairs})
            goal = _with(text, {now: "" for now, _ in pairs})
            conflicts += merge_in(tx, path, exact_bytes(base), exact_bytes(goal))
    return conflicts


def _by_id(data: bytes | None) -> dict[str, Entry]:
    text = exact_text(data)
    return {entry.meta.id: entry for entry in entries(text) if entry.meta and entry.meta.id}


def _with(text: str, raw: Mapping[Entry, str]) -> str:
    """A text with other words in place of some entries."""
    lines = lines_of(text)
    for entry in sorted(raw, key=lambda one: one.line, reverse=True):
        lines[entry.line - 1 : entry.end_line] = [raw[entry]]
    return "".join(lines)
