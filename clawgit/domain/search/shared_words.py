"""Meaning apart from shared words. A short line that repeats one word of a question is near to it
for that word alone, which counts as a word already.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from clawgit.domain.search.question import SearchQuestion
from clawgit.domain.search.ranking import Postings, QueryLikeness
from clawgit.domain.search.ranking_weights import WEIGHTS, Weights
from clawgit.domain.search.terms import in_order


class Apart(NamedTuple):
    """What of a question an item does not hold itself, and how much of the item is words of it.

    The larger that `share`, the less the cosine of the whole question says.
    """

    rest: str
    share: float


def apart(
    question: SearchQuestion,
    found: Sequence[Postings],
    lengths: Mapping[int, int],
    weights: Weights = WEIGHTS,
) -> dict[int, Apart]:
    """For each of these items that holds a word of the question. `lengths` are in words."""
    said = in_order(question.text)
    rests: dict[tuple[int, ...], str] = {}
    parts: dict[int, Apart] = {}
    for item, length in lengths.items():
        held = tuple(at for at, one in enumerate(found) if _holds(one.ids, item))
        if not held:
            continue
        if held not in rests:
            gone = {form for at in held for form in found[at].forms}
            rests[held] = " ".join(word for word in said if word not in gone)
        share = min(1.0, weights.shared * len(held) / max(length, 1))
        parts[item] = Apart(rests[held], share)
    return parts


def less_shared(
    likeness: QueryLikeness, parts: Mapping[int, Apart], nearer: Mapping[int, float]
) -> QueryLikeness:
    """The cosines, as far as an item is shared words those of the rest of the question."""
    own = {
        item: (1 - part.share) * likeness.cosines[item] + part.share * nearer.get(item, 0.0)
        for item, part in parts.items()
    }
    return likeness._replace(cosines={**likeness.cosines, **own})


def _holds(ids: Sequence[int], item: int) -> bool:
    at = bisect_left(ids, item)
    return at < len(ids) and ids[at] == item
