"""Which entries of a memory contradict each other.

Only entries that state how matters stand are compared. Records do not contradict each other: notes
of a day, lines with a time, checklists, code. Nor do entries under headings of different things.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from clawgit.domain.claims.conflicts import pair_key
from clawgit.domain.claims.contradicting import (
    NAME,
    Dispute,
    Pair,
    dispute,
    lead_of,
    statement,
)
from clawgit.domain.corrections.disputed import is_quote
from clawgit.domain.corrections.wording import TypedValue, typed_values
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.domain.markdown.entry import Entry
from clawgit.domain.workspace.tiers import dated

_MARKED = re.compile(r"^\s*\[.\]|^~~|```|^\W*`[^`]*`\W*$")
"""Checkboxes, what is struck out, and code."""
_TIMES = ("date", "time", "month", "year")


class Contradiction(NamedTuple):
    """Two entries, what they say differently, and how alike their words are."""

    a: EntryPlace
    b: EntryPlace
    dispute: Dispute
    likeness: float

    @property
    def pair(self) -> str:
        return pair_key(self.a.entry.text, self.b.entry.text)

    @property
    def sides(self) -> tuple[EntryPlace, EntryPlace]:
        return self.a, self.b


def contradictions(
    places: Sequence[EntryPlace], near: Mapping[Pair, float]
) -> Iterator[Contradiction]:
    """Those among these pairs of entries that contradict each other."""
    for (first, second), likeness in near.items():
        a, b = places[first], places[second]
        found = dispute(a.entry.text, b.entry.text, likeness)
        if found and not _is_apart(a, b) and not _are_items(a, b, found):
            yield Contradiction(a, b, found, likeness)


def stating(places: Iterable[EntryPlace]) -> list[EntryPlace]:
    """The entries that state a fact."""
    return [place for place in places if _states(place)]


def _states(place: EntryPlace) -> bool:
    entry = place.entry
    if _MARKED.search(entry.text) or is_quote(lead_of(entry.raw)):
        return False
    # What somebody told the agent to remember is not a record, whatever its shape.
    if _is_from_conversation(entry):
        return True
    if dated(place.path) or any(_times_in(heading) for heading in entry.path[-2:]):
        return False
    times = _times_in(lead_of(entry.text))
    return not times or any(map(str.isalnum, entry.text[: times[0].start]))


def _times_in(text: str) -> list[TypedValue]:
    return [value for value in typed_values(text) if value.type in _TIMES]


def _is_from_conversation(entry: Entry) -> bool:
    """Whether an entry came from a conversation, or was written like one, with a category.

    Any other entry is a note.
    """
    return bool(entry.primary or (entry.meta and entry.meta.src))


def _is_apart(a: EntryPlace, b: EntryPlace) -> bool:
    """Whether two entries stand under headings of which neither is above the other.

    As a rule the first heading is the title of a file. It counts if one of the two is a note: it
    may name what the file is about.
    """
    begins = int(_is_from_conversation(a.entry) and _is_from_conversation(b.entry))
    upper, lower = sorted((_folded(a.entry.path[begins:]), _folded(b.entry.path[begins:])), key=len)
    return lower[: len(upper)] != upper


def _folded(headings: Iterable[str]) -> list[str]:
    return [heading.casefold() for heading in headings]


def _are_items(a: EntryPlace, b: EntryPlace, found: Dispute) -> bool:
    """Whether two entries are notes in one list. Unless both are full sentences, each is one of
    several.
    """
    if _is_from_conversation(a.entry) or _is_from_conversation(b.entry):
        return False
    if a.path != b.path or a.entry.path != b.entry.path:
        return False
    return found.kind == NAME or any(statement(side.entry.text).verb < 0 for side in (a, b))
