"""Of lines of dated notes that say nearly the same, the newest comes first."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from math import inf

from clawgit.domain.corrections.pairs import meant
from clawgit.domain.facts.decay import day_of
from clawgit.domain.search.ranking_standing import (
    EVEN,
    Placed,
    Stood,
    is_alike,
    is_most,
    stale_reason,
    weight_of,
)

_COMPARED = 24
"""At most so many hits are compared with each other."""


def newest_first(found: Sequence[Stood], rows: Mapping[int, Placed]) -> list[Stood]:
    """The same hits; of lines of dated notes that say nearly the same and match nearly as well, the
    newest comes first: an older value may no longer hold.
    """
    noted = [
        (day, hit, meant(rows[hit.scored.id].text))
        for hit in found[:_COMPARED]
        if (day := _noted_on(rows[hit.scored.id]))
    ]
    repeated = _repeated(text for *_, text in noted)
    told = [one for one in noted if _may_be_alike(one[2], repeated)]
    told.sort(key=lambda one: one[0], reverse=True)
    limits = _limits_by_days(told)
    if not limits:
        return [*found]
    # Behind the newest stand the others, the newer before the older.
    ages = {hit.scored.id: age for age, (_, hit, _) in enumerate(told) if hit.scored.id in limits}
    placed = [
        (-min(weight_of(hit), limits.get(hit.scored.id, inf)), ages.get(hit.scored.id, -1), hit)
        for hit in found
    ]
    placed.sort(key=lambda place: place[:2])
    return [hit._replace(score=min(hit.score, -negative)) for negative, _, hit in placed]


def _limits_by_days(
    told: Sequence[tuple[date, Stood, frozenset[str]]],
) -> dict[int, float]:
    """For each older line, the weight of a newer one that says nearly the same as well; they come
    newest first.
    """
    limits: dict[int, float] = {}
    for at, (day, older, text) in enumerate(told):
        least = weight_of(older) * EVEN
        for newer_day, newer, other in told[:at]:
            if newer_day > day and weight_of(newer) >= least and is_alike(text, other):
                limits[older.scored.id] = limits.get(newer.scored.id, weight_of(newer))
                break
    return limits


def _noted_on(row: Placed) -> date | None:
    """The day of a note, None for what has none, or does not hold any more."""
    return None if stale_reason(row) else day_of(row.path, row.headings)


def _may_be_alike(text: frozenset[str], repeated: AbstractSet[str]) -> bool:
    """Whether a text can be alike to one of others, by the words that any two of them share."""
    return is_most(len(text & repeated), len(text))


def _repeated(texts: Iterable[frozenset[str]]) -> AbstractSet[str]:
    """The words that are in more than one of these texts."""
    once, more = set[str](), set[str]()
    for text in texts:
        more |= once & text
        once |= text
    return more
