"""`memory search`: the lines that answer a question, each with where it stands, what it is worth,
and why.
"""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, partial
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, NamedTuple, Self

from clawgit.config.settings import KEYS, Settings
from clawgit.domain.corrections.corrections import ARCHIVE, CORRECTIONS, corrections
from clawgit.domain.corrections.disputed import quotes_of
from clawgit.domain.corrections.pairs import SetRight, set_right
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.entry import entries
from clawgit.domain.markdown.statuses import DISPUTED
from clawgit.domain.search.aliases import aliases_in
from clawgit.domain.search.ranking_standing import Stood
from clawgit.domain.search.snippet import Snippet, covers
from clawgit.domain.workspace.tiers import NOTEBOOKS, tier
from clawgit.errors import ClawgitError, UsageError
from clawgit.ops.search.asking import Aliases, Asked, Ranked, Relevance, look_up, rank_all, rate
from clawgit.ops.search.grown import grown_hit
from clawgit.ops.search.hit_text import Sheets
from clawgit.ops.search.indexing import chunking_of, opened
from clawgit.ops.search.narrowed import narrowed, narrowing_of, other_words
from clawgit.ops.search.shared_search import SharedSearch, joined
from clawgit.ops.search.vector_search import Choice, Meaning, Nearest, Side, choose
from clawgit.ops.workspace.reach import expanded, reach_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.index.discover import DEFAULT_SOURCES, EXPIRED, SHARED, SOURCES
from clawgit.stores.index.reading import IndexReader, Row
from clawgit.stores.index.searching import Freshness, SearchIndex

if TYPE_CHECKING:
    from clawgit.stores.index.past import PastIndex

_ALL = ""
"""The key of a problem that hides all keys."""

WARM = 0.25
"""Seconds for which who stays open takes the files as he saw them."""


class Request(NamedTuple):
    """What is asked. None takes what the settings say; `source` narrows the search to one kind of
    file, `category` to one kind of memory. `archived` looks at facts that ran out, too; `smart`
    reads into the question what it is after.
    """

    query: str
    limit: int | None = None
    min_score: float | None = None
    at: str = ""
    source: str = ""
    explain: bool = False
    category: str = ""
    archived: bool = False
    smart: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """`startLine` to `endLine` hold the snippet, `line` to `lastLine` the very item that was found.
    `explain` says what the score is made of, where that was asked for; `agent` whose memory it is,
    where it is not of this workspace. `disputed` is what the operator said against the entry.
    """

    path: str
    startLine: int  # noqa: N815 - the names are OpenClaw's
    endLine: int  # noqa: N815
    score: float
    snippet: str
    source: str
    citation: str
    entryId: str  # noqa: N815
    tier: str
    line: int
    lastLine: int  # noqa: N815
    explain: Mapping[str, object] | None = None
    agent: str = ""
    disputed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """`fallback` says what else than usual answered, and why; `behind` counts the files that the
    index lacks; `intent` is what was read into a question that was asked `smart`.
    """

    results: tuple[Hit, ...]
    provider: str
    model: str
    mode: str
    fallback: str | None
    indexedAt: str  # noqa: N815 - the names are OpenClaw's
    behind: int
    elapsedMs: float  # noqa: N815
    intent: Mapping[str, str] | None = None


class Searcher:
    """The memory of one workspace, open for questions. Kept open, it answers quicker; the settings
    stay as they are.

    `patience` is for how many seconds a look at the files holds; none, and each question looks
    anew. `now` is what a question takes for now. What the agents share is asked `beside`.
    """

    def __init__(
        self,
        workspace: Workspace,
        owner: Nearest | None = None,
        *,
        patience: float = 0,
        beside: bool = True,
    ) -> None:
        self._workspace, self._owner, self._patience = workspace, owner, patience
        searcher_of = partial(Searcher, patience=patience)
        self._shared = SharedSearch(workspace, searcher_of) if beside else None
        self.now = workspace.now
        self._settings = workspace.config.settings
        self._open: dict[frozenset[str], tuple[SearchIndex, Meaning | None]] = {}
        self._named: tuple[int, Aliases] | None = None
        self._looked: dict[frozenset[str], tuple[float, Freshness]] = {}
        self._last: tuple[tuple[object, ...], Asked, Side] | None = None
        self._unexpanded = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for index, _ in self._open.values():
            index.close()
        self._open.clear()
        if self._shared:
            self._shared.close()

    @cached_property
    def _choice(self) -> Choice:
        return choose(self._workspace, hurried=True)

    def answer(self, request: Request) -> Answer:
        """What fits the question, best first; nothing where nothing does."""
        started = perf_counter()
        settings = _asked_for(self._settings, request)
        if request.source == SHARED:
            found = self._of_shared(request, settings)
        else:
            found = self._own(request, settings)
            if not (request.source or request.at):
                found = self._with_shared(found, request, settings)
        return replace(found, elapsedMs=round((perf_counter() - started) * 1000, 2))

    def _own(self, request: Request, settings: Settings) -> Answer:
        if request.at:
            with self._past(request) as index:
                return self._answered(index, self._meaning(), index.refresh(), request, settings)
        sources = _sources(request.source, archived=request.archived)
        live, meaning = self._live(sources)
        fresh = self._fresh(sources, live)
        return live.asked(lambda index: self._answered(index, meaning, fresh, request, settings))

    def _of_shared(self, request: Request, settings: Settings) -> Answer:
        """Of the shared memory alone, an error where it cannot be asked."""
        asked = request._replace(limit=settings.max_results, min_score=settings.min_score)
        found = self._shared.answer(asked, self.now, asked=True) if self._shared else None
        if found is None:
            raise UsageError("There is no shared memory here.", hint="clawgit workspace list")
        return found

    def _with_shared(self, own: Answer, request: Request, settings: Settings) -> Answer:
        """What is wrong with what others share is a note in one's own answer."""
        asked = request._replace(limit=settings.max_results, min_score=settings.min_score)
        try:
            shared = self._shared.answer(asked, self.now, asked=False) if self._shared else None
            return joined(own, shared, settings.max_results)
        except ClawgitError as error:
            note = f"{SHARED}: {error.message}"
            return replace(own, fallback="; ".join(filter(None, (own.fallback, note))))

    def ranked(self, query: str, limit: int) -> list[tuple[Row, float]]:
        """The items that answer a question, ungrown and down to the least score, for whoever
        measures.
        """
        settings = self._settings._replace(min_score=0.0, max_results=limit)
        live, meaning = self._live(DEFAULT_SOURCES)
        live.refresh()
        asked = self._looked_up(live, query)
        side = self._side(live, meaning, asked)
        found = rank_all(live, asked, settings, self._today, side.cosines, self._relevance[0])
        return [(found.rows[hit.scored.id], hit.score) for hit in found.hits[:limit]]

    def rated(self, request: Request, paths: Container[str]) -> list[tuple[Row, float]]:
        """How well each item of these files answers a question, best first, whatever else there
        is.
        """
        if request.at:
            with self._past(request) as index:
                return self._rated(index, self._meaning(), request.query, paths)
        live, meaning = self._live(DEFAULT_SOURCES)
        self._fresh(DEFAULT_SOURCES, live)
        return live.asked(lambda index: self._rated(index, meaning, request.query, paths))

    def _rated(
        self, index: IndexReader, meaning: Meaning | None, query: str, paths: Container[str]
    ) -> list[tuple[Row, float]]:
        key = (index, index.moment, query, self.now)
        if self._last is None or self._last[0] != key:
            asked = self._looked_up(index, query)
            self._last = key, asked, self._side(index, meaning, asked)
        return rate(index, self._last[1], self._settings, paths, self._last[2].cosines)

    def _fresh(self, sources: frozenset[str], live: SearchIndex) -> Freshness:
        now = monotonic()
        if sources not in self._looked or now - self._looked[sources][0] >= self._patience:
            self._looked[sources] = now, live.refresh()
            if self._looked[sources][1].changed and self._owner:
                self._owner.wake()
        return self._looked[sources][1]

    def _answered(
        self,
        index: IndexReader,
        meaning: Meaning | None,
        fresh: Freshness,
        request: Request,
        settings: Settings,
    ) -> Answer:
        asked = self._looked_up(index, request.query)
        side = self._side(index, meaning, asked)
        self._last = (index, index.moment, request.query, self.now), asked, side
        relevance, unranked = self._relevance
        sheets = Sheets(self._workspace, fresh.indexed_at if request.at else "")
        put_right = partial(_put_right, index, sheets)
        narrowing = narrowing_of(
            self._workspace, request.query, self.now, request.category, smart=request.smart
        )
        ranked = narrowed(
            lambda only: rank_all(
                index, asked, settings, self._today, side.cosines, relevance, put_right, only
            ),
            narrowing,
        )
        shown = _shown(index, sheets, ranked, settings, explain=request.explain)
        enhanced = meaning is not None and side.cosines is not None
        reason = self._choice.reason
        notes = (
            self._unread,
            reason,
            side.note,
            unranked,
            fresh.note,
            narrowing.note,
            self._unexpanded,
        )
        return Answer(
            results=tuple(shown),
            provider=meaning.embedder.provider if meaning and enhanced else "sqlite",
            model=meaning.embedder.model if meaning and enhanced else "fts5",
            mode="enhanced" if enhanced else "core",
            fallback="; ".join(filter(None, notes)) or None,
            indexedAt=fresh.indexed_at,
            behind=fresh.behind,
            elapsedMs=0.0,
            intent=narrowing.intent,
        )

    @property
    def _today(self) -> date:
        return self.now.astimezone(self._workspace.zone).date()

    def _looked_up(self, index: IndexReader, query: str) -> Asked:
        others, self._unexpanded = other_words(self._workspace, query)
        return look_up(
            index, query, self.now, self._workspace.zone, {**self._aliases(index.moment), **others}
        )

    def _aliases(self, moment: int) -> Aliases:
        """Read again only when a file has changed."""
        if self._named is None or self._named[0] != moment:
            self._named = moment, aliases_of(self._workspace)
        return self._named[1]

    @cached_property
    def _unread(self) -> str:
        """What CONFIG.md says about the search and cannot mean."""
        problems = self._workspace.config.problems
        ours = {name for name, key in KEYS.items() if key.group == KEYS["search_mode"].group} | {
            _ALL
        }
        return next((f"{one.where}: {one.message}" for one in problems if one.key in ours), "")

    @cached_property
    def _relevance(self) -> tuple[Relevance | None, str]:
        """What a reranker says, and why there is none where one is set."""
        if not self._settings.reranker:
            return None, ""
        from clawgit.stores.reranker import Reranker  # noqa: PLC0415 - few have one

        try:
            return Reranker(expanded(self._workspace, self._settings.reranker)).relevance, ""
        except ClawgitError as error:
            return None, f"no reranker: {error.message}"

    def _side(self, index: IndexReader, meaning: Meaning | None, asked: Asked) -> Side:
        """Signs without a word mean nothing, whatever a model says that they are near to."""
        question = asked.question
        return (
            meaning.side(index, question.text)
            if meaning and (question.words or question.days)
            else Side()
        )

    def _meaning(self) -> Meaning | None:
        chosen = self._choice.embedder
        return Meaning(self._workspace, chosen, self._owner) if chosen else None

    def _live(self, sources: frozenset[str]) -> tuple[SearchIndex, Meaning | None]:
        if sources not in self._open:
            self._open[sources] = opened(self._workspace, sources), self._meaning()
        return self._open[sources]

    def _past(self, request: Request) -> "PastIndex":
        from clawgit.ops.change.history import revision  # noqa: PLC0415 - history is read for --at only
        from clawgit.stores.git.cgit import CGit  # noqa: PLC0415
        from clawgit.stores.index.past import open_past  # noqa: PLC0415

        workspace = self._workspace
        git, commit = CGit(workspace.root, workspace.caller.env), revision(workspace, request.at)
        scope, chunking = reach_of(workspace), chunking_of(self._settings)
        sources = _sources(request.source, archived=request.archived)
        return open_past(workspace.place, git, commit, scope, chunking, sources=sources)


def search(workspace: Workspace, request: Request) -> Answer:
    """One question, answered by a process that ends with it."""
    with Searcher(workspace) as searcher:
        return searcher.answer(request)


def aliases_of(workspace: Workspace) -> Aliases:
    """The other names that the operator's profile and the memory give to people and things."""
    sheets = Sheets(workspace)
    return aliases_in("\n".join(sheets.whole(name) for name in ("USER.md", *NOTEBOOKS)))


def _put_right(index: IndexReader, sheets: Sheets) -> SetRight:
    """What the operator has set right, archived or not."""
    paths = [file.path for file in index.files() if file.path.startswith(ARCHIVE)]
    return set_right(
        one for path in (*paths, CORRECTIONS) for one in corrections(sheets.whole(path))
    )


def _asked_for(settings: Settings, request: Request) -> Settings:
    if not request.query.strip():
        raise UsageError(
            "The question is empty.", hint='clawgit memory search "what we decided about billing"'
        )
    limit = settings.max_results if request.limit is None else request.limit
    least = settings.min_score if request.min_score is None else request.min_score
    return settings._replace(max_results=limit, min_score=least)


def _sources(named: str, *, archived: bool = False) -> frozenset[str]:
    if named and named not in SOURCES:
        raise UsageError(
            f"There is no source {named!r}.", hint=f"One of: {', '.join((*SOURCES, SHARED))}."
        )
    return frozenset({named}) if named else DEFAULT_SOURCES | ({EXPIRED} if archived else set())


def _shown(
    index: IndexReader, sheets: Sheets, ranked: Ranked, settings: Settings, *, explain: bool
) -> Iterator[Hit]:
    """Hits with their snippets, each line once."""
    before: list[tuple[str, Snippet]] = []
    for hit in ranked.hits:
        if len(before) == settings.max_results:
            return
        row = ranked.rows[hit.scored.id]
        if covers(row.path, row.line, before):
            continue
        snippet = grown_hit(index, row, settings.chunk_tokens, before)
        before.append((row.path, snippet))
        found = _hit(row, hit, snippet, sheets.text(row.path, snippet), explain=explain)
        is_disputed = row.meta is not None and row.meta.status == DISPUTED
        yield (
            replace(found, disputed=_quoted(sheets.whole(row.path), row.key))
            if is_disputed
            else found
        )


def _hit(row: Row, hit: Stood, snippet: Snippet, text: str, *, explain: bool) -> Hit:
    return Hit(
        path=row.path,
        startLine=snippet.line,
        endLine=snippet.end_line,
        score=round(hit.score, 4),
        snippet=text,
        source=row.source,
        citation=f"{row.path}#L{snippet.line}-L{snippet.end_line}",
        entryId=row.key,
        tier=tier(row.path),
        line=row.line,
        lastLine=row.end_line,
        explain=_explained(hit) if explain else None,
    )


def _quoted(text: str, key: str) -> tuple[str, ...]:
    """The operator's sentences under an entry."""
    found = (quote for entry in entries(text) if entry.key == key for quote in quotes_of(entry.raw))
    return tuple(frames.QUOTE.format(speaker=quote.speaker, words=quote.words) for quote in found)


def _explained(hit: Stood) -> dict[str, object]:
    parts = hit.scored.parts
    return {
        "words": round(parts.words, 4),
        "near": {word: round(closeness, 3) for word, closeness in parts.near},
        "meaning": round(parts.meaning, 4),
        "cosine": None if parts.cosine is None else round(parts.cosine, 4),
        "fits": round(hit.scored.base, 4),
        "exact": hit.scored.exact,
        "factors": {name: round(factor, 3) for name, factor in (*parts.factors, *hit.standing)},
    }
