"""`memory search`: the lines that answer a question, with their places and scores."""

from collections.abc import Callable, Container, Iterable, Sequence
from functools import cache, cached_property, partial
from time import perf_counter
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar

from clawgit.config.settings import KEYS, Settings
from clawgit.domain.corrections.corrections import ARCHIVE, CORRECTIONS, corrections, doubting
from clawgit.domain.corrections.pairs import CorrectedPairs, corrected_pairs
from clawgit.domain.search.question import Asked, days_named
from clawgit.domain.search.terms import queried
from clawgit.errors import ClawgitError, UsageError
from clawgit.ops.safety.masking import Coverage, TextGuard
from clawgit.ops.search import answering, asked
from clawgit.ops.search.answer import Hit, Request, SearchAnswer, noted
from clawgit.ops.search.answering import Found, Memory
from clawgit.ops.search.hit_text import Sheets
from clawgit.ops.search.indexing import opened
from clawgit.ops.search.outside import outside
from clawgit.ops.search.shared_search import SharedSearch, merged
from clawgit.ops.search.shown_hits import HitView
from clawgit.ops.search.side import NO_MEANING, Side, is_wanted, with_hint
from clawgit.ops.soul.doubted import doubted, note_of
from clawgit.ops.workspace.reach import reach_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.index.discover import discover
from clawgit.stores.index.index import Freshness, Index, Progress, silent
from clawgit.stores.index.sources import DEFAULT_SOURCES, EXPIRED, NAMED, SESSIONS, SHARED, SOURCES
from clawgit.stores.index.tables import ItemRow

if TYPE_CHECKING:
    from clawgit.ops.search.meaning import Meaning, Nearest
    from clawgit.ops.search.narrowing import Narrowing
    from clawgit.stores.git.revisions import State
    from clawgit.stores.reader import Reader

__all__ = ["Hit", "Request", "SearchAnswer", "Searcher", "search"]

T = TypeVar("T")

OpenMeaning = Callable[[], "Meaning | None"]
"""Opens the vectors, once; None if only words are compared."""


_ALL = ""
"""The key of a problem that hides all keys."""


class _Prepared(NamedTuple):
    """A question as it was read, what it is asked of, and why no reader reads, if one should."""

    asked: Asked
    memory: Memory
    trouble: str = ""


class Searcher:
    """The memory of one workspace, open for questions.

    If it stays open, it answers faster; its settings do not change. Each question looks at the
    files first. `now` is the time that a question assumes. `beside` is the shared memory, which is
    searched too. `progress` is called with how many files are read first.
    """

    def __init__(
        self,
        workspace: Workspace,
        owner: "Nearest | None" = None,
        *,
        beside: bool = True,
        progress: Progress = silent,
    ) -> None:
        self._workspace, self._owner, self._progress = workspace, owner, progress
        self._shared = SharedSearch(workspace, Searcher) if beside else None
        self.now = workspace.now
        self._settings = workspace.config.settings
        self._open: dict[tuple[frozenset[str], str], tuple[Index, OpenMeaning]] = {}
        # The last question as it was read, with what it was asked of; and what was found for it.
        self._last: tuple[tuple[object, ...], _Prepared] | None = None
        self._answers: tuple[Asked, list[Found]] | None = None

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
        from clawgit.ops.search.meaning import opener  # noqa: PLC0415 - 8 ms of a search by words alone

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
        is_narrow = any((request.source, request.at, request.category))
        is_told = any(hit.likely for hit in answer.results)
        if queried(request.query) and not (is_narrow or is_told):
            found = discover(reach_of(self._workspace))
            answer = answer._replace(outside=outside(self._workspace, found))
        return answer._replace(elapsedMs=round((perf_counter() - started) * 1000, 2))

    def _own(self, request: Request, settings: Settings) -> SearchAnswer:
        def ask(index: Index, meaning: OpenMeaning, fresh: Freshness) -> SearchAnswer:
            return self._answered(index, meaning, fresh, request, settings)

        return self._asking(request, ask)

    def _asking(self, request: Request, ask: Callable[[Index, OpenMeaning, Freshness], T]) -> T:
        """Asks the index of what the question is about, brought up to date."""
        index, meaning = self._opened(request)
        fresh = index.refresh(self._progress)
        if fresh.changed and self._owner:
            self._owner.wake()
        return index.asked(lambda index: ask(index, meaning, fresh))

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
        except ClawgitError as error:
            note = f"{SHARED}: {error.message}"
            return own._replace(fallback=noted(own.fallback, note))
        if shared is None:
            return own
        is_other = shared.fallback and shared.fallback != own.fallback
        note = f"{SHARED}: {shared.fallback}" if is_other else ""
        whole = merged((own, shared), settings.max_results)
        return whole._replace(fallback=noted(own.fallback, note))

    def nearest(self, request: Request, limit: int) -> list[tuple[ItemRow, float]]:
        """The lines that come nearest, best first, whatever their scores."""
        found = self._again(request, self._found)
        return [(one.row, one.score) for one in found[:limit]]

    def rated(self, request: Request, paths: Iterable[str]) -> list[tuple[ItemRow, float]]:
        """How well each line of these files answers, best first, regardless of all other files."""
        rated = self._again(
            request,
            lambda asking, memory: answering.rated(asking, memory, memory.lines.ids_in(paths)),
        )
        return [(one.row, one.fits) for one in sorted(rated, key=lambda one: -one.fits)]

    def _again(self, request: Request, ask: Callable[[Asked, Memory], T]) -> T:
        """Asks more about a question."""

        def again(index: Index, meaning: OpenMeaning, fresh: Freshness) -> T:
            commit = fresh.indexed_at if request.at else ""
            return ask(*self._prepared(index, meaning, request.query, commit)[:2])

        return self._asking(request, again)

    def _doubts(self) -> Container[str]:
        return doubted(self._workspace)

    def _answered(
        self,
        index: Index,
        meaning: OpenMeaning,
        fresh: Freshness,
        request: Request,
        settings: Settings,
    ) -> SearchAnswer:
        self._last = None  # more may be near it by meaning than when it was asked before
        commit = fresh.indexed_at if request.at else ""
        asking, memory, unread = self._prepared(index, meaning, request.query, commit)
        narrowing: Narrowing | None = None
        if request.category or request.smart:
            narrowing = _seldom().read_narrowing(self._workspace, request.query, request.category)
            found = _seldom().narrowed(
                lambda only: self._found(asking, memory._replace(only=only)),
                narrowing,
                index,
                self._settings.min_score,
            )
        else:
            found = self._found(asking, memory)
        judged = partial(TextGuard, Coverage(self._workspace))
        sheets = Sheets(self._workspace, commit)
        view = HitView(index, sheets, asking, judged, self._doubts)
        shown = view.shown(found, request, self._settings, settings.max_results)
        side = memory.side
        notes = (
            "" if asking.words else "the question has no word to search for",
            self._unread,
            side.note,
            unread,
            fresh.note,
            narrowing.note if narrowing else "",
            _seldom().untagged(index, narrowing) if narrowing and not shown else "",
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
            intent=narrowing.intent if narrowing else None,
            searched=fresh.files,
            missing=asking.missing,
        )

    def _found(self, asking: Asked, memory: Memory) -> list[Found]:
        """What answers a question; for one reading of it, it is looked for once."""
        if memory.only is not None:
            return answering.answer(asking, memory)
        if self._answers is None or self._answers[0] is not asking:
            self._answers = asking, answering.answer(asking, memory)
        return self._answers[1]

    def _prepared(self, index: Index, meaning: OpenMeaning, query: str, commit: str) -> "_Prepared":
        """The question as read; the last one is not read again."""
        key = (index, index.moment, query, commit, self.now)
        if self._last is None or self._last[0] != key:
            self._last = key, self._read(index, meaning, query, commit)
        return self._last[1]

    def _read(self, index: Index, meaning: OpenMeaning, query: str, commit: str) -> "_Prepared":
        asking = asked.read(query, index)
        side = self._side(index, meaning, asking)
        corrected = partial(_corrected_pairs, index, Sheets(self._workspace, commit), self._doubts)
        here = self.now.astimezone(self._workspace.zone)
        memory = Memory(index, self._settings, here.date(), side, corrected=corrected)
        # To look for days takes longer than all else, and few questions have a number.
        if any(map(str.isnumeric, query)) and (days := days_named(query, here)):
            memory = memory._replace(days=days.holds)
        if side.cosines is None:
            return _Prepared(asking, memory)
        reader, trouble = self._reader
        if reader and reader.knows(asking.text):
            memory = memory._replace(chances=reader.chances)
        return _Prepared(asking, memory, trouble)

    @cached_property
    def _reader(self) -> "tuple[Reader | None, str]":
        """What reads the best lines, and why nothing does, if it should."""
        from clawgit.ops.search.meaning import reader_of  # noqa: PLC0415 - numpy and a model

        try:
            return reader_of(self._workspace), ""
        except ClawgitError as error:
            return None, f"no reader: {with_hint(error)}"

    @cached_property
    def _unread(self) -> str:
        """A note about an invalid setting of the search in CONFIG.md, "" if there is none."""
        group = KEYS["search_mode"].group
        ours = {_ALL, *(name for name, key in KEYS.items() if key.group == group)}
        for problem in self._workspace.config.problems:
            if problem.key in ours:
                return f"{problem.where}: {problem.message}"
        return ""

    def _side(self, index: Index, meaning: OpenMeaning, asking: Asked) -> Side:
        """What is near to a question in meaning. One without words has none."""
        vectors = meaning() if asking.words else None
        if vectors is None:
            return NO_MEANING._replace(note=self._opener[1])
        return vectors.side(index, asking.text)

    def _meaning(self, *, is_indexed: bool = False) -> "Meaning | None":
        opener, _ = self._opener
        return opener(is_indexed) if opener else None

    def _opened(self, request: Request) -> tuple[Index, OpenMeaning]:
        """The index that a request asks, and what opens its vectors."""
        ws, sources = self._workspace, _sources(request.source, archived=request.archived)
        then = _seldom().state(ws, request.at) if request.at else None
        key = sources, then.oid if then else ""
        if key not in self._open:
            index = opened(ws, sources) if then is None else self._past(then, sources)
            is_indexed = sources == DEFAULT_SOURCES and then is None
            self._open[key] = index, cache(partial(self._meaning, is_indexed=is_indexed))
        return self._open[key]

    def _past(self, then: "State", sources: frozenset[str]) -> Index:
        git = CGit(self._workspace.root, self._workspace.caller.env)
        reach = reach_of(self._workspace)
        past: Index = _seldom().PastIndex(git, then.oid, reach, sources, then.note)
        return past


def search(workspace: Workspace, request: Request, progress: Progress = silent) -> SearchAnswer:
    """Answers one question, in a process that ends with it."""
    with Searcher(workspace, progress=progress) as searcher:
        return searcher.answer(request)


def _seldom() -> ModuleType:
    from clawgit.ops.search import seldom  # noqa: PLC0415 - most searches do without

    return seldom


def _read_in_part(index: Index, hits: Sequence[Hit]) -> str:
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
    index: Index, sheets: Sheets, doubts: Callable[[], Container[str]]
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


def _sources(named: str, *, archived: bool = False) -> frozenset[str]:
    if named and named not in SOURCES:
        raise UsageError(
            f"There is no source {named!r}.", hint=f"One of: {', '.join((*SOURCES, SHARED))}."
        )
    if named:
        return NAMED.get(named, frozenset({named}))
    return DEFAULT_SOURCES | ({EXPIRED} if archived else set())
