"""What `memory promote` makes of our labelled lines of daily notes: `python -m bench promotion`."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import NamedTuple

from clawgit.core.layout import NOTEBOOK
from clawgit.memory.rules.promotion import MOVED, SURE, Terms, Weighed, plan, units, weigh

CORPUS = Path(__file__).parent.parent / "tests" / "data" / "promotion.jsonl"
_NOTE = "memory/2026-03-19.md"
_NOW = datetime(2026, 3, 20, 18, tzinfo=UTC)


class Sample(NamedTuple):
    """A line, whether it should last, and what memory holds already. Nothing was tuned on those
    that are kept."""

    text: str
    promote: bool
    category: str
    trap: str
    known: tuple[str, ...]
    kept: bool


class Figures(NamedTuple):
    right: int
    missed: int
    false: int

    @property
    def recall(self) -> float:
        return _share(self.right, self.missed)

    @property
    def precision(self) -> float:
        return _share(self.right, self.false)


@cache
def samples() -> tuple[Sample, ...]:
    rows = map(json.loads, CORPUS.read_text(encoding="utf-8").splitlines())
    return tuple(
        Sample(row["text"], row["promote"], row["category"] or "", row["trap"] or "",
        tuple(row["known"]),
               row["half"] == "kept")
        for row in rows
    )  # fmt: skip


@cache
def promoted(sample: Sample) -> Weighed | None:
    """What is promoted of a note that holds the line and nothing else; None where it stays."""
    notebook = "# Memory\n\n" + "".join(f"- {entry}\n" for entry in sample.known)
    files = {NOTEBOOK: notebook, _NOTE: f"# 2026-03-19\n\n- {sample.text}\n"}
    found = filter(None, map(weigh, units(_NOTE, files[_NOTE])))
    chosen = [one for one in found if not one.against and one.confidence >= SURE]
    decided = plan(files, [NOTEBOOK], chosen, Terms(_NOW)).decided
    moved = any(one.action == MOVED for one in decided)
    return chosen[0] if moved else None


def figures(of: Iterable[Sample]) -> Figures:
    times = Counter((sample.promote, promoted(sample) is not None) for sample in of)
    return Figures(times[True, True], times[True, False], times[False, True])


def half(*, kept: bool) -> list[Sample]:
    return [sample for sample in samples() if sample.kept == kept]


def report() -> str:
    """The figures of both halves, by category and by trap, and the mistakes that may be learned
    from."""
    lines = [f"{'':28}{'right':>8}{'missed':>8}{'false':>8}{'recall':>9}{'precision':>11}"]
    for name, kept in (("tuned on", False), ("kept", True)):
        lines += [_row(name, figures(half(kept=kept)))]
        lines += [_row(f"  {category}", _of(kept, category)) for category in _categories()]
        lines.append(f"  category told right: {_told_right(kept):.3f}")
    return "\n".join([*lines, "", *_mistakes()])


def _of(kept: bool, category: str) -> Figures:
    return figures(sample for sample in half(kept=kept) if sample.category == category)


def _categories() -> list[str]:
    return sorted({sample.category for sample in samples() if sample.category})


def _told_right(kept: bool) -> float:
    """Of those rightly promoted, the share whose category is the labelled one; several can be right
    for a line."""
    told = [
        (sample, found)
        for sample in half(kept=kept)
        if sample.promote and (found := promoted(sample))
    ]
    return sum(sample.category == found.category for sample, found in told) / max(len(told), 1)


def _mistakes() -> Iterator[str]:
    for sample in half(kept=False):
        if sample.promote != (promoted(sample) is not None):
            yield f"{'missed' if sample.promote else f'false ({sample.trap})'}: {sample.text!r}"


def _row(name: str, found: Figures) -> str:
    counts = f"{found.right:>8}{found.missed:>8}{found.false:>8}"
    return f"{name:28}{counts}{found.recall:>9.3f}{found.precision:>11.3f}"


def _share(hits: int, others: int) -> float:
    return hits / (hits + others) if hits + others else 1.0
