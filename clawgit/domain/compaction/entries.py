"""MEMORY.md kept small: entries that nobody is sure of any more go, and those that say the same
become one.

What the operator corrected is left alone, and so is what was superseded: that is how an old fact is
known when it comes again.
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
SILENT_DAYS = 60
ALIKE = 0.9
"""Below which confidence, after how many days without a mention, and from which likeness on."""


class Kept(NamedTuple):
    """A file after its hygiene, and what went."""

    text: str
    gone: tuple[Removal, ...] = ()


def fade(path: str, text: str, dynamics: Dynamics, today: date) -> Kept:
    """Without what is below .3 today and was not mentioned for 60 days; both must hold. An entry
    without a comment was written by hand, and one that another names as its successor is needed:
    these stay.
    """
    found = entries(text)
    needed = {entry.meta.by for entry in found if entry.meta}
    gone = [
        entry for entry in found if _is_faint(entry, dynamics, today) and entry.key not in needed
    ]
    for entry in reversed(gone):
        text = removed(text, entry)
    return Kept(text, tuple(_faded(path, entry, dynamics, today) for entry in gone))


def merge_alike(path: str, text: str, dynamics: Dynamics) -> Kept:
    """Each pair that says the same as one entry, which counts the mentions of both: the fuller text
    stays, else the one written by hand, else the surer, else the newer. By words alone, so that the
    file is the same with vectors and without. Two that differ in anything that carries meaning stay
    two, however alike they are.
    """
    gone: list[Removal] = []
    for one, other in _alike_pairs([entry for entry in entries(text) if _may_join(entry)]):
        there = {entry.key: entry for entry in reversed(entries(text))}
        if one != other and one in there and other in there:
            pair = _ranked(there[one], there[other], dynamics)
            if pair is not None:
                text = _joined(text, *pair, dynamics)
                gone.append(_merged(path, *pair))
    return Kept(text, tuple(gone))


def _is_faint(entry: Entry, dynamics: Dynamics, today: date) -> bool:
    meta = entry.meta
    if meta is None or meta.last is None or not _may_join(entry):
        return False
    return confidence(meta, dynamics, today) < FAINT and (today - meta.last).days >= SILENT_DAYS


def _may_join(entry: Entry) -> bool:
    """Whether hygiene may touch it: no correction, nothing that was replaced, and nothing nested in
    it.
    """
    status = entry.meta.status if entry.meta else ACTIVE
    right = "correction" in tags_in(entry.raw) or (
        entry.meta is not None and entry.meta.src == CORRECTION
    )
    return status == ACTIVE and not right and "\n" not in entry.text


def _faded(path: str, entry: Entry, dynamics: Dynamics, today: date) -> Removal:
    meta = entry.meta or Meta("")
    why = f"confidence {written(confidence(meta, dynamics, today))}, last mentioned {meta.last}"
    return Removal(path, f"{excerpt(entry.text)} ({entry.key})", why)


def _merged(path: str, stays: Entry, goes: Entry) -> Removal:
    ident = stays.key if stays.meta else goes.key
    why = f"says the same as {excerpt(stays.text)} ({ident}), which counts its mentions now"
    return Removal(path, f"{excerpt(goes.text)} ({goes.key})", why, path)


def _alike_pairs(found: Sequence[Entry]) -> list[tuple[str, str]]:
    """The keys of those that may become one, in the order of the file."""
    index = Likeness()
    pairs: list[tuple[str, str]] = []
    for entry in found:
        near = sorted(one.index for one in index.alike(entry.text, ALIKE))
        pairs += [(found[at].key, entry.key) for at in near if _are_one(found[at], entry)]
        index.add(entry.text)
    return pairs


def _are_one(one: Entry, other: Entry) -> bool:
    """What stands under another heading, in another category or for another time is about something
    else.
    """
    return _setting(one) == _setting(other) and may_merge(one.text, other.text)


def _setting(entry: Entry) -> tuple[object, ...]:
    meta = entry.meta or Meta("")
    return (
        tuple(title for title in entry.path if title not in _ANY),
        entry.primary,
        meta.class_,
        meta.expires,
    )


def _ranked(one: Entry, other: Entry, dynamics: Dynamics) -> tuple[Entry, Entry] | None:
    """The one that stays and the one that goes. Nothing goes that was written by hand, or that
    others put marks on.
    """
    latest = _latest(one, other)
    longer = (
        fuller(one.text, other.text)
        if fuller(other.text, one.text) == fuller(one.text, other.text)
        else ""
    )

    def worth(entry: Entry) -> tuple[object, ...]:
        sure = confidence(entry.meta, dynamics, latest) if latest else 0.0
        newest = entry.meta.last if entry.meta and entry.meta.last else date.min
        return (
            entry.text == longer,
            _is_marked(entry),
            entry.meta is None,
            sure,
            newest,
            -entry.line,
        )

    stays, goes = sorted((one, other), key=worth, reverse=True)
    return (stays, goes) if goes.meta and goes.meta.id and not _is_marked(goes) else None


def _is_marked(entry: Entry) -> bool:
    """Whether it has comments besides its own."""
    return entry.raw.count("<!--") > (entry.meta is not None)


def _joined(text: str, stays: Entry, goes: Entry, dynamics: Dynamics) -> str:
    """The file with one entry for two; whoever named the other as the successor names this one."""
    facts = _facts(stays, goes, dynamics)
    text = removed(with_meta(text, stays, facts), goes)
    for entry in entries(text):
        if entry.meta and goes.meta and entry.meta.by == goes.meta.id != facts.id:
            text = with_meta(text, entry, entry.meta.having("by", facts.id))
    return text


def _facts(stays: Entry, goes: Entry, dynamics: Dynamics) -> Meta:
    """The facts of both: all mentions, from the first to the last, as sure as the surer of the two
    was then. One that was written by hand takes over the id of the other.
    """
    old = goes.meta or Meta("")
    meta, latest = stays.meta or old, _latest(stays, goes)
    mentions = old.n + (stays.meta.n if stays.meta else 1)
    told = max(confidence(one.meta, dynamics, latest) for one in (stays, goes)) if latest else None
    begun = min((one for one in (meta.first, old.first) if one), default=None)
    source = (
        max((meta.src, old.src), key=lambda src: BASE.get(src, BASE[EXPLICIT]))
        if stays.meta
        else EXPLICIT
    )
    for key, value in (
        ("conf", written(told) if told is not None else meta.get("conf")),
        ("n", str(mentions)),
        ("first", begun.isoformat() if begun else ""),
        ("last", latest.isoformat() if latest else ""),
        ("src", source),
    ):
        meta = meta.having(key, value)
    for cited in old.evidence:
        meta = meta.citing(cited)
    return meta


def _latest(one: Entry, other: Entry) -> date | None:
    days = (entry.meta.last for entry in (one, other) if entry.meta)
    return max((day for day in days if day), default=None)


_ANY = frozenset({"Memory", "Decisions", "Knowledge", "Skills", "Events"})
"""Headings that say of what kind an entry is, which its tag says too."""
