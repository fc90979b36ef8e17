"""`memory search`: the lines that answer a question, with their places and scores."""

from collections.abc import Callable, Container, Iterable, Sequence
from functools import cache, cached_property, partial
from time import monotonic, perf_counter
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
from clawgit.ops.search.outside import Outside, outside
from clawgit.ops.search.shared_search import SharedSearch, joined
from clawgit.ops.search.shown_hits import HitView
from clawgit.ops.search.side import NO_MEANING, Side, is_wanted, with_hint
from clawgit.ops.soul.doubted import doubted, note_of
from clawgit.ops.workspace.reach import reach_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.place import head_of
from clawgit.stores.index.discover import discover
from clawgit.stores.index.index import Freshness, Index, Progress, silent
from clawgit.stores.index.sources import DEFAULT_SOURCES, EXPIRED, NAMED, SESSIONS, SHARED, SOURCES
from clawgit.stores.index.tables import ItemRow

if TYPE_CHECKING:
    from clawgit.ops.search.meaning import Meaning, Nearest
    from clawgit.ops.search.narrowing import Narrowing
    from clawgit.stores.reader import Reader

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


class _Prepared(NamedTuple):
    """A question as it was read, what it is asked of, and why no reader reads, if one should."""

    asked: Asked
    memory: Memory
    trouble: str = ""


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
        owner: "Nearest | None" = None,
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
        self._open: dict[frozenset[str], tuple[Index, OpenMeaning]] = {}
        self._checks: dict[frozenset[str], _FileCheck] = {}
        # The last question as it was read, with what it was asked of; and what was found for it.
        self._last: tuple[tuple[object, ...], _Prepared] | None = None
        self._answers: tuple[Asked, list[Found]] | None = None
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
            sources = _sources(request.source, archived=request.archived)
            answer = answer._replace(outside=self._outside(sources))
        return answer._replace(elapsedMs=round((perf_counter() - started) * 1000, 2))

    def _outside(self, sources: frozenset[str]) -> Outside | None:
        """What is not searched. Git is asked for it; it holds as long as a check of the files."""
        (live, _), check = self._live(sources), self._checks[sources]
        if self._left_out is None or self._left_out[0] is not check:
            # The index has all files that the check found, unless it is behind.
            found = discover(reach_of(self._workspace)) if check.fresh.behind else live.every_file()
            self._left_out = check, outside(self._workspace, found)
        return self._left_out[1]

    def _own(self, request: Request, settings: Settings) -> SearchAnswer:
        if request.at:
            then = _seldom().state(self._workspace, request.at)
            with self._past(request, then.oid) as index:
                answer = index.asked(
                    lambda index: self._answered(
                        index, cache(self._meaning), index.refresh(), request, settings
                    )
                )
            # What is answered from the first state of history says so.
            return answer._replace(fallback=noted(then.note, answer.fallback))
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

        def again(index: Index, meaning: OpenMeaning, commit: str = "") -> T:
            asking, memory, _ = self._prepared(index, meaning, request.query, commit)
            return ask(asking, memory)

        if request.at:
            commit = _seldom().state(self._workspace, request.at).oid
            with self._past(request, commit) as index:
                return index.asked(lambda index: again(index, self._meaning, commit))
        live, meaning = self._live(DEFAULT_SOURCES)
        self._fresh(DEFAULT_SOURCES, live)
        return live.asked(lambda index: again(index, meaning))

    def _doubts(self) -> Container[str]:
        return doubted(self._workspace)

    def _fresh(self, sources: frozenset[str], live: Index) -> Freshness:
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
        index: Index,
        meaning: OpenMeaning,
        fresh: Freshness,
        request: Request,
        settings: Settings,
    ) -> SearchAnswer:
        self._last = None  # more may be near it by meaning than when it was asked before
        commit = fresh.indexed_at if request.at else ""
        asking, memory, unread = self._prepared(index, meaning, request.query, commit)
        narrowing, found = None, list[Found]()
        if request.category or request.smart:
            narrowing, found = self._narrowed(request, asking, memory)
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
            _seldom().untagged(index, narrowing.tag)
            if narrowing and narrowing.tag and not shown
            else "",
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

    def _narrowed(
        self, request: Request, asking: Asked, memory: Memory
    ) -> "tuple[Narrowing, list[Found]]":
        """How a search is narrowed, and what it then finds."""
        seldom, lines = _seldom(), memory.lines
        narrowing: Narrowing = seldom.read_narrowing(
            self._workspace, request.query, self.now, request.category, smart=request.smart
        )
        found: list[Found] = seldom.narrowed(
            lambda only: self._found(
                asking, memory._replace(only=only and seldom.of_notes(only, lines))
            ),
            narrowing,
            self._settings.min_score,
        )
        return narrowing, found

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
        return opener(is_indexed=is_indexed) if opener else None

    def _live(self, sources: frozenset[str]) -> tuple[Index, OpenMeaning]:
        if sources not in self._open:
            meaning = partial(self._meaning, is_indexed=sources == DEFAULT_SOURCES)
            self._open[sources] = opened(self._workspace, sources), cache(meaning)
        return self._open[sources]

    def _past(self, request: Request, commit: str) -> Index:
        sources = _sources(request.source, archived=request.archived)
        ws = self._workspace
        git = CGit(ws.root, ws.caller.env)
        past: Index = _seldom().open_past(ws.place, git, commit, reach_of(ws), sources=sources)
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
