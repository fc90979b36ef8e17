"""Rivals: the two texts of one entry that a merge left, of which the operator has to choose one."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from clawgit.domain.claims.clauses import Remainder, remainder
from clawgit.domain.claims.conflicts import Conflict, conflicts
from clawgit.domain.claims.disputed_pairs import BOTH_CHANGED, BOTH_REWORDED, is_side
from clawgit.domain.claims.settling import with_facts
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.entry import Entry
from clawgit.domain.markdown.statuses import SUPERSEDED
from clawgit.language.stems import content_words

_RULES = (BOTH_CHANGED, BOTH_REWORDED)


class Rivals(NamedTuple):
    """Both texts, side A of their conflict first."""

    conflict: Conflict
    a: EntryPlace
    b: EntryPlace

    def other(self, place: EntryPlace) -> EntryPlace | None:
        """The rival of an entry; None if it is neither of the two."""
        return {self.a: self.b, self.b: self.a}.get(place)


def rivals_in(log: str, places: Callable[[], Iterable[EntryPlace]]) -> tuple[Rivals, ...]:
    """The open conflicts of CONFLICTS.md that a merge left, with both entries as they stand.

    The entries are only asked for if there is such a conflict.
    """
    # Nearly always there is none, and each call of the Recall Validator asks.
    if not any(rule in log for rule in _RULES):
        return ()
    left = [conflict for conflict in conflicts(log) if _is_left(conflict)]
    known = tuple(places()) if left else ()
    return tuple(filter(None, (_pair(conflict, known) for conflict in left)))


def _is_left(conflict: Conflict) -> bool:
    return conflict.rule in _RULES and (conflict.open or conflict.waits)


def _pair(conflict: Conflict, places: Iterable[EntryPlace]) -> Rivals | None:
    a, b = (
        next((place for place in places if is_side(place.entry, side)), None)
        for side in (conflict.a, conflict.b)
    )
    return Rivals(conflict, a, b) if a and b and a != b else None


def of_entry(pairs: Iterable[Rivals], place: EntryPlace) -> Iterator[EntryPlace]:
    """The rivals of an entry; as a rule there is one at most."""
    return filter(None, (pair.other(place) for pair in pairs))


def beaten(was: Entry, now: Entry, rival: Entry, meta: Meta) -> str | None:
    """A rival after the other text was corrected: superseded, or, if it says more, with the right
    value. `meta` is its comment.

    None if it is uncertain what of it is wrong.
    """
    rested = meta.having("status", "").having("by", "")
    lost = rested.having("status", SUPERSEDED).having("by", now.key)
    # The operator may have used other words, so what counts first is what it said more than the
    # text before.
    before, after = (remainder((text, rival), 0, rested) for text in (was, now))
    if Remainder() in (before, after) or _is_word_for_word(was, rival):
        return with_facts(rival, lost)
    return after.raw or None


def _is_word_for_word(a: Entry, b: Entry) -> bool:
    """Whether two texts of one line differ in one word: there is nothing else to lose."""
    if "\n" in a.text.strip() or "\n" in b.text.strip():
        return False
    ours, theirs = content_words(a.text), content_words(b.text)
    return len(ours - theirs) == len(theirs - ours) == 1
