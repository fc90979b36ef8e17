"""After vector hygiene: index, vector file and Chroma drop what is no longer compared."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace

from clawgit.domain.corrections.corrections import (
    ARCHIVE,
    CORRECTIONS,
    Correction,
    all_corrections,
    replaced_text,
)
from clawgit.domain.facts.vector_life import GONE, old_value_aging
from clawgit.domain.markdown.entry import Entry, entries, holds_entries
from clawgit.errors import ClawgitError
from clawgit.ops.agents.agents import Ended, Followed
from clawgit.ops.search.indexing import opened
from clawgit.ops.search.memory_index import fill_chroma
from clawgit.ops.search.text_vectors import Meaning
from clawgit.ops.search.vector_search import choose, told
from clawgit.ops.workspace.reach import memory_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.worktree import glance
from clawgit.stores.index.discover import discover
from clawgit.stores.index.sources import SOURCES

_KEY = 16


def sweep(workspace: Workspace, ended: Ended) -> Followed:
    """Removes derived state only: a new index would not have it either. Texts stay."""
    workspace = Workspace(workspace.place, replace(workspace.caller, now=ended.clock()))
    chosen = choose(workspace)
    texts = vectors = 0
    trouble = chosen.reason
    with opened(workspace, frozenset(SOURCES)) as live:
        live.refresh()
        texts = live.shrink()
        if chosen.embedder:
            meaning = Meaning(workspace, chosen.embedder)
            try:
                vectors = meaning.shrink(live, _spared(workspace))
                fill_chroma(workspace, live, meaning)
            except ClawgitError as error:
                trouble = told(error)
    counts = [
        _counted(count, name) for count, name in ((texts, "old text"), (vectors, "vector")) if count
    ]
    went = f"The index let go of {' and '.join(counts)}." if counts else ""
    return Followed(notes=tuple(filter(None, (went, trouble))))


def _counted(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"


def _spared(workspace: Workspace) -> Iterator[bytes]:
    """The keys of what corrected entries said before, during their grace period.

    An undo then need not embed them again.
    """
    paths = [*discover(memory_of(workspace))]
    logs = {path: glance(workspace.root, path) for path in filter(_is_log, paths)}
    known = {each.evidence: each for each in all_corrections(logs) if each.binds}
    for path in filter(holds_entries, paths):
        text = glance(workspace.root, path)
        # Most files have no corrected entry, and need not be read entry by entry.
        if "<!-- was:" not in text and CORRECTIONS not in text:
            continue
        for entry in entries(text):
            if _is_in_grace(workspace, entry):
                yield from map(_key, _as_it_stood(entry, known))


def _is_in_grace(workspace: Workspace, entry: Entry) -> bool:
    aging = old_value_aging(entry.meta)
    if aging is None:
        return False
    return aging.state(workspace.today, workspace.config.settings) != GONE


def _is_log(path: str) -> bool:
    return path == CORRECTIONS or path.startswith(ARCHIVE)


def _as_it_stood(entry: Entry, known: Mapping[str, Correction]) -> Iterator[str]:
    """What an entry said before, with its category and without."""
    evidence = entry.meta.evidence if entry.meta else ()
    if old := replaced_text(entry.raw, evidence, known):
        yield old
        yield f"{old} #{entry.primary}"


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()[:_KEY]
