"""From scores to chances that hold at the prevalence of real chat."""

from collections.abc import Sequence
from math import exp, log


def sigmoid(score: float) -> float:
    if score >= 0:
        return 1 / (1 + exp(-min(score, 500)))
    return exp(max(score, -500)) / (1 + exp(max(score, -500)))


def softmax(scores: Sequence[float]) -> tuple[float, ...]:
    highest = max(scores)
    powers = [exp(max(score - highest, -500)) for score in scores]
    total = sum(powers)
    return tuple(power / total for power in powers)


def odds(scores: Sequence[float], number: int) -> float:
    """The log odds of one class against all the others."""
    others = [score for at, score in enumerate(scores) if at != number]
    highest = max(others)
    return scores[number] - highest - log(sum(exp(max(score - highest, -500)) for score in others))


def chances(scores: Sequence[float], calibration: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Each class but the last by its own line through the log odds; the last class has what is left."""
    told = [
        sigmoid(slope * odds(scores, number) + shift) for number, (slope, shift) in enumerate(calibration)
    ]
    total = sum(told)
    if total > 1:
        told = [chance / total for chance in told]
    return (*told, max(0.0, 1 - sum(told)))
