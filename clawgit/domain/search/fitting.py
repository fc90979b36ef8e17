"""Which hits fit a question well enough to be shown, and to be called likely."""

from collections.abc import Iterable, Sequence

from clawgit.domain.search.ranking import Scored
from clawgit.domain.search.ranking_standing import Stood
from clawgit.domain.search.ranking_weights import FAINT, WEAK


def passing(scored: Iterable[Scored], least: float) -> list[Scored]:
    """The items, best first, that match well enough by themselves, and all exact ones.

    Factors do not count here: an old item that fits well must not fall below the least score.
    """
    return [item for item in scored if item.base > 0 and _fits(item, least)]


def near_passing(scored: Iterable[Scored], least: float, most: int) -> list[Scored]:
    """Those that pass, and at most this many of those that come near it, in their order.

    If none passes, those farther off are shown as well: a question in other words than the note's
    has a low score too, and the person who asked can judge better than a number.
    """
    found = passing(scored, FAINT * least)
    if any(is_likely(item, least) for item in found):
        found = _beside_likely(found, WEAK * least)
    near = [item.id for item in found if not is_likely(item, least)]
    left = {*near[most:]}
    return [item for item in found if item.id not in left]


def _beside_likely(found: Iterable[Scored], least: float) -> list[Scored]:
    """Those that are shown if one of them is likely: where it says what is looked up, not those
    that are near it in meaning alone.
    """
    return [item for item in passing(found, least) if item.sure or item.parts.words]


def _fits(item: Scored, least: float) -> bool:
    return item.exact or item.base >= least


def is_likely(item: Scored, least: float) -> bool:
    """Whether a hit is called likely. Near words alone must come nearer than the question's."""
    return item.exact or item.base * item.sure >= least


def _is_sure(hit: Stood, least: float) -> bool:
    return is_likely(hit.scored, least) or hit.believed


def reaching(hits: Sequence[Stood], least: float) -> int:
    """How many hits there are up to the last one that reaches a score. Factors may have put one
    before it that does not by itself.
    """
    return max((at for at, hit in enumerate(hits, 1) if _fits(hit.scored, least)), default=0)


def near_hits(hits: Iterable[Stood], least: float) -> list[Stood]:
    """The hits that come near a score by themselves, whatever a reranker says of the others."""
    return [hit for hit in hits if _fits(hit.scored, FAINT * least)]


def likely(hits: Sequence[Stood], least: float) -> int:
    """The same up to the last one that is likely."""
    sure = (not hit.doubted and _is_sure(hit, least) for hit in hits)
    return max((at for at, is_sure in enumerate(sure, 1) if is_sure), default=0)
