"""The answer of a benchmark: a table for people, JSON for programs, and the machine that both
depend on."""

import os
import platform
import subprocess
from collections.abc import Sequence
from importlib.metadata import version
from itertools import pairwise
from typing import Any, NamedTuple

from bench.race import Row, Timing

_HEADER = ("", "p50 ms", "p95 ms", "beside", "p50 ms", "p95 ms", "ratio", "budget")
_LEFT = (0, 3, 7)


class Report(NamedTuple):
    """One run of one benchmark. The load averages are of the last minute, before and after."""

    benchmark: str
    quick: bool
    machine: str
    load: tuple[float, float]
    rows: Sequence[Row]


def machine() -> str:
    git = subprocess.check_output(["git", "--version"], text=True).split()[2]
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return f"{system}, Python {platform.python_version()}, git {git}, pygit2 {version('pygit2')}"


def load() -> float:
    return round(os.getloadavg()[0], 2)


def table(report: Report) -> str:
    """Plain text. What stands beside the same thing of ours twice says so once."""
    lines = [
        _HEADER,
        *(_cells(row, before) for before, row in pairwise([None, *report.rows]) if row),
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    shown = ("  ".join(_padded(line, widths)).rstrip() for line in lines)
    scale = ", quick: too small to mean anything" if report.quick else ""
    return "\n".join(
        (
            f"{report.benchmark}{scale}",
            report.machine,
            f"load {report.load[0]} → {report.load[1]}",
            "",
            *shown,
        )
    )


def as_json(report: Report) -> dict[str, Any]:
    return {**report._asdict(), "rows": [_row_json(row) for row in report.rows]}


def _cells(row: Row, before: Row | None) -> tuple[str, ...]:
    again = before is not None and before.what == row.what
    ours = ("", "", "") if again else (row.what, *_times(row.ours))
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
    return (
        *ours,
        row.reference or row.note,
        *_times(row.theirs),
        ratio,
        "" if again else _budget(row),
    )


def _times(timing: Timing | None) -> tuple[str, str]:
    return ("", "") if timing is None else (f"{timing.p50_ms:,.1f}", f"{timing.p95_ms:,.1f}")


def _budget(row: Row) -> str:
    return "" if row.budget_ms is None else f"{row.budget_ms:g} ms {row.verdict or ''}".rstrip()


def _padded(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    sized = enumerate(zip(cells, widths, strict=True))
    return [cell.ljust(width) if at in _LEFT else cell.rjust(width) for at, (cell, width) in sized]


def _row_json(row: Row) -> dict[str, Any]:
    return {
        "what": row.what,
        "ours": row.ours and row.ours._asdict(),
        "reference": row.reference,
        "theirs": row.theirs and row.theirs._asdict(),
        "ratio": row.ratio,
        "budget_ms": row.budget_ms,
        "verdict": row.verdict,
        "note": row.note,
    }
