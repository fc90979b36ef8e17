"""The facts of an entry that both sides changed, joined fact by fact."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from clawgit.domain.facts.confidence import CORRECTION, EXPLICIT
from clawgit.domain.markdown.comment import (
    CONF,
    KEYS,
    SRC,
    CommentParts,
    Meta,
    first_and_newest,
    is_count,
    number,
    plain_number,
    read_meta,
)
from clawgit.domain.markdown.statuses import ACTIVE, ARCHIVED, CORRECTED, DISPUTED, SUPERSEDED

_EVIDENCE, _FIRST = "ev", "first"
_SOURCES = ("", EXPLICIT, CORRECTION)
_STATUSES = (ACTIVE, ARCHIVED, SUPERSEDED, CORRECTED, DISPUTED)
"""What is disputed stays so until it is settled; what was corrected is more than what was merely
replaced."""

_WEIGHTS: Mapping[str, Callable[[str], float]] = MappingProxyType(
    {
        CONF: lambda value: -1 if (found := number(value)) is None else found,
        "n": lambda value: int(value) if is_count(value) else 0,
        SRC: lambda value: _SOURCES.index(value) if value in _SOURCES else 0,
        "status": lambda value: _STATUSES.index(value) if value in _STATUSES else -1,
    }
)
"""By fact, the weight of a value that both sides changed: the greatest wins, and of equals the
later in the alphabet, as a later day is. Evidence of both sides is kept.
"""


def _alike(_: str) -> float:
    return 0


def joined(old: Meta | None, mine: Meta | None, other: Meta | None) -> Meta | None:
    """The facts with the changes of both sides; None if there is no comment any more."""
    if other in (mine, old):
        return mine
    if mine == old:
        return other
    if mine is None or other is None:
        return mine or other
    facts = [fact for versions in _facts(old, mine, other) for fact in _joined_fact(*versions)]
    return Meta(_joined_id(old, mine, other), tuple(facts))


def overlap(old: Meta | None, mine: Meta | None, other: Meta | None) -> bool:
    """Whether both sides changed the same fact, and differently. Evidence of both sides is kept."""
    if mine == other or old in (mine, other):
        return False
    if mine is None or other is None or mine.id != other.id:
        return True
    return any(_differ(*fact) for fact in _facts(old, mine, other))


def with_facts(frame: CommentParts, meta: Meta | None, versions: Iterable[CommentParts]) -> str:
    """An item with these facts, in the writing of a version that has them already."""
    comment = f" {meta}" if meta else ""
    same = (parts.comment for parts in (frame, *versions) if read_meta(parts) == meta)
    return frame.before + next(same, comment) + frame.after


def _differ(key: str, *versions: Sequence[str]) -> bool:
    was, here, there = versions
    return not (was in (here, there) or here == there or key == _EVIDENCE)


def _facts(
    old: Meta | None, mine: Meta, other: Meta
) -> Iterator[tuple[str, Sequence[str], Sequence[str], Sequence[str]]]:
    """Each fact by its name, as it is in the three versions."""
    was, here, there = (_by_key(meta) for meta in (old or Meta(""), mine, other))
    for key in dict.fromkeys((*KEYS, *sorted({*here, *there}))):
        yield key, was.get(key, ()), here.get(key, ()), there.get(key, ())


def _joined_id(old: Meta | None, mine: Meta, other: Meta) -> str:
    if old and old.id in (mine.id, other.id):
        return mine.id if other.id == old.id else other.id
    return min(mine.id, other.id)


def _joined_fact(
    key: str, was: Sequence[str], here: Sequence[str], there: Sequence[str]
) -> Iterable[str]:
    if was == here:
        return there
    if there in (was, here):
        return here
    if key == _EVIDENCE:
        gone = {*was} - {*here} | {*was} - {*there}
        return first_and_newest(
            [fact for fact in dict.fromkeys((*here, *there)) if fact not in gone]
        )
    # A fact that one side took away and the other changed is there with its new value.
    if key == _FIRST:
        return [min((*here, *there))]
    weight = _WEIGHTS.get(key, _alike)
    values = {fact: fact.partition("=")[2] for fact in (*here, *there)}
    return [max(values, key=lambda fact: (weight(values[fact]), values[fact]))]


def _by_key(meta: Meta) -> dict[str, tuple[str, ...]]:
    """The facts by their names, in the order in which they stand."""
    facts: dict[str, tuple[str, ...]] = {}
    for fact in meta.facts:
        key, _, value = fact.partition("=")
        # `.9` and `0.90` are one value.
        alike = f"{key}={plain_number(value)}" if key == CONF else fact
        facts[key] = (*facts.get(key, ()), alike)
    return facts
