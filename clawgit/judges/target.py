"""Judge (d): which entry of memory a message means, if any, and whether it corrects that entry."""

from collections.abc import Sequence
from math import exp, log
from operator import mul

from clawgit.judges.acts import Acts, act_odds, acts_of
from clawgit.judges.calibration import sigmoid, softmax
from clawgit.judges.pairs import matches
from clawgit.judges.weights import head

_BOUND = 8.0


def targets(message: str, before: str, candidates: Sequence[str]) -> tuple[float, ...]:
    """The chance of each entry to be the one that is meant, if the message corrects something.

    The rest up to 1 is the chance that none of them is meant.
    """
    if not candidates:
        return ()
    learned = head("target").more
    scores = [_times(row, learned["weights"]) for row in matches(message, before, candidates)]
    return softmax([*scores, learned["none"]])[:-1]


def correction_chances(message: str, before: str, candidates: Sequence[str]) -> tuple[float, ...]:
    """For each entry, the chance that the message corrects it; the last: that it corrects another
    one.

    This is the judge to act on, asked once with at most five candidates, and only if the message
    passes `acts(...).corrects >= thresholds().corrects_pass`. If the best entry reaches
    `thresholds().heard_sure`, clawgit may act alone; from `heard_ask` on it may quote or ask.
    Without candidates, the only number is `acts(...).corrects`.
    """
    odds = act_odds(message, before)
    acts = acts_of(odds)
    if not candidates:
        return (acts.corrects,)
    learned = head("target").more["heard"]
    rows = joined(odds, matches(message, before, candidates))
    scores = [_times(row, learned["weights"]) for row in rows]
    highest = max(scores)
    # The log of a sum of powers, with the highest taken out so that no power overflows.
    best = highest + log(sum(exp(max(score - highest, -500)) for score in scores)) - learned["none"]
    slope, shift = learned["calibration"]
    chance = sigmoid(slope * best + shift)
    each = tuple(chance * share for share in softmax(scores))
    return (*each, max(0.0, Acts(*acts).corrects - chance))


def joined(odds: Sequence[float], rows: Sequence[Sequence[float]]) -> list[list[float]]:
    """What the message does, how the entry fits, and the one times the other."""
    bounded = [max(-_BOUND, min(_BOUND, value)) / 2 for value in odds]
    return [[*bounded, *row, *(bounded[0] * value for value in row)] for row in rows]


def _times(row: Sequence[float], weights: Sequence[float]) -> float:
    return float(sum(map(mul, row, weights)))
