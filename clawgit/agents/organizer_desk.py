"""The pages of facts while the organizer works on them: what is there, and what a fact becomes
beside it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from clawgit.agents.contract import Draft, Skipped, Snapshot
from clawgit.domain.context.corrected_lines import wrong_by
from clawgit.domain.corrections.corrections import Correction, all_corrections
from clawgit.domain.corrections.disputed import undisputed
from clawgit.domain.facts.confidence import CORRECTION, mentioned
from clawgit.domain.facts.fact import worded
from clawgit.domain.facts.fact_verdict import IGNORED, MERGED, Claim, Place, judged
from clawgit.domain.facts.likeness import fuller, may_merge
from clawgit.domain.facts.origins import origins
from clawgit.domain.facts.overlap import ALIKE_FACTS, Overlaps
from clawgit.domain.facts.same_fact import old_values
from clawgit.domain.markdown.comment import Meta, split
from clawgit.domain.markdown.entry import render, replaced
from clawgit.domain.markdown.statuses import ACTIVE, DISPUTED, SUPERSEDED
from clawgit.domain.organizing.facts_page import (
    ARCHIVE,
    Fact,
    coming_from,
    facts_in,
    new_meta,
    page_of,
    paths_of,
    with_facts,
)
from clawgit.domain.organizing.organize import STRUCTURED, Found, Source, expires
from clawgit.domain.workspace.layers import opening
from clawgit.errors import UsageError

_NEAREST = 50
"""Of the facts that are alike, so many are asked whether they may merge: who says the same comes
first."""


class Outcome(NamedTuple):
    """What a fact became: `kind` is added, mentioned, reworded or withdrawn."""

    kind: str
    path: str
    text: str
    evidence: tuple[str, ...]


@dataclass(slots=True, eq=False)
class Seat:
    """A fact as the run leaves it; `was` is how it stood before, None for a new one."""

    path: str
    text: str
    meta: Meta
    was: Fact | None = None
    changed: bool = False

    @property
    def is_active(self) -> bool:
        return self.meta.status == ACTIVE


class Desk:
    """All facts that there are, found again by their words."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.draft = Draft(snapshot.files)
        pages = sorted(path for path in snapshot.files if path.startswith(STRUCTURED))
        self.seats = [
            Seat(path, fact.entry.text, fact.meta, fact)
            for path in pages
            for fact in self._facts(path)
        ]
        self._ids: defaultdict[str, set[str]] = defaultdict(set)
        for seat in self.seats:
            self._ids[seat.path].add(seat.meta.id)
        self._overlaps = Overlaps(seat.text for seat in self.seats)
        corrections = [one for one in all_corrections(snapshot.files) if one.binds]
        self._wrong = [
            (one, old)
            for one in corrections
            for old in (*old_values(one), one.correct)
            if old.strip()
        ]
        self._wrongs = Overlaps(old for _, old in self._wrong)
        self._put_right = wrong_by(corrections).put_right
        self._known = frozenset(self._all_known())

    def is_known(self, source: Source) -> bool:
        """Whether a fact came from this very line already, be it one that is over."""
        return (source.path, source.key) in self._known

    def taken(self, found: Found) -> Outcome | Skipped | None:
        """What becomes of a fact; None where nothing does, since its line was merely moved or
        reworded.
        """
        try:
            text, _ = worded(found.text, found.tag)
        except UsageError as trouble:
            return Skipped(found.text, str(trouble))
        near = [self.seats[at] for at in self._overlaps.over(text, ALIKE_FACTS)[:_NEAREST]]
        fresh = next(
            (seat for seat in near if seat.was is None and may_merge(seat.text, text)), None
        )
        if fresh:
            return self._again(fresh, found, text)
        places = {
            Place(seat.path, seat.was.entry): seat for seat in near if seat.was and seat.is_active
        }
        claim = Claim(text, found.source, page_of(found.class_))
        verdict = judged(claim, [*places], self._concerning(text), same=may_merge)
        where = self._put_right(text) or self._put_right(found.quote)
        why = f"the operator put this right ({where})" if where else ""
        if verdict.action == IGNORED:
            why = verdict.reason
        elif not why and any(_disputes(seat, text) for seat in near):
            why = "it is disputed"
        if why:
            return Skipped(text, why)
        if verdict.action == MERGED and verdict.place:
            return self._again(places[verdict.place], found, text)
        return self._added(found, text)

    def withdraw(
        self, paths: Iterable[str], standing: Callable[[str], frozenset[str]]
    ) -> Iterator[Outcome]:
        """Facts of which none of the lines that they came from stands any more, where all of their
        notes are there. `standing` tells the keys of the lines of a note.
        """
        changed = frozenset(paths)
        for seat in self.seats:
            cited = paths_of(seat.meta.evidence)
            if (
                seat.was is None
                or not seat.is_active
                or not cited & changed
                or seat.meta.src == CORRECTION
            ):
                continue
            mine = origins(seat.meta)
            if (
                not mine
                or seat.meta.n > len(seat.meta.evidence)
                or any(one not in self._snapshot.files for one in cited)
            ):
                continue
            if not any(key in standing(path) for path in cited for key in mine):
                today = self._snapshot.today.isoformat()
                seat.meta = seat.meta.having("status", SUPERSEDED).having("expires", today)
                seat.changed = True
                yield Outcome("withdrawn", seat.path, seat.text, seat.meta.evidence)

    def write(self) -> None:
        """Puts every change into the pages."""
        for path in sorted({seat.path for seat in self.seats if seat.changed or seat.was is None}):
            seats = [seat for seat in self.seats if seat.path == path]
            text = self.draft.read(path) or opening(path, self._snapshot.layers, path_title(path))
            for seat in seats:
                if seat.was and seat.changed:
                    text = replaced(text, seat.was.entry, _rewritten(seat, seat.was))
            self.draft.put(
                path,
                with_facts(text, [render(seat.text, seat.meta) for seat in seats if not seat.was]),
            )

    def _again(self, seat: Seat, found: Found, text: str) -> Outcome | None:
        """The same fact from another line. Another note is a mention; the same note only says it in
        other words.
        """
        elsewhere = found.origin.path not in paths_of(seat.meta.evidence)
        before = seat.meta
        if elsewhere and not seat.meta.has_counted(found.origin.evidence, found.origin.said):
            meta = mentioned(seat.meta, found.source, self._snapshot.settings, found.origin.said)
            until = expires(found.class_, meta.last or found.origin.said, found.when)
            if until and meta.expires:
                meta = meta.having("expires", max(until, meta.expires).isoformat())
            seat.meta = meta.citing(found.origin.evidence)
        seat.meta = coming_from(seat.meta, found.origin.key)
        if seat.meta == before:
            return None
        if seat.meta.src != CORRECTION:
            seat.text = fuller(seat.text, text)
        seat.changed = True
        kind = "mentioned" if seat.meta.n > before.n else "reworded"
        return Outcome(kind, seat.path, seat.text, (found.origin.evidence,))

    def _added(self, found: Found, text: str) -> Outcome:
        path = page_of(found.class_)
        taken = self._ids[path]
        meta = new_meta(found, self._snapshot.fresh_id(f"{path}\0{text}", taken))
        taken.add(meta.id)
        self.seats.append(Seat(path, text, meta))
        self._overlaps.add(text)
        return Outcome("added", path, text, (found.origin.evidence,))

    def _concerning(self, text: str) -> list[Correction]:
        """The corrections that may speak of a fact, in their order."""
        near = sorted(self._wrongs.over(text, ALIKE_FACTS))
        return [*dict.fromkeys(self._wrong[at][0] for at in near)]

    def _facts(self, path: str) -> Sequence[Fact]:
        return [*facts_in(path, self._snapshot.files[path])]

    def _all_known(self) -> Iterator[tuple[str, str]]:
        metas = [seat.meta for seat in self.seats]
        for path in self._snapshot.files:
            if path.startswith(ARCHIVE):
                metas += [fact.meta for fact in self._facts(path)]
        for meta in metas:
            yield from ((path, key) for path in paths_of(meta.evidence) for key in origins(meta))


def _disputes(seat: Seat, text: str) -> bool:
    return (
        seat.was is not None
        and seat.meta.status == DISPUTED
        and may_merge(undisputed(seat.was.entry), text)
    )


def path_title(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md").replace("-", " ").capitalize()


def _rewritten(seat: Seat, was: Fact) -> str:
    """A fact with what is new about it. The words of the operator's own hand stay as they are."""
    parts = split(was.entry.raw)
    if seat.text == was.entry.text or "\n" in parts.before:
        return f"{parts.before} {seat.meta}{parts.after}"
    return f"{render(seat.text)} {seat.meta}{parts.after}"
