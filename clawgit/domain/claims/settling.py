"""Which of two contradicting entries wins, by the rules of the Conflict Detector, and how that is
written down. In doubt, neither wins.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import NamedTuple

from clawgit.domain.claims.contradicting import dispute, statement, unframed
from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.corrections.disputed import undisputed
from clawgit.domain.corrections.wording import sentences, words
from clawgit.domain.facts.confidence import EXPLICIT, is_correction
from clawgit.domain.facts.likeness import refuted, same_fact
from clawgit.domain.markdown.comment import DISPUTED, SUPERSEDED, Meta
from clawgit.domain.markdown.entry import Entry, entries, with_meta
from clawgit.domain.markdown.excerpt import label_of
from clawgit.domain.markdown.tag_table import TAGS, listed

MUCH_NEWER = 30
"""From this many days on, the newer side wins if it was said directly."""

_SETTLED_BY_AGE = {tag.name: tag.in_words for tag in TAGS if tag.is_category and tag.newer_wins}
"""Tags of which a much newer entry wins over an older one, and what to call an entry of them."""


class Witness(NamedTuple):
    """What an entry contributes to the decision.

    `corrected`: the operator corrected it to this; `refuted`: the operator said it is wrong;
    `direct`: it was said directly, with a message as evidence.
    """

    corrected: bool
    refuted: bool
    direct: bool
    tag: str
    day: date | None


class Settlement(NamedTuple):
    """`winner` is 0 or 1, None if the operator has to decide. `why` is the rule in words."""

    winner: int | None
    why: str


def settle(a: Witness, b: Witness) -> Settlement:
    """The first rule that fits: the correction, then the much newer side; else nobody wins."""
    is_a_right, is_b_right = a.corrected or b.refuted, b.corrected or a.refuted
    if is_a_right != is_b_right:
        return Settlement(int(is_b_right), "the operator's correction wins")
    if is_a_right:
        return Settlement(None, "the operator corrected both sides")
    if not (a.day and b.day):
        return Settlement(None, "a side has no date")
    newer = int(b.day > a.day)
    return _by_age((a, b)[newer], newer, (a, b), abs((b.day - a.day).days))


def _by_age(younger: Witness, newer: int, both: Sequence[Witness], gap: int) -> Settlement:
    if gap < MUCH_NEWER:
        return Settlement(None, f"within {MUCH_NEWER} days of each other")
    # A newer note may only be an older belief written down late.
    if not younger.direct:
        return Settlement(None, f"the newer side by {gap} days was not said in direct conversation")
    if any(side.tag not in _SETTLED_BY_AGE for side in both):
        return Settlement(None, f"not both are {listed(tuple(_SETTLED_BY_AGE.values()))}")
    return Settlement(newer, f"newer by {gap} days, said in direct conversation")


def witness(place: Entry, corrections: Iterable[Correction]) -> Witness:
    entry, known = place, tuple(corrections)
    is_right = any(
        correction.binds and correction.correct and same_fact(entry.text, correction.correct)
        for correction in known
    )
    meta = entry.facts
    return Witness(
        corrected=is_correction(entry) or is_right,
        refuted=refuted(entry.text, known) is not None,
        direct=meta.src == EXPLICIT and any(ref.startswith("chat:") for ref in meta.evidence),
        tag=entry.primary,
        day=place.day,
    )


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
    return standing(meta) if is_beaten or _are_rivals(meta, other) else meta


def standing(meta: Meta) -> Meta:
    """The facts of an entry that nothing disputes or replaces."""
    return meta.having("status", "").having("by", "")


def _are_rivals(meta: Meta, other: Meta) -> bool:
    """Whether a merge left the two as two texts of one entry."""
    disputed = meta.status == DISPUTED and other.status == DISPUTED
    return disputed and (meta.by == other.id or other.by == meta.id)
