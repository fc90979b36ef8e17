"""Judge (e): do two standing records contradict, agree, or speak of different things?"""

from collections.abc import Sequence
from operator import mul
from typing import NamedTuple

from clawgit.judges.calibration import softmax
from clawgit.judges.features import hashed, words
from clawgit.judges.pairs import reading, two
from clawgit.judges.weights import head


class Relation(NamedTuple):
    contradict: float
    agree: float
    different: float


def relation(a: str, b: str, under_a: str = "", under_b: str = "") -> Relation:
    """What two records are to each other; `under_…` is the heading path of each. The same whichever comes first."""
    learned = head("relation")
    dense, groups = seen(a, b, under_a, under_b)
    scores = learned.scores(hashed(groups))
    rows = learned.more["weights"]
    scores = [score + sum(map(mul, dense, row)) for score, row in zip(scores, rows, strict=True)]
    return Relation(*softmax(scores))


def seen(a: str, b: str, under_a: str, under_b: str) -> tuple[list[float], list[list[str]]]:
    """The features: numbers, and the words that both have, and those that only either has."""
    dense = two(reading(a), reading(b), under_a, under_b)
    first, second = _words(a), _words(b)
    return dense, [sorted(first ^ second), sorted(first & second), _label(a, b)]


def _words(text: str) -> set[str]:
    return {word.casefold() for word in words(text[:3000])}


def _label(a: str, b: str) -> Sequence[str]:
    labels = [text.replace("：", ":").partition(":")[0].strip("-*• ").casefold() for text in (a, b)]
    if len(max(labels, key=len)) > 24:
        return ["no labels"]
    return ["labels", f"equal {labels[0] == labels[1]}", *labels]
