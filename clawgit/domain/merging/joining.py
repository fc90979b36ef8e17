"""The facts of an entry that both sides changed, joined: one row of `JOINS` for each fact."""

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

_EVIDENCE = "ev"
_SURER = {CORRECTION: 2, EXPLICIT: 1}
_STRONGER = (ACTIVE, ARCHIVED, SUPERSEDED, CORRECTED, DISPUTED)
"""What is disputed stays so until it is settled; what was corrected is more than what was merely
replaced."""


def _higher(value: str) -> tuple[float, str]:
    found = number(value)
    return (-1.0 if found is None else found, value)


def _more(value: str) -> tuple[int, str]:
    return (int(value) if is_count(value) else 0, value)


def _surer(value: str) -> tuple[int, str]:
    return (_SURER.get(value, 0), value)


def _stronger(value: str) -> tuple[int, str]:
    return (_STRONGER.index(value) if value in _STRONGER else -1, value)


def _earlier(value: str) -> tuple[tuple[int, ...], str]:
    return (tuple(-ord(sign) for sign in value), value)


def _later(value: str) -> tuple[int, str]:
    return (0, value)


JOINS: Mapping[str, Callable[[str], tuple[object, str]]] = MappingProxyType(
    {
        CONF: _higher,
        "n": _more,
        "first": _earlier,
        "last": _later,
        SRC: _surer,
        "status": _stronger,
        "by": _later,
        "class": _later,
        "expires": _later,
        "of": _later,
    }
)
"""By fact, the sort key for values that both sides changed: the greatest wins. Evidence of both
sides is kept.
"""


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
    chosen = JOINS.get(key, _later)
    # A fact that one side took away and the other changed is there with its new value.
    return [max((*here, *there), key=lambda fact: chosen(fact.partition("=")[2]))]


def _by_key(meta: Meta) -> dict[str, tuple[str, ...]]:
    """The facts by their names, in the order in which they stand."""
    facts: dict[str, tuple[str, ...]] = {}
    for fact in meta.facts:
        key, _, value = fact.partition("=")
        # `.9` and `0.90` are one value.
        alike = f"{key}={plain_number(value)}" if key == CONF else fact
        facts[key] = (*facts.get(key, ()), alike)
    return facts
