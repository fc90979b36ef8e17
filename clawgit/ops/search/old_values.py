"""What corrected entries said before: texts whose vectors stay for the grace period."""

import hashlib
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

_KEY = 16


class OldValue(NamedTuple):
    """`key` is the beginning of the SHA-256 of the text, `since` the day of the correction."""

    key: bytes
    since: date


def old_values(workspace: Workspace) -> Iterator[OldValue]:
    """What corrected entries said before, during their grace period.

    The vectors stay as long, so that an undo need not embed the texts again.
    """
    paths = [*discover(memory_of(workspace))]
    logs = {path: glance(workspace.root, path) for path in filter(_is_log, paths)}
    known = {each.evidence: each for each in all_corrections(logs) if each.binds}
    for path in filter(holds_entries, paths):
        text = glance(workspace.root, path)
        # Most files have no corrected entry, so they are not parsed.
        if "<!-- was:" in text or CORRECTIONS in text:
            yield from _old_values_in(workspace, text, known)


def _old_values_in(
    workspace: Workspace, text: str, known: Mapping[str, Correction]
) -> Iterator[OldValue]:
    led = [(item.line, item.led) for item in whole(text)]
    for entry in entries(text):
        if aging := _in_grace(workspace, entry):
            for old in _as_it_stood(entry, known, _led(entry, led)):
                yield OldValue(hashlib.sha256(old.encode()).digest()[:_KEY], aging.since)


def _in_grace(workspace: Workspace, entry: Entry) -> Aging | None:
    aging = old_value_aging(entry.meta)
    if aging and aging.state(workspace.today, workspace.config.settings) != GONE:
        return aging
    return None


def _is_log(path: str) -> bool:
    return path == CORRECTIONS or path.startswith(ARCHIVE)


def _led(entry: Entry, led: Iterable[tuple[int, Sequence[str]]]) -> Sequence[str]:
    """What introduces an entry, whose text may begin below its first line."""
    lines = range(entry.line, entry.end_line + 1)
    return next((said for line, said in led if line in lines), ())


def _as_it_stood(
    entry: Entry, known: Mapping[str, Correction], led: Sequence[str]
) -> Iterator[str]:
    """What an entry said before, with its category and without, and with what stands above it."""
    evidence = entry.meta.evidence if entry.meta else ()
    if old := replaced_text(entry.raw, evidence, known):
        for text in (old, f"{old} #{entry.primary}"):
            yield from dict.fromkeys((text, passage(text, entry.path, led)))
