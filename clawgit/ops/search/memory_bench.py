"""`memory bench`: how well the search finds the expected lines of an operator's own questions."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from clawgit.errors import UsageError
from clawgit.ops.search.search import Request, Searcher
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.index.index import silent
from clawgit.stores.index.tables import ItemRow


class Expected(NamedTuple):
    path: str
    line: int


class BenchQuestion(NamedTuple):
    query: str
    expect: tuple[Expected, ...]


@dataclass(frozen=True, slots=True)
class ItemPlace:
    """An item that was found, by the lines that are its own."""

    path: str
    startLine: int  # noqa: N815 - the names are OpenClaw's
    endLine: int  # noqa: N815
    score: float

    def holds(self, expected: Expected) -> bool:
        return self.path == expected.path and self.startLine <= expected.line <= self.endLine


@dataclass(frozen=True, slots=True)
class BenchResult:
    """A question's hits, best first.

    `rank` is the place of the first right hit, from 1; 0 if there is none.
    """

    query: str
    hits: tuple[ItemPlace, ...]
    ms: float
    rank: int
    recall: float = field(repr=False)


@dataclass(frozen=True, slots=True)
class Figures:
    """`recall` is the share of expected lines in the first `k` hits, `mrr` the mean of 1/rank."""

    queries: tuple[BenchResult, ...]
    k: int
    recall: float
    mrr: float
    p50_ms: float
    p95_ms: float


def bench(
    workspace: Workspace, file: Path, limit: int, progress: Callable[[int, int], None] = silent
) -> Figures:
    """Asks every question once. The search is warm after the first."""
    questions = read_questions(file)
    tried: list[BenchResult] = []
    with Searcher(workspace) as searcher:
        searcher.nearest(Request(questions[0].query), 1)
        for number, question in enumerate(questions, 1):
            started = perf_counter()
            found = searcher.nearest(Request(question.query), limit)
            tried.append(_tried(question, found, (perf_counter() - started) * 1000))
            progress(number, len(questions))
    return _figures(tried, limit)


def read_questions(file: Path) -> list[BenchQuestion]:
    """The questions of a JSONL file; UsageError names the line that is invalid."""
    try:
        lines = file.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(
            f"{file} cannot be read: {why}.", hint="Name a file of JSON lines."
        ) from error
    found = [_question(file, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not found:
        raise UsageError(f"{file} holds no questions.", hint=_SHAPE)
    return found


def _question(file: Path, number: int, line: str) -> BenchQuestion:
    try:
        row = json.loads(line)
        expect = tuple(
            Expected(str(one["path"]), int(one["line"])) for one in row.get("expect", ())
        )
        query = str(row["query"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"{file}:{number} is not a question.", hint=_SHAPE) from error
    return BenchQuestion(query, expect)


def _tried(
    question: BenchQuestion, found: Sequence[tuple[ItemRow, float]], ms: float
) -> BenchResult:
    hits = tuple(
        ItemPlace(row.path, row.line, row.end_line, round(score, 4)) for row, score in found
    )
    right = (
        rank for rank, hit in enumerate(hits, 1) if any(hit.holds(one) for one in question.expect)
    )
    held = sum(any(hit.holds(one) for hit in hits) for one in question.expect)
    return BenchResult(
        question.query, hits, round(ms, 3), next(right, 0), held / max(len(question.expect), 1)
    )


def _figures(tried: Sequence[BenchResult], limit: int) -> Figures:
    times = sorted(one.ms for one in tried)
    return Figures(
        queries=tuple(tried),
        k=limit,
        recall=_mean(one.recall for one in tried),
        mrr=_mean(1 / one.rank if one.rank else 0.0 for one in tried),
        p50_ms=times[len(times) // 2],
        p95_ms=times[len(times) * 95 // 100],
    )


def _mean(numbers: Iterable[float]) -> float:
    found = [*numbers]
    return round(sum(found) / len(found), 4)


_SHAPE = 'Each line: {"query": "…", "expect": [{"path": "memory/2026-02-14.md", "line": 9}]}'
