"""Whether two entries disagree: the words of both, under their headings, by whoever wrote them."""

from functools import lru_cache
from typing import NamedTuple

from clawgit.domain.claims.compared import is_statement, lead_of
from clawgit.domain.claims.contradicting import NAME, Dispute, exchange, least, sentence_at, surety
from clawgit.domain.claims.records import is_told
from clawgit.domain.facts.fact_verdict import Place
from clawgit.language.stems import content_words


class Disagreement(NamedTuple):
    """What stands against what, and how sure that is."""

    dispute: Dispute
    surety: float


def disagreement(one: Place, other: Place) -> Disagreement | None:
    """What of two entries cannot both be true, where structure and judge agree."""
    texts, headings = (one.entry.text, other.entry.text), _headings(one, other)
    dispute = exchange(*texts, *headings) if _is_close(*texts) else None
    if dispute is None or _are_items(one, other, dispute):
        return None
    sure = surety(dispute, *texts, *headings)
    return Disagreement(dispute, sure) if sure >= least(dispute, *texts) else None


def in_words(dispute: Dispute, sure: float) -> str:
    """The rule as CONFLICTS.md tells it: the spans that stand against each other."""
    return f"{dispute.kind} ({dispute}; {sure:.0%} sure)"


def _headings(one: Place, other: Place) -> tuple[str, str]:
    """The heading paths of both. The titles of their files count where somebody noted one of the
    two for himself: they may name what a file is about.
    """
    begins = int(is_told(one.entry) and is_told(other.entry))
    return " > ".join(one.entry.path[begins:]), " > ".join(other.entry.path[begins:])


def _is_close(one: str, other: str) -> bool:
    """Whether one says little that the other does not: a cheap look before the thorough one."""
    ours, theirs = _words(one), _words(other)
    return min(len(ours - theirs), len(theirs - ours)) <= _MOST_OTHER


def _are_items(one: Place, other: Place, dispute: Dispute) -> bool:
    """Whether somebody noted two items in one list: each is one of several, unless both are full
    sentences.
    """
    if is_told(one.entry) or is_told(other.entry):
        return False
    is_one_list = one.path == other.path and one.entry.path == other.entry.path
    sentences = (
        sentence_at(one.entry.text, dispute.a).text,
        sentence_at(other.entry.text, dispute.b).text,
    )
    return is_one_list and (dispute.kind == NAME or not all(map(is_statement, sentences)))


@lru_cache(maxsize=16384)
def _words(text: str) -> frozenset[str]:
    return content_words(lead_of(text)[:_LONGEST])


_MOST_OTHER = 3
_LONGEST = 400
