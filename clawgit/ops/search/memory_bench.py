"""`memory bench`: how well the search finds the expected lines of an operator's own questions."""

import json
from collections.abc import Callable
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import NamedTuple

from clawgit.errors import UsageError
from clawgit.ops.search.search import Request, Searcher
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.index.index import silent

_SHAPE = 'Each line: {"query": "…", "expect": [{"path": "memory/2026-02-14.md", "line": 9}]}'

Spot = tuple[str, int]
"""A path and a line."""


class ItemPlace(NamedTuple):
    """An item that was found, by the lines that are its own."""

    path: str
    startLine: int  # noqa: N815 - the names are OpenClaw's
    endLine: int  # noqa: N815
    score: float

    def holds(self, spot: Spot) -> bool:
        return self.path == spot[0] and self.startLine <= spot[1] <= self.endLine


class BenchResult(NamedTuple):
    """A question's hits, best first.

    `rank` is the place of the first right hit, from 1; 0 if there is none.
    """

    query: str
    hits: tuple[ItemPlace, ...]
    ms: float
    rank: int


class Figures(NamedTuple):
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
    shares: list[float] = []
    with Searcher(workspace) as searcher:
        searcher.looked(Request(questions[0][0]))
        for number, (query, expect) in enumerate(questions, 1):
            started = perf_counter()
            found = searcher.looked(Request(query)).found[:limit]
            ms = round((perf_counter() - started) * 1000, 3)
            hits = tuple(
                ItemPlace(one.row.path, one.row.line, one.row.end_line, round(one.score, 4))
                for one in found
            )
            right = (at for at, hit in enumerate(hits, 1) if any(map(hit.holds, expect)))
            tried.append(BenchResult(query, hits, ms, next(right, 0)))
            held = sum(any(hit.holds(spot) for hit in hits) for spot in expect)
            shares.append(held / max(len(expect), 1))
            progress(number, len(questions))
    times = sorted(one.ms for one in tried)
    return Figures(
        queries=tuple(tried),
        k=limit,
        recall=round(mean(shares), 4),
        mrr=round(mean(1 / one.rank if one.rank else 0.0 for one in tried), 4),
        p50_ms=times[len(times) // 2],
        p95_ms=times[len(times) * 95 // 100],
    )


def read_questions(file: Path) -> list[tuple[str, tuple[Spot, ...]]]:
    """The questions of a JSONL file, each with the lines that answer it; UsageError names the line
    that is invalid.
    """
    try:
        lines = file.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"{file} cannot be read: {why}.", hint=_SHAPE) from error
    found = []
    for number, line in enumerate(lines, 1):
        try:
            if line.strip():
                row = json.loads(line)
                spots = tuple((str(it["path"]), int(it["line"])) for it in row.get("expect", ()))
                found.append((str(row["query"]), spots))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UsageError(f"{file}:{number} is not a question.", hint=_SHAPE) from error
    if not found:
        raise UsageError(f"{file} holds no questions.", hint=_SHAPE)
    return found
