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
    gone = _gone(entries(text), dynamics, today)
    for entry in reversed(gone):  # from the end, so that the lines of the others stay
        text = removed(text, entry)
    return CleanedFile(text, tuple(_faded(path, entry, dynamics, today) for entry in gone))


def merge_alike(path: str, text: str, dynamics: Dynamics) -> CleanedFile:
    """The file with each two entries that say the same made one, which counts the mentions of both.

    The fuller text stays, else the one written by hand, else the surer, else the newer. Only words
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
        pair = _ranked(there[key], there[other_key], dynamics)
        if pair is not None:
            text = _joined(text, *pair, dynamics)
            gone.append(_merged(path, *pair))
    return CleanedFile(text, tuple(gone))


def _gone(candidates: Sequence[Entry], dynamics: Dynamics, today: date) -> list[Entry]:
    needed = {entry.meta.by for entry in candidates if entry.meta}
    faint = (entry for entry in candidates if _is_faint(entry, dynamics, today))
    return [entry for entry in faint if entry.key not in needed]


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


def _faded(path: str, entry: Entry, dynamics: Dynamics, today: date) -> Removal:
    meta = entry.meta or Meta("")
    why = f"confidence {written(confidence(meta, dynamics, today))}, last mentioned {meta.last}"
    return Removal(path, f"{excerpt(entry.text)} ({entry.key})", why)


def _merged(path: str, stays: Entry, goes: Entry) -> Removal:
    ident = stays.key if stays.meta else goes.key
    why = f"says the same as {excerpt(stays.text)} ({ident}), which counts its mentions now"
    return Removal(path, f"{excerpt(goes.text)} ({goes.key})", why, path)


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


def _ranked(first: Entry, second: Entry, dynamics: Dynamics) -> tuple[Entry, Entry] | None:
    """The one that stays and the one that goes.

    None where the one that would go was written by hand, or has marks of others on it.
    """
    latest = _latest(first, second)
    longer = fuller(first.text, second.text)
    if fuller(second.text, first.text) != longer:
        longer = ""  # neither holds all of the other

    def worth(entry: Entry) -> tuple[object, ...]:
        sure = confidence(entry.meta, dynamics, latest) if latest else 0.0
        newest = entry.meta.last if entry.meta and entry.meta.last else date.min
        # The line comes last, so that chance never decides: of two that are worth the same the
        # upper one stays.
        return (
            entry.text == longer,
            _is_marked(entry),
            entry.meta is None,
            sure,
            newest,
            -entry.line,
        )

    stays, goes = sorted((first, second), key=worth, reverse=True)
    if goes.meta is None or not goes.meta.id or _is_marked(goes):
        return None
    return stays, goes


def _is_marked(entry: Entry) -> bool:
    """Whether it has comments besides its claw comment."""
    return entry.raw.count("<!--") > (entry.meta is not None)


def _joined(text: str, stays: Entry, goes: Entry, dynamics: Dynamics) -> str:
    """The file with one entry for two. Entries that named the other as their successor name it."""
    facts = _facts(stays, goes, dynamics)
    text = removed(with_meta(text, stays, facts), goes)
    old = goes.meta.id if goes.meta else ""
    if not old or old == facts.id:
        return text
    for entry in entries(text):
        if entry.meta and entry.meta.by == old:
            text = with_meta(text, entry, entry.meta.having("by", facts.id))
    return text


def _facts(stays: Entry, goes: Entry, dynamics: Dynamics) -> Meta:
    """The facts of both: all mentions, from the first to the last, as sure as the surer was then.

    An entry that was written by hand takes over the id of the other.
    """
    old = goes.meta or Meta("")
    meta = stays.meta or old
    mentions = old.n + (stays.meta.n if stays.meta else 1)
    begun = min(filter(None, (meta.first, old.first)), default=None)
    latest = _latest(stays, goes)
    meta = meta.having("conf", _confidence(stays, goes, dynamics) or meta.get("conf"))
    meta = meta.having("n", str(mentions))
    meta = meta.having("first", begun.isoformat() if begun else "")
    meta = meta.having("last", latest.isoformat() if latest else "")
    meta = meta.having("src", _source(meta, old) if stays.meta else EXPLICIT)
    return meta.citing(*old.evidence)


def _confidence(first: Entry, second: Entry, dynamics: Dynamics) -> str:
    """The higher of the two on the day of the last mention, "" if there was no mention."""
    latest = _latest(first, second)
    if latest is None:
        return ""
    # Both on one day: confidence fades, so two of different days could not be compared.
    return written(max(confidence(entry.meta, dynamics, latest) for entry in (first, second)))


def _source(first: Meta, second: Meta) -> str:
    """The more reliable source of the two; one that is not known counts as the operator's word."""
    return max((first.src, second.src), key=lambda src: BASE.get(src, BASE[EXPLICIT]))


def _latest(first: Entry, second: Entry) -> date | None:
    days = (entry.meta.last for entry in (first, second) if entry.meta)
    return max((day for day in days if day), default=None)
