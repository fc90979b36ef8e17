"""Which entries state a fact, and which only record what was true at one time or in one place.

Records do not contradict each other: lines of a log, a report or a checklist, labels of a session
or a build, notes of another day. Only shape, heading and day decide.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

from clawgit.domain.corrections.disputed import quotes_of
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.domain.markdown.entry import Entry
from clawgit.domain.markdown.label import label_of
from clawgit.domain.markdown.tag_table import CORRECTION_TAG
from clawgit.domain.workspace.tiers import dated
from clawgit.language.lexicon import lexicons_for
from clawgit.language.tokens import tokens

_SEVERAL = 3
_MARKED = re.compile(r"^\s*\[.\]|^~~|```|^\W*`[^`]*`\W*$")
"""Checkboxes, what is struck out, and code."""
_RECORD = re.compile(
    r"\s*(?:\d+[.)]|[-+*][ \t]+(?:[^\w\s\"'“”‘’«»„‚「『《（(\[*_`@#$€£¥<~/.+-]|~~))", re.ASCII
)
"""Steps of a numbered list, and lines that begin with a sign of their state, such as a tick."""
_STAMPED = re.compile(r"\W*(?:\d{4}[-/.年]\d{1,2}|\d{1,2}[-/.]\d{1,2}\b|\d{1,2}:\d{2}|\d+月)")
"""A line of a log: it begins with a day or an hour."""
_DAY = re.compile(
    r"\d{4}[-/.]\d{1,2}|(?<!\d)\d{1,2}[-/.]\d{1,2}(?:[-/.]\d{2,4})?(?!\d)|\d{1,2}:\d{2}|(?:20|19)\d{2}|\d\s*[月日周週]|\b[QWKV]\d{1,2}\b"
)


def stating(places: Sequence[EntryPlace]) -> list[EntryPlace]:
    """The entries that state a fact. Those from a conversation always do."""
    series = _series(places)
    return [place for place in places if _states(place, series)]


def is_from_conversation(entry: Entry) -> bool:
    """Whether an entry came from a conversation, or was written like one, with a category.

    Any other entry is a note.
    """
    return bool(entry.primary or (entry.meta and entry.meta.src))


def _states(place: EntryPlace, series: frozenset[str]) -> bool:
    entry = place.entry
    if _MARKED.search(entry.text) or _is_quote(entry):
        return False
    # What somebody told the agent to remember is not a record, whatever its shape.
    if is_from_conversation(entry):
        return True
    # A note of a day, or below a date, records that day.
    if dated(place.path) or any(map(_names_a_time, entry.path[-2:])) or _RECORD.match(entry.raw):
        return False
    lead = entry.text.split("\n", 1)[0]
    return label_of(lead) not in series and not _STAMPED.match(lead)


def _is_quote(entry: Entry) -> bool:
    """Whether it is the operator's quote after a table."""
    first = entry.raw.lstrip().partition("\n")[0]
    return CORRECTION_TAG in entry.tags and bool(quotes_of(f"-\n  {first}"))


def _series(places: Iterable[EntryPlace]) -> frozenset[str]:
    """The labels that stand under several headings: they are fields of records."""
    under: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for place in places:
        if label := label_of(place.entry.text):
            under[label].add((place.path, *place.entry.path))
    return frozenset(label for label, headings in under.items() if len(headings) >= _SEVERAL)


@lru_cache(maxsize=8192)
def _names_a_time(words: str) -> bool:
    """Whether a heading is of one day or hour: a date, a time, a month, a year, a week's number."""
    if _DAY.search(words):
        return True
    among = tokens(words)
    return any(
        next(language.month_phrases.every(words, among), None)
        and any(token.text[0].isdigit() for token in among)
        for language in lexicons_for(words)
    )
