"""Facts read from the lines of notes: entries as they stand, and sentences worth keeping."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time

from clawgit.domain.extraction.quoting import kept, line
from clawgit.domain.facts.confidence import BASE, EXPLICIT, INFERRED
from clawgit.domain.facts.likeness import says_enough
from clawgit.domain.markdown.comment import day
from clawgit.domain.markdown.tag_table import KNOWLEDGE, PRIMARY
from clawgit.domain.markdown.tags import tags_in, untagged
from clawgit.domain.organizing.classes import GENERAL, PERSONAL
from clawgit.domain.organizing.organize import ASSISTANT, BOX, LineFact, Source, class_of
from clawgit.domain.promotion.shape import unfit
from clawgit.domain.safety.injection import findings as poison
from clawgit.domain.safety.masks import is_sensitive
from clawgit.judges.tags import tag
from clawgit.judges.thresholds import thresholds
from clawgit.judges.worth import worth
from clawgit.language.days import whens
from clawgit.language.lazily import lazily
from clawgit.language.sentences import sentences

_LONGEST = 400
_SHARED = lazily(
    r"\b(?:we|our|ours|us|wir|uns|unser\w{0,2}|nosotr[oa]s|nuestr[oa]s?)\b|我们|咱们|私たち|我々|우리|저희",
    re.IGNORECASE,
)
"""Words of a group: what a team uses or does is nobody's own."""


Choose = Callable[[str], bool | None]
"""Whether a sentence is worth keeping; None if the judge decides."""


def read_by_rules(
    source: Source, name: str = "", choose: Choose = lambda _: None
) -> tuple[LineFact, ...]:
    """The facts of one line. `name` is the operator's.

    An entry is one fact as it stands. Of prose, the sentences that are worth keeping are.
    """
    box = BOX.match(source.text)
    text = source.text[box.end() :] if box else source.text
    # What the agent said itself proves nothing, unless it is an entry.
    if source.speaker == ASSISTANT and not _is_entry(source):
        return ()
    if not _is_harmless(text):
        return ()
    if is_prose(source):
        return tuple(_of_prose(source, name, choose))
    return (_as_it_stands(source, untagged(text), _tag(text), open_box=box is not None),)


def is_prose(source: Source) -> bool:
    """Whether a line is no fact as it stands: no entry, no task, and without a tag."""
    return not (_is_entry(source) or BOX.match(source.text) or _tag(source.text))


def _is_entry(source: Source) -> bool:
    return source.meta is not None and source.meta.conf is not None


def _tag(text: str) -> str:
    return next((tag for tag in tags_in(text) if tag in PRIMARY), "")


def _of_prose(source: Source, name: str, choose: Choose) -> Iterator[LineFact]:
    """What a line says that is worth keeping.

    A sentence that needs a speaker quotes the operator if it is their turn, else the note.
    """
    for sentence in sentences(source.text):
        text = untagged(sentence.text)
        if _is_worth_keeping(text, source, choose):
            yield _fact(text, source, name)._replace(quote=sentence.text)


def _is_worth_keeping(text: str, source: Source, choose: Choose) -> bool:
    # The cheap tests first: the judge costs more than all of them.
    if len(text) > _LONGEST or not says_enough(text) or unfit(text):
        return False
    chosen = choose(text)
    if chosen is not None:
        return chosen
    heading = source.under[-1] if source.under else ""
    if source.speaker:
        return worth(text, heading, place="chat") >= thresholds().worth
    return worth(text, heading, place="note") >= thresholds().worth_note


def _fact(text: str, source: Source, name: str) -> LineFact:
    noon = datetime.combine(source.said, time(12), UTC)
    words = kept(text, name if source.speaker else source.path, noon)
    src = EXPLICIT if source.speaker else INFERRED
    named = class_of(text, source.under)
    is_personal = bool(words.speaker and source.speaker) and not _SHARED.search(text)
    days = (when.day for when in whens(text, noon))
    return LineFact(
        text=line(words),
        tag=tag(text)[0],
        class_=PERSONAL if is_personal and named == GENERAL else named,
        source=src,
        confidence=BASE[src],
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
