"""Finds in CORRECTIONS.md how the agent should behave: orders, and mistakes that came again."""

from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo

from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.markdown.tags import untagged, visible
from clawgit.domain.soul.growth import CORRECTED, FAILED, Sign
from clawgit.domain.soul.growth_hearing import ordered, quotation, quoted


def corrected(
    corrections: Iterable[Correction], speaker: str, zone: tzinfo | None
) -> tuple[Sign, ...]:
    """The signs in corrections, without open ones, which prove nothing.

    An order is a sign of its own. A corrected fact counts as a complaint: it only concerns the soul
    if it must be corrected again and again.
    """
    return tuple(
        _sign(correction, speaker, zone)
        for correction in corrections
        if correction.binds and (correction.words or correction.correct)
    )


def _sign(correction: Correction, speaker: str, zone: tzinfo | None) -> Sign:
    text = correction.words or correction.correct
    when = (correction.time or datetime(1970, 1, 1, tzinfo=UTC)).astimezone(zone)
    order = ordered(text, speaker, when)
    if order:
        rule, sure = order
        return Sign(CORRECTED, rule, when, correction.evidence, quoted(text), text, sure)
    about = untagged(visible(correction.was)) or correction.correct or text
    rule = quotation(text, speaker, lambda chances: chances.corrects)
    return Sign(FAILED, rule, when, correction.evidence, quoted(text), about)
