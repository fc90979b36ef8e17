"""What memory has to say to a message: the last days, each line by how well it fits, and what the
search finds.
"""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import NamedTuple

from clawgit.config.settings import Settings
from clawgit.domain.context.openclaw import is_shared
from clawgit.domain.context.passage import Passage
from clawgit.domain.context.slots import Found
from clawgit.domain.corrections.corrections import ARCHIVE, Correction
from clawgit.domain.workspace.tiers import NOTEBOOKS, WORKING, dated, tier
from clawgit.ops.context.asking import Asking
from clawgit.ops.context.files import Files, Moment
from clawgit.ops.context.memory import Memory
from clawgit.ops.search.search import Answer, Hit, Request, Searcher

_LONGEST_QUESTION = 4000
_LONGEST_FILE = 100_000
"""Characters up to which the file of a hit is read, to show whole entries of it; of a longer one,
the hit's lines."""

_MORE = 2
"""Times as many hits as a search shows are looked at, since some will stand in other slots
already."""

_BESIDE = 2
"""Entries on either side of a hit that are worth a look."""


class Recalled(NamedTuple):
    """`scores` say by path and line how well what is recent fits; None without a message."""

    recent: list[Passage]
    scores: Mapping[tuple[str, int], float] | None
    found: list[Found]
    put_right: list[tuple[Correction, float]]
    notes: list[str]


def days_of(files: Files, when: Moment, hours: int) -> list[str]:
    """The dated files of the last hours. A file belongs to its whole day, and a day ahead is
    somebody's today.
    """
    first, last = (when.now - timedelta(hours=hours)).date(), when.now.date() + timedelta(days=1)
    return [
        path for path in files.paths if tier(path) == WORKING and _is_between(path, first, last)
    ]


def recall(
    searcher: Searcher,
    files: Files,
    asking: Asking,
    when: Moment,
    memory: Memory,
    settings: Settings,
) -> Recalled:
    """Without a message nothing is searched. What went another way than usual with the search is a
    note.
    """
    paths = days_of(files, when, settings.memory_retention_hours)
    recent = memory.standing(one for path in paths for one in memory.passages(path))
    made = Recalled(recent, None, [], [], [])
    message = asking.message.strip()[:_LONGEST_QUESTION]
    if not message:
        return made
    searcher.now = when.now
    request = Request(message, _MORE * settings.max_results, at=asking.at)
    answer = searcher.answer(request)
    rated = searcher.rated(request, frozenset(paths)) if paths else []
    scores = {
        (row.path, line): score
        for row, score in reversed(rated)
        for line in range(row.line, row.end_line + 1)
    }
    hits = [
        hit for hit in answer.results if not (is_shared(asking.session) and hit.path in NOTEBOOKS)
    ]
    found = [one for hit in hits if not _corrects(hit) for one in _found(hit, files, memory)]
    put_right = [
        (one, hit.score) for hit in hits if _corrects(hit) for one in _correction(hit, memory)
    ]
    return made._replace(scores=scores, found=found, put_right=put_right, notes=_notes(answer))


def _found(hit: Hit, files: Files, memory: Memory) -> list[Found]:
    """The whole entries that a hit touches, and the nearest beside it. What cannot be read from
    here is its snippet.
    """
    text = "" if hit.path.startswith("/") else files.text(hit.path)
    touched = []
    if text and len(text) <= _LONGEST_FILE:
        lines = range(hit.startLine, hit.endLine + 1)
        touched = [
            one for one in memory.passages(hit.path) if one.line in lines or hit.line in _lines(one)
        ]
    if not touched:
        whole = Passage(
            hit.path,
            hit.startLine,
            hit.endLine,
            hit.snippet.strip("\n"),
            (f"## {hit.path}",),
            "snippet",
        )
        return [Found(one, hit.score, answers=True) for one in memory.standing([whole])]
    at = next((at for at, one in enumerate(touched) if hit.line in _lines(one)), 0)
    first = max(0, at - _BESIDE)
    near = memory.standing(touched[first : at + _BESIDE + 1])
    return [Found(one, hit.score, answers=number == at) for number, one in enumerate(near, first)]


def _corrects(hit: Hit) -> bool:
    return hit.source == "corrections" or hit.path.startswith(ARCHIVE)


def _correction(hit: Hit, memory: Memory) -> list[Correction]:
    """The section that a hit stands in, while it holds."""
    found = [one for one in memory.corrections(hit.path) if one.line <= hit.line][-1:]
    return [one for one in found if memory.holds(one)]


def _lines(one: Passage) -> range:
    return range(one.line, one.end_line + 1)


def _is_between(path: str, first: date, last: date) -> bool:
    day = dated(path)
    return day is not None and first <= day <= last


def _notes(answer: Answer) -> list[str]:
    behind = [f"{answer.behind} files are not yet in the index"] if answer.behind else []
    return [*([answer.fallback] if answer.fallback else []), *behind]
