"""Vector hygiene logs which texts are no longer compared by meaning, only by words."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import NamedTuple

from clawgit.agents.contract import ChangeSet, Draft, Proposed, Skipped, Snapshot, Step
from clawgit.domain.change.history import PRUNE
from clawgit.domain.corrections.corrections import Correction, replaced_text, statement
from clawgit.domain.facts.vector_life import (
    FLAGGED,
    GONE,
    STALE_AFTER,
    Aging,
    VectorSettings,
    aging,
    old_value_aging,
    roomy_from,
)
from clawgit.domain.markdown.entry import Entry, entries, holds_entries
from clawgit.domain.upkeep.log import PATH, Removal, excerpt, logged


class Vector(NamedTuple):
    """The vector of an entry's text, or of what it said before it was corrected."""

    path: str
    entry: Entry
    text: str
    aging: Aging

    @property
    def name(self) -> str:
        """The name in the log. A text that is mentioned again and expires again has a new one."""
        was = "was:" if self.text != self.entry.text else ""
        return f"{was}{self.entry.key}@{self.aging.since}"


def propose(snapshot: Snapshot) -> ChangeSet:
    """A line in the log for the vectors of each file that have expired.

    The files of memory stay as they are. Which vectors exist follows from the entries and the day,
    in every index.
    """
    today, rules = snapshot.today, snapshot.settings
    logged_names = set(_NAME.findall(snapshot.files.get(PATH, "")))
    gone: list[Vector] = []
    flagged: list[Skipped] = []
    for vector in _without_room(snapshot):
        state = vector.aging.state(today, rules)
        if state == GONE and vector.name not in logged_names:
            gone.append(vector)
        elif state == FLAGGED:
            flagged.append(_flagged(vector, rules))
    log = snapshot.files.get(PATH) or ""
    steps = (_step(snapshot, gone, log),) if gone else ()
    return ChangeSet(steps, tuple(flagged))


def _without_room(snapshot: Snapshot) -> Iterator[Vector]:
    """The vectors that age: all of corrected texts, and what is beyond `ROOM` of others."""
    known = {each.evidence: each for each in snapshot.corrections if each.binds}
    vectors: list[Vector] = []
    for path in filter(holds_entries, snapshot.files):
        vectors += _vectors(path, snapshot, known)
    roomy = roomy_from([vector.aging.since for vector in vectors if not vector.aging.corrected])
    yield from filter(lambda one: one.aging.corrected or one.aging.since < roomy, vectors)


def _vectors(path: str, snapshot: Snapshot, known: Mapping[str, Correction]) -> Iterator[Vector]:
    text = snapshot.files[path]
    for entry in entries(text) if "claw:" in text else ():
        if own := aging(entry.meta, entry.tags):
            yield Vector(path, entry, entry.text, own)
        evidence = entry.meta.evidence if entry.meta else ()
        old = replaced_text(evidence, known)
        past = old_value_aging(entry.meta)
        if past and old not in ("", statement(entry)):
            yield Vector(path, entry, old, past)


def _step(snapshot: Snapshot, gone: list[Vector], log: str) -> Step:
    removals = [
        Removal(
            vector.path,
            f"vector {vector.name} {excerpt(vector.text)}",
            _why(vector, snapshot.settings),
        )
        for vector in gone
    ]
    ident = snapshot.fresh_id("vector hygiene", log)
    draft = Draft(snapshot.files)
    draft.put(PATH, logged(log, ident, snapshot.now, removals, snapshot.head))
    subject = "text is" if len(gone) == 1 else "texts are"
    return Step(
        verb=PRUNE,
        summary=f"{len(gone):,} {subject} no longer compared by meaning",
        reason="Their words are still found: only the vectors go, and come back with the next "
        "mention.",
        evidence=(f"{PATH}#{ident}",),
        edits=draft.edits,
        proposed=tuple(
            Proposed(each.path, "vector removed", f"{each.what}: {each.why}", (each.path,))
            for each in removals
        ),
    )


def _why(vector: Vector, rules: VectorSettings) -> str:
    grace = rules.corrected_embedding_grace_days
    if vector.aging.corrected:
        return f"corrected more than {grace} days ago"
    return f"mentioned once, and not for {STALE_AFTER} days and {grace} more"


def _flagged(vector: Vector, rules: VectorSettings) -> Skipped:
    last = date.fromordinal(max(vector.aging.gone_from(rules).toordinal() - 1, 1))
    kept = "" if vector.aging.corrected else ", unless it is mentioned again"
    return Skipped(
        f"vector {vector.name} {excerpt(vector.text)}, in {vector.path}",
        f"flagged: kept up to {last}{kept}",
    )


_NAME = re.compile(r"\b(?:was:)?[a-z0-9]+@[0-9]{4}-[0-9]{2}-[0-9]{2}\b")
