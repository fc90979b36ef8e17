"""`memory search`: the lines that answer a question, with their places and scores."""

from collections.abc import Callable, Container, Iterable, Sequence
from functools import cached_property, partial
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import TYPE_CHECKING, Self, TypeAlias, TypeVar

from clawgit.config.settings import KEYS, Settings
from clawgit.domain.context.rules import asks_permission
from clawgit.domain.corrections.corrections import ARCHIVE, CORRECTIONS, corrections, doubting
from clawgit.domain.corrections.pairs import CorrectedPairs, corrected_pairs
from clawgit.domain.search.question import Asked, days_named
from clawgit.domain.search.row import ItemRow
from clawgit.domain.search.terms import queried
from clawgit.errors import ClawgitError, UsageError
from clawgit.ops.safety.masking import Coverage
from clawgit.ops.safety.own_rules import Rules
from clawgit.ops.search import answering, asked
from clawgit.ops.search.answer import Hit, Request, SearchAnswer, noted
from clawgit.ops.search.answering import Found, Memory, Test
from clawgit.ops.search.hit_text import Sheets
from clawgit.ops.search.indexing import opened
from clawgit.ops.search.outside import outside
from clawgit.ops.search.shared_search import foreign_hits, is_begun, merged, opened_shared
from clawgit.ops.search.shown_hits import HitView
from clawgit.ops.search.side import NO_MEANING, Side, is_wanted, with_hint
from clawgit.ops.soul.doubted import doubted, note_of
from clawgit.ops.workspace.reach import reach_of, same_folder, shared_memory
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.index.discover import discover
from clawgit.stores.index.index import Freshness, Index, Progress, silent
from clawgit.stores.index.sources import DEFAULT_SOURCES, EXPIRED, NAMED, SESSIONS, SHARED, SOURCES

if TYPE_CHECKING:
    from clawgit.ops.search.meaning import Meaning, Nearest
    from clawgit.ops.search.narrowing import Narrowing
    from clawgit.stores.git.revisions import State
    from clawgit.stores.index.live import LiveIndex
    from clawgit.stores.index.past import PastIndex
    from clawgit.stores.models import Reader

    Opened: TypeAlias = tuple[LiveIndex | PastIndex, Meaning | None]

__all__ = ["Hit", "Request", "SearchAnswer", "Searcher", "search"]

T = TypeVar("T")

_ALL = ""
"""The key of a problem that hides all keys."""


class _Question:
    """A question as it was read, what it is asked of, and why no reader reads, if one should."""

    def __init__(self, asking: Asked, memory: Memory, trouble: str = "") -> None:
        self.asking, self.memory, self.trouble = asking, memory, trouble

    @cached_property
    def found(self) -> list[Found]:
        """What answers it; for one reading, it is looked for once."""
        return answering.answer(self.asking, self.memory)


class Searcher:
    """The memory of one workspace, open for questions.

    If it stays open, it answers faster; its settings do not change. `now` is the time that a
    question assumes. `beside` is the shared memory, which is searched too. `progress` is called
    with how many files are read first.
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
        self._beside = beside
        self._shared: Searcher | None = None
        self.now = workspace.now
        self._settings = workspace.config.settings
        self._open: dict[tuple[frozenset[str], str], Opened] = {}
        # The last question, and what it was asked of.
        self._last: tuple[tuple[object, ...], _Question] | None = None

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
    def _opener(self) -> "tuple[partial[Meaning] | None, str]":
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
        index, meaning = self._opened(request)
        fresh = index.refresh(self._progress)
        if fresh.changed and self._owner:
            self._owner.wake()
        self._last = None  # more may be near it by meaning than when it was asked before
        return index.asked(lambda index: self._answered(index, meaning, fresh, request, settings))

    def _of_shared(self, request: Request, settings: Settings) -> SearchAnswer:
        """From the shared memory only; an error if it cannot be asked."""
        folder = self._shared_folder()
        if folder is None:
            raise UsageError("There is no shared memory here.", hint="clawgit workspace list")
        return self._asked_in(folder, request, settings)

    def _with_shared(self, own: SearchAnswer, request: Request, settings: Settings) -> SearchAnswer:
        """Adds the hits of the shared memory. Its failure is only a note in the answer."""
        folder = self._shared_folder()
        if folder is None or not is_begun(folder):
            return own
        try:
            shared = self._asked_in(folder, request, settings)
        except ClawgitError as error:
            return own._replace(fallback=noted(own.fallback, f"{SHARED}: {error.message}"))
        both, note = merged((own, shared), settings.max_results), shared.fallback
        if not note or note == own.fallback:
            return both
        return both._replace(fallback=noted(own.fallback, f"{SHARED}: {note}"))

    def _shared_folder(self) -> Path | None:
        folder = shared_memory(self._workspace) if self._beside else None
        is_here = folder is not None and same_folder(folder, self._workspace.root)
        return None if is_here else folder

    def _asked_in(self, folder: Path, request: Request, settings: Settings) -> SearchAnswer:
        """The answer of the shared memory, which is opened when it is first needed."""
        if self._shared is None:
            self._shared = Searcher(opened_shared(self._workspace, folder), beside=False)
        self._shared.now = self.now
        answer = self._shared.answer(request._replace(source="", limit=settings.max_results))
        return answer._replace(results=foreign_hits(answer.results, SHARED, folder, SHARED))

    def nearest(self, request: Request, limit: int) -> list[tuple[ItemRow, float]]:
        """The lines that come nearest, best first, whatever their scores."""
        found = self._again(request, lambda question: question.found)
        return [(one.row, one.score) for one in found[:limit]]

    def rated(self, request: Request, paths: Iterable[str]) -> list[tuple[ItemRow, float]]:
        """How well each line of these files answers, best first, regardless of all other files."""

        def rate(question: _Question) -> list[Found]:
            memory = question.memory
            return answering.rated(question.asking, memory, memory.lines.ids_in(paths))

        rated = self._again(request, rate)
        return [(one.row, one.fits) for one in sorted(rated, key=lambda one: -one.fits)]

    def _again(self, request: Request, ask: Callable[[_Question], T]) -> T:
        """Asks more about a question; of the last one, at the moment at which it was asked."""
        index, meaning = self._opened(request)
        if self._last is None or self._last[0] != self._key(index, request):
            index.refresh(self._progress)
        return index.asked(lambda index: ask(self._read(index, meaning, request)))

    def _doubts(self) -> Container[str]:
        return doubted(self._workspace)

    def _answered(
        self,
        index: Index,
        meaning: "Meaning | None",
        fresh: Freshness,
        request: Request,
        settings: Settings,
    ) -> SearchAnswer:
        question = self._read(index, meaning, request)
        asking, memory = question.asking, question.memory
        narrowing: Narrowing | None = None
        if request.category or request.smart:
            narrowing = _seldom().read_narrowing(self._workspace, request.query, request.category)
            found = _seldom().narrowed(
                lambda only: answering.answer(asking, memory._replace(only=only)),
                narrowing,
                index,
                self._settings.min_score,
            )
        else:
            found = question.found
        judged = Coverage(self._workspace).of
        sheets = Sheets(self._workspace, index.commit)
        view = HitView(index, sheets, asking, judged, self._doubts)
        shown = view.shown(found, request, self._settings, settings.max_results)
        side = memory.side
        notes = (
            "" if asking.words else "the question has no word to search for",
            self._unread,
            side.note,
            question.trouble,
            fresh.note,
            narrowing.note if narrowing else "",
            _seldom().untagged(narrowing) if narrowing and not shown else "",
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

    def _key(self, index: Index, request: Request) -> tuple[object, ...]:
        return index, index.moment, request.query, request.at, self.now

    def _read(self, index: Index, meaning: "Meaning | None", request: Request) -> _Question:
        """The question as read; the last one is not read again."""
        key = self._key(index, request)
        if self._last is None or self._last[0] != key:
            self._last = key, self._question(index, meaning, request)
        return self._last[1]

    def _question(self, index: Index, meaning: "Meaning | None", request: Request) -> _Question:
        query = request.query
        asking = asked.read(query, index)
        side = self._side(index, meaning, asking)
        corrected = partial(
            _corrected_pairs, index, Sheets(self._workspace, index.commit), self._doubts
        )
        here = self.now.astimezone(self._workspace.zone)
        memory = Memory(index, self._settings, here.date(), side, corrected=corrected)
        # To look for days takes longer than all else, and few questions have a number.
        if any(map(str.isnumeric, query)) and (days := days_named(query, here)):
            memory = memory._replace(days=days.holds)
        if asks_permission(query):
            memory = memory._replace(ruled=_ruled(Rules(self._workspace, index.commit)))
        if side.cosines is None:
            return _Question(asking, memory)
        reader, trouble = self._reader
        if reader and reader.knows(asking.text):
            memory = memory._replace(chances=reader.chances)
        return _Question(asking, memory, trouble)

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

    def _side(self, index: Index, meaning: "Meaning | None", asking: Asked) -> Side:
        """What is near to a question in meaning. One without words has none."""
        if meaning is None or not asking.words:
            return NO_MEANING._replace(note=self._opener[1])
        return meaning.side(index, asking.text)

    def _meaning(self, *, is_indexed: bool = False) -> "Meaning | None":
        opener, _ = self._opener
        return opener(is_indexed=is_indexed) if opener else None

    def _opened(self, request: Request) -> "Opened":
        """The index that a question is asked of, and its vectors."""
        ws, sources = self._workspace, _sources(request.source, archived=request.archived)
        then = _seldom().state(ws, request.at) if request.at else None
        key = sources, then.oid if then else ""
        if key not in self._open:
            if then:
                self._leave_the_past()
            is_indexed = sources == DEFAULT_SOURCES and then is None
            index = self._past(then, sources) if then else opened(ws, sources)
            self._open[key] = index, self._meaning(is_indexed=is_indexed)
        return self._open[key]

    def _leave_the_past(self) -> None:
        """Closes what was opened of another past state: each is in memory as a whole."""
        for key in [key for key in self._open if key[1]]:
            self._open.pop(key)[0].close()

    def _past(self, then: "State", sources: frozenset[str]) -> "PastIndex":
        git = CGit(self._workspace.root, self._workspace.caller.env)
        reach = reach_of(self._workspace)
        past: PastIndex = _seldom().PastIndex(git, then.oid, reach, sources, then.note)
        return past


def search(workspace: Workspace, request: Request, progress: Progress = silent) -> SearchAnswer:
    """Answers one question, in a process that ends with it."""
    with Searcher(workspace, progress=progress) as searcher:
        return searcher.answer(request)


def _ruled(rules: Rules) -> Test:
    return lambda row: rules.holds(row.path, row.text, row.headings)


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
