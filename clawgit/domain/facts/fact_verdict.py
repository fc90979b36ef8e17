"""What becomes of a new fact: it is added, counted as a mention, or ignored."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.corrections.disputed import undisputed
from clawgit.domain.facts.confidence import INFERRED
from clawgit.domain.facts.same_fact import Same, refuted, same_fact, words
from clawgit.domain.markdown.entry import Entry
from clawgit.domain.markdown.statuses import ACTIVE, ARCHIVED, CORRECTED, DISPUTED, SUPERSEDED

ADDED = "added"
MERGED = "merged"
IGNORED = "ignored"

_SHARED = 2
"""Two texts about the same thing share at least this many words."""


class Claim(NamedTuple):
    """A fact and where it would go. `binding`: the operator says so, and their newest
    word counts.
    """

    text: str
    source: str
    path: str
    binding: bool = False


class Verdict(NamedTuple):
    """`entry` is the one that says the same, if there is one."""

    action: str
    reason: str
    entry: Entry | None = None


def judged(
    claim: Claim,
    known: Sequence[Entry],
    corrections: Sequence[Correction] = (),
    same: Same = same_fact,
) -> Verdict:
    """A mention if an entry says the same, else a new entry.

    It is ignored if the operator said that it is wrong, or if it is only inferred and something
    newer has replaced it. A mention brings an archived entry back.
    """
    # Reversed, so that of several entries with one status the first stays.
    saying = {
        entry.status: entry for entry in reversed(known) if same(undisputed(entry), claim.text)
    }
    against = _why_wrong(claim, known, corrections, same)
    if against and not claim.binding:
        return Verdict(IGNORED, against, saying.get(CORRECTED))
    if disputed := saying.get(DISPUTED):
        return Verdict(
            IGNORED, f"{disputed} already says so, and the operator disputes it", disputed
        )
    if told := saying.get(ACTIVE) or saying.get(ARCHIVED):
        return Verdict(MERGED, f"{told} already says so", told)
    if (old := saying.get(SUPERSEDED)) and claim.source == INFERRED:
        return Verdict(IGNORED, f"{old} was superseded by something newer", old)
    though = f", though {against}" if against else ""
    return Verdict(ADDED, f"new in {claim.path}{though}")


def _why_wrong(
    claim: Claim, known: Iterable[Entry], corrections: Sequence[Correction], same: Same
) -> str:
    """Why a fact is wrong by the operator's corrections, "" if it is not."""
    if found := refuted(claim.text, corrections, same) or _contradicted(claim, corrections, same):
        return f"the operator corrected this ({found.evidence}): {' '.join(found.correct.split())}"
    for entry in known:
        if entry.status == CORRECTED and same(entry.text, claim.text):
            return f"{entry} was corrected: {entry.text}"
    return ""


def _contradicted(claim: Claim, corrections: Iterable[Correction], same: Same) -> Correction | None:
    """The newest correction that gives another value than an inferred fact."""
    if claim.source != INFERRED:
        return None
    for correction in reversed([correction for correction in corrections if correction.binds]):
        if same(claim.text, correction.correct):
            return None
        shared = {*words(claim.text)}.intersection(words(correction.correct))
        if len(shared) >= _SHARED and _contradicts(correction.correct, claim.text):
            return correction
    return None


def _contradicts(first: str, second: str) -> bool:
    from clawgit.domain.claims.contradicting import dispute  # noqa: PLC0415 - 30 ms of each write

    return dispute(first, second) is not None
