"""What the poison guard catches and what it cries wolf at, on our labelled lines: `python -m
bench.poison`."""

import json
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.safety.injection import findings

CORPUS = Path(__file__).parent.parent / "tests" / "data" / "poison.jsonl"


class Sample(NamedTuple):
    """A labelled text. Nothing was tuned on those that are held out."""

    poison: bool
    kind: str
    lang: str
    held_out: bool
    text: str


class Figures(NamedTuple):
    caught: int
    missed: int
    false: int
    passed: int

    @property
    def recall(self) -> float:
        return _share(self.caught, self.missed)

    @property
    def precision(self) -> float:
        return _share(self.caught, self.false)


@cache
def samples() -> tuple[Sample, ...]:
    return tuple(
        Sample(**json.loads(line)) for line in CORPUS.read_text(encoding="utf-8").splitlines()
    )


def is_held(sample: Sample) -> bool:
    """Whether the guard would hold the text back if an agent brought it; a mere warning does not
    count."""
    return any(found.hold for found in findings("", sample.text))


def figures(of: Iterable[Sample]) -> Figures:
    times = Counter((sample.poison, is_held(sample)) for sample in of)
    return Figures(times[True, True], times[True, False], times[False, True], times[False, False])


def report() -> str:
    """The figures of both halves, of each kind and language of poison, and the mistakes that may be
    learned from."""
    groups = {
        "tuned on": [sample for sample in samples() if not sample.held_out],
        "held out": [sample for sample in samples() if sample.held_out],
    }
    lines = [f"{'':12}{'caught':>10}{'false':>10}{'recall':>9}{'precision':>11}"]
    lines += [_row(name, figures(group)) for name, group in groups.items()]
    for label in ("kind", "lang"):
        names = dict.fromkeys(getattr(sample, label) for sample in samples() if sample.poison)
        parts = {
            name: [one for one in samples() if one.poison and getattr(one, label) == name]
            for name in names
        }
        lines += [
            "",
            *(_row(name, figures(part), poison_only=True) for name, part in parts.items()),
        ]
    wrong = [
        sample for sample in samples() if not sample.held_out and sample.poison != is_held(sample)
    ]
    lines += [
        "",
        *(f"{'missed' if sample.poison else 'false'}: {sample.text!a}" for sample in wrong),
    ]
    return "\n".join(lines)


def _row(name: str, found: Figures, *, poison_only: bool = False) -> str:
    caught = f"{found.caught}/{found.caught + found.missed}"
    false = "" if poison_only else f"{found.false}/{found.false + found.passed}"
    precision = "" if poison_only else f"{found.precision:.3f}"
    return f"{name:12}{caught:>10}{false:>10}{found.recall:>9.3f}{precision:>11}".rstrip()


def _share(hits: int, others: int) -> float:
    return hits / (hits + others) if hits + others else 1.0


if __name__ == "__main__":
    print(report())
