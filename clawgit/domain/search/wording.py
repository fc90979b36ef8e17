"""What an item says of a question in other words, where each word of it is compared by itself.

The mean of all words, which a vector of a whole text is, hides a word that is asked for: “Gave the
spare set of keys to Mrs. Okafor” tells who can let us in if we are locked out.
"""

from collections.abc import Callable, Mapping, Sequence

from clawgit.domain.search.question_words import STOP
from clawgit.domain.search.ranking import GatheredMatches
from clawgit.domain.search.ranking_weights import WEIGHTS, Weights
from clawgit.domain.search.terms import words

MOST_WORDS = 60
"""Words of a text that are looked at."""

AlikeWords = Callable[[Sequence[str], Sequence[str]], Sequence[Sequence[float]]]
"""For each of the texts, how near its nearest word is to each word of a question."""


def telling_words(text: str) -> list[str]:
    """The first words of a text that say something, each once."""
    telling = [word for word in dict.fromkeys(words(text)) if word not in STOP]
    return telling[:MOST_WORDS]


def reworded(
    gathered: GatheredMatches,
    texts: Mapping[int, str],
    alike: AlikeWords,
    weights: Weights = WEIGHTS,
) -> GatheredMatches:
    """What was gathered of these items alone, where a word that is near to one of the question
    counts for it.

    A turn of a conversation is left as it is: there the turns around it tell what it is about.
    """
    near, sums = gathered.among(texts)
    said = {item: text for item, text in texts.items() if not gathered.is_turn(item)}
    found = alike(gathered.words, [*said.values()]) if said else ()
    raised: set[int] = set()
    for item, cosines in zip(said, found, strict=True):
        if max(cosines, default=0.0) <= weights.any_alike:
            continue
        for close, cosine, weight in zip(near, cosines, gathered.weights, strict=True):
            closeness = (cosine - weights.any_alike) / (1 - weights.any_alike)
            if closeness > close[item]:
                sums[item] += weight * (closeness - close[item])
                close[item] = closeness
                raised.add(item)
    holding = gathered.holding | raised
    return gathered._replace(near=tuple(near), sums=sums, holding=holding)
