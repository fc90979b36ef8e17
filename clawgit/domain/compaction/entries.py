"""MEMORY.md kept small: faint entries go, and entries that say the same become one.

What the operator corrected stays, and so does what was superseded, so that an old fact is
recognised when it comes again.
"""

from collections.abc import Sequence
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
from clawgit.domain.facts.likeness import Likeness, fuller, may_merge
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.entry import Entry, entries, removed, with_meta
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.domain.markdown.tags import tags_in

FAINT = 0.3
"""The confidence below which an entry may go."""

SILENT_DAYS = 60
"""Days without a mention after which it may go."""

ALIKE = 0.9
"""The likeness from which two entries may become one."""

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

    The fuller text stays, else the one written by hand, else the surer, else the upper. Only words
    decide, so that the file is the same with and without vectors. Two that differ in anything with
    a meaning stay two, however alike they are.
    """
    gone: list[Removal] = []
    for key, other_key in _alike_pairs([entry for entry in entries(text) if _may_join(entry)]):
        # An entry of an earlier pair may be gone or joined by now.
        # Reversed, so that the first of several entries with one key counts.
        there = {entry.key: entry for entry in reversed(entries(text))}
        if key == other_key or key not in there or other_key not in there:
            continue
        stays, goes = _ranked(there[key], there[other_key], dynamics)
        # One that was written by hand, or has marks of others on it, never goes.
        if goes.meta is None or not goes.meta.id or _is_marked(goes):
            continue
        facts = _facts(stays, goes.meta, dynamics)
        text = removed(with_meta(text, stays, facts), goes)
        text = _succeeded(text, goes.meta.id, facts.id)
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


def _alike_pairs(candidates: Sequence[Entry]) -> list[tuple[str, str]]:
    """The keys of those that may become one, in the order of the file."""
    index = Likeness()
    pairs: list[tuple[str, str]] = []
    for entry in candidates:
        near = sorted(match.index for match in index.alike(entry.text, ALIKE))
        pairs += [(candidates[at].key, entry.key) for at in near if _are_one(candidates[at], entry)]
        # Only now, so that each entry is compared with those before it, and each pair comes once.
        index.add(entry.text)
    return pairs


def _are_one(first: Entry, second: Entry) -> bool:
    """Whether both are about the same: another heading, category or time means another thing."""
    return _setting(first) == _setting(second) and may_merge(first.text, second.text)


def _setting(entry: Entry) -> tuple[object, ...]:
    meta = entry.meta or Meta("")
    return (
        tuple(title for title in entry.path if title not in _ANY),
        entry.primary,
        meta.class_,
        meta.expires,
    )


def _ranked(first: Entry, second: Entry, dynamics: Dynamics) -> tuple[Entry, Entry]:
    """The one that stays and the one that goes."""
    latest = max(
        filter(None, (each.meta and each.meta.last for each in (first, second))), default=None
    )
    longer = fuller(first.text, second.text)
    if fuller(second.text, first.text) != longer:
        longer = ""  # neither holds all of the other

    def worth(entry: Entry) -> tuple[object, ...]:
        sure = confidence(entry.meta, dynamics, latest) if latest else 0.0
        # The line comes last, so that chance never decides.
        return entry.text == longer, _is_marked(entry), entry.meta is None, sure, -entry.line

    stays, goes = sorted((first, second), key=worth, reverse=True)
    return stays, goes


def _is_marked(entry: Entry) -> bool:
    """Whether it has comments besides its claw comment."""
    return entry.raw.count("<!--") > (entry.meta is not None)


def _facts(stays: Entry, old: Meta, dynamics: Dynamics) -> Meta:
    """The facts of both: all mentions, from the first to the last, as sure as the surer was then.

    An entry that was written by hand takes over the id of the other.
    """
    meta = stays.meta or old
    days = [day for each in (meta, old) for day in (each.first, each.last) if day]
    sources = (meta.src, old.src) if stays.meta else (EXPLICIT,)
    # A source that is not known counts as the operator's word.
    src = max(sources, key=lambda src: BASE.get(src, BASE[EXPLICIT]))
    facts = meta.having("n", str(old.n + (stays.meta.n if stays.meta else 1))).having("src", src)
    if days:
        # Both on one day: confidence fades, so two of different days could not be compared.
        sure = max(confidence(each, dynamics, max(days)) for each in (stays.meta, old))
        facts = facts.having("conf", written(sure))
        facts = facts.having("first", min(days).isoformat()).having("last", max(days).isoformat())
    return facts.citing(*old.evidence)
