"""The organizer's draft: compares each new fact with the existing ones, and adds or counts it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from clawgit.agents.contract import Draft, Proposed, Skipped, Snapshot
from clawgit.domain.context.passage import wrong_by
from clawgit.domain.facts.confidence import CORRECTION, mentioned, origins
from clawgit.domain.facts.fact import worded
from clawgit.domain.facts.fact_verdict import IGNORED, MERGED, Claim, EntryPlace, judged
from clawgit.domain.facts.likeness import ALIKE_FACTS, Overlaps, may_merge
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.entry import Entry, entries, render, with_meta
from clawgit.domain.markdown.statuses import ACTIVE, DISPUTED, SUPERSEDED
from clawgit.domain.organizing.facts_page import (
    ARCHIVE,
    all_facts,
    coming_from,
    facts_in,
    new_meta,
    page_of,
    paths_of,
    with_facts,
)
from clawgit.domain.organizing.organize import LineFact, Source, expires
from clawgit.domain.workspace.layers import opening
from clawgit.errors import UsageError

_NEAREST = 50
"""How many similar facts are considered for a merge; the most similar come first."""


@dataclass(slots=True, eq=False)
class Seat:
    """A fact as the run leaves it; `entry` is how it stood before, or how a new one is written."""

    path: str
    entry: Entry
    meta: Meta
    is_new: bool = False

    @property
    def text(self) -> str:
        return self.entry.text

    @property
    def is_changed(self) -> bool:
        return self.is_new or self.meta != (self.entry.meta or Meta(""))


class FactsDraft:
    """All existing facts, found by their words."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.draft = Draft(snapshot.files)
        self.seats = [Seat(fact.path, fact.entry, fact.meta) for fact in all_facts(snapshot.files)]
        self._ids = {seat.meta.id for seat in self.seats}
        self._overlaps = Overlaps(seat.text for seat in self.seats)
        self._corrections = [each for each in snapshot.corrections if each.binds]
        self._correction_of = wrong_by(self._corrections).correction_of
        self._known = frozenset(self._all_known())

    def is_known(self, source: Source) -> bool:
        """Whether a fact came from this very line already, even if that fact is over."""
        return (source.path, source.key) in self._known

    def taken(self, fact: LineFact) -> Proposed | Skipped | None:
        """What becomes of a fact; None if its line was only moved or reworded."""
        try:
            text, _ = worded(fact.text, fact.tag)
        except UsageError as trouble:
            return Skipped(fact.text, str(trouble))
        near = [self.seats[at] for at in self._overlaps.over(text, ALIKE_FACTS)[:_NEAREST]]
        places = {
            EntryPlace(seat.path, seat.entry): seat
            for seat in near
            if seat.meta.status in (ACTIVE, DISPUTED)
        }
        verdict = judged(
            Claim(text, fact.source, page_of(fact.class_)),
            [*places],
            self._corrections,
            same=may_merge,
        )
        if verdict.action == IGNORED:
            return Skipped(text, verdict.reason)
        if where := self._correction_of(text) or self._correction_of(fact.quote):
            return Skipped(text, f"the operator corrected this ({where})")
        if verdict.action == MERGED and verdict.place:
            return self._again(places[verdict.place], fact)
        return self._added(fact, text)

    def withdraw(
        self, paths: Iterable[str], standing: Callable[[str], frozenset[str]]
    ) -> Iterator[Proposed]:
        """Ends facts whose lines are all gone from these notes.

        `standing` gives the keys of the lines of a note.
        """
        changed = frozenset(paths)
        today = self._snapshot.today.isoformat()
        for seat in self.seats:
            cited = paths_of(seat.meta.evidence)
            if not self._may_be_withdrawn(seat) or not cited & changed:
                continue
            if any(path not in self._snapshot.files for path in cited):
                continue  # a note that was compacted is still evidence for its facts
            still = {key for path in cited for key in standing(path)}
            if still.isdisjoint(origins(seat.meta)):
                seat.meta = seat.meta.having("status", SUPERSEDED).having("expires", today)
                yield Proposed(seat.path, "withdrawn", seat.text, seat.meta.evidence)

    def _may_be_withdrawn(self, seat: Seat) -> bool:
        """Whether the notes that a fact cites are all that it rests on."""
        meta = seat.meta
        if seat.is_new or meta.status != ACTIVE or meta.src == CORRECTION:
            return False
        # More mentions than evidence: some notes behind it are no longer named.
        return bool(origins(meta)) and meta.n <= len(meta.evidence)

    def write(self) -> None:
        """Puts every change into the pages."""
        changed = filter(attrgetter("is_changed"), self.seats)
        for path, seats in groupby(sorted(changed, key=_path), _path):
            text = self.draft.read(path) or opening(path, self._snapshot.layers, path_title(path))
            self.draft.put(path, _written(text, seats))

    def _again(self, seat: Seat, fact: LineFact) -> Proposed | None:
        """The same fact from another line.

        A line of another note is one more mention; a line of the same note only rewords the fact.
        """
        elsewhere = fact.origin.path not in paths_of(seat.meta.evidence)
        before = seat.meta
        if elsewhere and not seat.meta.has_counted(fact.origin.evidence, fact.origin.said):
            meta = mentioned(seat.meta, fact.source, self._snapshot.settings, fact.origin.said)
            until = expires(fact.class_, meta.last or fact.origin.said, fact.when)
            if until and meta.expires:
                # Another mention never makes a fact expire sooner.
                meta = meta.having("expires", max(until, meta.expires).isoformat())
            seat.meta = meta.citing(fact.origin.evidence)
        seat.meta = coming_from(seat.meta, fact.origin.key)
        if seat.meta == before:
            return None
        kind = "mentioned" if seat.meta.n > before.n else "reworded"
        return Proposed(seat.path, kind, seat.text, (fact.origin.evidence,))

    def _added(self, fact: LineFact, text: str) -> Proposed:
        path = page_of(fact.class_)
        meta = new_meta(fact, self._snapshot.fresh_id(f"{path}\0{text}", self._ids))
        # For the next facts of this run: none may get the same id, and each is compared with this
        # one.
        self._ids.add(meta.id)
        self.seats.append(Seat(path, entries(render(text, meta))[0], meta, is_new=True))
        self._overlaps.add(text)
        return Proposed(path, "added", text, (fact.origin.evidence,))

    def _all_known(self) -> Iterator[tuple[str, str]]:
        """The lines, as path and key, that facts came from; those in the archive too."""
        metas = [seat.meta for seat in self.seats]
        for path in self._snapshot.files:
            if path.startswith(ARCHIVE):
                metas += [fact.meta for fact in facts_in(path, self._snapshot.files[path])]
        for meta in metas:
            for path in paths_of(meta.evidence):
                yield from ((path, key) for key in origins(meta))


def _path(seat: Seat) -> str:
    return seat.path


def _written(text: str, seats: Iterable[Seat]) -> str:
    """A page with what is new about its facts, and with more facts."""
    added: list[str] = []
    for seat in seats:
        if seat.is_new:
            added.append(render(seat.text, seat.meta))
        else:
            text = with_meta(text, seat.entry, seat.meta)
    return with_facts(text, added)


def path_title(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md").replace("-", " ").capitalize()
