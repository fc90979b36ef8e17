"""Times something of ours and its references in turn, so that whatever slows the machine slows all
of them alike.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from time import perf_counter_ns
from typing import Literal, NamedTuple

Task = Callable[[], object]
"""What one lap runs. It leaves things so that it can run again."""


class NotMeasuredError(Exception):
    """Something of ours cannot run here; the words become the row's note."""


class Race(NamedTuple):
    """One thing of ours, the references by name, and the budget that design.md gives ours."""

    what: str
    ours: Task
    references: Mapping[str, Task]
    laps: int
    budget_ms: float | None = None


class Timing(NamedTuple):
    p50_ms: float
    p95_ms: float
    laps: int


class Row(NamedTuple):
    """Ours beside one reference. Without timings, `note` says why."""

    what: str
    ours: Timing | None = None
    reference: str = ""
    theirs: Timing | None = None
    budget_ms: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times the reference's median ours takes; below 1 ours is the faster."""
        return self.ours.p50_ms / self.theirs.p50_ms if self.ours and self.theirs else None

    @property
    def verdict(self) -> Literal["within", "over"] | None:
        if self.ours is None or self.budget_ms is None:
            return None
        return "within" if self.ours.p50_ms <= self.budget_ms else "over"


def run(race: Race) -> list[Row]:
    """A row for each reference, or one that says why there is nothing to measure."""
    try:
        ours, *theirs = _in_turn([race.ours, *race.references.values()], race.laps)
    except NotMeasuredError as reason:
        return [Row(race.what, budget_ms=race.budget_ms, note=str(reason))]
    named = zip(race.references, theirs, strict=True)
    return [Row(race.what, ours, name, timing, race.budget_ms) for name, timing in named]


def timing(laps_ms: Sequence[float]) -> Timing:
    """The median, and the smallest measured value that 95 % of the laps do not exceed."""
    ranked = sorted(laps_ms)
    return Timing(median(ranked), ranked[math.ceil(0.95 * len(ranked)) - 1], len(ranked))


def _in_turn(tasks: Sequence[Task], laps: int) -> list[Timing]:
    """The first round warms caches and is not counted."""
    _warm, *counted = [[_lap_ms(task) for task in tasks] for _ in range(laps + 1)]
    return [timing(column) for column in zip(*counted, strict=True)]


def _lap_ms(task: Task) -> float:
    start = perf_counter_ns()
    task()
    return (perf_counter_ns() - start) / 1e6
