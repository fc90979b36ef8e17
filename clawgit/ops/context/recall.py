"""What memory holds for a message: the last days, what the search finds, what OpenClaw dreamt."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from clawgit.config.settings import Settings
from clawgit.domain.context.line_dedup import nearly_same
from clawgit.domain.context.passage import ContextPassage, heads_after, whole_lists
from clawgit.domain.context.slots import RecalledPassage
from clawgit.domain.conversation.dump import is_session
from clawgit.domain.corrections.corrections import ARCHIVE, Correction
from clawgit.domain.markdown.dreaming import is_diary, is_dream
from clawgit.domain.markdown.item import spoken
from clawgit.domain.markdown.label import leads
from clawgit.domain.markdown.scan import lines_of
from clawgit.domain.search.folding import tellers
from clawgit.domain.search.ranking_standing import is_log, stale_reason
from clawgit.domain.workspace.tiers import NOTEBOOKS, WORKING, dated, tier
from clawgit.ops.context.asking import ContextRequest, is_shared
from clawgit.ops.context.files import Files, Moment
from clawgit.ops.context.memory import MemoryFiles
from clawgit.ops.search.answer import Hit, Request, SearchAnswer
from clawgit.ops.search.search import Searcher
from clawgit.stores.index.reading import ItemRow

LONGEST_QUESTION = 4000
_LONGEST_FILE = 100_000
"""Characters. In a longer file only the lines of a hit are shown, not whole entries."""

_MORE = 2
"""This many times the hits of a search are looked at, since some are in other slots already."""

_NEAR = 120
"""How many of the next best lines may fill room that is left over."""

_PAST_DREAMS = 3
"""So many times the hits are asked for where some are dreams of OpenClaw."""

_ALSO = 3
"""At most so many other entries of a hit's text that answer are shown like hits."""

Fitting = Mapping[str, Mapping[int, float]]
"""Lines that answer, by file and number, with their scores."""

_BESIDE = 2
"""Entries on either side of a hit that are shown with it."""

_AT_HAND = frozenset({"SOUL.md", "AGENTS.md"})
"""Who the agent is has a slot of its own, and each session gets its instructions as they are."""


class Recalled(NamedTuple):
    """`scores`: how well each recent line fits the message, by path and line; None without a
    message. `likely`: something that was found is likely to answer it.
    """

    recent: list[ContextPassage]
    scores: Mapping[tuple[str, int], float] | None
    found: list[RecalledPassage]
    corrected: list[tuple[Correction, float]]
    notes: list[str]
    near: list[RecalledPassage]
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
        return Recalled(recent, None, [], [], [], [])
    searcher.now = when.now
    most, least = _MORE * settings.max_results, settings.min_score
    request = Request(message, most, least, asking.at, full=True)
    # The answer first: it leaves the question read for the rating.
    answer, dreamt = _answer(searcher, request, files)
    rated = searcher.rated(request, frozenset(paths)) if paths else []
    ranked = searcher.nearest(request, _NEAR)
    found, corrected = _split(answer.results, asking, files, memory, _fitting(ranked, least))
    told = [passage.text for passage in (*recent, *(each.passage for each in found))]
    likely = any(hit.likely for hit in (*answer.results, *dreamt))
    dreams = staged(dreamt, files, memory, told)
    read = {hit.path: _read(hit, files, memory) for hit in (*answer.results, *dreamt)}
    near = [*dreams, *_near(ranked, asking, files, memory, read)]
    near = [*_varied(near)]
    return Recalled(recent, _scores(rated), found, corrected, _notes(answer), near, likely)


def _fitting(ranked: Iterable[tuple[ItemRow, float]], least: float) -> Fitting:
    """The lines that reach a score, by their files."""
    fitting: defaultdict[str, dict[int, float]] = defaultdict(dict)
    for row, score in ranked:
        if score >= least and row.kind != "heading" and not stale_reason(row):
            fitting[row.path].setdefault(row.line, score)
    return fitting


def _split(
    hits: Iterable[Hit],
    asking: ContextRequest,
    files: Files,
    memory: MemoryFiles,
    fitting: Fitting,
) -> tuple[list[RecalledPassage], list[tuple[Correction, float]]]:
    """What the hits are of notes, and what they are of corrections.

    What belongs to a hit comes after the best line of the last one, first what answers, too.
    """
    best: list[RecalledPassage] = []
    more: list[RecalledPassage] = []
    corrected: list[tuple[Correction, float]] = []
    for hit in hits:
        if _is_elsewhere(hit.path, asking):
            continue
        if hit.source == "corrections" or hit.path.startswith(ARCHIVE):
            corrected += [(correction, hit.score) for correction in _correction(hit, memory)]
        else:
            first, *others = _found(hit, files, memory, fitting.get(hit.path, {}))
            best.append(first)
            more += others
    more.sort(key=lambda each: not each.answers)
    return [*best, *more], corrected


def _answer(
    searcher: Searcher, request: Request, files: Files
) -> tuple[SearchAnswer, Sequence[Hit]]:
    """The answer of the notes, and what OpenClaw's dreams say.

    Dreams repeat the words of notes many times: they take the place of none.
    """

    def is_dreamt(hit: Hit) -> bool:
        return files.is_dreamt(hit.path, hit.line)

    answer, limit = searcher.answer(request), request.limit or 0
    if any(map(is_dreamt, answer.results)):
        answer = searcher.answer(request._replace(limit=_PAST_DREAMS * limit))
    notes = tuple(hit for hit in answer.results if not is_dreamt(hit))
    return answer._replace(results=notes[:limit]), [*filter(is_dreamt, answer.results)]


def _varied(near: Iterable[RecalledPassage]) -> Iterator[RecalledPassage]:
    """Those that do not nearly repeat one before."""
    shown: list[frozenset[str]] = []
    for each in near:
        words = frozenset(each.passage.text.casefold().split())
        if not any(nearly_same(words, other) for other in shown):
            shown.append(words)
            yield each


def _is_elsewhere(path: str, asking: ContextRequest) -> bool:
    """Whether a file is shown elsewhere, or not at all: MEMORY.md is for the operator alone."""
    return path in _AT_HAND or (is_shared(asking.session) and path in NOTEBOOKS)


def _scores(rated: Iterable[tuple[ItemRow, float]]) -> dict[tuple[str, int], float]:
    """The best score of each line, by path and line."""
    scores: dict[tuple[str, int], float] = {}
    for row, score in rated:
        for line in range(row.line, row.end_line + 1):
            scores.setdefault((row.path, line), score)
    return scores


def _found(
    hit: Hit, files: Files, memory: MemoryFiles, fitting: Mapping[int, float]
) -> list[RecalledPassage]:
    """The whole entry that a hit found, then those beside it that answer too, belong to it or stand
    next to it; else its snippet.
    """
    read = _read(hit, files, memory)
    touched = [at for at, passage in enumerate(read) if _touches(hit, passage)]
    if not touched:
        return _snippet(hit, memory)
    best = next((at for at in touched if hit.line in _lines(read[at])), touched[0])
    beside = whole_lists(read, [best])
    beside |= {at for at in touched if abs(at - best) <= _BESIDE}
    others = {at: _score(read[at], fitting) for at in touched if at != best}
    scores = {best: hit.score, **_best_of(others, hit.score)}
    places = [*scores, *sorted(beside - scores.keys())]
    return [
        RecalledPassage(passage, scores.get(at, hit.score), answers=at in scores)
        for at, passage in zip(places, memory.standing(read[at] for at in places), strict=True)
    ]


def _best_of(others: Mapping[int, float], most: float) -> dict[int, float]:
    """The best few that answer, with scores that do not exceed the hit's."""
    best = sorted(filter(others.get, others), key=lambda at: (-others[at], at))[:_ALSO]
    return {at: min(others[at], most) for at in best}


def _snippet(hit: Hit, memory: MemoryFiles) -> list[RecalledPassage]:
    text = (hit.text or hit.snippet).strip("\n")
    headings = (f"## {hit.path}",)
    whole = ContextPassage(hit.path, hit.startLine, hit.endLine, text, headings, "snippet")
    return [
        RecalledPassage(passage, hit.score, answers=True) for passage in memory.standing([whole])
    ]


def _score(passage: ContextPassage, fitting: Mapping[int, float]) -> float:
    """That of the best line of a passage."""
    return max((score for line, score in fitting.items() if line in _lines(passage)), default=0.0)


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
    near = []
    for row, score in rows:
        if row.kind == "heading" or is_log(row) or _is_over(row, memory.today):
            continue
        if _is_elsewhere(row.path, asking):
            continue
        if files.is_dreamt(row.path, row.line) or _is_half(row, files):
            continue
        passage = _as_read(row, read.get(row.path, ()))
        near += [
            RecalledPassage(each, score, answers=False)
            for each in memory.standing([passage])
            if not each.stale
        ]
    return near


def _as_read(row: ItemRow, read: Sequence[ContextPassage]) -> ContextPassage:
    """A line as its file shows it, if the file was read; else the index's text, on one line.

    A line without a passage of its own stands below the headings of the passage before it.
    """
    before = read[: bisect_right(read, row.line, key=attrgetter("line"))]
    last = before[-1] if before else None
    if last and _is_same(row, last):
        return last
    heads = last.heads if last else (f"## {row.path}",)
    text = f"- {' '.join(row.text.split())}"
    return ContextPassage(row.path, row.line, row.end_line, text, heads, row.kind, row.meta)


def _is_same(row: ItemRow, passage: ContextPassage) -> bool:
    return (row.line, row.end_line) == (passage.line, passage.end_line)


def _is_half(row: ItemRow, files: Files) -> bool:
    """Whether a line says nothing without others: it leads to them, or they tell who speaks."""
    if leads(row.text):
        return True
    return spoken(row.text) == row.text and is_session(files.text(row.path))


def _is_over(row: ItemRow, today: date) -> bool:
    if row.meta and row.meta.expires and row.meta.expires < today:
        return True
    return stale_reason(row) != ""


def _read(hit: Hit, files: Files, memory: MemoryFiles) -> tuple[ContextPassage, ...]:
    """The entries of a hit's file; none of a very long one."""
    # An absolute path belongs to another memory; its files are not read here.
    text = "" if hit.path.startswith("/") else files.text(hit.path)
    return memory.passages(hit.path) if 0 < len(text) <= _LONGEST_FILE else ()


def _touches(hit: Hit, passage: ContextPassage) -> bool:
    if hit.startLine <= passage.line <= hit.endLine:
        return True
    return hit.line in _lines(passage)


def _correction(hit: Hit, memory: MemoryFiles) -> list[Correction]:
    """The section that a hit stands in, if it holds."""
    above = [each for each in memory.corrections(hit.path) if each.line <= hit.line]
    return [each for each in above[-1:] if memory.holds(each)]


def _lines(passage: ContextPassage) -> range:
    return range(passage.line, passage.end_line + 1)


def _is_between(path: str, first: date, last: date) -> bool:
    day = dated(path)
    return day is not None and first <= day <= last


def _notes(answer: SearchAnswer) -> list[str]:
    notes = []
    if answer.fallback:
        notes.append(answer.fallback)
    if answer.behind:
        notes.append(f"{answer.behind} files are not yet in the index")
    return notes


_MOST = 3

_AFTER = 2
"""So many candidates after a hit are shown with it: they stand in the order in which they were
said, so an answer comes after its question."""


def staged(
    hits: Iterable[Hit], files: Files, memory: MemoryFiles, told: Iterable[str]
) -> Iterator[RecalledPassage]:
    """The candidates that answer, without what notes say. The diary is made up, and left out."""
    is_told = tellers(told)
    likely = (hit for hit in hits if hit.likely and not is_diary(hit.path))
    for hit in islice(likely, _MOST):
        fresh = [one for one in _candidates(hit, files) if not is_told(one.text)]
        for passage in memory.standing(fresh):
            yield RecalledPassage(passage, hit.score, answers=False)


def _candidates(hit: Hit, files: Files) -> list[ContextPassage]:
    """What was found, and what comes after it. What is nested says only how sure the dream is."""
    lines = lines_of(files.text(hit.path))
    heads = heads_after(hit.path, "".join(lines[: hit.line - 1]))
    return [
        ContextPassage(hit.path, number, number, line.rstrip(), heads, "item")
        for number, line in enumerate(lines, 1)
        if number >= hit.line and line.startswith("- ") and files.is_dreamt(hit.path, number)
    ][: 1 + _AFTER]
