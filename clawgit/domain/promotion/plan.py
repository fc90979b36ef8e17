"""The plan of a promotion: what moves where, what stays, and why."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, count
from typing import NamedTuple

from clawgit.domain.claims.contradicting import dispute
from clawgit.domain.context.corrected_lines import Wrong, wrong_by
from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.corrections.disputed import undisputed
from clawgit.domain.facts.confidence import INFERRED
from clawgit.domain.facts.fact_verdict import ADDED, Claim, EntryPlace, judged
from clawgit.domain.facts.likeness import ALIKE_FACTS, Overlaps, likeness, may_merge
from clawgit.domain.facts.same_fact import words
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import Meta, read_meta, split
from clawgit.domain.markdown.entry import (
    append_entry,
    entries,
    id_from,
    problems,
)
from clawgit.domain.markdown.notebook import fits
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.domain.markdown.tag_table import DECISION
from clawgit.domain.markdown.tags import visible
from clawgit.domain.promotion.edit import as_item, context, cut_out
from clawgit.domain.promotion.marks import NoteUnit
from clawgit.domain.promotion.promotion import Weighed
from clawgit.domain.search.terms import singular
from clawgit.domain.soul.guard import negates
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

_STOPS = ".,:;!?()[]\"'"


class Terms(NamedTuple):
    """What a plan depends on. `target` is the file that was asked for, "" for the usual one.

    A candidate below `sure` is flagged and not moved.
    """

    now: datetime
    target: str = ""
    notebook: str = NOTEBOOK
    corrections: tuple[Correction, ...] = ()
    sure: float = 0.0


class PromotionDecision(NamedTuple):
    """What becomes of a candidate. `id` is the entry that holds it then, `why` the reason if it is
    left.
    """

    weighed: Weighed
    action: str
    target: str
    id: str = ""
    why: str = ""


class PromotionPlan(NamedTuple):
    """`files` are those that change, with their new text."""

    decided: tuple[PromotionDecision, ...]
    files: Mapping[str, str]


def plan(
    files: Mapping[str, str], lasting: Iterable[str], candidates: Iterable[Weighed], terms: Terms
) -> PromotionPlan:
    """Decides on the candidates, the surest first. The entries of `lasting` may say the same."""
    draft = _Draft(files, terms, wrong_by(terms.corrections), dict(files))
    for path in lasting:
        for entry in entries(files.get(path, "")):
            draft.keep(EntryPlace(path, entry))
    # The surest come first, because the notebook may have room for only some of them.
    decided = tuple(draft.decide(candidate) for candidate in sorted(candidates, key=_order))
    changed = {path: text for path, text in draft.texts.items() if files.get(path) != text}
    return PromotionPlan(decided, changed)


def repeats(first: str, second: str) -> bool:
    """Whether two texts say much the same in different words, with the same figures and names."""
    if likeness(first, second) < _MUCH or negates(first) != negates(second):
        return False
    mine, theirs = singular(words(first)), singular(words(second))
    return _telling(first) <= theirs and _telling(second) <= mine


@dataclass(slots=True)
class _Draft:
    """The files while a plan is made: `files` as they were, `texts` as they will be."""

    files: Mapping[str, str]
    terms: Terms
    wrong: Wrong
    texts: dict[str, str]
    places: list[EntryPlace] = field(default_factory=list)
    known: Overlaps = field(default_factory=Overlaps)
    cuts: dict[str, set[int]] = field(default_factory=dict)

    def keep(self, place: EntryPlace) -> None:
        self.places.append(place)
        self.known.add(undisputed(place.entry))

    def decide(self, candidate: Weighed) -> PromotionDecision:
        target = self._target(candidate)
        if why := candidate.against or self._against(candidate.unit, target):
            return PromotionDecision(candidate, LEFT, target.path, why=why)
        if candidate.confidence < self.terms.sure:
            return PromotionDecision(candidate, FLAGGED, target.path)
        return self._moved(candidate, target)

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
            words_of_entry = visible(undisputed(place.entry))
            if place.status == ACTIVE and repeats(words_of_entry, text):
                return f"{place} says nearly the same"
            # The lines of one note are about several things, as “part 1” and “part 2”.
            is_other = place.status == ACTIVE and not _is_made_of(place, unit)
            if is_other and dispute(words_of_entry, text):
                return f"{place} says otherwise"
        return ""

    def _near(self, unit: NoteUnit) -> list[EntryPlace]:
        """The entries that are like a unit, with what its heading says or without."""
        texts = {f"{context(unit)}{unit.text}": None, unit.text: None}
        found = (self.known.over(text, ALIKE_FACTS)[:_NEAREST] for text in texts)
        return [self.places[at] for at in dict.fromkeys(chain.from_iterable(found))]

    def _moved(self, candidate: Weighed, target: Target) -> PromotionDecision:
        ident = self._fresh(candidate.unit)
        item = as_item(candidate.unit, _tag(candidate), _facts(candidate, ident, self.terms.now))
        before = self.texts.get(target.path) or frames.TITLE.format(title=target.title)
        after = append_entry(before, target.heading, item)
        new = next((entry for entry in entries(after) if entry.key == ident), None)
        left = PromotionDecision(candidate, LEFT, target.path)
        # Every refusal comes before the note is cut: a line that cannot go anywhere stays.
        if wrong := problems(target.path, f"{item}\n"):
            return left._replace(why=wrong[0].message)
        if new is None:
            return left._replace(why=f"{target.path} cannot hold it as an entry at its end")
        if target.path == self.terms.notebook and not fits(after):
            return left._replace(why=f"{target.path} has no room left: clawgit memory tidy")
        if not self._take_out(candidate.unit):
            return left._replace(why="its note needs it")
        self.texts[target.path] = after
        self.keep(EntryPlace(target.path, new))
        return PromotionDecision(candidate, MOVED, target.path, ident)

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
        taken = {place.entry.key for place in self.places}
        seeds = (f"{unit.evidence}\0{unit.text}\0{number}" for number in count())
        own = split(unit.block.text).id
        idents = chain((own,), map(id_from, seeds))
        return next(ident for ident in idents if ident and ident not in taken)


def _is_made_of(place: EntryPlace, unit: NoteUnit) -> bool:
    """Whether an entry was made from the note."""
    evidence = place.entry.meta.evidence if place.entry.meta else ()
    return any(cited.startswith(f"{unit.path}#") for cited in evidence)


def _order(candidate: Weighed) -> tuple[float, str, int]:
    return -candidate.confidence, candidate.unit.path, candidate.unit.line


def _telling(text: str) -> frozenset[str]:
    """The names and figures of a text. Another text that lacks one of them is another fact."""
    names = {word.strip(_STOPS).casefold() for word in text.split()[1:] if word[:1].isupper()}
    return singular(word for word in words(text) if word in names or any(map(str.isdigit, word)))


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
