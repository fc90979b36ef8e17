"""What memory holds for a message: the last days, what the search finds, and what comes near."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from clawgit.config.settings import Settings
from clawgit.domain.context.passage import ContextPassage
from clawgit.domain.context.slots import RecalledPassage
from clawgit.domain.conversation.dump import is_session
from clawgit.domain.corrections.corrections import ARCHIVE, Correction
from clawgit.domain.markdown.dreaming import is_dream
from clawgit.domain.markdown.item import spoken
from clawgit.domain.search.standing import is_log, stale_reason
from clawgit.domain.workspace.tiers import NOTEBOOKS, WORKING, dated, tier
from clawgit.ops.context.asking import ContextRequest, is_shared
from clawgit.ops.context.files import Files, MemoryFiles, Moment
from clawgit.ops.search.answer import Hit, Request, SearchAnswer
from clawgit.ops.search.search import Searcher
from clawgit.stores.index.tables import ItemRow

LONGEST_QUESTION = 4000
_LONGEST_FILE = 100_000
"""Characters. In a longer file only the lines of a hit are shown, not whole entries."""

_MORE = 2
"""This many times the hits of a search are looked at, since some are in other slots already."""

_NEAR = 120
"""How many of the next best lines may fill room that is left over."""

_PAST_DREAMS = 3
"""So many times the hits are asked for where some are dreams of OpenClaw."""

_BESIDE = 12
"""So many entries on either side of a hit, below the same headings, may be shown with it."""

_AT_HAND = frozenset({"SOUL.md", "AGENTS.md"})
"""Who the agent is has a slot of its own, and each session gets its instructions as they are."""


class Recalled(NamedTuple):
    """`scores`: how well each recent line fits the message, by path and line; None without a
    message. `likely`: something that was found is likely to answer it.
    """

    recent: list[ContextPassage]
    scores: Mapping[tuple[str, int], float] | None
    found: Sequence[RecalledPassage] = ()
    corrected: Sequence[tuple[Correction, float]] = ()
    notes: Sequence[str] = ()
    near: Sequence[RecalledPassage] = ()
    likely: bool = True

    @property
    def texts(self) -> list[str]:
        """What is told already when conversations are asked."""
        return [passage.text for passage in (*self.recent, *(each.passage for each in self.found))]


def days_of(files: Files, when: Moment, hours: int) -> list[str]:
    """The dated files of the last hours.

    A file counts for its whole day. Tomorrow's counts too: it may be today where it was written.
    """
    first = (when.now - timedelta(hours=hours)).date()
    last = when.now.date() + timedelta(days=1)
    notes = (path for path in files.paths if tier(path) == WORKING)
    return [path for path in notes if _is_between(path, first, last) and not is_dream(path)]


def recall(
    searcher: Searcher,
    files: Files,
    asking: ContextRequest,
    when: Moment,
    memory: MemoryFiles,
    settings: Settings,
) -> Recalled:
    """Recent lines, and what the search finds; without a message nothing is searched."""
    paths = days_of(files, when, settings.memory_retention_hours)
    recent = memory.standing(passage for path in paths for passage in memory.passages(path))
    message = asking.question[:LONGEST_QUESTION]
    if not message:
        return Recalled(recent, None)
    searcher.now = when.now
    request = Request(
        message, _MORE * settings.max_results, settings.min_score, asking.at, full=True
    )
    # The answer first: it leaves the question read for the rating.
    answer = _answer(searcher, request, files)
    rated = searcher.rated(request, frozenset(paths)) if paths else []
    shown = [hit for hit in answer.results if not _is_elsewhere(hit.path, asking)]
    hits = [hit for hit in shown if not _is_logged(hit)]
    read = {hit.path: _read(hit, files, memory) for hit in hits}
    return Recalled(
        recent,
        # A line may have several rows, the best first.
        {(row.path, row.line): score for row, score in reversed(rated)},
        _found(hits, memory, read),
        [*_corrected(shown, memory)],
        _notes(answer),
        _near(searcher.nearest(request, _NEAR), asking, files, memory, read),
        any(hit.likely for hit in answer.results),
    )


def _answer(searcher: Searcher, request: Request, files: Files) -> SearchAnswer:
    """What the notes answer. OpenClaw's dreams repeat the words of notes many times: they take the
    place of none.
    """
    answer, limit = searcher.answer(request), request.limit or 0
    if any(files.is_dreamt(hit.path, hit.line) for hit in answer.results):
        answer = searcher.answer(request._replace(limit=_PAST_DREAMS * limit))
    notes = (hit for hit in answer.results if not files.is_dreamt(hit.path, hit.line))
    return answer._replace(results=tuple(notes)[:limit])


def _is_elsewhere(path: str, asking: ContextRequest) -> bool:
    """Whether a file is shown elsewhere, or not at all: MEMORY.md is for the operator alone."""
    return path in _AT_HAND or (is_shared(asking.session) and path in NOTEBOOKS)


def _is_logged(hit: Hit) -> bool:
    return hit.source == "corrections" or hit.path.startswith(ARCHIVE)


def _found(
    hits: Iterable[Hit], memory: MemoryFiles, read: Mapping[str, Sequence[ContextPassage]]
) -> list[RecalledPassage]:
    """The whole entry that each hit found, or its snippet; then the entries beside it, the nearest
    first.
    """
    found: list[RecalledPassage] = []
    beside: list[tuple[int, RecalledPassage]] = []
    for hit in hits:
        passages = read[hit.path]
        best = next((at for at, each in enumerate(passages) if hit.line in _lines(each)), None)
        if best is None:
            found += _recalled([_snippet(hit)], hit.score, memory, answers=True)
            continue
        found += _recalled([passages[best]], hit.score, memory, answers=True)
        for at in range(max(best - _BESIDE, 0), min(best + _BESIDE + 1, len(passages))):
            if at != best and passages[at].heads == passages[best].heads:
                [other] = _recalled([passages[at]], hit.score, memory, answers=False)
                beside.append((abs(at - best), other))
    beside.sort(key=lambda pair: pair[0])
    return [*found, *(other for _, other in beside)]


def _recalled(
    passages: Iterable[ContextPassage], score: float, memory: MemoryFiles, *, answers: bool
) -> list[RecalledPassage]:
    return [RecalledPassage(each, score, answers) for each in memory.standing(passages)]


def _snippet(hit: Hit) -> ContextPassage:
    text = (hit.text or hit.snippet).strip("\n")
    headings = (_title(hit.path),)
    return ContextPassage(hit.path, hit.startLine, hit.endLine, text, headings, "snippet")


def _near(
    rows: Iterable[tuple[ItemRow, float]],
    asking: ContextRequest,
    files: Files,
    memory: MemoryFiles,
    read: Mapping[str, Sequence[ContextPassage]],
) -> list[RecalledPassage]:
    """Further lines, with the index's text, since reading each file would take too long.

    `read` holds the files that were read for a hit.
    """
    near: list[RecalledPassage] = []
    for row, score in rows:
        if row.kind == "heading" or is_log(row) or _is_over(row, memory.today):
            continue
        if _is_elsewhere(row.path, asking) or files.is_dreamt(row.path, row.line):
            continue
        # A line of a saved session says nothing without its speaker.
        if row.path in read or spoken(row.text) != row.text or not is_session(files.text(row.path)):
            near += _recalled([_as_read(row, read.get(row.path, ()))], score, memory, answers=False)
    return near


def _as_read(row: ItemRow, read: Sequence[ContextPassage]) -> ContextPassage:
    """A line as its file shows it, if the file was read; else the index's text, on one line."""
    around = (passage for passage in read if row.line in _lines(passage))
    text = f"- {' '.join(row.text.split())}"
    own = ContextPassage(
        row.path, row.line, row.end_line, text, (_title(row.path),), row.kind, row.meta
    )
    return next(around, own)


def _title(path: str) -> str:
    """The heading of a file: a name may have line breaks, which would make lines of its own."""
    return f"## {' '.join(path.split())}"


def _is_over(row: ItemRow, today: date) -> bool:
    if row.meta and row.meta.expires and row.meta.expires < today:
        return True
    return stale_reason(row) != ""


def _read(hit: Hit, files: Files, memory: MemoryFiles) -> tuple[ContextPassage, ...]:
    """The entries of a hit's file; none of a very long one."""
    # An absolute path belongs to another memory; its files are not read here.
    text = "" if hit.path.startswith("/") else files.text(hit.path)
    return memory.passages(hit.path) if 0 < len(text) <= _LONGEST_FILE else ()


def _corrected(hits: Iterable[Hit], memory: MemoryFiles) -> Iterator[tuple[Correction, float]]:
    """The sections of the log that hits stand in, if they hold."""
    for hit in filter(_is_logged, hits):
        above = [each for each in memory.corrections(hit.path) if each.line <= hit.line]
        yield from ((each, hit.score) for each in above[-1:] if memory.holds(each))


def _lines(passage: ContextPassage) -> range:
    return range(passage.line, passage.end_line + 1)


def _is_between(path: str, first: date, last: date) -> bool:
    day = dated(path)
    return day is not None and first <= day <= last


def _notes(answer: SearchAnswer) -> list[str]:
    notes = [answer.fallback] if answer.fallback else []
    if answer.behind:
        notes.append(f"{answer.behind} files are not yet in the index")
    return notes
