"""`memory search`: the lines that answer a question, with their places and scores."""

from collections.abc import Callable, Container, Sequence
from datetime import date
from functools import cache, cached_property, partial
from time import monotonic, perf_counter
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar

from clawgit.config.settings import KEYS, Settings
from clawgit.domain.corrections.corrections import ARCHIVE, CORRECTIONS, corrections, doubting
from clawgit.domain.corrections.pairs import CorrectedPairs, corrected_pairs
from clawgit.domain.search.terms import queried
from clawgit.errors import ClawgitError, UsageError
from clawgit.ops.safety.masking import Coverage, TextGuard
from clawgit.ops.search.answer import Hit, Request, SearchAnswer, noted
from clawgit.ops.search.asking import (
    Narrowing,
    PutRight,
    Ranked,
    may_do_without_meaning,
    narrowed,
    page,
    rank_all,
    rate,
)
from clawgit.ops.search.hit_text import Sheets
from clawgit.ops.search.indexing import chunking_of, opened
from clawgit.ops.search.outside import Outside, outside
from clawgit.ops.search.preparing import PreparedQuestion, prepare
from clawgit.ops.search.reranker_choice import WorkspaceReranker
from clawgit.ops.search.shared_search import SharedSearch, joined
from clawgit.ops.search.shown_hits import HitView
from clawgit.ops.search.vector_search import NO_MEANING, Nearest, VectorSide, is_wanted
from clawgit.ops.soul.doubted import doubted, note_of
from clawgit.ops.workspace.reach import reach_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.place import head_of
from clawgit.stores.index.discover import discover
from clawgit.stores.index.reading import IndexReader, ItemRow
from clawgit.stores.index.refreshing import Progress
from clawgit.stores.index.searching import Freshness, SearchIndex, silent
from clawgit.stores.index.sources import DEFAULT_SOURCES, EXPIRED, NAMED, SESSIONS, SHARED, SOURCES
from clawgit.stores.lexicon import Lexicon

if TYPE_CHECKING:
    from clawgit.ops.search.text_vectors import Meaning
    from clawgit.stores.index.past import PastIndex

__all__ = ["WARM", "Hit", "Request", "SearchAnswer", "Searcher", "search"]

T = TypeVar("T")

OpenMeaning = Callable[[], "Meaning | None"]
"""Opens the vectors, once; None if only words are compared."""

_ALL = ""
"""The key of a problem that hides all keys."""

WARM = 0.25
"""Seconds for which a process that stays open relies on its last check of the files."""

_TIMES = 19
_LONGEST = 5.0
"""A check of very many files takes long, and holds so many times as long, up to so many seconds:
so a server of a large workspace spends at most a twentieth of its time on checks."""


class _FileCheck(NamedTuple):
    """What the last check of the files found.

    It is void at once after a new commit, and so after each write of ours, and where a glance shows
    a change.
    """

    fresh: Freshness
    head: str
    until: float


def hold_of(patience: float, took: float) -> float:
    """For how many seconds the result of a check is used, by how long it took."""
    return max(patience, min(_TIMES * took, _LONGEST)) if patience else 0.0


class Searcher:
    """The memory of one workspace, open for questions.

    If it stays open, it answers faster; its settings do not change. A check of the files holds for
    `patience` seconds; with 0 each question makes one. `now` is the time that a question assumes.
    `beside` is the shared memory, which is searched too. `progress` is called with how many files
    are read first.
    """

    def __init__(
        self,
        workspace: Workspace,
        owner: Nearest | None = None,
        *,
        patience: float = 0,
        beside: bool = True,
        progress: Progress = silent,
    ) -> None:
        self._workspace, self._owner, self._patience = workspace, owner, patience
        self._progress = progress
        searcher_of = partial(Searcher, patience=patience)
        self._shared = SharedSearch(workspace, searcher_of) if beside else None
        self.now = workspace.now
        self._settings = workspace.config.settings
        self._open: dict[frozenset[str], tuple[SearchIndex, OpenMeaning]] = {}
        self._checks: dict[frozenset[str], _FileCheck] = {}
        # The last question, with what it was asked of; and what is near it by meaning.
        self._last: tuple[tuple[object, ...], PreparedQuestion] | None = None
        self._compared: tuple[PreparedQuestion, VectorSide] | None = None
        self._left_out: tuple[_FileCheck | None, Outside | None] | None = None

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
    def _opener(self) -> "tuple[Callable[[bool], Meaning] | None, str]":
        """What opens the vectors; None if only words are compared, and why, if more is set."""
        if not is_wanted(self._workspace):
            return None, ""
        from clawgit.ops.search.text_vectors import opener  # noqa: PLC0415 - 8 ms of a search by words alone

        return opener(self._workspace, self._owner)

    def answer(self, request: Request) -> SearchAnswer:
        """The answer: what matches the question, best first; nothing if nothing matches."""
        started = perf_counter()
        settings = _asked_for(self._settings, request)
        if request.source == SHARED:
            answer = self._of_shared(request, settings)
        elif request.source == SESSIONS:
            answer = _seldom().search_sessions(self._workspace, request, settings, self.now)
        else:
            answer = self._own(request, settings)
            if not (request.source or request.at):
                answer = self._with_shared(answer, request, settings)
        asks_all = queried(request.query) and not _is_narrow(request)
        if asks_all and not any(hit.likely for hit in answer.results):
            sources = _sources(request.source, archived=request.archived)
            answer = answer._replace(outside=self._outside(sources))
        return answer._replace(elapsedMs=round((perf_counter() - started) * 1000, 2))

    def _outside(self, sources: frozenset[str]) -> Outside | None:
        """What is not searched. Git is asked for it; it holds as long as a check of the files."""
        (live, _), check = self._live(sources), self._checks[sources]
        if self._left_out is None or self._left_out[0] is not check:
            # The index has all files that the check found, unless it is behind.
            found = discover(reach_of(self._workspace)) if check.fresh.behind else live.paths
            self._left_out = check, outside(self._workspace, found)
        return self._left_out[1]

    def _own(self, request: Request, settings: Settings) -> SearchAnswer:
        if request.at:
            state = _seldom().state(self._workspace, request.at)
            with self._past(request, state.oid) as index:
                answer = self._answered(
                    index, cache(self._meaning), index.refresh(), request, settings
                )
            # What is answered from the first state of history says so.
            return answer._replace(fallback=noted(state.note, answer.fallback))
        sources = _sources(request.source, archived=request.archived)
        live, meaning = self._live(sources)

        def ask() -> SearchAnswer:
            fresh = self._fresh(sources, live)
            return live.asked(
                lambda index: self._answered(index, meaning, fresh, request, settings)
            )

        answer = ask()
        if self._patience and not live.is_as_read({hit.path for hit in answer.results}):
            # A file that is shown has changed since the last check, so there is one more.
            del self._checks[sources]
            answer = ask()
        return answer

    def _of_shared(self, request: Request, settings: Settings) -> SearchAnswer:
        """From the shared memory only; an error if it cannot be asked."""
        asked = request._replace(limit=settings.max_results)
        answer = self._shared.answer(asked, self.now, asked=True) if self._shared else None
        if answer is None:
            raise UsageError("There is no shared memory here.", hint="clawgit workspace list")
        return answer

    def _with_shared(self, own: SearchAnswer, request: Request, settings: Settings) -> SearchAnswer:
        """Adds the hits of the shared memory. Its failure is only a note in the answer."""
        asked = request._replace(limit=settings.max_results)
        try:
            shared = self._shared.answer(asked, self.now, asked=False) if self._shared else None
            return joined(own, shared, settings.max_results)
        except ClawgitError as error:
            note = f"{SHARED}: {error.message}"
            return own._replace(fallback=noted(own.fallback, note))

    def ranked(self, query: str, limit: int) -> list[tuple[ItemRow, float]]:
        """The items that answer a question, without snippets or a least score, for measuring."""
        return self.nearest(Request(query), limit)

    def nearest(self, request: Request, limit: int) -> list[tuple[ItemRow, float]]:
        """The items that come nearest, best first, whatever their scores."""
        settings = self._settings._replace(min_score=0.0, max_results=limit)

        def near(index: IndexReader, question: PreparedQuestion, side: VectorSide) -> Ranked:
            known = self._reading_corrections(index, Sheets(self._workspace))
            reranker = self._reranker.for_question(question)
            return rank_all(index, question, settings, self._today, side, reranker, known)

        ranked = self._again(request, near)
        return [(ranked.rows[hit.scored.id], hit.score) for hit in ranked.hits[:limit]]

    def _doubts(self) -> Container[str]:
        return doubted(self._workspace)

    def _reading_corrections(self, index: IndexReader, sheets: Sheets) -> PutRight:
        return partial(_corrected_pairs, index, sheets, self._doubts)

    def rated(self, request: Request, paths: Container[str]) -> list[tuple[ItemRow, float]]:
        """How well each item of these files answers, best first, regardless of all other files."""
        return self._again(
            request,
            lambda index, question, side: rate(index, question, paths, side),
        )

    def _again(
        self, request: Request, ask: Callable[[IndexReader, PreparedQuestion, VectorSide], T]
    ) -> T:
        """Asks more about a question that was read before."""

        def asked(index: IndexReader, meaning: OpenMeaning) -> T:
            question = self._prepared(index, request.query)
            return ask(index, question, self._side(index, meaning, question))

        if request.at:
            with self._past(request, _seldom().state(self._workspace, request.at).oid) as index:
                return asked(index, self._meaning)
        live, meaning = self._live(DEFAULT_SOURCES)
        self._fresh(DEFAULT_SOURCES, live)
        return live.asked(lambda index: asked(index, meaning))

    def _fresh(self, sources: frozenset[str], live: SearchIndex) -> Freshness:
        began, head = monotonic(), head_of(self._workspace.place)
        check = self._checks.get(sources)
        if check is None or began >= check.until or check.head != head or not live.glances():
            fresh = live.refresh(self._progress)
            ended = monotonic()
            check = _FileCheck(fresh, head, ended + hold_of(self._patience, ended - began))
            self._checks[sources] = check
            if fresh.changed and self._owner:
                self._owner.wake()
        return check.fresh

    def _answered(
        self,
        index: IndexReader,
        meaning: OpenMeaning,
        fresh: Freshness,
        request: Request,
        settings: Settings,
    ) -> SearchAnswer:
        self._last = None  # more may be near it by meaning than when it was asked before
        question = self._prepared(index, request.query)
        reranker = self._reranker.for_question(question)
        sheets = Sheets(self._workspace, fresh.indexed_at if request.at else "")
        read_corrections = self._reading_corrections(index, sheets)
        narrowing = Narrowing()
        if request.category or request.smart:
            narrowing = _seldom().read(
                self._workspace, request.query, self.now, request.category, smart=request.smart
            )

        def rank_with(side: VectorSide) -> Ranked:
            return narrowed(
                lambda only: rank_all(
                    index, question, settings, self._today, side, reranker, read_corrections, only
                ),
                narrowing,
            )

        ranked, side = self._ranked(index, meaning, question, settings, rank_with)
        judged = partial(TextGuard, Coverage(self._workspace))
        view = HitView(index, sheets, question.question, judged, self._doubts)
        shown = view.shown(ranked, request, self._settings, settings.max_results)
        notes = (
            _says_nothing(question),
            self._unread,
            side.note,
            reranker.failure if reranker else "",
            fresh.note,
            narrowing.note,
            _seldom().untagged(index, narrowing.tag) if narrowing.tag and not shown else "",
            _read_in_part(index, shown),
            note_of(view.doubted),
        )
        return SearchAnswer(
            results=tuple(shown),
            provider=side.provider,
            model=side.model,
            mode="core" if side.cosines is None else "enhanced",
            fallback=noted(*notes),
            indexedAt=fresh.indexed_at,
            behind=fresh.behind,
            elapsedMs=0.0,
            intent=narrowing.intent,
            searched=fresh.files,
            missing=question.missing,
        )

    def _ranked(
        self,
        index: IndexReader,
        meaning: OpenMeaning,
        question: PreparedQuestion,
        settings: Settings,
        rank: Callable[[VectorSide], Ranked],
    ) -> tuple[Ranked, VectorSide]:
        """The hits. What is known of meaning is loaded only where it may change them."""
        if may_do_without_meaning(question, settings):
            ranked = rank(NO_MEANING)
            if ranked.is_whole(page(settings)):
                return ranked, NO_MEANING
        side = self._side(index, meaning, question)
        return rank(side), side

    @property
    def _today(self) -> date:
        return self.now.astimezone(self._workspace.zone).date()

    def _prepared(self, index: IndexReader, query: str) -> PreparedQuestion:
        """The question as read and looked up; the last one is not read again."""
        key = (index, index.moment, query, self.now)
        if self._last is None or self._last[0] != key:
            lexicons = self._lexicon.for_text
            self._last = key, prepare(index, query, lexicons)
        return self._last[1]

    @cached_property
    def _lexicon(self) -> Lexicon:
        return Lexicon()

    @cached_property
    def _unread(self) -> str:
        """A note about an invalid setting of the search in CONFIG.md, "" if there is none."""
        group = KEYS["search_mode"].group
        ours = {_ALL, *(name for name, key in KEYS.items() if key.group == group)}
        for problem in self._workspace.config.problems:
            if problem.key in ours:
                return f"{problem.where}: {problem.message}"
        return ""

    @cached_property
    def _reranker(self) -> WorkspaceReranker:
        return WorkspaceReranker(self._workspace)

    def _side(
        self, index: IndexReader, meaning: OpenMeaning, asked: PreparedQuestion
    ) -> VectorSide:
        """What is near a question by meaning; compared once for each reading of it."""
        if self._compared is None or self._compared[0] is not asked:
            question, side = asked.question, VectorSide(note=self._opener[1])
            # A question without words has no meaning, whatever a model finds near it.
            if (vectors := meaning()) and question.words:
                side = vectors.side(index, question.text)
            self._compared = asked, side
        return self._compared[1]

    def _meaning(self, *, is_indexed: bool = False) -> "Meaning | None":
        opener, _ = self._opener
        return opener(is_indexed) if opener else None

    def _live(self, sources: frozenset[str]) -> tuple[SearchIndex, OpenMeaning]:
        if sources not in self._open:
            meaning = partial(self._meaning, is_indexed=sources == DEFAULT_SOURCES)
            self._open[sources] = opened(self._workspace, sources), cache(meaning)
        return self._open[sources]

    def _past(self, request: Request, commit: str) -> "PastIndex":
        sources = _sources(request.source, archived=request.archived)
        ws = self._workspace
        past: PastIndex = _seldom().open_past(
            ws.place,
            CGit(ws.root, ws.caller.env),
            commit,
            reach_of(ws),
            chunking_of(ws),
            sources=sources,
        )
        return past


def search(workspace: Workspace, request: Request, progress: Progress = silent) -> SearchAnswer:
    """Answers one question, in a process that ends with it."""
    with Searcher(workspace, progress=progress) as searcher:
        return searcher.answer(request)


def _seldom() -> ModuleType:
    from clawgit.ops.search import seldom  # noqa: PLC0415 - 30 ms, and most searches do without

    return seldom


def _says_nothing(asked: PreparedQuestion) -> str:
    """A note if there is nothing to look for in a question."""
    return "" if asked.question.words else "the question has no word to search for"


def _read_in_part(index: IndexReader, hits: Sequence[Hit]) -> str:
    """A note on large files that were not read to the end, if one has a hit, or if there is no
    hit.
    """
    shown = {hit.path for hit in hits}
    paths = [path for path in index.partly if not shown or path in shown]
    if not paths:
        return ""
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"only the first 2 MiB of {paths[0]}{more} are searched"


def _corrected_pairs(
    index: IndexReader, sheets: Sheets, doubts: Callable[[], Container[str]]
) -> CorrectedPairs:
    """What the operator has corrected, archived or not."""
    paths = [file.path for file in index.files() if file.path.startswith(ARCHIVE)]
    known = (one for path in (*paths, CORRECTIONS) for one in corrections(sheets.whole(path)))
    return corrected_pairs(doubting(known, doubts()))


def _asked_for(settings: Settings, request: Request) -> Settings:
    if not request.query.strip():
        raise UsageError(
            "The question is empty.", hint='clawgit memory search "what we decided about billing"'
        )
    limit = settings.max_results if request.limit is None else request.limit
    least = settings.min_score if request.min_score is None else request.min_score
    return settings._replace(max_results=limit, min_score=least)


def _is_narrow(request: Request) -> bool:
    """Whether the request itself excludes some of the memory."""
    return bool(request.source or request.at or request.category)


def _sources(named: str, *, archived: bool = False) -> frozenset[str]:
    if named and named not in SOURCES:
        raise UsageError(
            f"There is no source {named!r}.", hint=f"One of: {', '.join((*SOURCES, SHARED))}."
        )
    if named:
        return NAMED.get(named, frozenset({named}))
    return DEFAULT_SOURCES | ({EXPIRED} if archived else set())
