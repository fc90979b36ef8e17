"""Prose of notes read for facts: the sentences that are worth keeping, each whole, as it was
written.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, time

from clawgit.domain.extraction.quoting import kept, line
from clawgit.domain.facts.confidence import BASE, EXPLICIT, INFERRED
from clawgit.domain.facts.overlap import says_enough
from clawgit.domain.markdown.tags import untagged
from clawgit.domain.organizing.classes import PERSONAL
from clawgit.domain.organizing.organize import Found, Source, class_of
from clawgit.domain.promotion.shape import unfit
from clawgit.judges.tags import tag
from clawgit.judges.thresholds import thresholds
from clawgit.judges.worth import worth
from clawgit.language.days import whens
from clawgit.language.sentences import sentences

_LONGEST = 400


def read(source: Source, name: str) -> Iterator[Found]:
    """What a line says that is worth keeping. Where a sentence needs its speaker and the line is no
    turn of the operator's, the note is quoted.
    """
    noon = datetime.combine(source.said, time(12), UTC)
    heading = source.under[-1] if source.under else ""
    for sentence in sentences(source.text):
        text = untagged(sentence.text)
        if len(text) > _LONGEST or not says_enough(text) or unfit(text):
            continue
        if worth(text, heading, place="chat" if source.speaker else "note") < _bar(source):
            continue
        words = kept(text, name if source.speaker else source.path, noon)
        told = EXPLICIT if source.speaker else INFERRED
        class_ = PERSONAL if words.speaker and source.speaker else class_of(text, source.under)
        when = next((one.day for one in whens(text, noon) if one.certain and one.day), None)
        yield Found(
            line(words), tag(text)[0], class_, told, BASE[told], when, source, sentence.text
        )


def _bar(source: Source) -> float:
    return thresholds().worth if source.speaker else thresholds().worth_note
