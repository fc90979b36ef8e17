"""What becomes of an entry that both sides changed: its facts are joined, and of two texts both
stay, marked.

An entry is known by its id. One without an id is its text: with other words it is another entry.
All of this is a function of the three versions, so that machines agree in whatever order they meet.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from clawgit.domain.corrections.disputed import is_disputed
from clawgit.domain.facts.confidence import CORRECTION, EXPLICIT, is_correction
from clawgit.domain.markdown.comment import (
    CONF,
    KEYS,
    SRC,
    CommentParts,
    Meta,
    first_and_newest,
    is_count,
    is_id,
    number,
    plain_number,
    read_meta,
    split,
)
from clawgit.domain.markdown.entry import Entry, entries, entry_of, id_from, with_meta
from clawgit.domain.markdown.scan import Block
from clawgit.domain.markdown.statuses import ACTIVE, ARCHIVED, CORRECTED, DISPUTED, SUPERSEDED
from clawgit.domain.merging.align import MergeUnit
from clawgit.domain.merging.weaving import Decided

_ITEM = "item"


class _Version(NamedTuple):
    """An entry as one side has it. `words` are what it says, however they are spaced."""

    core: str
    parts: CommentParts
    words: str
    meta: Meta | None

    @property
    def id(self) -> str:
        return self.meta.id if self.meta else ""

    @property
    def is_disputed(self) -> bool:
        return self.meta is not None and self.meta.status == DISPUTED


def decide(old: MergeUnit | None, mine: MergeUnit | None, other: MergeUnit | None) -> Decided:
    """What becomes of a unit of a memory. Nothing conflicts: what cannot be joined stays twice."""
    units = [unit for unit in (old, mine, other) if unit]
    if any(unit.kind != _ITEM for unit in units):
        return Decided(tuple(unit.core for unit in units if unit is not old))
    return Decided(_texts(_version(old), _version(mine), _version(other)))


def variant_id(ident: str, words: str) -> str:
    """The id of a text that lost its own to another text: it follows from both alone."""
    return id_from(f"{ident}\0{words}")


def with_marks(base: str, text: str) -> str:
    """A merged text in which an entry is disputed while a text that base does not have stands
    against it; but a correction is not disputed by what it corrects.
    """
    if f"status={DISPUTED} by=" not in text:
        return text
    standing = {entry.key: entry for entry in entries(text)}
    for variant in [*standing.values()]:
        rival = standing.get(variant.meta.by) if variant.meta else None
        if not rival or not is_disputed(variant) or f"claw:{variant.key} " in base:
            continue
        loser, status = _loser(variant, rival)
        marked = (loser.meta or Meta("")).having("status", status)
        text = with_meta(text, loser, marked)
        standing[loser.key] = loser._replace(meta=marked)
    return text


def _loser(variant: Entry, rival: Entry) -> tuple[Entry, str]:
    """Which of two texts that stand against each other is marked, and how."""
    if is_correction(rival) and not is_correction(variant):
        return variant, CORRECTED
    return rival, DISPUTED


def _version(unit: MergeUnit | None) -> _Version | None:
    if unit is None:
        return None
    parts = split(unit.core)
    return _Version(unit.core, parts, " ".join(parts.visible.split()), read_meta(parts))


def _texts(was: _Version | None, here: _Version | None, there: _Version | None) -> tuple[str, ...]:
    if here and there:
        return _both(was, here, there)
    left = here or there
    return _left(was, left) if left else ()


def _left(was: _Version | None, left: _Version) -> tuple[str, ...]:
    """What stays of an entry that the other side removed."""
    if was and was.words == left.words:
        return ()  # a removal counts for more than other facts about the same words
    is_same = was is not None and was.id == left.id and is_id(left.id)
    if _is_correction(left) or not is_same:
        return (left.core,)
    return (_marked(left, DISPUTED),)


def _both(was: _Version | None, here: _Version, there: _Version) -> tuple[str, ...]:
    """The texts of an entry that both sides have, at least one of them changed."""
    old = was.words if was else None
    if here.words == old:
        return (_with_facts(there, _joined(was, here, there)),)
    if there.words in (old, here.words):
        return (_with_facts(here, _joined(was, here, there)),)
    if _is_same(was, here, there):
        return _two_texts(was, here, there)
    return (here.core, there.core)


def _is_same(was: _Version | None, here: _Version, there: _Version) -> bool:
    if here.id != there.id or not is_id(here.id):
        return False
    return was is None or was.id in ("", here.id)


def _two_texts(was: _Version | None, here: _Version, there: _Version) -> tuple[str, str]:
    """Both texts of one entry, marked: the one that keeps the id, then the other with its own."""
    first, second = sorted((here, there), key=_standing)
    wins = _is_correction(first) and not _is_correction(second)
    meta = joined(was.meta if was else None, here.meta, there.meta)
    if meta:
        meta = meta.having("status", _own_status(first) if wins else DISPUTED)
    return _with_facts(first, meta), _variant(second, CORRECTED if wins else DISPUTED)


def _joined(was: _Version | None, here: _Version, there: _Version) -> Meta | None:
    """The facts of one text. What settles the old words does not settle the new ones."""
    meta = joined(was.meta if was else None, here.meta, there.meta)
    changed = [side for side in (here, there) if was is None or side.words != was.words]
    return _with_status(meta, changed) if meta else None


def _with_status(meta: Meta, changed: Sequence[_Version]) -> Meta:
    """The facts with the status that new words bring along."""
    if len(changed) == 1 and _is_correction(changed[0]):
        return meta.having("status", _own_status(changed[0]))
    return (
        meta.having("status", DISPUTED) if any(version.is_disputed for version in changed) else meta
    )


def _own_status(version: _Version) -> str:
    """A correction has the status that the operator gave it, whatever became of the old words."""
    return version.meta.get("status") if version.meta else ""


def _standing(version: _Version) -> tuple[bool, bytes]:
    """A sort key: the first of several texts keeps the id, and a correction comes first."""
    return not _is_correction(version), _hash(version.id, version.words)


def _is_correction(version: _Version) -> bool:
    return is_correction(entry_of(Block(_ITEM, 1, version.core)))


def _variant(version: _Version, status: str) -> str:
    meta = version.meta or Meta("")
    ident = variant_id(meta.id, version.words)
    return _with_facts(
        version, meta._replace(id=ident).having("status", status).having("by", meta.id)
    )


def _marked(version: _Version, status: str) -> str:
    meta = version.meta or Meta("")
    return _with_facts(version, meta.having("status", status))


def _with_facts(version: _Version, meta: Meta | None) -> str:
    return with_facts(version.parts, meta, ())


def _hash(ident: str, words: str) -> bytes:
    return hashlib.sha256(f"{ident}\0{words}".encode("utf-8", "surrogatepass")).digest()


# The facts of an entry that both sides changed, joined fact by fact.

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
    if was == (f"status={DISPUTED}",):
        return was  # each settled it in its own way
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
