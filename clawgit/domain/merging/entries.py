"""What becomes of an entry that both sides changed: its facts are joined, and of two texts both
stay, marked.

An entry is known by its id. One without an id is its text: with other words it is another entry.
All of this is a function of the three versions, so that machines agree in whatever order they meet.
"""

from typing import NamedTuple

from clawgit.domain.facts.confidence import is_correction
from clawgit.domain.markdown.comment import (
    ENTRY_IDS,
    CommentParts,
    Meta,
    entry_id,
    is_id,
    read_meta,
    split,
)
from clawgit.domain.markdown.entry import Entry, entries, entry_of, with_meta
from clawgit.domain.markdown.scan import Block
from clawgit.domain.markdown.statuses import CORRECTED, DISPUTED
from clawgit.domain.merging.align import MergeUnit
from clawgit.domain.merging.joining import joined
from clawgit.domain.merging.weaving import Decided
from clawgit.doors import hashlib

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
    if any(unit and unit.kind != _ITEM for unit in (old, mine, other)):
        return Decided(tuple(unit.core for unit in (mine, other) if unit))
    was, here, there = (_version(unit) if unit else None for unit in (old, mine, other))
    if here and there:
        return Decided(_both(was, here, there))
    left = here or there
    if left is None or (was and was.words == left.words):
        return Decided(())  # a removal counts for more than other facts about the same words
    is_same = was is not None and was.id == left.id and is_id(left.id)
    return Decided((_marked(left, DISPUTED) if is_same else left.core,))


def variant_id(ident: str, words: str) -> str:
    """The id of a text that lost its own to another text: it follows from both alone."""
    return entry_id(int.from_bytes(_hash(ident, words)[:8]) % ENTRY_IDS)


def with_marks(base: str, text: str) -> str:
    """A merged text in which an entry is disputed while a text that base does not have stands
    against it; but a correction is not disputed by what it corrects.
    """
    if f"status={DISPUTED}" not in text or " by=" not in text:
        return text
    standing = {entry.key: entry for entry in entries(text)}
    for variant in [*standing.values()]:
        meta = variant.meta
        rival = standing.get(meta.by) if meta else None
        if not meta or not rival or meta.status != DISPUTED or f"claw:{meta.id} " in base:
            continue
        if is_correction(rival) and not is_correction(variant):
            text = with_meta(text, variant, meta.having("status", CORRECTED))
        elif rival.meta and rival.meta.status != DISPUTED:
            marked = rival.meta.having("status", DISPUTED)
            text = with_meta(text, rival, marked)
            standing[rival.key] = rival._replace(meta=marked)
    return text


def _version(unit: MergeUnit) -> _Version:
    parts = split(unit.core)
    return _Version(unit.core, parts, " ".join(parts.visible.split()), read_meta(parts))


def _both(was: _Version | None, here: _Version, there: _Version) -> tuple[str, ...]:
    """The texts of an entry that both sides have, at least one of them changed."""
    old = was.words if was else None
    if here.words == there.words or old in (here.words, there.words):
        frame = there if here.words == old else here
        changed = [side for side in (here, there) if side.words != old]
        return (_with_facts(frame, _joined(was, here, there, changed)),)
    if here.id != there.id or not is_id(here.id) or (was and was.id not in ("", here.id)):
        return (here.core, there.core)
    first, second = sorted((here, there), key=_standing)
    wins = _is_correction(first) and not _is_correction(second)
    meta = joined(was.meta if was else None, here.meta, there.meta)
    if meta and not wins:
        meta = meta.having("status", DISPUTED)
    return (_with_facts(first, meta), _variant(second, CORRECTED if wins else DISPUTED))


def _joined(
    was: _Version | None, here: _Version, there: _Version, changed: list[_Version]
) -> Meta | None:
    """The facts of one text. What settles the old words does not settle the new ones."""
    meta = joined(was.meta if was else None, here.meta, there.meta)
    if meta and any(side.is_disputed for side in changed):
        meta = meta.having("status", DISPUTED)
    return meta


def _standing(version: _Version) -> tuple[bool, bytes]:
    """Of several texts the least keeps the id: a correction before any other."""
    return not _is_correction(version), _hash(version.id, version.words)


def _is_correction(version: _Version) -> bool:
    return is_correction(_entry(version))


def _entry(version: _Version) -> Entry:
    return entry_of(Block(_ITEM, 1, version.core))


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
    """A text with other facts. With those that it has, it stays as it is written."""
    if meta == version.meta:
        return version.core
    comment = f" {meta}" if meta else ""
    return f"{version.parts.before}{comment}{version.parts.after}"


def _hash(ident: str, words: str) -> bytes:
    return hashlib.sha256(f"{ident}\0{words}".encode("utf-8", "surrogatepass")).digest()
