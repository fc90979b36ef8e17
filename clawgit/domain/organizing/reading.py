"""Facts read from the lines of notes: entries as they stand, and sentences worth keeping."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time

from clawgit.domain.extraction.quoting import kept, line
from clawgit.domain.facts.confidence import BASE, EXPLICIT, INFERRED
from clawgit.domain.facts.overlap import says_enough
from clawgit.domain.markdown.comment import day
from clawgit.domain.markdown.tags import PRIMARY, tags_in, untagged
from clawgit.domain.organizing.organize import ASSISTANT, BOX, PERSONAL, Found, Source, class_of
from clawgit.domain.promotion.shape import unfit
from clawgit.domain.safety.injection import findings as poison
from clawgit.domain.safety.masks import is_sensitive
from clawgit.domain.workspace.routing import KNOWLEDGE
from clawgit.judges.tags import tag
from clawgit.judges.thresholds import thresholds
from clawgit.judges.worth import worth
from clawgit.language.days import whens
from clawgit.language.sentences import sentences

_LONGEST = 400


def read_by_rules(source: Source, name: str = "") -> tuple[Found, ...]:
    """The facts of one line: an entry is one as it stands, prose is read for the sentences that are
    worth keeping. `name` is the operator's.
    """
    box = BOX.match(source.text)
    text = source.text[box.end() :] if box else source.text
    if not _is_harmless(text):
        return ()
    tag = next((one for one in tags_in(text) if one in PRIMARY), "")
    if tag or box or (source.meta and source.meta.conf is not None):
        return (_as_it_stands(source, untagged(text), tag, open_box=box is not None),)
    if source.speaker == ASSISTANT:
        return ()
    return tuple(_of_prose(source, name))


def _of_prose(source: Source, name: str) -> Iterator[Found]:
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


def _as_it_stands(source: Source, text: str, tag: str, *, open_box: bool) -> Found:
    meta = source.meta
    told = meta.src if meta and meta.src in BASE else EXPLICIT
    sure = meta.conf if meta and meta.conf is not None else BASE[told]
    class_ = class_of(text, source.under, is_task=open_box)
    when = next(_days_in(text), None)
    return Found(text, tag or KNOWLEDGE, class_, told, sure, when, source, text)


def _days_in(text: str) -> Iterator[date]:
    return filter(None, (day(word.strip(".,;:!?()[]")) for word in text.split()))


def _is_harmless(text: str) -> bool:
    return (
        bool(text.strip())
        and not is_sensitive(text)
        and not any(one.hold for one in poison("", text))
    )
