"""`memory index` updates or rebuilds the index of words and the vectors, `memory status` says what
they cover, `memory bench` how well they answer; and what vector hygiene leaves to be dropped.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from statistics import mean
from time import perf_counter

from clawgit.core import NamedTuple
from clawgit.core.errors import ClawgitError, UsageError, counted
from clawgit.core.tiers import TIERS, tier
from clawgit.memory.entries import count
from clawgit.search.answer import Hit
from clawgit.search.embed import MODELS
from clawgit.search.index.index import Index, Progress, silent
from clawgit.search.index.live import index_state, live_index
from clawgit.search.meaning import Meaning, choose
from clawgit.search.search import Request, Searcher
from clawgit.search.side import is_wanted, vectors_in
from clawgit.search.stores.vectors import kept, mark_unfinished
from clawgit.search.vectors_owner import old_values, open_shelf, records
from clawgit.workspace.discover import SOURCES, discover
from clawgit.workspace.reach import reach_of
from clawgit.workspace.workspace import Workspace

_SHAPE = 'Each line: {"query": "…", "expect": [{"path": "memory/2026-02-14.md", "line": 9}]}'

Spot = tuple[str, int]
"""A path and a line."""


class BenchResult(NamedTuple):
    """A question's hits, best first.

    `rank` is the place of the first right hit, from 1; 0 if there is none.
    """

    query: str
    hits: tuple[Hit, ...]
    ms: float
    rank: int


class Figures(NamedTuple):
    """`recall` is the share of expected lines in the first `k` hits, `mrr` the mean of 1/rank."""

    queries: tuple[BenchResult, ...]
    k: int
    recall: float
    mrr: float
    p50_ms: float
    p95_ms: float


def bench(workspace: Workspace, file: Path, limit: int, progress: Progress = silent) -> Figures:
    """Asks every question once. The search is warm after the first."""
    questions = read_questions(file)
    tried: list[BenchResult] = []
    shares: list[float] = []
    with Searcher(workspace) as searcher:
        searcher.answer(Request(questions[0][0]))
        for number, (query, expect) in enumerate(questions, 1):
            answer = searcher.answer(Request(query, limit, min_score=0))
            right = [*filter(None, (_rank(answer.results, *spot) for spot in expect))]
            ms, rank = answer.elapsedMs, min(right, default=0)
            tried.append(BenchResult(query, answer.results, ms, rank))
            shares.append(len(right) / max(len(expect), 1))
            progress(number, len(questions))
    times = sorted(one.ms for one in tried)
    return Figures(
        queries=tuple(tried),
        k=limit,
        recall=round(mean(shares), 4),
        mrr=round(mean(1 / one.rank if one.rank else 0.0 for one in tried), 4),
        p50_ms=times[len(times) // 2],
        p95_ms=times[len(times) * 95 // 100],
    )


def _rank(hits: Iterable[Hit], path: str, line: int) -> int:
    """The place of the hit that holds a line, from 1; 0 if none does."""
    for at, hit in enumerate(hits, 1):
        if hit.path == path and hit.line <= line <= hit.lastLine:
            return at
    return 0


def read_questions(file: Path) -> list[tuple[str, tuple[Spot, ...]]]:
    """The questions of a JSONL file, each with the lines that answer it."""
    try:
        lines = file.read_text("utf-8", "replace").split("\n")
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.", hint=_SHAPE) from error
    found = []
    for number, line in enumerate(lines, 1):
        try:
            if line.strip():
                row = json.loads(line)
                spots = tuple((str(it["path"]), int(it["line"])) for it in row["expect"])
                found.append((str(row["query"]), spots))
        except (ValueError, KeyError, TypeError) as error:
            raise UsageError(f"{file}:{number} is not a question.", hint=_SHAPE) from error
    if not found:
        raise UsageError(f"{file} holds no questions.", hint=_SHAPE)
    return found


class MemoryStatus(NamedTuple):
    """`tiers` and `others` count the files that a search covers; `sizes` are bytes of these files,
    of the indexes, and of our state.
    """

    tiers: dict[str, int]
    others: int
    entries: int
    items: int
    vectors: int
    mode: str
    provider: str
    model: str
    index: str  # type: ignore[assignment]  # nobody looks for a member in it
    sizes: dict[str, int]


def memory_status(workspace: Workspace) -> MemoryStatus:
    """The status. Reads only; the entries are those that `memory list` shows."""
    found, place = discover(reach_of(workspace)), workspace.place
    tiers = [tier(path) for path in found]
    index, named = index_state(workspace), workspace.settings.embedding
    enhanced = is_wanted(workspace)
    provider = named.provider if enhanced else "sqlite"
    model = named.model or MODELS[provider] if enhanced else "fts5"
    return MemoryStatus(
        tiers={name: tiers.count(name) for name in TIERS},
        others=sum(each not in TIERS for each in tiers),
        entries=count(workspace),
        items=index.items,
        vectors=kept(vectors_in(workspace), provider, model) if enhanced else 0,
        mode="enhanced" if enhanced else "core",
        provider=provider,
        model=model,
        index=index.state,
        sizes={
            "files": sum(one.size for one in found.values()),
            "index": _bytes(place.private.glob("search.db*")),
            "vectors": _bytes((place.shared / "vectors").glob("*")),
            "chroma": _bytes((place.shared / "chroma").rglob("*")),
            "state": _bytes(place.shared.glob("state.db*")),
        },
    )


def _bytes(files: Iterable[Path]) -> int:
    return sum(file.lstat().st_size for file in files if file.is_file())


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


def index(workspace: Workspace, *, force: bool = False, progress: Progress = silent) -> Indexed:
    """Reads what changed, or everything with `force`, and embeds each text without a vector."""
    started = perf_counter()
    embedder, why_not = choose(workspace)
    vectors, chroma, notes = 0, None, [why_not]
    with live_index(workspace) as live:
        fresh = live.refresh(progress, anew=force)
        notes.append(fresh.note)
        if embedder:
            meaning = Meaning(workspace, embedder)
            try:
                live.asked(lambda index: meaning.follow(index, progress, everything=True))
                vectors = meaning.vectors.count
                chroma = _fill_chroma(workspace, live, meaning)
            except ClawgitError as error:
                notes.append(error.with_hint)
    # Also if that failed: the next search marks it again, where the runner would try for ever.
    mark_unfinished(vectors_in(workspace), unfinished=False)
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


def sweep(workspace: Workspace) -> tuple[str, ...]:
    """After vector hygiene: removes the vectors that a new index would not have either; notes."""
    embedder, why_not = choose(workspace)
    notes = [why_not]
    if embedder:
        with live_index(workspace, frozenset(SOURCES)) as live:
            live.refresh()
            meaning = Meaning(workspace, embedder)
            try:
                gone = meaning.shrink(live, (key for key, _ in old_values(workspace)))
                notes += [f"The index removed {counted(gone, 'vector')}."] if gone else []
                _fill_chroma(workspace, live, meaning)
            except ClawgitError as error:
                notes.append(error.with_hint)
    return tuple(filter(None, notes))


def _fill_chroma(workspace: Workspace, live: Index, meaning: Meaning) -> int | None:
    """Fills Chroma if the settings want it. If a service has it open, that service fills it."""
    if not workspace.settings.chroma:
        return None
    shelf = open_shelf(workspace, meaning.embedder)
    try:
        return shelf.fill(lambda: records(workspace, meaning, live))
    finally:
        shelf.close()
