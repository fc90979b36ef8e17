"""MEMORY.md kept small: faint entries go, and entries that say the same become one.

What the operator corrected stays, and so does what was superseded, so that an old fact is
recognised when it comes again.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from clawgit.domain.compaction.log import Removal, excerpt
from clawgit.domain.facts.confidence import (
    BASE,
    CORRECTION,
    EXPLICIT,
    Dynamics,
    confidence,
    written,
)
from clawgit.domain.facts.likeness import ALIKE_FACTS, Overlaps, may_merge
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.entry import Entry, entries, removed, with_meta
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.domain.markdown.tags import tags_in

FAINT = 0.3
"""The confidence below which an entry may go."""

SILENT_DAYS = 60
"""Days without a mention after which it may go."""

_ANY = frozenset({"Memory", "Decisions", "Knowledge", "Skills", "Events"})
"""Headings that only say what kind of entry it is, as its tag does."""


class CleanedFile(NamedTuple):
    """A file without the entries that had to go, and a record of each."""

    text: str
    gone: tuple[Removal, ...] = ()


def fade(path: str, text: str, dynamics: Dynamics, today: date) -> CleanedFile:
    """The file without entries that are faint and were not mentioned for long.

    Two kinds stay: an entry without a comment, because it was written by hand, and one that another
    entry names as its successor.
    """
    needed = {entry.meta.by for entry in entries(text) if entry.meta}
    gone: list[Removal] = []
    for entry in reversed(entries(text)):  # from the end, so that the lines of the others stay
        if entry.key not in needed and _is_faint(entry, dynamics, today):
            text = removed(text, entry)
            meta = entry.meta or Meta("")
            sure = written(confidence(meta, dynamics, today))
            why = f"confidence {sure}, last mentioned {meta.last}"
            gone.append(Removal(path, f"{excerpt(entry.text)} ({entry.key})", why))
    return CleanedFile(text, tuple(reversed(gone)))


def merge_alike(path: str, text: str, dynamics: Dynamics) -> CleanedFile:
    """The file with each two entries that say the same made one, which counts the mentions of both.

    The surer stays, else the upper. Two that differ in anything with a meaning stay two, however
    alike they are, and so does a line with any comment but clawgit's own, or without that.
    """
    gone: list[Removal] = []
    for keys in _alike_pairs([entry for entry in entries(text) if _may_merge(entry)]):
        # An entry of an earlier pair may be gone or joined by now.
        pair = [entry for entry in entries(text) if entry.key in keys]
        if [entry.key for entry in pair] != [*keys]:
            continue
        stays, goes = _ranked(pair[0], pair[1], dynamics)
        facts = _facts(stays, goes, dynamics)
        text = removed(with_meta(text, stays, facts), goes)
        text = _succeeded(text, goes.key, stays.key)
        why = f"says the same as {excerpt(stays.text)} ({facts.id}), which counts its mentions now"
        gone.append(Removal(path, f"{excerpt(goes.text)} ({goes.key})", why, path))
    return CleanedFile(text, tuple(gone))


def _succeeded(text: str, old: str, new: str) -> str:
    """The file whose entries that named one as their successor name another."""
    for entry in entries(text):
        if entry.meta and entry.meta.by == old:
            text = with_meta(text, entry, entry.meta.having("by", new))
    return text


def _is_faint(entry: Entry, dynamics: Dynamics, today: date) -> bool:
    meta = entry.meta
    if meta is None or meta.last is None or not _may_join(entry):
        return False
    return confidence(meta, dynamics, today) < FAINT and (today - meta.last).days >= SILENT_DAYS


def _may_join(entry: Entry) -> bool:
    """Whether hygiene may touch it: no correction, not replaced, and nothing nested in it."""
    if "\n" in entry.text or "correction" in tags_in(entry.raw):
        return False
    meta = entry.meta or Meta("")
    return meta.status == ACTIVE and meta.src != CORRECTION


def _may_merge(entry: Entry) -> bool:
    is_ours = entry.meta is not None and bool(entry.meta.id) and entry.raw.count("<!--") == 1
    return is_ours and _may_join(entry)


def _alike_pairs(candidates: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    """The keys of those that may become one, in the order of the file."""
    index = Overlaps()
    for entry in candidates:
        near = (candidates[at] for at in sorted(index.over(entry.text, ALIKE_FACTS)))
        yield from ((other.key, entry.key) for other in near if _are_one(other, entry))
        # Only now, so that each entry is compared with those before it, and each pair comes once.
        index.add(entry.text)


def _are_one(first: Entry, second: Entry) -> bool:
    """Whether both are about the same: another heading, category or time means another thing."""
    return _setting(first) == _setting(second) and may_merge(first.text, second.text)


def _setting(entry: Entry) -> tuple[object, ...]:
    meta = entry.meta or Meta("")
    titles = tuple(title for title in entry.path if title not in _ANY)
    return titles, entry.primary, meta.class_, meta.expires


def _ranked(upper: Entry, lower: Entry, dynamics: Dynamics) -> tuple[Entry, Entry]:
    """The one that stays and the one that goes."""
    day = max(filter(None, (each.meta and each.meta.last for each in (upper, lower))), default=None)
    if day and confidence(lower.meta, dynamics, day) > confidence(upper.meta, dynamics, day):
        return lower, upper
    return upper, lower


def _facts(stays: Entry, goes: Entry, dynamics: Dynamics) -> Meta:
    """The facts of both: all mentions, from the first to the last, and as sure as the surer."""
    meta, old = stays.meta or Meta(""), goes.meta or Meta("")
    # A source that is not known counts as the operator's word.
    src = max((meta.src, old.src), key=lambda src: BASE.get(src, BASE[EXPLICIT]))
    facts = meta.having("n", str(meta.n + old.n)).having("src", src)
    days = [*filter(None, (meta.first, meta.last, old.first, old.last))]
    if days:
        # Both on one day: confidence fades, so two of different days could not be compared.
        sure = max(confidence(each, dynamics, max(days)) for each in (meta, old))
        facts = facts.having("conf", written(sure))
        facts = facts.having("first", min(days).isoformat()).having("last", max(days).isoformat())
    return facts.citing(*old.evidence)
