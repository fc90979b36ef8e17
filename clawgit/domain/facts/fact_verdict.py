"""What becomes of a new fact: it is added, counted as a mention, or ignored."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.corrections.disputed import undisputed
from clawgit.domain.facts.confidence import INFERRED
from clawgit.domain.facts.same_fact import Same, refuted, same_fact, words
from clawgit.domain.markdown.entry import Entry
from clawgit.domain.markdown.statuses import ACTIVE, ARCHIVED, CORRECTED, DISPUTED, SUPERSEDED
from clawgit.domain.workspace.tiers import dated

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


class EntryPlace(NamedTuple):
    """An entry, and the file in which it stands."""

    path: str
    entry: Entry

    @property
    def status(self) -> str:
        return self.entry.meta.status if self.entry.meta else ACTIVE

    @property
    def day(self) -> date | None:
        """When it was last said: the day in its comment, else the day of its note."""
        meta = self.entry.meta
        return (meta and (meta.last or meta.first)) or dated(self.path)

    def __str__(self) -> str:
        return f"{self.path}:{self.entry.line}"


class Verdict(NamedTuple):
    """`place` is the entry that says the same, if there is one."""

    action: str
    reason: str
    place: EntryPlace | None = None


def judged(
    claim: Claim,
    places: Sequence[EntryPlace],
    corrections: Iterable[Correction] = (),
    same: Same = same_fact,
) -> Verdict:
    """A mention if an entry says the same, else a new entry.

    It is ignored if the operator said that it is wrong, or if it is only inferred and something
    newer has replaced it. A mention brings an archived entry back.
    """
    # Reversed, so that of several entries with one status the first stays.
    saying = {
        place.status: place
        for place in reversed(places)
        if same(undisputed(place.entry), claim.text)
    }
    against = _why_wrong(claim, places, corrections, same)
    if against and not claim.binding:
        return Verdict(IGNORED, against, saying.get(CORRECTED))
    if disputed := saying.get(DISPUTED):
        return Verdict(
            IGNORED, f"{disputed} already says so, and the operator disputes it", disputed
        )
    if known := saying.get(ACTIVE) or saying.get(ARCHIVED):
        return Verdict(MERGED, f"{known} already says so", known)
    if (old := saying.get(SUPERSEDED)) and claim.source == INFERRED:
        return Verdict(IGNORED, f"{old} was superseded by something newer", old)
    though = f", though {against}" if against else ""
    return Verdict(ADDED, f"new in {claim.path}{though}")


def _why_wrong(
    claim: Claim, places: Iterable[EntryPlace], corrections: Iterable[Correction], same: Same
) -> str:
    """Why a fact is wrong by the operator's corrections, "" if it is not."""
    known = [*corrections]
    correction = refuted(claim.text, known, same) or _contradicted(claim, known, same)
    if correction:
        right = " ".join(correction.correct.split())
        return f"the operator corrected this ({correction.evidence}): {right}"
    for place in places:
        if place.status == CORRECTED and same(place.entry.text, claim.text):
            return f"{place} was corrected: {place.entry.text}"
    return ""


def _contradicted(claim: Claim, corrections: Iterable[Correction], same: Same) -> Correction | None:
    """The newest correction that gives another value than an inferred fact."""
    if claim.source != INFERRED:
        return None
    fact, fact_words = claim.text, {*words(claim.text)}
    for correction in reversed([correction for correction in corrections if correction.binds]):
        if same(fact, correction.correct):
            return None
        shared = fact_words.intersection(words(correction.correct))
        if len(shared) >= _SHARED and _contradicts(correction.correct, fact):
            return correction
    return None


def _contradicts(first: str, second: str) -> bool:
    from clawgit.domain.claims.contradicting import dispute  # noqa: PLC0415 - 30 ms of each write

    return dispute(first, second) is not None
