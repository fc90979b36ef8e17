"""Which entries contradict each other, and which of two wins, by the rules of the Conflict
Detector. In doubt they do not, and neither wins.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from clawgit.core.markdown.comment import DISPUTED, SUPERSEDED, Meta
from clawgit.core.markdown.entry import Entry, entries, with_meta
from clawgit.core.markdown.excerpt import label_of
from clawgit.core.markdown.tag_table import TAGS
from clawgit.core.tiers import dated
from clawgit.memory.rules.confidence import EXPLICIT, is_correction
from clawgit.memory.rules.conflict_log import pair_key
from clawgit.memory.rules.contradicting import (
    Dispute,
    Pair,
    dispute,
    lead_of,
    statement,
    unframed,
)
from clawgit.memory.rules.likeness import refuted, same_fact
from clawgit.talk.rules.corrections import Correction
from clawgit.talk.rules.disputed import is_quote, undisputed
from clawgit.talk.rules.wording import sentences, typed_values, words

_MARKED = re.compile(r"^\s*\[.\]|^~~|```|^\W*`[^`]*`\W*$")
"""Checkboxes, what is struck out, and code."""
_RECORD = re.compile(r"\d{4}-\d\d-\d\d|^\W*\d{1,2}[:.]\d")
"""A note with a day in it, or a time at its beginning, is a record of that time."""
_TIMES = frozenset(("date", "time", "month", "year"))


class Contradiction(NamedTuple):
    """Two entries, what they say differently, and how alike their words are."""

    sides: tuple[Entry, Entry]
    dispute: Dispute
    likeness: float

    @property
    def pair(self) -> str:
        return pair_key(*(side.text for side in self.sides))


def contradictions(places: Sequence[Entry], near: Mapping[Pair, float]) -> Iterator[Contradiction]:
    """Those among these pairs of entries that contradict each other."""
    for (first, second), likeness in near.items():
        a, b = places[first], places[second]
        found = dispute(a.text, b.text, likeness)
        if found and not _is_apart(a, b):
            yield Contradiction((a, b), found, likeness)


def stating(places: Iterable[Entry]) -> list[Entry]:
    """The entries that state a fact."""
    return [place for place in places if _states(place)]


def _states(entry: Entry) -> bool:
    if _MARKED.search(entry.text) or is_quote(lead_of(entry.raw)):
        return False
    # What somebody told the agent to remember is not a record, whatever its shape.
    if _is_from_conversation(entry):
        return True
    if dated(entry.path) or _RECORD.search(lead_of(entry.text)):
        return False
    return not any(map(_names_a_time, entry.under[-2:]))


def _names_a_time(heading: str) -> bool:
    return not _TIMES.isdisjoint(value.type for value in typed_values(heading))


def _is_from_conversation(entry: Entry) -> bool:
    """Whether an entry came from a conversation, or was written like one, with a category.

    Any other entry is a note.
    """
    return bool(entry.primary or (entry.meta and entry.meta.src))


def _is_apart(a: Entry, b: Entry) -> bool:
    """Whether two entries stand under headings of which neither is above the other.

    As a rule the first heading is the title of a file. It counts if one of the two is a note: it
    may name what the file is about.
    """
    begins = int(_is_from_conversation(a) and _is_from_conversation(b))
    heads = ([head.casefold() for head in side.under[begins:]] for side in (a, b))
    upper, lower = sorted(heads, key=len)
    return lower[: len(upper)] != upper


# Which of two wins

MUCH_NEWER = 30
"""From this many days on, the newer side wins if it was said directly."""

_SETTLED_BY_AGE = {tag.name for tag in TAGS if tag.is_category and tag.newer_wins}
"""Tags of which a much newer entry wins over an older one."""


class Settlement(NamedTuple):
    """`winner` is 0 or 1, None if the operator has to decide. `why` is the rule in words."""

    winner: int | None
    why: str


def settle(sides: Sequence[Entry], known: Iterable[Correction]) -> Settlement:
    """The first rule that fits: the correction, then the much newer side; else nobody wins."""
    known = tuple(known)
    a, b = (side for side in sides)
    is_a_right, is_b_right = _is_right(a, b, known), _is_right(b, a, known)
    if is_a_right != is_b_right:
        return Settlement(int(is_b_right), "the operator's correction wins")
    if is_a_right:
        return Settlement(None, "the operator corrected both sides")
    if not (sides[0].day and sides[1].day):
        return Settlement(None, "a side has no date")
    days = sides[1].day.toordinal() - sides[0].day.toordinal()
    return _by_age(sides, int(days > 0), abs(days))


def _by_age(sides: Sequence[Entry], newer: int, gap: int) -> Settlement:
    if gap < MUCH_NEWER:
        return Settlement(None, f"within {MUCH_NEWER} days of each other")
    # A newer note may only be an older belief written down late.
    if not _is_direct(sides[newer].meta or Meta("")):
        return Settlement(None, f"the newer side by {gap} days was not said in direct conversation")
    if not {side.primary for side in sides} <= _SETTLED_BY_AGE:
        return Settlement(None, "age does not settle what both are")
    return Settlement(newer, f"newer by {gap} days, said in direct conversation")


def _is_direct(meta: Meta) -> bool:
    """Whether an entry was said directly, with a message as evidence."""
    return meta.src == EXPLICIT and any(ref.startswith("chat:") for ref in meta.evidence)


def _is_right(entry: Entry, rival: Entry, known: Sequence[Correction]) -> bool:
    """Whether the operator corrected an entry to this, or said that its rival is wrong."""
    return _is_set_right(entry, known) or refuted(rival.text, known) is not None


def _is_set_right(entry: Entry, known: Iterable[Correction]) -> bool:
    """Whether the operator corrected an entry to what it says."""
    right = (each.correct for each in known if each.binds and each.correct)
    return is_correction(entry) or any(same_fact(entry.text, words) for words in right)


def says_more(loser: Entry, winner: Entry) -> bool:
    """Whether an entry holds more than what is disputed: it would be lost with it."""
    text = unframed(undisputed(loser))
    if len(sentences(text)) > 1:
        return True
    # Two values of one label: all that the loser says is its value.
    label = label_of(text)
    if label and label == label_of(winner.text):
        return False
    found = dispute(winner.text, text)
    disputed = words(found.b) if found else frozenset()
    return not statement(text).words - disputed <= statement(winner.text).words


def with_decision(
    read: Callable[[str], str],
    places: Sequence[Entry],
    winner: int | None,
    ids: Iterable[str],
) -> dict[str, str]:
    """The texts of the files in which one of two entries replaces the other; None: both stay.

    An earlier decision between the two is taken back. Where one wins, an entry without an id gets
    the next of `ids`, of which there are two.
    """
    texts = {place.path: read(place.path) for place in places}
    metas = [_entry_at(texts, place).facts for place in places]
    if winner is not None:
        metas = [
            meta if meta.id else meta._replace(id=fresh)
            for meta, fresh in zip(metas, ids, strict=True)
        ]
    for at, place in enumerate(places):
        meta = _decided(metas[at], metas[1 - at], loses=winner == 1 - at)
        # Without an id, an entry has no comment, and nothing was decided about it.
        if meta.id:
            texts[place.path] = with_meta(texts[place.path], _entry_at(texts, place), meta)
    return texts


def _entry_at(texts: dict[str, str], place: Entry) -> Entry:
    """An entry as it stands now. Comments leave all lines where they are."""
    return next(each for each in entries(texts[place.path]) if each.line == place.line)


def _decided(meta: Meta, other: Meta, *, loses: bool) -> Meta:
    if loses:
        return meta.having("status", SUPERSEDED).having("by", other.id)
    is_beaten = meta.status == SUPERSEDED and other.id and meta.by == other.id
    return cleared(meta) if is_beaten or _are_rivals(meta, other) else meta


def cleared(meta: Meta) -> Meta:
    """The facts of an entry that nothing disputes or replaces."""
    return meta.having("status", "").having("by", "")


def _are_rivals(meta: Meta, other: Meta) -> bool:
    """Whether a merge left the two as two texts of one entry."""
    disputed = meta.status == DISPUTED and other.status == DISPUTED
    return disputed and (meta.by == other.id or other.by == meta.id)
