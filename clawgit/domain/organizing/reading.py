"""Finds facts in prose: the sentences that are worth keeping, each whole and as it was written."""

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
    """What a line says that is worth keeping.

    A sentence that needs a speaker quotes the operator if it is their turn, else the note.
    """
    for sentence in sentences(source.text):
        text = untagged(sentence.text)
        if _is_worth_keeping(text, source):
            yield _fact(text, source, name)._replace(quote=sentence.text)


def _is_worth_keeping(text: str, source: Source) -> bool:
    if len(text) > _LONGEST or not says_enough(text) or unfit(text):
        return False
    heading = source.under[-1] if source.under else ""
    if source.speaker:
        return worth(text, heading, place="chat") >= thresholds().worth
    return worth(text, heading, place="note") >= thresholds().worth_note


def _fact(text: str, source: Source, name: str) -> Found:
    noon = datetime.combine(source.said, time(12), UTC)
    words = kept(text, name if source.speaker else source.path, noon)
    src = EXPLICIT if source.speaker else INFERRED
    is_personal = bool(words.speaker and source.speaker)
    certain_days = (when.day for when in whens(text, noon) if when.certain)
    return Found(
        text=line(words),
        tag=tag(text)[0],
        class_=PERSONAL if is_personal else class_of(text, source.under),
        source=src,
        confidence=BASE[src],
        when=next(filter(None, certain_days), None),
        origin=source,
    )
