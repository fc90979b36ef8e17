"""How likely it is that what a search found answers the question at all.

A score says how much of a question an item covers. Whether that is enough depends on how much was
asked, and on what the words mean that are missing.
"""

from collections.abc import Sequence
from math import log
from typing import NamedTuple

from clawgit.domain.search.lexicon import Vector, WordVectors, cosine
from clawgit.domain.search.ranking import GatheredMatches, Scored
from clawgit.domain.search.ranking_weights import EvidenceWeights
from clawgit.domain.search.wording import telling_words
from clawgit.judges.calibration import sigmoid

FIRST = 6
"""The cosines of the first hits, this many, are compared."""

_WEIGHED = 3
"""The words of the first hits, this many, are weighed; the best hit counts."""

_CHANCE_ALIKE = 0.25
"""A cosine that any two words may have: some word of an item is always as near as that."""


class Evidence(NamedTuple):
    """What speaks for an answer.

    `covered`: the share of the question, by the weights of its words, that one of the first hits
    holds in these words or in others of nearly the same meaning. `asked`: how much that is, in
    words that stand in one item only. `cosine` is that of the first hit, `lead` how far the nearest
    hit is ahead of the middle one; both are 0 without meaning.
    """

    covered: float
    asked: float
    cosine: float = 0.0
    lead: float = 0.0


def evidence(
    gathered: GatheredMatches,
    hits: Sequence[tuple[Scored, str]],
    count: int,
    vectors: WordVectors,
) -> Evidence | None:
    """What the first of the hits, best first, are worth as an answer, among `count` items.

    None if that is unknown, because most words of the question are not in the list of words: it is
    in another language, or has nothing but names.
    """
    meant = {word: vectors(word) for word in gathered.words}
    known = sum(vector is not None for vector in meant.values())
    if not hits or 2 * known < len(meant):
        return None
    covered = max(
        _covered(gathered, meant, scored.id, text, vectors) for scored, text in hits[:_WEIGHED]
    )
    asked = gathered.total / log(1 + count)
    cosines = [scored.parts.cosine for scored, _ in hits[:FIRST]]
    near = [cosine for cosine in cosines if cosine is not None]
    if not near:
        return Evidence(covered, asked)
    return Evidence(covered, asked, near[0], max(near) - sorted(near)[len(near) // 2])


def chance(found: Evidence, weights: EvidenceWeights) -> float:
    """The chance that one of the first hits answers, if half of all questions have an answer."""
    return sigmoid(
        weights.bias
        + weights.covered * found.covered
        + weights.asked * found.asked
        + weights.cosine * found.cosine
        + weights.lead * found.lead
    )


def _covered(
    gathered: GatheredMatches,
    meant: dict[str, Vector | None],
    item: int,
    text: str,
    vectors: WordVectors,
) -> float:
    """The share of the question that an item holds."""
    said: list[Vector] | None = None
    covered = 0.0
    for word, weight, near in zip(gathered.words, gathered.weights, gathered.near, strict=True):
        closeness = min(near.get(item, 0.0), 1.0)
        vector = meant[word]
        if closeness < 1 and vector is not None:
            said = _said(text, vectors) if said is None else said
            alike = max((cosine(vector, other) for other in said), default=0.0)
            closeness = max(closeness, (alike - _CHANCE_ALIKE) / (1 - _CHANCE_ALIKE))
        covered += weight * closeness
    return covered / gathered.total if gathered.total else 0.0


def _said(text: str, vectors: WordVectors) -> list[Vector]:
    """The vectors of the words of a text that say something."""
    found = map(vectors, telling_words(text))
    return [vector for vector in found if vector is not None]
