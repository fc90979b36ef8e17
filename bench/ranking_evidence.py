"""Learns from which evidence a question is answered, and shows what that refuses: `RANKING_SETS=DIR
python -m bench.ranking_evidence`.

Each question is asked twice where it has an answer: of the memory as it is, and of the memory
without the lines that answer it (and, of a conversation, what was said around them). So a set has as
many questions without an answer as with one, about the same people and matters. Weights are learned
on all sets but one and shown on that one; those at the end, of all sets, belong into
`clawgit/domain/search/ranking_weights.py`.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.ranking_lab import SHOWN, Case, Hit, is_right
from bench.ranking_sets import CORE, own_sets, strangers
from clawgit.domain.search.evidence import Evidence, chance
from clawgit.domain.search.ranking_weights import LEAST_CHANCE, EvidenceWeights

_AROUND = 8
"""Turns on either side of an answer that are taken away with it."""

_FALSE_PREMISE = "adversarial"
"""Questions of LoCoMo's about the wrong person: the evidence is there, and yet no answer."""

_TIERS = (CORE, "static")
_ROUNDS = 30
_HELD = 3e-4
_BARS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)
_STEPS = np.linspace(0, 1, 11)

Floats = NDArray[np.float64]


class Sample(NamedTuple):
    """A question as it was asked of a memory: `kind` is "right" where an answer is among the hits
    that are shown, "missed" where it is not, "gone" where it was taken away, else "absent"."""

    name: str
    kind: str
    found: Evidence


def samples(tier: str) -> list[Sample]:
    """Those of all sets; a question that no evidence is told for is left out."""
    cases = [(name, case) for name, tiers in strangers().items() for case in tiers.get(tier, ())]
    cases += [("own", case) for case in own_sets().get(tier, ())]
    return [one for name, case in cases for one in _samples(name, case)]


def _samples(name: str, case: Case) -> Iterator[Sample]:
    for at, one in enumerate(case.asked):
        if one.kind == _FALSE_PREMISE:
            continue
        hits, found = case.answer(at)
        if found:
            yield Sample(name, _kind(case, at, hits), found)
        if one.expect:
            _, found = case.answer(at, without=_answering(case, at))
            if found:
                yield Sample(name, "gone", found)


def _kind(case: Case, number: int, hits: Sequence[Hit]) -> str:
    expect = case.asked[number].expect
    if not expect:
        return "absent"
    return "right" if any(is_right(hit, expect) for hit in hits[:SHOWN]) else "missed"


def _answering(case: Case, number: int) -> set[int]:
    """The items that answer, and, in a conversation, those around them."""
    places, expect = case.corpus.places, case.asked[number].expect
    gone: set[int] = set()
    for at, (path, item) in enumerate(places):
        if any((path, line) in expect for line in range(item.line, item.end_line + 1)):
            reach = _AROUND if case.corpus.layout.bonds[at] else 0
            near = range(max(at - reach, 0), min(at + reach + 1, len(places)))
            gone.update(other for other in near if places[other][0] == path)
    return gone


def learned(rows: Sequence[Sample]) -> EvidenceWeights:
    """By Newton's method. Each kind of each set counts as the root of its number: a large set does
    not drown the others, nor has each question of a small one too much to say."""
    values = np.array([(1.0, *row.found) for row in rows])
    right = np.array([row.kind == "right" for row in rows], float)
    groups = [(row.name, row.kind) for row in rows]
    counts = {group: groups.count(group) for group in set(groups)}
    share = np.array([counts[group] ** -0.5 for group in groups])
    # As many with an answer as without.
    for side in (right == 1, right == 0):
        share[side] /= share[side].sum()
    share *= len(rows) / 2
    held = np.diag([0.0, *[_HELD * len(rows)] * (values.shape[1] - 1)])
    weights = np.zeros(values.shape[1])
    for _ in range(_ROUNDS):
        likely = 1 / (1 + np.exp(-values @ weights))
        slope = values.T @ (share * (right - likely)) - held @ weights
        bend = (values * (share * likely * (1 - likely))[:, None]).T @ values + held
        weights += np.linalg.lstsq(bend, slope, rcond=None)[0]
    return EvidenceWeights(*(round(value, 2) for value in weights.tolist()))


def held_out(rows: Sequence[Sample]) -> list[tuple[Sample, float]]:
    """Each sample with its chance by what was learned on the other sets."""
    names = dict.fromkeys(row.name for row in rows)
    by_name = {name: learned([row for row in rows if row.name != name]) for name in names}
    return [(row, chance(row.found, by_name[row.name])) for row in rows]


def report() -> str:
    parts = []
    for tier in _TIERS:
        rows = samples(tier)
        judged = held_out(rows)
        parts += [
            f"{tier}, sets held out: right ones lost, taken away and absent ones answered",
            *_trade(judged),
            f"{tier}, sets held out: chances, the share that is right, and how many",
            *_reliability(judged),
            f"{tier}, of all sets: {learned(rows)}",
            "",
        ]
    return "\n".join((*parts, f"in force: {LEAST_CHANCE}"))


def _trade(judged: Sequence[tuple[Sample, float]]) -> Iterator[str]:
    names = dict.fromkeys(row.name for row, _ in judged)
    yield f"{'least chance':12}" + "".join(f"{bar:>18.2f}" for bar in _BARS)
    for name in names:
        cells = []
        for bar in _BARS:
            right, gone, absent = (
                _passing(judged, name, kind, bar) for kind in ("right", "gone", "absent")
            )
            cells.append(f"{_share(right, False)} {_share(gone, True)} {_share(absent, True)}")
        yield f"{name:12}" + "".join(f"{cell:>18}" for cell in cells)


def _passing(
    judged: Sequence[tuple[Sample, float]], name: str, kind: str, bar: float
) -> list[bool]:
    return [likely >= bar for row, likely in judged if row.name == name and row.kind == kind]


def _share(passed: Sequence[bool], wanted: bool) -> str:
    return f"{fmean(one is wanted for one in passed):.2f}" if passed else "-"


def _reliability(judged: Sequence[tuple[Sample, float]]) -> Iterator[str]:
    likely = np.array([one for _, one in judged])
    right = np.array([row.kind == "right" for row, _ in judged])
    for low, high in pairwise(_STEPS):
        among = (likely >= low) & (likely < high)
        if among.any():
            yield (
                f"  {low:.1f} to {high:.1f}   {likely[among].mean():.2f} "
                f"{right[among].mean():.2f} {among.sum():5}"
            )


if __name__ == "__main__":
    print(report())
