"""What triage finds on our labelled messages, and how long it takes: `python -m bench triage`, `…
heartbeat`."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from bench.lab import Lab
from bench.race import Race
from clawgit.talk.rules.triage import VALIDATOR, triage

CORPUS = Path(__file__).parent.parent / "tests" / "data" / "triage.jsonl"
MINER = "memory-miner"
_BUDGET_MS = 50.0
_MESSAGE = "No, it's Thursday. Please remember that."


class Sample(NamedTuple):
    """A message, and whom its writer would want to hear of it. Nothing was tuned on those that are
    kept."""

    routes: tuple[str, ...]
    kept: bool
    text: str


class Figures(NamedTuple):
    called: int
    missed: int
    false: int

    @property
    def recall(self) -> float:
        return _share(self.called, self.missed)

    @property
    def precision(self) -> float:
        return _share(self.called, self.false)


@cache
def samples() -> tuple[Sample, ...]:
    rows = map(json.loads, CORPUS.read_text(encoding="utf-8").splitlines())
    return tuple(Sample(tuple(row["routes"]), row["kept"], row["text"]) for row in rows)


def figures(of: Iterable[Sample], route: str) -> Figures:
    times = Counter((route in sample.routes, is_called(sample.text, route)) for sample in of)
    return Figures(times[True, True], times[True, False], times[False, True])


def is_called(text: str, route: str) -> bool:
    return any(found.route == route for found in triage(text))


def report() -> str:
    """The figures of both halves, the mistakes that may be learned from, and the time that a
    message takes."""
    lines = [f"{'':28}{'called':>8}{'missed':>8}{'false':>8}{'recall':>9}{'precision':>11}"]
    for name, kept in (("tuned on", False), ("kept", True)):
        half = [sample for sample in samples() if sample.kept == kept]
        lines += [_row(f"{name}, {route}", figures(half, route)) for route in (MINER, VALIDATOR)]
    lines += ["", *_mistakes(), "", _times()]
    return "\n".join(lines)


def races(lab: Lab, quick: bool) -> Iterator[Race]:
    workspace, laps = lab.root / "ws", 2 if quick else 30
    lab.clawgit(lab.root, "init", "ws", "--no-openclaw")()
    beside = {"python -c pass": lab.python("pass"), "import click": lab.python("import click")}
    yield Race(
        "clawgit triage", lab.clawgit(workspace, "triage", _MESSAGE), beside, laps, _BUDGET_MS
    )
    yield Race("clawgit heartbeat", lab.clawgit(workspace, "heartbeat", _MESSAGE), beside, laps)


def _mistakes() -> Iterator[str]:
    for sample in samples():
        for route in (MINER, VALIDATOR):
            wanted = route in sample.routes
            if not sample.kept and wanted != is_called(sample.text, route):
                yield f"{'missed' if wanted else 'false'}: {sample.text!r}"


def _times() -> str:
    """Of one message after the other, once each pattern has been compiled."""
    took = sorted(_seconds(sample.text) * 1000 for _ in range(20) for sample in samples())
    return (
        f"in process: p50 {took[len(took) // 2]:.3f} ms, p99 {took[len(took) * 99 // 100]:.3f} "
        "ms (budget 0.2 ms)"
    )


def _seconds(text: str) -> float:
    start = perf_counter()
    triage(text)
    return perf_counter() - start


def _row(name: str, found: Figures) -> str:
    counts = f"{found.called:>8}{found.missed:>8}{found.false:>8}"
    return f"{name:28}{counts}{found.recall:>9.3f}{found.precision:>11.3f}"


def _share(hits: int, others: int) -> float:
    return hits / (hits + others) if hits + others else 1.0
