"""What corrected entries said before: texts whose vectors stay for the grace period."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from clawgit.domain.corrections.corrections import (
    ARCHIVE,
    CORRECTIONS,
    Correction,
    all_corrections,
    replaced_text,
)
from clawgit.domain.facts.vector_life import GONE, Aging, old_value_aging
from clawgit.domain.markdown.entry import Entry, entries, holds_entries
from clawgit.domain.markdown.item import whole
from clawgit.domain.search.passage import passage
from clawgit.ops.workspace.reach import memory_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.worktree import glance
from clawgit.stores.index.discover import discover
from clawgit.stores.vectors import key_of


class OldValue(NamedTuple):
    """The key of a text, and the day of its correction."""

    key: bytes
    since: date


def old_values(workspace: Workspace) -> Iterator[OldValue]:
    """What corrected entries said before, during their grace period.

    The vectors stay as long, so that an undo need not embed the texts again.
    """
    paths = [*discover(memory_of(workspace))]
    logs = {path: glance(workspace.root, path) for path in paths if _is_log(path)}
    known = {each.evidence: each for each in all_corrections(logs) if each.binds}
    for path in filter(holds_entries, paths):
        text = glance(workspace.root, path)
        # Most files have no corrected entry, so they are not parsed.
        if CORRECTIONS in text:
            yield from _old_values_in(workspace, text, known)


def _in_grace(workspace: Workspace, entry: Entry) -> Aging | None:
    aging = old_value_aging(entry.meta)
    if aging and aging.state(workspace.today, workspace.config.settings) != GONE:
        return aging
    return None


def _old_values_in(
    workspace: Workspace, text: str, known: Mapping[str, Correction]
) -> Iterator[OldValue]:
    led = [(item.line, item.led) for item in whole(text)]
    for entry in entries(text):
        if (aging := _in_grace(workspace, entry)) is None:
            continue
        evidence = entry.meta.evidence if entry.meta else ()
        if old := replaced_text(evidence, known):
            above = _led(entry, led)
            for said in (old, f"{old} #{entry.primary}"):
                yield OldValue(key_of(passage(said, entry.path, above)), aging.since)


def _led(entry: Entry, led: Iterable[tuple[int, Sequence[str]]]) -> Sequence[str]:
    """What introduces an entry, whose text may begin below its first line."""
    lines = range(entry.line, entry.end_line + 1)
    return next((said for line, said in led if line in lines), ())


def _is_log(path: str) -> bool:
    return path == CORRECTIONS or path.startswith(ARCHIVE)
