"""Chooses the weights of ranking: `RANKING_SETS=DIR python -m bench.tune`, a minute or two on an idle
machine.

Each step changes one weight, and keeps it when all tiers together answer better: LoCoMo's
conversations, and the tuning part of our own sets. With `--folds` it is done once for each
conversation, without that one, and what the weights reach there is printed: those figures alone say
how good the choice is.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from statistics import fmean

from bench.ranking_lab import KINDS, Case, Figures, measured, numbers, place_of_answer
from bench.ranking_sets import own_sets, strangers
from clawgit.domain.search.ranking_weights import WEIGHTS, Weights

_START = WEIGHTS._replace(
    ahead=0.7,
    ahead_fade=0.7,
    behind=0.6,
    behind_fade=0.6,
    brevity=0.25,
    days=5.0,
    speaker=1.2,
    asking=0.85,
    wanted=1.15,
    sharpness=1.5,
)
"""Round numbers, from which each search starts."""

_STEPS = {
    "ahead": (-0.1, 0.1),
    "ahead_fade": (-0.1, 0.1),
    "behind": (-0.1, 0.1),
    "behind_fade": (-0.1, 0.1),
    "brevity": (-0.1, 0.1),
    "days": (-2.0, 2.0),
    "speaker": (-0.1, 0.1),
    "asking": (-0.1, 0.1),
    "wanted": (-0.15, 0.15),
    "sharpness": (-0.5, 0.5),
}
"""What is tried for each weight, from where it stands. `level`, `quoted` and `signed` are set by hand:
the first places scores on their scale, and no set has quotation marks or signs of figures.
"""

_LEAST_GAIN = 0.0005
_ANY_5 = 0.2

Tiers = Mapping[str, Sequence[Case]]
Measure = Callable[[Weights], Sequence[float]]
"""A value for each conversation, its tiers together, and one for our own sets."""


def tuned(measure: Measure, chosen: Sequence[int]) -> Weights:
    """The weights that serve the chosen conversations and our own sets best, one weight at a
    time."""

    def reached(weights: Weights) -> float:
        *talks, own = measure(weights)
        return fmean((*(talks[at] for at in chosen), own))

    best, most = _START, reached(_START)
    for name, steps in _STEPS.items():
        for step in steps:
            tried = best._replace(**{name: round(getattr(best, name) + step, 3)})
            if (got := reached(tried)) > most + _LEAST_GAIN:
                best, most = tried, got
    return best


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.tune", description=__doc__)
    parser.add_argument(
        "--folds", action="store_true", help="hold out one conversation after the other"
    )
    folds = parser.parse_args().folds
    talks = strangers().get("locomo", {})
    if not talks:
        sys.exit("RANKING_SETS=DIR names the folder that bench/ranking_fetch.py has filled.")
    measure = _measure(talks, own_sets())
    everything = range(len(next(iter(talks.values()))))
    if folds:
        _cross_validate(talks, measure, everything)
    print(tuned(measure, everything))


def _measure(talks: Tiers, own: Tiers) -> Measure:
    @cache
    def values(weights: Weights) -> tuple[float, ...]:
        together = zip(*talks.values(), strict=True)
        each = (fmean(_recall(case, weights) for case in tiers) for tiers in together)
        return (*each, fmean(_own_value(case, weights) for cases in own.values() for case in cases))

    return values


def _recall(case: Case, weights: Weights) -> float:
    return _value(measured(case, at, weights) for at in range(len(case.asked)))


def _value(figures: Iterable[Figures]) -> float:
    return fmean(one.recall_400 + one.recall_1500 + _ANY_5 * one.any_5 for one in figures)


def _own_value(case: Case, weights: Weights) -> float:
    """The mean reciprocal rank over the tuning part."""
    asked = [at for kind in KINDS for at in numbers(case, kind, "tune")]
    places = (place_of_answer(case, at, weights) for at in asked)
    return fmean(1 / found[0] if found else 0.0 for found in places)


def _cross_validate(talks: Tiers, measure: Measure, everything: range) -> None:
    held: dict[str, list[Figures]] = {tier: [] for tier in talks}
    for out in everything:
        weights = tuned(measure, [at for at in everything if at != out])
        print(f"without {out}: {weights}", flush=True)
        for tier, cases in talks.items():
            held[tier] += [measured(cases[out], at, weights) for at in range(len(cases[out].asked))]
    for tier, figures in held.items():
        print(tier, "held out:", *(f"{fmean(column):.4f}" for column in zip(*figures, strict=True)))


if __name__ == "__main__":
    main()
