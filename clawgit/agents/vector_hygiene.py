"""Vector hygiene: which texts are no longer compared by meaning, told once in COMPACTION_LOG.md.
Their words stay.
"""

import re
from collections.abc import Iterator
from datetime import date
from itertools import groupby
from typing import NamedTuple

from clawgit.agents.contract import ChangeSet, Draft, Proposed, Skipped, Snapshot, Step
from clawgit.domain.change.history import PRUNE
from clawgit.domain.compaction.log import PATH, Removal, excerpt, logged, whole
from clawgit.domain.corrections.corrections import read_old_value
from clawgit.domain.facts.vector_life import FLAGGED, GONE, Aging, Rules, aging, old_value_aging
from clawgit.domain.markdown.entry import Entry, entries, holds_entries


class Vector(NamedTuple):
    """The vector of an entry's text, or of what it said before it was corrected."""

    path: str
    entry: Entry
    text: str
    aging: Aging

    @property
    def name(self) -> str:
        """What the log knows it by: the same text that was mentioned again, and forgotten again,
        has another.
        """
        was = "was:" if self.text != self.entry.text else ""
        return f"{was}{self.entry.key}@{self.aging.since}"


def propose(snapshot: Snapshot) -> ChangeSet:
    """A line in the log for the vectors of each file that are over; the files of memory stay as
    they are. What becomes of the vectors follows from the entries and the day, here as in every
    index that is made anew.
    """
    found = [
        vector
        for path in snapshot.files
        if holds_entries(path)
        for vector in _vectors(path, snapshot)
    ]
    log = snapshot.files.get(PATH) or ""
    told = set(_NAME.findall(whole(snapshot.files)))
    today, rules = snapshot.today, snapshot.settings
    gone = [one for one in found if one.aging.state(today, rules) == GONE and one.name not in told]
    flagged = [one for one in found if one.aging.state(today, rules) == FLAGGED]
    steps = (_step(snapshot, gone, log),) if gone else ()
    return ChangeSet(steps, tuple(_flagged(one, rules) for one in flagged))


def _vectors(path: str, snapshot: Snapshot) -> Iterator[Vector]:
    text = snapshot.files[path]
    for entry in entries(text) if "claw:" in text else ():
        if own := aging(entry.meta, entry.tags):
            yield Vector(path, entry, entry.text, own)
        old = read_old_value(entry.raw)
        if old and (past := old_value_aging(entry.meta)):
            yield Vector(path, entry, old, past)


def _step(snapshot: Snapshot, gone: list[Vector], log: str) -> Step:
    draft = Draft(snapshot.files)
    groups = [list(some) for _, some in groupby(sorted(gone, key=_kind), _kind)]
    removals = [
        Removal(some[0].path, _what(some), _why(some[0], snapshot.settings)) for some in groups
    ]
    ident = snapshot.fresh_id("vector hygiene", log)
    draft.put(PATH, logged(log, ident, snapshot.now, removals, snapshot.head))
    return Step(
        verb=PRUNE,
        summary=f"{len(gone):,} {'text is' if len(gone) == 1 else 'texts are'} no longer compared "
        "by meaning",
        reason="Their words are still found: only the vectors go, and come back with the next "
        "mention.",
        evidence=(f"{PATH}#{ident}",),
        edits=draft.edits,
        proposed=tuple(
            Proposed(
                one.path, "vector removed", f"{one.what}: {one.why}", (one.path, *_cited(some))
            )
            for one, some in zip(removals, groups, strict=True)
        ),
    )


def _kind(one: Vector) -> tuple[str, bool]:
    """What is told on one line: whose vectors go for the same reason."""
    return one.path, one.aging.corrected


def _what(some: list[Vector]) -> str:
    """Their names; the text too, where it is one. The entries stand in their file, for who wants to
    read them.
    """
    names = " ".join(one.name for one in some)
    return f"vector {names} {excerpt(some[0].text)}" if len(some) == 1 else f"vectors {names}"


def _why(one: Vector, rules: Rules) -> str:
    grace = rules.corrected_embedding_grace_days
    if one.aging.corrected:
        return f"corrected more than {grace} days ago"
    return f"mentioned once, and not for {rules.embedding_staleness_days} days and {grace} more"


def _flagged(one: Vector, rules: Rules) -> Skipped:
    last = date.fromordinal(max(one.aging.gone_from(rules).toordinal() - 1, 1))
    kept = "" if one.aging.corrected else ", unless it is mentioned again"
    return Skipped(
        f"vector {one.name} {excerpt(one.text)}, in {one.path}", f"flagged: kept up to {last}{kept}"
    )


def _cited(some: list[Vector]) -> tuple[str, ...]:
    return some[0].entry.meta.evidence if len(some) == 1 and some[0].entry.meta else ()


_NAME = re.compile(r"\b(?:was:)?[a-z0-9]+@[0-9]{4}-[0-9]{2}-[0-9]{2}\b")
