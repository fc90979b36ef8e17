"""Facts read from the lines of notes: entries as they stand, and sentences worth keeping."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time

from clawgit.domain.extraction.quoting import kept, line
from clawgit.domain.facts.confidence import BASE, EXPLICIT, INFERRED
from clawgit.domain.facts.likeness import says_enough
from clawgit.domain.markdown.comment import day
from clawgit.domain.markdown.tag_table import EVENT, KNOWLEDGE, PRIMARY
from clawgit.domain.markdown.tags import tags_in, untagged
from clawgit.domain.organizing.organize import BOX, LineFact, Source, class_of
from clawgit.domain.promotion.marks import is_log
from clawgit.domain.promotion.shape import unfit
from clawgit.domain.safety.injection import findings as poison
from clawgit.domain.safety.masks import is_sensitive
from clawgit.judges.judging import tag, worth
from clawgit.language.days import whens
from clawgit.language.sentences import sentences

_LONGEST = 400
_SURE = 0.95
"""What the judge must say of a sentence of prose: most of a note is what was done that day."""
Choose = Callable[[str], bool | None]
"""Whether a sentence is worth keeping; None if the judge decides."""


def read_by_rules(source: Source, choose: Choose = lambda _: None) -> tuple[LineFact, ...]:
    """The facts of one line.

    An entry is one fact as it stands. Of prose, the sentences that are worth keeping are.
    """
    box = BOX.match(source.text)
    text = source.text[box.end() :] if box else source.text
    if not _is_harmless(text):
        return ()
    if is_prose(source):
        return tuple(_of_prose(source, choose))
    return (_as_it_stands(source, untagged(text), _tag(text), open_box=box is not None),)


def is_prose(source: Source) -> bool:
    """Whether a line is no fact as it stands: no entry, no task, and without a tag."""
    return not (_is_entry(source) or BOX.match(source.text) or _tag(source.text))


def _is_entry(source: Source) -> bool:
    return source.meta is not None and source.meta.conf is not None


def _tag(text: str) -> str:
    return next((tag for tag in tags_in(text) if tag in PRIMARY), "")


def _of_prose(source: Source, choose: Choose) -> Iterator[LineFact]:
    """What a line says that is worth keeping; a sentence that needs a speaker quotes the note.

    The judge chooses first sentences only, since those behind them seldom name what they are about.
    """
    for number, sentence in enumerate(sentences(source.text)):
        text = untagged(sentence.text)
        if _may_be_fact(text) and _is_chosen(text, source, choose, is_first=number == 0):
            yield _fact(text, source)._replace(quote=sentence.text)


def _may_be_fact(text: str) -> bool:
    return len(text) <= _LONGEST and says_enough(text) and not unfit(text)


def _is_chosen(text: str, source: Source, choose: Choose, *, is_first: bool) -> bool:
    chosen = choose(text)
    if chosen is not None:
        return chosen
    heading = source.under[-1] if source.under else ""
    if not is_first or is_log(heading) or worth(text, heading, place="note") < _SURE:
        return False
    # What happened on a day is in the note of that day.
    return tag(text) != EVENT


def _fact(text: str, source: Source) -> LineFact:
    noon = datetime.combine(source.said, time(12), UTC)
    days = (when.day for when in whens(text, noon))
    return LineFact(
        text=line(kept(text, source.path, noon)),
        tag=tag(text),
        class_=class_of(text, source.under),
        source=INFERRED,
        confidence=BASE[INFERRED],
        when=next(filter(None, days), None),
        origin=source,
    )


def _as_it_stands(source: Source, text: str, tag: str, *, open_box: bool) -> LineFact:
    meta = source.meta
    src = meta.src if meta and meta.src in BASE else EXPLICIT
    return LineFact(
        text=text,
        tag=tag or KNOWLEDGE,
        class_=class_of(text, source.under, is_task=open_box),
        source=src,
        confidence=meta.conf if meta and meta.conf is not None else BASE[src],
        when=next(_days_in(text), None),
        origin=source,
        quote=text,
    )


def _days_in(text: str) -> Iterator[date]:
    return filter(None, (day(word.strip(".,;:!?()[]")) for word in text.split()))


def _is_harmless(text: str) -> bool:
    if not text.strip() or is_sensitive(text):
        return False
    return not any(finding.hold for finding in poison("", text))
