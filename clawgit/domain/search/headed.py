"""What the headings above an item say of a question: “Materials” under “Kylian” under “Spring
fair” are Kylian's for that fair.
"""

from collections.abc import Mapping
from functools import lru_cache

from clawgit.domain.search.question import SearchQuestion
from clawgit.domain.search.ranking import GatheredMatches
from clawgit.domain.search.ranking_weights import WEIGHTS, Weights
from clawgit.domain.search.snippet import stem
from clawgit.domain.search.terms import words
from clawgit.language.simplified import simplified

Headings = tuple[str, ...]
"""All headings above an item, the outermost first, and what else introduces it."""


def headed(
    question: SearchQuestion,
    gathered: GatheredMatches,
    headings: Mapping[int, Headings],
    weights: Weights = WEIGHTS,
) -> GatheredMatches:
    """What was gathered, where a word of a heading counts for these items below it.

    `gather` does so for the items right below a heading alone, since it looks at all items.
    """
    stems = {forms[0]: frozenset(map(stem, forms)) for forms in question.words}
    asked = frozenset[str]().union(*stems.values())
    saying = {item: said for item, above in headings.items() if (said := _stems(above) & asked)}
    if not saying:
        return gathered

    near, sums = gathered.among(headings)
    for item, said in saying.items():
        for word, close, weight in zip(gathered.words, near, gathered.weights, strict=True):
            missing = weights.above - close[item]
            if missing > 0 and not said.isdisjoint(stems.get(word, ())):
                close[item] = weights.above
                sums[item] += weight * missing
    return gathered._replace(near=tuple(near), sums=sums)


@lru_cache(maxsize=4096)
def _stems(headings: Headings) -> frozenset[str]:
    return frozenset(stem(word) for title in headings for word in words(simplified(title)))
