"""Whether two entries disagree, by their words, their headings and how they were written."""

from functools import lru_cache
from typing import NamedTuple

from clawgit.domain.claims.compared import is_statement, lead_of
from clawgit.domain.claims.contradicting import NAME, Dispute, exchange, least, sentence_at, surety
from clawgit.domain.claims.records import is_from_conversation
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.language.stems import content_words

_MOST_OTHER = 3
"""If both sides have more words of their own, they are not compared."""

_LONGEST = 400


class Disagreement(NamedTuple):
    """What contradicts what, and how sure that is."""

    dispute: Dispute
    surety: float


def disagreement(a: EntryPlace, b: EntryPlace) -> Disagreement | None:
    """What of two entries cannot both be true, if structure and judge agree."""
    texts, headings = (a.entry.text, b.entry.text), _headings(a, b)
    dispute = exchange(*texts, *headings) if _is_close(*texts) else None
    if dispute is None or _are_items(a, b, dispute):
        return None
    # The judge is asked last: it costs more than all structural tests together.
    sure = surety(dispute, *texts, *headings)
    return Disagreement(dispute, sure) if sure >= least(dispute, *texts) else None


def in_words(dispute: Dispute, sure: float) -> str:
    """The rule as CONFLICTS.md has it: the spans that contradict each other."""
    return f"{dispute.kind} ({dispute}; {sure:.0%} sure)"


def _headings(a: EntryPlace, b: EntryPlace) -> tuple[str, str]:
    """The heading paths of both. The titles of files count if one of the two is a person's note:
    such a title may name what the file is about.
    """
    # As a rule the first heading above an entry is the title of its file.
    begins = int(is_from_conversation(a.entry) and is_from_conversation(b.entry))
    return " > ".join(a.entry.path[begins:]), " > ".join(b.entry.path[begins:])


def _is_close(a: str, b: str) -> bool:
    """Whether one says little that the other does not. A cheap test before the thorough one."""
    ours, theirs = _words(a), _words(b)
    return min(len(ours - theirs), len(theirs - ours)) <= _MOST_OTHER


def _are_items(a: EntryPlace, b: EntryPlace, dispute: Dispute) -> bool:
    """Whether two entries are a person's notes in one list. Unless both are full sentences, each is
    one of several.
    """
    if is_from_conversation(a.entry) or is_from_conversation(b.entry):
        return False
    is_one_list = a.path == b.path and a.entry.path == b.entry.path
    sentences = (
        sentence_at(a.entry.text, dispute.a).text,
        sentence_at(b.entry.text, dispute.b).text,
    )
    return is_one_list and (dispute.kind == NAME or not all(map(is_statement, sentences)))


@lru_cache(maxsize=16384)
def _words(text: str) -> frozenset[str]:
    return content_words(lead_of(text)[:_LONGEST])
