"""`memory index`: updates or rebuilds the index of words and the vectors."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from clawgit.errors import ClawgitError
from clawgit.ops.search.embedder_choice import choose
from clawgit.ops.search.indexing import opened
from clawgit.ops.search.text_vectors import Meaning
from clawgit.ops.search.vector_search import vectors_in, with_hint
from clawgit.ops.search.vectors_owner import is_set, open_shelf
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.index.searching import Freshness, SearchIndex
from clawgit.stores.vector_files import mark_unfinished

Bar = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Indexed:
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
    with opened(workspace) as live:
        fresh = (live.rebuild if force else live.refresh)(progress)
        meaning = Meaning(workspace, chosen.embedder) if chosen.embedder else None
        vectors, chroma, notes = 0, None, [chosen.reason, fresh.note]
        if meaning:
            try:
                vectors = _embedded(live, meaning, fresh, progress)
                chroma = fill_chroma(workspace, live, meaning)
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


def _embedded(live: SearchIndex, meaning: "Meaning", fresh: Freshness, progress: Bar) -> int:
    def bar(done: int) -> None:
        progress(done, max(fresh.items, done))

    meaning.follow(live, bar, everything=True, mending=True)
    return meaning.count


def fill_chroma(workspace: Workspace, live: SearchIndex, meaning: "Meaning") -> int | None:
    """Fills Chroma if the settings want it. If a service has it open, that service fills it."""
    settings = workspace.config.settings
    if not is_set(settings):
        return None
    shelf = open_shelf(workspace.place, meaning.family, settings.chroma_url, workspace.caller.env)
    try:
        return shelf.fill(lambda: meaning.records(live)).size
    finally:
        shelf.close()
