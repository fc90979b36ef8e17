"""`memory index`: updates or rebuilds the index of words and the vectors; and what vector hygiene
leaves to be dropped from them.
"""

from time import perf_counter
from typing import NamedTuple

from clawgit.errors import ClawgitError, counted
from clawgit.ops.agents.agents import Ended, Followed
from clawgit.ops.search.indexing import opened
from clawgit.ops.search.meaning import Bar, Meaning, choose
from clawgit.ops.search.side import vectors_in, with_hint
from clawgit.ops.search.vectors_owner import old_values, open_shelf, records
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.index.discover import SOURCES
from clawgit.stores.index.index import Index
from clawgit.stores.vectors import mark_unfinished


class Indexed(NamedTuple):
    """`changed` files were read, `behind` could not be.

    `chroma` counts its vectors, None if it is not used. `note` says what could not be done.
    """

    files: int
    items: int
    changed: int
    behind: int
    indexedAt: str  # noqa: N815 - the names are those of `memory search`
    vectors: int
    provider: str
    model: str
    chroma: int | None
    note: str | None
    seconds: float


def index(
    workspace: Workspace, *, force: bool = False, progress: Bar = lambda _done, _all: None
) -> Indexed:
    """Reads what changed, or everything with `force`, and embeds each text without a vector."""
    started = perf_counter()
    chosen = choose(workspace)
    vectors, chroma, notes = 0, None, [chosen.reason]
    with opened(workspace) as live:
        fresh = live.refresh(progress, anew=force)
        notes.append(fresh.note)
        if chosen.embedder:
            meaning = Meaning(workspace, chosen.embedder)
            try:
                meaning.vectors.mend()
                live.asked(lambda index: meaning.follow(index, progress, everything=True))
                vectors = meaning.vectors.count
                chroma = _fill_chroma(workspace, live, meaning)
            except ClawgitError as error:
                notes.append(with_hint(error))
    # Also if that failed: the next search marks it again, where the runner would try for ever.
    mark_unfinished(vectors_in(workspace), unfinished=False)
    embedder = chosen.embedder
    return Indexed(
        files=fresh.files,
        items=fresh.items,
        changed=fresh.changed,
        behind=fresh.behind,
        indexedAt=fresh.indexed_at,
        vectors=vectors,
        provider=embedder.provider if embedder else "sqlite",
        model=embedder.model if embedder else "fts5",
        chroma=chroma,
        note="; ".join(filter(None, notes)) or None,
        seconds=round(perf_counter() - started, 2),
    )


def sweep(workspace: Workspace, ended: Ended) -> Followed:
    """After vector hygiene: removes the vectors that a new index would not have either."""
    workspace = Workspace(workspace.place, workspace.caller._replace(now=ended.clock()))
    chosen = choose(workspace)
    notes = [chosen.reason]
    if chosen.embedder:
        with opened(workspace, frozenset(SOURCES)) as live:
            live.refresh()
            meaning = Meaning(workspace, chosen.embedder)
            try:
                gone = meaning.shrink(live, (old.key for old in old_values(workspace)))
                notes += [f"The index removed {counted(gone, 'vector')}."] if gone else []
                _fill_chroma(workspace, live, meaning)
            except ClawgitError as error:
                notes.append(with_hint(error))
    return Followed(notes=tuple(filter(None, notes)))


def _fill_chroma(workspace: Workspace, live: Index, meaning: Meaning) -> int | None:
    """Fills Chroma if the settings want it. If a service has it open, that service fills it."""
    if not workspace.config.settings.chroma:
        return None
    shelf = open_shelf(workspace, meaning.embedder)
    try:
        return shelf.fill(lambda: records(workspace, meaning, live))
    finally:
        shelf.close()
