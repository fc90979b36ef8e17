"""What CORRECTIONS.md says about how the agent behaves: orders, and mistakes that came again."""

from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo

from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.markdown.tags import untagged, visible
from clawgit.domain.soul.growth import CORRECTED, FAILED, Sign
from clawgit.domain.soul.growth_hearing import ordered, quotation, quoted


def corrected(
    corrections: Iterable[Correction], speaker: str, zone: tzinfo | None
) -> tuple[Sign, ...]:
    """Orders are orders; a fact that was set right is none of the soul's, but to set it right again
    and again is. A correction that is open proves nothing.
    """
    return tuple(
        _sign(each, speaker, zone)
        for each in corrections
        if each.binds and (each.words or each.correct)
    )


def _sign(correction: Correction, speaker: str, zone: tzinfo | None) -> Sign:
    told = correction.words or correction.correct
    when = (correction.time or datetime(1970, 1, 1, tzinfo=UTC)).astimezone(zone)
    if order := ordered(told, speaker, when):
        return Sign(CORRECTED, order[0], when, correction.evidence, quoted(told), told, order[1])
    about = untagged(visible(correction.was)) or correction.correct or told
    rule = quotation(told, speaker, lambda chances: chances.corrects)
    return Sign(FAILED, rule, when, correction.evidence, quoted(told), about)
