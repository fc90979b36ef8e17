"""Which of two entries that contradict each other wins, by the rules of the Conflict Detector. In
doubt neither does.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from clawgit.core.markdown.comment import DISPUTED, SUPERSEDED, Meta
from clawgit.core.markdown.entry import Entry, entries, with_meta
from clawgit.core.markdown.tag_table import TAGS
from clawgit.memory.rules.confidence import EXPLICIT, is_correction
from clawgit.memory.rules.contradicting import difference, unframed
from clawgit.memory.rules.likeness import refuted, same_fact
from clawgit.talk.rules.corrections import Correction
from clawgit.talk.rules.disputed import undisputed
from clawgit.talk.rules.wording import words

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
    a, b = sides
    is_a_right, is_b_right = _is_right(a, b, known), _is_right(b, a, known)
    if is_a_right != is_b_right:
        return Settlement(int(is_b_right), "the operator's correction wins")
    if is_a_right:
        return Settlement(None, "the operator corrected both sides")
    if not (a.day and b.day):
        return Settlement(None, "a side has no date")
    newer, gap = int(b.day > a.day), abs((b.day - a.day).days)
    if gap < MUCH_NEWER:
        return Settlement(None, f"within {MUCH_NEWER} days of each other")
    # A newer note may only be an older belief written down late.
    if _is_direct(sides[newer].facts) and {a.primary, b.primary} <= _SETTLED_BY_AGE:
        return Settlement(newer, f"newer by {gap} days, said in direct conversation")
    return Settlement(None, "age does not settle it")


def _is_direct(meta: Meta) -> bool:
    """Whether an entry was said directly, with a message as evidence."""
    return meta.src == EXPLICIT and any(ref.startswith("chat:") for ref in meta.evidence)


def _is_right(entry: Entry, rival: Entry, known: Sequence[Correction]) -> bool:
    """Whether the operator corrected an entry to this, or said that its rival is wrong."""
    if is_correction(entry) or refuted(rival.text, known):
        return True
    return any(same_fact(entry.text, each.correct) for each in known if each.binds)


def says_more(loser: Entry, winner: Entry) -> bool:
    """Whether an entry holds more than what is disputed: it would be lost with it."""
    mine, theirs = (unframed(undisputed(side)) for side in (loser, winner))
    return not words(mine) <= words(theirs) and difference(mine, theirs) is None


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
