"""What the poison guard catches, and its false alarms: `python -m bench.poison`.

On our labelled lines, and of each writer while he was held out of the training. `python -m
bench.poison FILE…` counts what it says of kept files, and prints no text of them.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from clawgit.language.judges.weights import head
from clawgit.safety.rules.injection import findings

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

    @property
    def cried(self) -> float:
        """The share of honest text that is taken for poison."""
        return self.false / max(1, self.false + self.passed)


@cache
def samples() -> tuple[Sample, ...]:
    return tuple(
        Sample(**json.loads(line)) for line in CORPUS.read_text(encoding="utf-8").splitlines()
    )


def kept(path: Path) -> tuple[Sample, ...]:
    """A file of planted texts and their honest neighbours that nobody here has read."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return tuple(
        Sample(row["planted"], row["kind"], row["lang"], True, row["text"]) for row in rows
    )


def is_held(sample: Sample) -> bool:
    """Whether the guard would hold the text back if an agent brought it."""
    return bool(findings("", sample.text))


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
    lines = [_HEADING]
    lines += [_row(name, figures(group)) for name, group in groups.items()]
    lines += ["", *_parts(samples())]
    wrong = [
        sample for sample in samples() if not sample.held_out and sample.poison != is_held(sample)
    ]
    lines += [
        "",
        *(f"{'missed' if sample.poison else 'false'}: {sample.text!a}" for sample in wrong),
    ]
    return "\n".join(lines)


_HEADING = f"{'':22}{'caught':>10}{'false':>10}{'recall':>9}{'precision':>11}{'cried':>8}"


def of_kept(paths: Iterable[Path]) -> str:
    """The weights that ship, on text that nobody here has read: figures only."""
    lines = [_HEADING]
    for path in paths:
        rows = kept(path)
        lines.append(_row(f"{path.stem} held", figures(rows)))
        lines += _parts(rows)
    return "\n".join(lines)


def of_writers() -> str:
    """The judge alone on each writer who was held out, the worst one last."""
    lines = [f"the judge alone, writers held out\n{_HEADING}"]
    counted = {writer: _figures(*of) for writer, of in head("poison").more["writers"].items()}
    order = sorted(counted, key=lambda writer: -counted[writer].recall)
    lines += [_row(f"{writer} held", counted[writer]) for writer in order]
    return "\n".join(lines)


def _figures(caught: int, planted: int, false: int, honest: int) -> Figures:
    return Figures(caught, planted - caught, false, honest - false)


def _parts(rows: Sequence[Sample]) -> list[str]:
    """Recall by kind and by language of poison."""
    poison = [sample for sample in rows if sample.poison]
    lines = []
    for label in ("kind", "lang"):
        for name in dict.fromkeys(getattr(sample, label) for sample in poison):
            part = [sample for sample in poison if getattr(sample, label) == name]
            lines.append(_row(name, figures(part), poison_only=True))
    return lines


def _row(name: str, found: Figures, *, poison_only: bool = False) -> str:
    caught = f"{found.caught}/{found.caught + found.missed}"
    if poison_only:
        return f"{name:22}{caught:>10}{'':10}{found.recall:>9.3f}"
    false = f"{found.false}/{found.false + found.passed}"
    return (
        f"{name:22}{caught:>10}{false:>10}{found.recall:>9.3f}{found.precision:>11.3f}"
        f"{found.cried:>8.4f}"
    )


def _share(hits: int, others: int) -> float:
    return hits / (hits + others) if hits + others else 1.0


def main(arguments: Sequence[str]) -> None:
    if arguments:
        print(of_kept(map(Path, arguments)))
    else:
        print(f"{report()}\n\n{of_writers()}")


if __name__ == "__main__":
    main(sys.argv[1:])
