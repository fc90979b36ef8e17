"""Which of two contradicting entries wins, by the rules of the Conflict Detector. In
doubt, neither.
"""

import re
from collections.abc import Callable, Container, Iterable, Mapping
from datetime import date
from typing import NamedTuple

from clawgit.domain.corrections.corrections import Correction, old_value, read_old_value
from clawgit.domain.facts.confidence import EXPLICIT, is_correction
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.domain.facts.same_fact import refuted, same_fact
from clawgit.domain.markdown.comment import Meta, split
from clawgit.domain.markdown.entry import Entry, entry_of
from clawgit.domain.markdown.scan import lines_of, scan
from clawgit.domain.markdown.statuses import DISPUTED, SUPERSEDED
from clawgit.domain.markdown.tag_table import TAGS, listed
from clawgit.domain.workspace.tiers import dated

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
    """`winner` is 0 or 1, None if the operator has to decide. `why` is the rule in words.

    `rewords`: the loser keeps what it says beside the disputed clause.
    """

    winner: int | None
    why: str
    by_correction: bool = False
    rewords: bool = False


def settle(a: Witness, b: Witness) -> Settlement:
    """The first rule that fits: the correction, then the much newer side; else nobody wins."""
    by_correction = _by_correction(a, b)
    if by_correction:
        return by_correction
    if a.day is None or b.day is None:
        return Settlement(None, "a side has no date")
    gap = abs((b.day - a.day).days)
    if b.day > a.day:
        return _by_age(older=a, younger=b, newer=1, gap=gap)
    return _by_age(older=b, younger=a, newer=0, gap=gap)


def _by_correction(a: Witness, b: Witness) -> Settlement | None:
    """The decision by what the operator corrected; None if neither side was."""
    is_a_right = a.corrected or b.refuted
    is_b_right = b.corrected or a.refuted
    if is_a_right and is_b_right:
        return Settlement(None, "the operator corrected both sides")
    if is_a_right:
        return Settlement(0, "the operator's correction wins", by_correction=True)
    if is_b_right:
        return Settlement(1, "the operator's correction wins", by_correction=True)
    return None


def _by_age(*, older: Witness, younger: Witness, newer: int, gap: int) -> Settlement:
    """The decision by age. `newer` is the number of the younger side."""
    if gap < MUCH_NEWER:
        if older.direct and younger.direct:
            why = "both were said in direct conversation"
        else:
            why = "no side is a correction"
        return Settlement(None, f"{why}, within {MUCH_NEWER} days of each other")
    # A newer note may only be an older belief written down late.
    if not younger.direct:
        return Settlement(None, f"the newer side by {gap} days was not said in direct conversation")
    if older.tag not in _SETTLED_BY_AGE or younger.tag not in _SETTLED_BY_AGE:
        return Settlement(None, f"not both are {listed(tuple(_SETTLED_BY_AGE.values()))}")
    return Settlement(newer, f"newer by {gap} days, said in direct conversation")


def witness(place: EntryPlace, corrections: Iterable[Correction]) -> Witness:
    entry, known = place.entry, tuple(corrections)
    is_right = any(
        correction.binds and correction.correct and same_fact(entry.text, correction.correct)
        for correction in known
    )
    is_explicit = entry.meta is not None and entry.meta.src == EXPLICIT
    evidence = entry.meta.evidence if entry.meta else ()
    return Witness(
        corrected=is_correction(entry) or is_right,
        refuted=refuted(entry.text, known) is not None,
        direct=is_explicit and any(map(_is_message, evidence)),
        tag=entry.primary,
        day=day_of(place),
    )


def day_of(place: EntryPlace) -> date | None:
    """When it was last said: the day in its comment, else the day of its note."""
    meta = place.entry.meta
    return (meta and (meta.last or meta.first)) or dated(place.path)


def decide(
    places: tuple[EntryPlace, EntryPlace],
    winner: int | None,
    metas: dict[tuple[str, int], Meta],
    fresh: Callable[[str], str],
) -> None:
    """Writes into `metas`, by path and line, which entry replaces the other; None: both stay.

    An entry without an id gets one. An earlier decision between the two is taken back.
    """
    facts = [metas.get(place_of(place)) or place.entry.meta or Meta("") for place in places]
    if winner is not None:
        for at, place in enumerate(places):
            facts[at] = facts[at] if facts[at].id else facts[at]._replace(id=fresh(str(place)))
    first, second = facts
    decided = (_stood(first, second, loses=winner == 1), _stood(second, first, loses=winner == 0))
    # Without an id, an entry has no comment, and nothing was decided about it.
    for place, meta in zip(places, decided, strict=True):
        if meta.id:
            metas[place_of(place)] = meta


def _stood(meta: Meta, other: Meta, *, loses: bool) -> Meta:
    if loses:
        return meta.having("status", SUPERSEDED).having("by", other.id)
    beaten = meta.status == SUPERSEDED and other.id and meta.by == other.id
    return meta.having("status", "").having("by", "") if beaten or _rivals(meta, other) else meta


def _rivals(meta: Meta, other: Meta) -> bool:
    """Whether a merge left the two as two texts of one entry."""
    disputed = meta.status == DISPUTED and other.status == DISPUTED
    return disputed and (meta.by == other.id or other.by == meta.id)


def with_metas(text: str, metas: Mapping[int, Meta]) -> str:
    """A file with new facts for its entries, by the line on which each begins. Every other byte
    stays.
    """
    raws = {entry.line: with_facts(entry, metas[entry.line]) for entry in _at(text, metas)}
    return with_raws(text, raws)


def with_facts(entry: Entry, meta: Meta) -> str:
    """An entry with other facts; unchanged if it has these facts already."""
    if meta == entry.meta:
        return entry.raw
    parts = split(entry.raw)
    return f"{parts.before} {meta}{parts.after}"


def with_raws(text: str, raws: Mapping[int, str]) -> str:
    """A file with new text for its entries, by the line on which each begins. Every other byte
    stays.
    """
    lines = lines_of(text)
    # An entry keeps its number of lines, so that the lines of the others stay where they are.
    for entry in _at(text, raws):
        lines[entry.line - 1 : entry.end_line] = [
            raws[entry.line],
            *[""] * (entry.end_line - entry.line),
        ]
    return "".join(lines)


def _at(text: str, lines: Container[int]) -> list[Entry]:
    return [entry_of(block) for block in scan(text) if block.kind == "item" and block.line in lines]


def place_of(place: EntryPlace) -> tuple[str, int]:
    """The file of an entry and the line on which it begins; valid until the next edit."""
    return place.path, place.entry.line


def _is_message(evidence: str) -> bool:
    return evidence.startswith("chat:")


_OLD_VALUE = "<!-- was:"
_TAGS = re.compile(r"(?<!\s)(?:\s+#[^\s#]+)+\s*\Z")


def restored(entry: Entry) -> str | None:
    """The entry as it was before its clause was exchanged; None if it does not say."""
    words, old = untagged(_lead(entry)), read_old_value(entry.raw)
    # The old words may hold the new ones, which then stand twice in the whole.
    lead, mark, rest = entry.raw.partition(_OLD_VALUE)
    if not old or lead.count(words) != 1:
        return None
    raw = lead.replace(words, old, 1) + mark + rest
    return re.sub(rf" ?{re.escape(old_value(old))}", "", raw, count=1)


def words_before(entry: Entry) -> str:
    """What the entry said before its clause was exchanged, with its tags."""
    old, lead = read_old_value(entry.raw), _lead(entry)
    return old + lead[len(untagged(lead)) :] if old else ""


def untagged(text: str) -> str:
    return _TAGS.sub("", text)


def _lead(entry: Entry) -> str:
    return entry.text.split("\n", 1)[0]
