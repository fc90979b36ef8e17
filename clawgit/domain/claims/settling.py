"""Which of two entries that contradict each other stands, by the rules of the Conflict Detector; in
doubt, neither.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from datetime import date
from typing import NamedTuple

from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.facts.confidence import CORRECTION, EXPLICIT
from clawgit.domain.facts.fact_verdict import Place
from clawgit.domain.facts.same_fact import refuted, same_fact
from clawgit.domain.markdown.comment import SUPERSEDED, Meta, split
from clawgit.domain.markdown.entry import Entry, entry_of
from clawgit.domain.markdown.scan import lines_of, scan
from clawgit.domain.workspace.tiers import dated

MUCH_NEWER = 30
"""Days from which on the newer side wins, where it was said outright."""

_SETTLED_BY_AGE = ("event", "knowledge", "decision")


class Witness(NamedTuple):
    """What an entry brings along for the decision. `corrected`: the operator set it so; `refuted`:
    he said that it is wrong; `direct`: it was said outright, with a message as evidence.
    """

    corrected: bool
    refuted: bool
    direct: bool
    tag: str
    day: date | None


class Settled(NamedTuple):
    """`winner` is 0 or 1, None where the operator has to say; `why` is the rule in words."""

    winner: int | None
    why: str


def settle(a: Witness, b: Witness) -> Settled:
    """The first rule that fits: the correction, the much newer side; else nobody wins."""
    strong = [a.corrected or b.refuted, b.corrected or a.refuted]
    if strong[0] != strong[1]:
        return Settled(strong.index(True), "the operator's correction wins")
    if all(strong):
        return Settled(None, "the operator corrected both sides")
    if a.day is None or b.day is None:
        return Settled(None, "a side has no date")
    newer, gap = int(b.day > a.day), abs((b.day - a.day).days)
    return _by_age((b, a) if newer == 0 else (a, b), newer, gap)


def _by_age(by_day: tuple[Witness, Witness], newer: int, gap: int) -> Settled:
    """What their ages say of two sides, the older first."""
    older, younger = by_day
    if gap < MUCH_NEWER:
        said = (
            "both were said in direct conversation"
            if older.direct and younger.direct
            else "no side is a correction"
        )
        return Settled(None, f"{said}, within {MUCH_NEWER} days of each other")
    if not younger.direct:
        return Settled(None, f"the newer side by {gap} days was not said in direct conversation")
    if older.tag not in _SETTLED_BY_AGE or younger.tag not in _SETTLED_BY_AGE:
        return Settled(None, "not both are an event, knowledge or a decision")
    return Settled(newer, f"newer by {gap} days, said in direct conversation")


def witness(place: Place, corrections: Iterable[Correction]) -> Witness:
    entry, known = place.entry, tuple(corrections)
    right = any(one.binds and one.correct and same_fact(entry.text, one.correct) for one in known)
    return Witness(
        corrected=is_correction(entry) or right,
        refuted=refuted(entry.text, known) is not None,
        direct=bool(
            entry.meta and entry.meta.src == EXPLICIT and any(map(_is_message, entry.meta.evidence))
        ),
        tag=entry.primary,
        day=day_of(place),
    )


def is_correction(entry: Entry) -> bool:
    return "correction" in entry.tags or bool(entry.meta and entry.meta.src == CORRECTION)


def day_of(place: Place) -> date | None:
    """When it was last said: what its comment tells, else the day of its note."""
    meta = place.entry.meta
    return (meta and (meta.last or meta.first)) or dated(place.path)


def decide(
    places: tuple[Place, Place],
    winner: int | None,
    metas: dict[tuple[str, int], Meta],
    fresh: Callable[[str], str],
) -> None:
    """Notes in `metas`, by path and line, that one entry stands for the other, which gives both an
    id; None: that both stand. What was decided between them before is taken back.
    """
    facts = [metas.get(place_of(place)) or place.entry.meta or Meta("") for place in places]
    if winner is not None:
        for at, place in enumerate(places):
            facts[at] = facts[at] if facts[at].id else facts[at]._replace(id=fresh(str(place)))
    decided = [_stood(facts[at], facts[1 - at], loses=winner == 1 - at) for at in (0, 1)]
    metas.update(
        {place_of(place): meta for place, meta in zip(places, decided, strict=True) if meta.id}
    )


def _stood(meta: Meta, other: Meta, *, loses: bool) -> Meta:
    if loses:
        return meta.having("status", SUPERSEDED).having("by", other.id)
    beaten = meta.status == SUPERSEDED and other.id and meta.by == other.id
    return meta.having("status", "").having("by", "") if beaten else meta


def with_metas(text: str, metas: Mapping[int, Meta]) -> str:
    """A file with other facts for its entries, by the line on which each begins; every other byte
    stays.
    """
    raws = {entry.line: with_facts(entry, metas[entry.line]) for entry in _at(text, metas)}
    return with_raws(text, raws)


def with_facts(entry: Entry, meta: Meta) -> str:
    """An entry with other facts."""
    parts = split(entry.raw)
    return f"{parts.before} {meta}{parts.after}"


def with_raws(text: str, raws: Mapping[int, str]) -> str:
    """A file with entries written anew, by the line on which each begins; every other byte
    stays.
    """
    lines = lines_of(text)
    for entry in _at(text, raws):
        lines[entry.line - 1 : entry.end_line] = [
            raws[entry.line],
            *[""] * (entry.end_line - entry.line),
        ]
    return "".join(lines)


def _at(text: str, wanted: Container[int]) -> list[Entry]:
    return [
        entry_of(block) for block in scan(text) if block.kind == "item" and block.line in wanted
    ]


def place_of(place: Place) -> tuple[str, int]:
    """What an entry is known by within one moment: its file and the line on which it begins."""
    return place.path, place.entry.line


def _is_message(evidence: str) -> bool:
    return evidence.startswith("chat:")
