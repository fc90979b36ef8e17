"""What becomes of a fact that somebody brings, by what memory holds already and what the operator
has put right.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from clawgit.domain.corrections.corrections import Correction, read_old_value
from clawgit.domain.corrections.disputed import undisputed
from clawgit.domain.facts.confidence import INFERRED
from clawgit.domain.facts.same_fact import Same, refuted, same_fact, words
from clawgit.domain.markdown.comment import ACTIVE, ARCHIVED, CORRECTED, DISPUTED, SUPERSEDED
from clawgit.domain.markdown.entry import Entry

ADDED = "added"
MERGED = "merged"
IGNORED = "ignored"

_SHARED = 2
"""Words that two texts share at least, if they speak of the same."""


class Claim(NamedTuple):
    """A fact and where it would go. `binding`: the operator himself says so, and his newest word
    counts.
    """

    text: str
    source: str
    path: str
    binding: bool = False


class Place(NamedTuple):
    """An entry, and the file in which it stands."""

    path: str
    entry: Entry

    @property
    def status(self) -> str:
        return self.entry.meta.status if self.entry.meta else ACTIVE

    def __str__(self) -> str:
        return f"{self.path}:{self.entry.line}"


class Verdict(NamedTuple):
    """`place` is the entry that says the same, where there is one."""

    action: str
    reason: str
    place: Place | None = None


def judged(
    claim: Claim,
    places: Sequence[Place],
    corrections: Iterable[Correction] = (),
    same: Same = same_fact,
) -> Verdict:
    """A mention where an entry says the same; ignored where the operator said that it is wrong, and
    where it is only inferred from what something newer has replaced; else a new entry. An archived
    entry comes back by a mention.
    """
    saying = {
        place.status: place
        for place in reversed(places)
        if same(undisputed(place.entry), claim.text)
    }
    against = _put_right(claim, places, corrections, same)
    if against and not claim.binding:
        return Verdict(IGNORED, against, saying.get(CORRECTED))
    if disputed := saying.get(DISPUTED):
        return Verdict(
            IGNORED, f"{disputed} says so already, and the operator disputes it", disputed
        )
    if known := saying.get(ACTIVE) or saying.get(ARCHIVED):
        return Verdict(MERGED, f"{known} says so already", known)
    if (old := saying.get(SUPERSEDED)) and claim.source == INFERRED:
        return Verdict(IGNORED, f"{old} was superseded by something newer", old)
    return Verdict(ADDED, f"new in {claim.path}" + (f", though {against}" if against else ""))


def _put_right(
    claim: Claim, places: Iterable[Place], corrections: Iterable[Correction], same: Same
) -> str:
    """How the operator said that a fact is wrong, "" where he did not."""
    known = [*corrections]
    found = refuted(claim.text, known, same) or _contradicted(claim, known, same)
    if found:
        return f"the operator corrected this ({found.evidence}): {' '.join(found.correct.split())}"
    wrong = (place for place in places if any(same(old, claim.text) for old in _old_texts(place)))
    return next((f"{place} was corrected: {place.entry.text}" for place in wrong), "")


def _contradicted(claim: Claim, corrections: Iterable[Correction], same: Same) -> Correction | None:
    """The newest correction of which what is only inferred has another value, whatever was wrong
    before.
    """
    fact, said = claim.text, {*words(claim.text)}
    if claim.source != INFERRED:
        return None
    for one in reversed([one for one in corrections if one.binds]):
        if same(fact, one.correct):
            return None
        if len(said & {*words(one.correct)}) >= _SHARED and _exchanges(one.correct, fact):
            return one
    return None


def _exchanges(one: str, other: str) -> bool:
    from clawgit.domain.claims.contradicting import exchange  # noqa: PLC0415 - the language kit, where a correction is near

    return exchange(one, other) is not None


def _old_texts(place: Place) -> Iterable[str]:
    if old := read_old_value(place.entry.raw):
        yield old
    if place.status == CORRECTED:
        yield place.entry.text
