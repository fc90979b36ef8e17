"""The plan of a promotion: what moves where, what stays, and why."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, count
from typing import NamedTuple

from clawgit.core.layout import NOTEBOOK
from clawgit.core.markdown.comment import ACTIVE, NO_FACTS, Meta, read_meta, split
from clawgit.core.markdown.entry import (
    Entry,
    entries,
    fits,
    id_from,
    problems,
)
from clawgit.core.markdown.tag_table import DECISION, visible
from clawgit.core.tiers import dated
from clawgit.memory.rules.confidence import INFERRED
from clawgit.memory.rules.contradicting import dispute
from clawgit.memory.rules.fact import ADDED, Claim, judged
from clawgit.memory.rules.likeness import ALIKE_FACTS, Overlaps, may_merge
from clawgit.memory.rules.marks import NoteUnit, as_item, context
from clawgit.memory.rules.moving import Leaving, Moving
from clawgit.memory.rules.promotion import Weighed
from clawgit.talk.rules.corrections import Correction
from clawgit.talk.rules.disputed import undisputed
from clawgit.talk.rules.pairs import Wrong, wrong_by
from clawgit.workspace.rules.routing import Target, category, route

MOVED = "moved"
FLAGGED = "flagged"
"""The action for a candidate that is not certain enough to be moved without asking."""
LEFT = "left"

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
    draft = _Draft(files, terms, wrong_by(terms.corrections), Moving(files))
    for path in lasting:
        for entry in entries(files.get(path, ""), path):
            draft.keep(entry)
    # The surest come first, because the notebook may have room for only some of them.
    order = sorted(candidates, key=lambda one: (-one.confidence, one.unit.path, one.unit.line))
    decided = tuple(map(draft.decide, order))
    return PromotionPlan(decided, draft.moving.texts)


@dataclass(slots=True)
class _Draft:
    """The files while a plan is made, and the entries that a line may repeat or contradict."""

    files: Mapping[str, str]
    terms: Terms
    wrong: Wrong
    moving: Moving
    entries: list[Entry] = field(default_factory=list)
    known: Overlaps = field(default_factory=Overlaps)

    def keep(self, entry: Entry) -> None:
        self.entries.append(entry)
        self.known.add(undisputed(entry))

    def decide(self, candidate: Weighed) -> PromotionCandidate:
        unit, kind, notebook = candidate.unit, candidate.category, self.terms.notebook
        # A topic file of that name is the user's place for such lines.
        own = f"memory/{kind}.md"
        path = self.terms.target or (own if own in self.files else notebook)
        tag = DECISION if kind == DECISION else category(unit.text)
        target = route(unit.text, tag, self.terms.now, to=path, notebook=notebook)
        action, ident = LEFT, ""
        why = candidate.against or self._against(unit, target.path)
        if not why and candidate.confidence < self.terms.sure:
            action = FLAGGED
        elif not why:
            meta = self._meta(candidate)
            why = self._move(unit, as_item(unit, tag, meta), target, meta.id)
            action, ident = (LEFT, "") if why else (MOVED, meta.id)
        return PromotionCandidate(
            path=unit.path,
            startLine=unit.line,
            endLine=unit.end_line,
            text=unit.text,
            category=kind,
            confidence=candidate.confidence,
            hits=candidate.retrieved.hits,
            sessions=candidate.retrieved.sessions,
            why=(why,) if why else candidate.why,
            action=action,
            target=target.path,
            entryId=ident,
        )

    def _against(self, unit: NoteUnit, target: str) -> str:
        """What the operator, or an entry, says against a text, "" if nothing."""
        text, near = unit.text, list[Entry]()
        # With what its heading says, and without.
        for said in dict.fromkeys((f"{context(unit)}{text}", text)):
            alike = self.known.over(said, ALIKE_FACTS)[:_NEAREST]
            near = [self.entries[row] for row in alike]
            claim = Claim(said, INFERRED, target)
            verdict = judged(claim, near, self.terms.corrections, same=may_merge)
            if verdict.action != ADDED:
                return verdict.reason
        if where := self.wrong.correction_of(text):
            return f"the operator put this right ({where})"
        for entry in near:
            # The lines of one note are about several things, as “part 1” and “part 2”.
            cited = entry.facts.evidence
            if entry.status != ACTIVE or any(each.startswith(f"{unit.path}#") for each in cited):
                continue
            if dispute(visible(undisputed(entry)), text):
                return f"{entry} says otherwise"
        return ""

    def _move(self, unit: NoteUnit, item: str, target: Target, ident: str) -> str:
        """Moves a line; returns why it cannot: then it stays, and its note is as it was."""
        path = target.path
        leaving = [Leaving(unit.line, path, target.title, target.heading, item)]
        grown = self.moving.grown(leaving)
        if wrong := problems(path, f"{item}\n"):
            return wrong[0].why
        if grown is None:
            return f"{path} cannot hold it as an entry at its end"
        if path == self.terms.notebook and not fits(grown[path]):
            return f"{path} has no room left: clawgit memory tidy"
        if not self.moving.move(unit.path, leaving):
            return "its note needs it"
        self.keep(next(entry for entry in entries(grown[path], path) if entry.key == ident))
        return ""

    def _meta(self, candidate: Weighed) -> Meta:
        """The comment of a promoted unit: its own, so that what cites it still finds it, and where
        it stood. What was written by hand gets its day and how sure the promotion is, and claims
        nothing else.
        """
        unit, taken = candidate.unit, {entry.key for entry in self.entries}
        own = read_meta(split(unit.block.text)) or NO_FACTS
        seeds = (f"{unit.evidence}\0{unit.text}\0{number}" for number in count())
        idents = chain((own.id,), map(id_from, seeds))
        ident = next(each for each in idents if each and each not in taken)
        if not own.id:
            day = (dated(unit.path) or self.terms.now.date()).isoformat()
            sure = f"conf={candidate.confidence}"
            own = Meta(ident, (sure, "n=1", f"first={day}", f"last={day}"))
        return own._replace(id=ident).citing(unit.evidence)
