"""The plan of a promotion: what moves where, what stays, and why."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, count
from typing import NamedTuple

from clawgit.domain.claims.contradicting import dispute
from clawgit.domain.context.passage import Wrong, wrong_by
from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.corrections.disputed import undisputed
from clawgit.domain.facts.confidence import INFERRED
from clawgit.domain.facts.fact import ADDED, Claim, judged
from clawgit.domain.facts.likeness import ALIKE_FACTS, Overlaps, likeness, may_merge
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import ACTIVE, Meta, read_meta, split
from clawgit.domain.markdown.entry import (
    Entry,
    append_entry,
    entries,
    fits,
    id_from,
    problems,
)
from clawgit.domain.markdown.tag_table import DECISION, visible
from clawgit.domain.upkeep.marks import NoteUnit, as_item, context, cut_out
from clawgit.domain.upkeep.promotion import Weighed
from clawgit.domain.workspace.layout import NOTEBOOK
from clawgit.domain.workspace.routing import Target, category, route
from clawgit.domain.workspace.tiers import dated

MOVED = "moved"
FLAGGED = "flagged"
"""The action for a candidate that is not certain enough to be moved without asking."""
LEFT = "left"

_MUCH = 0.72
"""The likeness from which two entries say much the same."""

_NEAREST = 20
"""How many similar entries, nearest first, are checked for saying the same."""


class Terms(NamedTuple):
    """What a plan depends on. `target` is the file that was asked for, "" for the usual one.

    A candidate below `sure` is flagged and not moved.
    """

    now: datetime
    target: str = ""
    notebook: str = NOTEBOOK
    corrections: tuple[Correction, ...] = ()
    sure: float = 0.0


@dataclass(frozen=True, slots=True)
class PromotionCandidate:
    """A line that could be promoted; `why` names the parts of the confidence.

    `action` is moved; flagged if it is not certain enough to be moved without asking; or left, and
    `why` is the reason. `entryId` is the entry that it is now.
    """

    path: str
    startLine: int  # noqa: N815 - keys of memory tools are OpenClaw's
    endLine: int  # noqa: N815
    text: str
    category: str
    confidence: float
    hits: int
    sessions: int
    why: tuple[str, ...]
    action: str
    target: str
    entryId: str = ""  # noqa: N815

    @property
    def evidence(self) -> str:
        return f"{self.path}#L{self.startLine}"


class PromotionPlan(NamedTuple):
    """`files` are those that change, with their new text."""

    decided: tuple[PromotionCandidate, ...]
    files: Mapping[str, str]


def plan(
    files: Mapping[str, str], lasting: Iterable[str], candidates: Iterable[Weighed], terms: Terms
) -> PromotionPlan:
    """Decides on the candidates, the surest first. The entries of `lasting` may say the same."""
    draft = _Draft(files, terms, wrong_by(terms.corrections), dict(files))
    for path in lasting:
        for entry in entries(files.get(path, ""), path):
            draft.keep(entry)
    # The surest come first, because the notebook may have room for only some of them.
    decided = tuple(draft.decide(candidate) for candidate in sorted(candidates, key=_order))
    changed = {path: text for path, text in draft.texts.items() if files.get(path) != text}
    return PromotionPlan(decided, changed)


@dataclass(slots=True)
class _Draft:
    """The files while a plan is made: `files` as they were, `texts` as they will be."""

    files: Mapping[str, str]
    terms: Terms
    wrong: Wrong
    texts: dict[str, str]
    places: list[Entry] = field(default_factory=list)
    known: Overlaps = field(default_factory=Overlaps)
    cuts: dict[str, set[int]] = field(default_factory=dict)

    def keep(self, place: Entry) -> None:
        self.places.append(place)
        self.known.add(undisputed(place))

    def decide(self, candidate: Weighed) -> PromotionCandidate:
        target, unit, action, ident = self._target(candidate), candidate.unit, LEFT, ""
        why = candidate.against or self._against(unit, target)
        if not why and candidate.confidence < self.terms.sure:
            action = FLAGGED
        elif not why:
            ident = self._fresh(unit)
            why = self._move(candidate, target, ident)
            action = LEFT if why else MOVED
        return PromotionCandidate(
            path=unit.path,
            startLine=unit.line,
            endLine=unit.end_line,
            text=unit.text,
            category=candidate.category,
            confidence=candidate.confidence,
            hits=candidate.retrieved.hits,
            sessions=candidate.retrieved.sessions,
            why=(why,) if why else candidate.why,
            action=action,
            target=target.path,
            entryId=ident if action == MOVED else "",
        )

    def _against(self, unit: NoteUnit, target: Target) -> str:
        """What the operator, or an entry, says against a text, "" if nothing."""
        text, near = unit.text, self._near(unit)
        claim = Claim(text, INFERRED, target.path)
        verdict = judged(claim, near, self.terms.corrections, same=may_merge)
        if verdict.action != ADDED:
            return verdict.reason
        if where := self.wrong.correction_of(text):
            return f"the operator put this right ({where})"
        for place in near:
            # The lines of one note are about several things, as “part 1” and “part 2”.
            cited = place.meta.evidence if place.meta else ()
            is_of_the_note = any(piece.startswith(f"{unit.path}#") for piece in cited)
            if place.status != ACTIVE or is_of_the_note:
                continue
            said = visible(undisputed(place))
            if dispute(said, text):
                return f"{place} says otherwise"
            if likeness(said, text) >= _MUCH:
                return f"{place} says nearly the same"
        return ""

    def _near(self, unit: NoteUnit) -> list[Entry]:
        """The entries that are like a unit, with what its heading says or without."""
        texts = {f"{context(unit)}{unit.text}": None, unit.text: None}
        found = (self.known.over(text, ALIKE_FACTS)[:_NEAREST] for text in texts)
        return [self.places[at] for at in dict.fromkeys(chain.from_iterable(found))]

    def _move(self, candidate: Weighed, target: Target, ident: str) -> str:
        """Moves a line; returns why it cannot. Every refusal comes before the note is cut: a line
        that cannot go anywhere stays.
        """
        item = as_item(candidate.unit, _tag(candidate), _facts(candidate, ident, self.terms.now))
        before = self.texts.get(target.path) or frames.TITLE.format(title=target.title)
        after = append_entry(before, target.heading, item)
        new = next((entry for entry in entries(after, target.path) if entry.key == ident), None)
        if wrong := problems(target.path, f"{item}\n"):
            return wrong[0].message
        if new is None:
            return f"{target.path} cannot hold it as an entry at its end"
        if target.path == self.terms.notebook and not fits(after):
            return f"{target.path} has no room left: clawgit memory tidy"
        if not self._take_out(candidate.unit):
            return "its note needs it"
        self.texts[target.path] = after
        self.keep(new)
        return ""

    def _take_out(self, unit: NoteUnit) -> bool:
        """Whether a unit can leave its note, together with those that left it before."""
        lines = self.cuts.setdefault(unit.path, set())
        left = cut_out(self.files[unit.path], {*lines, unit.line})
        if left is None:
            return False
        lines.add(unit.line)
        self.texts[unit.path] = left
        return True

    def _target(self, candidate: Weighed) -> Target:
        # A topic file of that name is the user's place for such lines.
        own = f"memory/{candidate.category}.md"
        path = self.terms.target or (own if own in self.texts else self.terms.notebook)
        return route(
            candidate.unit.text,
            _tag(candidate),
            self.terms.now,
            to=path,
            notebook=self.terms.notebook,
        )

    def _fresh(self, unit: NoteUnit) -> str:
        """An id for a unit. It keeps its own, so that what cites it still finds it."""
        taken = {place.key for place in self.places}
        seeds = (f"{unit.evidence}\0{unit.text}\0{number}" for number in count())
        own = split(unit.block.text).id
        idents = chain((own,), map(id_from, seeds))
        return next(ident for ident in idents if ident and ident not in taken)


def _order(candidate: Weighed) -> tuple[float, str, int]:
    return -candidate.confidence, candidate.unit.path, candidate.unit.line


def _tag(candidate: Weighed) -> str:
    return DECISION if candidate.category == DECISION else category(candidate.unit.text)


def _facts(candidate: Weighed, ident: str, now: datetime) -> Meta:
    """The comment of a promoted unit: its own, and where it stood.

    What was written by hand gets its day and how sure the promotion is, and claims nothing else.
    """
    unit = candidate.unit
    meta = read_meta(split(unit.block.text))
    if meta is None or not meta.id:
        day = (dated(unit.path) or now.date()).isoformat()
        meta = Meta(ident, (f"conf={candidate.confidence}", "n=1", f"first={day}", f"last={day}"))
    return meta._replace(id=ident).citing(unit.evidence)
