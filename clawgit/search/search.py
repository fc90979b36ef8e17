"""`memory search`: the lines that answer a question, with their places and scores; of this memory,
of the shared one, and with `--agent` and `--all-agents` of others, each in its own index.
"""

from collections.abc import Container, Sequence
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import TYPE_CHECKING, Self

from clawgit.core import NamedTuple
from clawgit.core.config.settings import Settings
from clawgit.core.errors import ClawgitError, UsageError, refuse_unknown
from clawgit.core.tiers import NOTEBOOKS
from clawgit.git.place import locate
from clawgit.safety.doubted import doubt_note, doubted
from clawgit.search import answering, asked
from clawgit.search.answer import Hit, Request, SearchAnswer, noted
from clawgit.search.answering import Favour, Found, Memory
from clawgit.search.index.index import Freshness, Index, Progress, silent
from clawgit.search.index.live import LiveIndex, live_index
from clawgit.search.rules.question import Asked, asks_permission, days_named
from clawgit.search.rules.standing import Corrected, is_log
from clawgit.search.shown_hits import HitView, Sheets
from clawgit.search.side import Side, by_words, is_wanted
from clawgit.talk.rules.chat import is_shared
from clawgit.talk.rules.corrections import ARCHIVE, CORRECTIONS, all_corrections
from clawgit.workspace.discover import DEFAULT_SOURCES, EXPIRED, NAMED, SESSIONS, SHARED, SOURCES
from clawgit.workspace.reach import Known, is_shared_memory, known, same_folder, shared_memory
from clawgit.workspace.workspace import Workspace, is_workspace
from clawgit.workspace.workspaces import may_read, reached

if TYPE_CHECKING:
    from clawgit.search.meaning import Meaning, Nearest, VectorChoice
    from clawgit.search.stores.models import Reader

__all__ = ["Hit", "Request", "SearchAnswer", "Searcher", "search"]


class Looked(NamedTuple):
    """An answer, and all that was found for it in the workspace's own files, best first."""

    answer: SearchAnswer
    found: Sequence[Found] = ()


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
        self.now = workspace.now
        self._settings = workspace.settings
        self._open: dict[frozenset[str], tuple[LiveIndex, Meaning | None]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for index, _ in self._open.values():
            index.close()
        self._open.clear()

    def answer(self, request: Request) -> SearchAnswer:
        """The answer: what matches the question, best first; nothing if nothing matches."""
        return self.looked(request).answer

    def looked(self, request: Request) -> Looked:
        """The answer, and all that came near it."""
        started = perf_counter()
        settings = _asked_for(self._settings, request)
        if request.source == SHARED:
            looked = Looked(self._of_shared(request, settings))
        elif request.source == SESSIONS:
            said = _seldom().search_sessions(self._workspace, request, settings, self.now)
            looked = Looked(said)
        elif request.at:
            looked = self._then(request, settings)
        else:
            looked = self._now(request, settings)
        answer = looked.answer
        if not (request.source or request.at):
            answer = self._with_shared(answer, request, settings)
        elapsed = round((perf_counter() - started) * 1000, 2)
        return Looked(answer._replace(elapsedMs=elapsed), looked.found)

    def _now(self, request: Request, settings: Settings) -> Looked:
        """From the files as they are."""
        sources = _sources(request)
        if sources not in self._open:
            meaning = self._meaning(is_indexed=sources == DEFAULT_SOURCES)
            self._open[sources] = live_index(self._workspace, sources), meaning
        live, meaning = self._open[sources]
        fresh = live.refresh(self._progress)
        if fresh.changed and self._owner:
            self._owner.wake()
        return live.asked(lambda index: self._looked(index, meaning, fresh, request, settings))

    def _then(self, request: Request, settings: Settings) -> Looked:
        """From a past state."""
        sources = _sources(request)
        index, note = _seldom().past(self._workspace, request.at, sources)
        with index:
            fresh = Freshness(index.searched, index.count, indexed_at=index.commit, note=note)
            return self._looked(index, self._meaning(), fresh, request, settings)

    def _of_shared(self, request: Request, settings: Settings) -> SearchAnswer:
        """From the shared memory only; an error if it cannot be asked."""
        if self._shared_folder() is None:
            raise UsageError("There is no shared memory here.", hint="clawgit workspace list")
        asked = request._replace(source="", limit=settings.max_results)
        return _asked(reached(self._workspace, SHARED), asked, SHARED)

    def _with_shared(self, own: SearchAnswer, request: Request, settings: Settings) -> SearchAnswer:
        """Adds the hits of the shared memory. Its failure is only a note in the answer."""
        folder = self._shared_folder()
        place = locate(folder) if folder else None
        if place is None or not is_workspace(place):
            return own
        try:
            shared = self._of_shared(request, settings)
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

    def _looked(
        self,
        index: Index,
        meaning: "Meaning | None",
        fresh: Freshness,
        request: Request,
        settings: Settings,
    ) -> Looked:
        asking, sheets = asked.read(request.query, index), Sheets(self._workspace, index.commit)
        memory, trouble = self._memory(index, meaning, sheets, asking)
        if request.category or request.smart:
            found, intent = _seldom().narrowed(request, asking, memory)
        else:
            found, intent = answering.answer(asking, memory), None
        if is_shared(request.session):
            # MEMORY.md and corrections are for the operator alone.
            found = [one for one in found if one.row.path not in NOTEBOOKS and not is_log(one.row)]
        view = HitView(index, sheets, asking)
        shown = view.shown(found, request, settings)
        side, here = memory.side, self.now.astimezone(self._workspace.zone)
        notes = (
            "" if asking.words else "the question has no word to search for",
            side.note,
            trouble,
            fresh.note,
            "" if shown or not request.category else f"nothing found is of {request.category!r}",
            doubt_note(view.doubted),
        )
        answer = SearchAnswer(
            results=tuple(shown),
            provider=side.provider,
            model=side.model,
            mode="core" if side.cosines is None else "enhanced",
            fallback=noted(*notes),
            indexedAt=fresh.indexed_at,
            behind=fresh.behind,
            intent=intent,
            searched=fresh.files,
            missing=() if fresh.behind else _missing(asking, found, here),
        )
        return Looked(answer, found)

    def _memory(
        self, index: Index, meaning: "Meaning | None", sheets: Sheets, asking: Asked
    ) -> tuple[Memory, str]:
        """What a question is asked of, and why no reader reads, if one should."""
        query = asking.text
        here = self.now.astimezone(self._workspace.zone)
        why = self._choice.reason if self._choice else ""
        side = Side(note=by_words(why) if why else "")
        if meaning and asking.words:
            side = meaning.side(index, query)
        read = partial(_corrected, index, sheets)
        memory = Memory(index, self._settings, here.date(), side, corrected=read)
        # To look for days takes longer than all else, and few questions have a number.
        if any(map(str.isnumeric, query)) and (days := days_named(query, here)):
            memory = memory._replace(favoured=(("day", answering.OF_DAY, days.holds),))
        if asks_permission(query):
            rules = _seldom().Rules(self._workspace, index.commit)
            rule: Favour = (
                "rule",
                answering.OF_RULE,
                lambda row: rules.holds(row.path, row.text, row.headings),
            )
            memory = memory._replace(favoured=(*memory.favoured, rule))
        if side.cosines is None:
            return memory, ""
        reader, trouble = self._reader
        if reader and reader.knows(query):
            memory = memory._replace(chances=reader.chances)
        return memory, trouble

    @cached_property
    def _choice(self) -> "VectorChoice | None":
        """What embeds, or why nothing does; None if only words are to be compared."""
        if not is_wanted(self._workspace):
            return None
        from clawgit.search.meaning import choose  # noqa: PLC0415 - 8 ms of a search by words alone

        return choose(self._workspace, hurried=True)

    def _meaning(self, *, is_indexed: bool = False) -> "Meaning | None":
        if not (self._choice and self._choice.embedder):
            return None
        from clawgit.search.meaning import Meaning  # noqa: PLC0415 - see `_choice`

        return Meaning(self._workspace, self._choice.embedder, self._owner, is_indexed=is_indexed)

    @cached_property
    def _reader(self) -> "tuple[Reader | None, str]":
        """What reads the best lines, and why nothing does, if it should."""
        from clawgit.search.meaning import reader_of  # noqa: PLC0415 - numpy and a model

        try:
            return reader_of(self._workspace), ""
        except ClawgitError as error:
            return None, f"no reader: {error.with_hint}"


def search(workspace: Workspace, request: Request, progress: Progress = silent) -> SearchAnswer:
    """Answers one question, in a process that ends with it."""
    with Searcher(workspace, progress=progress) as searcher:
        return searcher.answer(request)


def search_agent(workspace: Workspace, request: Request, agent: str) -> SearchAnswer:
    """Searches the memory of one other agent; refused if the caller may not read it."""
    return _asked(reached(workspace, agent), request, agent)


def search_agents(workspace: Workspace, request: Request) -> SearchAnswer:
    """Searches all memories that the caller may read, and the shared one.

    `fallback` says what was left out, and why.
    """
    started, agents = perf_counter(), known(workspace.caller)
    shut = [agent.agent for agent in agents if not may_read(workspace, agent.path)]
    notes = [f"not in allow_paths: {', '.join(shut)}"] if shut else []
    own = _own_name(workspace, agents)
    answers: list[SearchAnswer] = []
    for name in (*_names(workspace, agents, shut), *own):
        try:
            of = workspace if name in own else reached(workspace, name)
            answer = _asked(of, request, name)
        except ClawgitError as error:
            notes.append(f"{name}: {error.message}")
            continue
        answers.append(answer)
        if answer.fallback:
            notes.append(f"{name}: {answer.fallback}")
    limit = workspace.settings.max_results if request.limit is None else request.limit
    whole = merged(answers, limit) if answers else SearchAnswer(())
    if len(answers) > 1:
        whole = whole._replace(indexedAt="")
    return whole._replace(
        fallback=noted(*notes), elapsedMs=round((perf_counter() - started) * 1000, 2)
    )


def _names(workspace: Workspace, agents: Sequence[Known], shut: Container[str]) -> list[str]:
    """The agents whose memories are searched, and the shared one."""
    names = [agent.agent for agent in agents if agent.agent not in shut]
    return [*names, SHARED] if shared_memory(workspace) else names


def _own_name(workspace: Workspace, agents: Sequence[Known]) -> list[str]:
    """The caller's own memory goes by the name of its folder, if it has no other."""
    is_named = any(same_folder(agent.path, workspace.root) for agent in agents)
    return [] if is_named or is_shared_memory(workspace) else [workspace.root.name]


def _asked(of: Workspace, request: Request, agent: str) -> SearchAnswer:
    if request.source == SESSIONS:
        raise UsageError(
            "Access to a memory does not include its agent's conversations.",
            hint=f"Search them in {of.root}.",
        )
    with Searcher(of, beside=False) as searcher:
        answer = searcher.answer(request)
    # As another workspace shows them: with absolute paths, and whose they are.
    hits = (
        hit._replace(
            path=str(of.root / hit.path),
            source=SHARED if agent == SHARED else f"{agent}:{hit.source}",
            citation=f"{agent}:{hit.citation}",
            agent=agent,
        )
        for hit in answer.results
    )
    return answer._replace(results=tuple(hits))


def merged(answers: Sequence[SearchAnswer], limit: int) -> SearchAnswer:
    """Several answers as one, by the model of the first: the best hits of all, each scored in its
    own index, likely ones before the others; and the words of the question that no memory has.
    """
    first = answers[0]
    hits = (hit for answer in answers for hit in answer.results)
    best = sorted(hits, key=lambda hit: (hit.likely, hit.score), reverse=True)
    return first._replace(
        results=tuple(best[:limit]),
        behind=sum(answer.behind for answer in answers),
        searched=sum(answer.searched for answer in answers),
        missing=tuple(
            word for word in first.missing if all(word in one.missing for one in answers)
        ),
    )


def _missing(asking: Asked, found: Sequence[Found], here: datetime) -> tuple[str, ...]:
    """The words of a question that nothing has. What is of the days that it names has their words,
    though in no line.
    """
    days = days_named(asking.text, here) if asking.missing and found else None
    told = days.text if days and any(days.holds(one.row) for one in found) else ""
    return tuple(word for word in asking.missing if word not in told)


def _seldom() -> ModuleType:
    from clawgit.search import narrowing  # noqa: PLC0415 - most searches do without

    return narrowing


def _corrected(index: Index, sheets: Sheets) -> Corrected:
    """What the operator has corrected, archived or not."""
    paths = [file.path for file in index.files() if file.path.startswith(ARCHIVE)]
    logs = {path: sheets.whole(path) for path in (*paths, CORRECTIONS)}
    return Corrected(*_seldom().statements(all_corrections(logs, doubted(sheets.workspace))))


def _asked_for(settings: Settings, request: Request) -> Settings:
    if not request.query.strip():
        raise UsageError(
            "The question is empty.", hint='clawgit memory search "what we decided about billing"'
        )
    limit = settings.max_results if request.limit is None else request.limit
    return settings._replace(max_results=limit)


def _sources(request: Request) -> frozenset[str]:
    named = request.source
    if named:
        refuse_unknown("source", named, (*SOURCES, SHARED))
        return NAMED.get(named, frozenset({named}))
    return DEFAULT_SOURCES | ({EXPIRED} if request.archived else set())
