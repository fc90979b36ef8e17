"""`python -m bench page`: what the page costs with 12,000 items and 10,000 commits.

How long each view takes, first and again; fifty people who look at one after the other for a
minute, with the memory of the server before and after; the first page of 100,000 commits. Beside
it, in the same run, a file that the same server gives without asking anything.
"""

import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from bench.lab import Lab, open_lab
from bench.workspaces import plant
from tests.front.web.serving import Page, served

_FILES, _COMMITS, _MANY_COMMITS = 250, 10_000, 100_000
"""With a line a commit and eight a file, some 12,000 items."""

_VIEWS = ("", "timeline", "soul", "memory", "decide", "context")
_REFERENCE = "static/style.css"
_CLIENTS, _SECONDS, _THINKS = 50, 60.0, 1.0
_LAPS, _CHANGES = 30, 5
_PAUSE = 1.0
"""Seconds after which the server looks whether something moved."""

_CLAWGIT = (sys.executable, "-m", "clawgit")


def report() -> str:
    with tempfile.TemporaryDirectory(prefix="clawgit-bench-") as folder:
        lab = open_lab(Path(folder))
        with patch.dict(os.environ, lab.env):
            small, large = (_workspace(lab, number) for number in (_COMMITS, _MANY_COMMITS))
            lab.finish(small, *_CLAWGIT, "memory", "index")
            return "\n".join((*_alone(small), "", *_together(small), "", *_first_page(large)))


def _workspace(lab: Lab, commits: int) -> Path:
    root = plant(lab, f"commits-{commits}", files=_FILES, commits=commits)
    lab.finish(root, *_CLAWGIT, "init", str(root))
    return root


@contextmanager
def _open(root: Path) -> Iterator[Page]:
    with served(root, python=sys.executable) as page:
        yield page.comes_in()


def _alone(root: Path) -> Iterator[str]:
    began = time.perf_counter()
    with served(root, python=sys.executable) as page:
        page.comes_in()
        yield f"from the start to the first byte: {_ms(time.perf_counter() - began)} ms"
        yield "| view | first ms | after a change p50 ms | again p50 ms | ÷ a file |"
        yield "| --- | ---: | ---: | ---: | ---: |"
        file = _again(page, _REFERENCE)
        for view in _VIEWS:
            first, changed = _timed(page, view), _after_a_change(page, view, root)
            again = _again(page, view)
            row = f"{_ms(first)} | {_ms(changed)} | {_ms(again)} | {again / file:.1f}"
            yield f"| {view or 'today'} | {row} |"
        yield f"| a file | | | {_ms(file)} | 1 |"


def _together(root: Path) -> Iterator[str]:
    with _open(root) as page:
        for view in _VIEWS:
            page.sees(view)
        before = _memory(page.pid)
        end = time.monotonic() + _SECONDS
        with ThreadPoolExecutor(_CLIENTS) as pool:
            columns = [*pool.map(lambda seed: _looks(page, seed, end), range(_CLIENTS))]
        laps = sorted(lap for column in columns for lap in column)
        yield (
            f"{_CLIENTS} people for {_SECONDS:.0f} s, {len(laps):,} pages: "
            f"p50 {_ms(statistics.median(laps))} ms, p99 {_ms(laps[int(0.99 * len(laps))])} ms, "
            f"slowest {_ms(laps[-1])} ms; memory {before:.0f} → {_memory(page.pid):.0f} MB"
        )


def _first_page(root: Path) -> Iterator[str]:
    with _open(root) as page:
        first = _timed(page, "timeline")
        # Each asks for the same page in other words, since the same would be answered again.
        laps = [_timed(page, f"timeline?since=1990-01-{day:02}") for day in range(1, 29)]
        yield (
            f"the first page of {_MANY_COMMITS:,} commits: {_ms(first)} ms after the start, "
            f"then {_ms(statistics.median(laps))} ms"
        )


def _looks(page: Page, seed: int, end: float) -> list[float]:
    """What one of many people waits for, who reads a second between two clicks."""
    chance, laps = random.Random(seed), []
    while time.monotonic() < end:
        laps.append(_timed(page, chance.choice(_VIEWS)))
        time.sleep(chance.uniform(0, 2 * _THINKS))
    return laps


def _again(page: Page, view: str) -> float:
    return statistics.median(_timed(page, view) for _ in range(_LAPS))


def _after_a_change(page: Page, view: str, root: Path) -> float:
    """What the next one waits for who looks after an edit of a file."""
    laps = []
    for number in range(_CHANGES):
        with (root / "MEMORY.md").open("a") as file:
            file.write(f"- Change {number} was seen by {view or 'today'}.\n")
        time.sleep(_PAUSE)
        laps.append(_timed(page, view))
    return statistics.median(laps)


def _timed(page: Page, view: str) -> float:
    began = time.perf_counter()
    page.sees(view)
    return time.perf_counter() - began


def _memory(pid: int) -> float:
    """Megabytes that a process holds."""
    status = Path(f"/proc/{pid}/status").read_text("ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f}"
