"""What a score is worth: how often an answer with such a best score is right, and how often the
line is that calls an answer unlikely. Part of `python -m bench ranking`.

Each question is asked twice where it has an answer: of the memory as it is, and of the memory
without the lines that answer it (and, of a conversation, what was said around them). So a set has as
many questions without an answer as with one, about the same people and matters.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import inf
from statistics import fmean
from typing import NamedTuple

from bench.ranking_lab import MIN_SCORE, SHOWN, Case, Hit, is_right
from clawgit.domain.search.fitting import is_likely

_AROUND = 8
"""Turns on either side of an answer that are taken away with it."""

_FALSE_PREMISE = "adversarial"
"""Questions of LoCoMo's about the wrong person: the evidence is there, and yet no answer."""

_STEPS = (0.0, MIN_SCORE / 2, MIN_SCORE, 0.5, 0.65, 0.8)


class _Answer(NamedTuple):
    """`score` is the best one. `taken`: the lines that answer were not there."""

    score: float
    likely: bool
    right: bool
    taken: bool


def score_rows(sets: Mapping[str, Mapping[str, Sequence[Case]]]) -> Iterator[tuple[str, ...]]:
    """For each set and tier, the share of answers that are right, and how many there are: where an
    answer is unlikely, where it is likely, and, with the questions whose answers were taken away,
    by its best score.
    """
    yield ("set", "tier", "unlikely", "likely", *(f"from {low:.2f}" for low in _STEPS))
    for name, tiers in sets.items():
        for tier, cases in tiers.items():
            yield (name, tier, *_row([one for case in cases for one in _answers(case)]))


def _row(answers: Sequence[_Answer]) -> Iterator[str]:
    asked = [one for one in answers if not one.taken]
    for likely in (False, True):
        yield _share([one.right for one in asked if one.likely is likely])
    for low, high in pairwise((*_STEPS, inf)):
        yield _share([one.right for one in answers if low <= one.score < high])


def _share(right: Sequence[bool]) -> str:
    return f"{fmean(right):.2f} ({len(right)})" if right else "-"


def _answers(case: Case) -> Iterator[_Answer]:
    for at, one in enumerate(case.asked):
        if one.kind == _FALSE_PREMISE:
            continue
        yield _answer(case.hits(at)[:SHOWN], one.expect, taken=False)
        if one.expect:
            hits = case.hits(at, without=_answering(case, one.expect))
            yield _answer(hits[:SHOWN], frozenset(), taken=True)


def _answer(hits: Sequence[Hit], expect: frozenset[tuple[str, int]], *, taken: bool) -> _Answer:
    return _Answer(
        max((hit.scored.base for hit in hits), default=0.0),
        any(is_likely(hit.scored, MIN_SCORE) for hit in hits),
        any(is_right(hit.path, hit.item, expect) for hit in hits),
        taken,
    )


def _answering(case: Case, expect: frozenset[tuple[str, int]]) -> set[int]:
    """The items that answer, and, in a conversation, those around them."""
    places = case.corpus.places
    gone: set[int] = set()
    for at, (path, item) in enumerate(places):
        if any((path, line) in expect for line in range(item.line, item.end_line + 1)):
            reach = _AROUND if case.corpus.layout.bonds[at] else 0
            near = range(max(at - reach, 0), min(at + reach + 1, len(places)))
            gone.update(other for other in near if places[other][0] == path)
    return gone
