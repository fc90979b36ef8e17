"""Turns scores into chances that hold for how often things occur in real chats."""

from collections.abc import Sequence
from math import exp, log

_LEAST = -500.0


def sigmoid(score: float) -> float:
    if score >= 0:
        return 1 / (1 + exp(max(-score, _LEAST)))
    power = exp(max(score, _LEAST))
    return power / (1 + power)


def softmax(scores: Sequence[float]) -> tuple[float, ...]:
    highest = max(scores)
    powers = [exp(max(score - highest, _LEAST)) for score in scores]
    total = sum(powers)
    return tuple(power / total for power in powers)


def odds(scores: Sequence[float], number: int) -> float:
    """The log odds of one class against all the others."""
    others = [score for at, score in enumerate(scores) if at != number]
    highest = max(others)
    return (
        scores[number] - highest - log(sum(exp(max(score - highest, _LEAST)) for score in others))
    )


def chances(log_odds: Sequence[float], calibration: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """The chances of all classes. Each but the last has its own line; the last gets the rest."""
    lines = zip(log_odds, calibration, strict=False)
    each = [sigmoid(slope * log_odds_of_one + shift) for log_odds_of_one, (slope, shift) in lines]
    # Each line was fitted by itself, so together they may pass 1.
    total = max(1.0, sum(each))
    each = [chance / total for chance in each]
    return (*each, max(0.0, 1 - sum(each)))
