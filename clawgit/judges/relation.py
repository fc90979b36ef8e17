"""Judge (e): do two standing records contradict, agree, or speak of different things?"""

from operator import mul
from typing import NamedTuple

from clawgit.judges.calibration import softmax
from clawgit.judges.features import LONGEST, hashed
from clawgit.judges.pairs import beginning, two
from clawgit.judges.weights import head
from clawgit.judges.words import known_words
from clawgit.language.tokens import tokens

_LONGEST_LABEL = 24


class Relation(NamedTuple):
    contradict: float
    agree: float
    different: float


def relation(a: str, b: str, under_a: str = "", under_b: str = "") -> Relation:
    """How two records relate, the same in either order. `under_…` are their heading paths."""
    learned = head("relation")
    dense, groups = seen(a, b, under_a, under_b)
    rows = learned.more["weights"]
    hashed_scores = learned.scores(hashed(groups))
    slope = learned.more["slope"]
    scores = [
        slope * (score + sum(map(mul, dense, row)))
        for score, row in zip(hashed_scores, rows, strict=True)
    ]
    return Relation(*softmax(scores))


def seen(a: str, b: str, under_a: str, under_b: str) -> tuple[list[float], list[list[str]]]:
    """Numbers, and what is hashed: words of only one, words of both, labels, headings, classes."""
    dense = two(beginning(a), beginning(b), under_a, under_b)
    first, second = tokens(a[:LONGEST]), tokens(b[:LONGEST])
    mine, theirs = {token.folded for token in first}, {token.folded for token in second}
    kinds, other_kinds = set(known_words().of(first)), set(known_words().of(second))
    classes = [f"{name} one" for name in sorted(kinds ^ other_kinds)]
    classes += [f"{name} both" for name in sorted(kinds & other_kinds)]
    headings = sorted({token.folded for token in tokens(f"{under_a} {under_b}"[:LONGEST])})
    return dense, [sorted(mine ^ theirs), sorted(mine & theirs), _labels(a, b), headings, classes]


def _labels(a: str, b: str) -> list[str]:
    """The labels of two lines. `Status: done` is a record, and its label says of which kind."""
    labels = [text.replace("：", ":").partition(":") for text in (a, b)]
    names = [
        name.strip("-*• ").casefold()
        for name, colon, _ in labels
        if colon and len(name) <= _LONGEST_LABEL
    ]
    # With one label only, the lines are of different kinds.
    if len(names) < len(labels):
        return [f"labels {len(names)}"]
    return ["labels 2", f"labels equal {names[0] == names[1]}", *sorted(names)]
