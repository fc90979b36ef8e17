"""The organizer's draft: compares each new fact with the existing ones, and adds or counts it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from clawgit.agents.contract import Draft, Skipped, Snapshot
from clawgit.domain.context.corrected_lines import wrong_by
from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.corrections.disputed import undisputed
from clawgit.domain.facts.confidence import CORRECTION, mentioned, origins
from clawgit.domain.facts.fact import worded
from clawgit.domain.facts.fact_verdict import IGNORED, MERGED, Claim, EntryPlace, judged
from clawgit.domain.facts.likeness import ALIKE_FACTS, Overlaps, fuller, may_merge
from clawgit.domain.facts.same_fact import old_values
from clawgit.domain.markdown.comment import Meta, split
from clawgit.domain.markdown.entry import render, replaced
from clawgit.domain.markdown.statuses import ACTIVE, DISPUTED, SUPERSEDED
from clawgit.domain.organizing.facts_page import (
    ARCHIVE,
    PageFact,
    coming_from,
    facts_in,
    new_meta,
    page_of,
    paths_of,
    with_facts,
)
from clawgit.domain.organizing.organize import STRUCTURED, LineFact, Source, expires
from clawgit.domain.workspace.layers import opening
from clawgit.errors import UsageError

_NEAREST = 50
"""How many similar facts are considered for a merge; the most similar come first."""


class FactOutcome(NamedTuple):
    """What a fact became: `kind` is added, mentioned, reworded or withdrawn."""

    kind: str
    path: str
    text: str
    evidence: tuple[str, ...]


@dataclass(slots=True, eq=False)
class Seat:
    """A fact as the run leaves it; `was` is the fact before, None for a new one."""

    path: str
    text: str
    meta: Meta
    was: PageFact | None = None
    changed: bool = False

    @property
    def is_active(self) -> bool:
        return self.meta.status == ACTIVE


class FactsDraft:
    """All existing facts, found by their words."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.draft = Draft(snapshot.files)
        self.seats: list[Seat] = []
        self._ids: defaultdict[str, set[str]] = defaultdict(set)
        for path in sorted(path for path in snapshot.files if path.startswith(STRUCTURED)):
            for fact in self._facts(path):
                self.seats.append(Seat(path, fact.entry.text, fact.meta, fact))
                self._ids[path].add(fact.meta.id)
        self._overlaps = Overlaps(seat.text for seat in self.seats)
        corrections = [each for each in snapshot.corrections if each.binds]
        self._texts = [*_texts_of(corrections)]
        self._corrections = Overlaps(text for _, text in self._texts)
        self._correction_of = wrong_by(corrections).correction_of
        self._known = frozenset(self._all_known())

    def is_known(self, source: Source) -> bool:
        """Whether a fact came from this very line already, even if that fact is over."""
        return (source.path, source.key) in self._known

    def taken(self, fact: LineFact) -> FactOutcome | Skipped | None:
        """What becomes of a fact; None if its line was only moved or reworded."""
        try:
            text, _ = worded(fact.text, fact.tag)
        except UsageError as trouble:
            return Skipped(fact.text, str(trouble))
        near = [self.seats[at] for at in self._overlaps.over(text, ALIKE_FACTS)[:_NEAREST]]
        # What this run added comes first: the judge below knows only the files.
        if fresh := _merging_new(near, text):
            return self._again(fresh, fact, text)
        places = {
            EntryPlace(seat.path, seat.was.entry): seat
            for seat in near
            if seat.was and seat.is_active
        }
        claim = Claim(text, fact.source, page_of(fact.class_))
        verdict = judged(claim, [*places], self._concerning(text), same=may_merge)
        if why := verdict.reason if verdict.action == IGNORED else self._doubt(text, fact, near):
            return Skipped(text, why)
        if verdict.action == MERGED and verdict.place:
            return self._again(places[verdict.place], fact, text)
        return self._added(fact, text)

    def _doubt(self, text: str, fact: LineFact, near: Iterable[Seat]) -> str:
        """Why a fact is doubtful, "" if it is not."""
        if where := self._correction_of(text) or self._correction_of(fact.quote):
            return f"the operator corrected this ({where})"
        if any(_disputes(seat, text) for seat in near):
            return "it is disputed"
        return ""

    def withdraw(
        self, paths: Iterable[str], standing: Callable[[str], frozenset[str]]
    ) -> Iterator[FactOutcome]:
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
                seat.changed = True
                yield FactOutcome("withdrawn", seat.path, seat.text, seat.meta.evidence)

    def _may_be_withdrawn(self, seat: Seat) -> bool:
        """Whether the notes that a fact cites are all that it rests on."""
        if seat.was is None or not seat.is_active or seat.meta.src == CORRECTION:
            return False
        # More mentions than evidence: some notes behind it are no longer named.
        return bool(origins(seat.meta)) and seat.meta.n <= len(seat.meta.evidence)

    def write(self) -> None:
        """Puts every change into the pages."""
        touched: defaultdict[str, list[Seat]] = defaultdict(list)
        for seat in self.seats:
            if seat.changed or seat.was is None:
                touched[seat.path].append(seat)
        for path, seats in sorted(touched.items()):
            text = self.draft.read(path) or opening(path, self._snapshot.layers, path_title(path))
            added = [render(seat.text, seat.meta) for seat in seats if seat.was is None]
            self.draft.put(path, with_facts(_with_changes(text, seats), added))

    def _again(self, seat: Seat, fact: LineFact, text: str) -> FactOutcome | None:
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
        # What the operator corrected keeps its words.
        if seat.meta.src != CORRECTION:
            seat.text = fuller(seat.text, text)
        seat.changed = True
        kind = "mentioned" if seat.meta.n > before.n else "reworded"
        return FactOutcome(kind, seat.path, seat.text, (fact.origin.evidence,))

    def _added(self, fact: LineFact, text: str) -> FactOutcome:
        path = page_of(fact.class_)
        taken = self._ids[path]
        meta = new_meta(fact, self._snapshot.fresh_id(f"{path}\0{text}", taken))
        # For the next facts of this run: none may get the same id, and each is compared with this
        # one.
        taken.add(meta.id)
        self.seats.append(Seat(path, text, meta))
        self._overlaps.add(text)
        return FactOutcome("added", path, text, (fact.origin.evidence,))

    def _concerning(self, text: str) -> list[Correction]:
        """The corrections that may be about a fact, in their order."""
        near = sorted(self._corrections.over(text, ALIKE_FACTS))
        return [*dict.fromkeys(self._texts[at][0] for at in near)]

    def _facts(self, path: str) -> Sequence[PageFact]:
        return [*facts_in(path, self._snapshot.files[path])]

    def _all_known(self) -> Iterator[tuple[str, str]]:
        """The lines, as path and key, that facts came from; those in the archive too."""
        metas = [seat.meta for seat in self.seats]
        for path in self._snapshot.files:
            if path.startswith(ARCHIVE):
                metas += [fact.meta for fact in self._facts(path)]
        for meta in metas:
            for path in paths_of(meta.evidence):
                yield from ((path, key) for key in origins(meta))


def _texts_of(corrections: Iterable[Correction]) -> Iterator[tuple[Correction, str]]:
    """Each correction with all that it calls wrong, and what it calls right."""
    for correction in corrections:
        for text in (*old_values(correction), correction.correct):
            if text.strip():
                yield correction, text


def _merging_new(near: Iterable[Seat], text: str) -> Seat | None:
    """A fact that was added in this same run and says the same."""
    for seat in near:
        if seat.was is None and may_merge(seat.text, text):
            return seat
    return None


def _disputes(seat: Seat, text: str) -> bool:
    if seat.was is None or seat.meta.status != DISPUTED:
        return False
    return may_merge(undisputed(seat.was.entry), text)


def _with_changes(text: str, seats: Iterable[Seat]) -> str:
    for seat in seats:
        if seat.was and seat.changed:
            text = replaced(text, seat.was.entry, _rewritten(seat, seat.was))
    return text


def path_title(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md").replace("-", " ").capitalize()


def _rewritten(seat: Seat, was: PageFact) -> str:
    """A fact with what is new about it. The words of the operator's own hand stay as they are."""
    parts = split(was.entry.raw)
    if seat.text == was.entry.text or "\n" in parts.before:
        return f"{parts.before} {seat.meta}{parts.after}"
    return f"{render(seat.text)} {seat.meta}{parts.after}"
